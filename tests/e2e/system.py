"""The whole system as `make run` starts it, on a free port and a folder of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import httpx

from tests.store.servers import free_port

READY = "Own trumps is at "


class System:
    """`owntrumps serve` over a data folder. ``url`` stays the same over restarts."""

    def __init__(self, data: Path, *, bots: int = 1, environment: Mapping[str, str] | None = None) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._bots = bots
        self._environment = dict(environment or {})
        self._process: subprocess.Popen[str] | None = None

    @property
    def store_url(self) -> str:
        """The embedded store, for those who look under the bonnet."""
        return f"unix://{self.data / 'store' / 'store.sock'}"

    def start(self) -> None:
        """Start it and wait until it is ready."""
        owntrumps = Path(sys.executable).with_name("owntrumps")
        settings = {"--port": self.port, "--data": self.data, "--bots": self._bots}
        arguments = [str(owntrumps), "serve", *(str(word) for setting in settings.items() for word in setting)]
        self._process = subprocess.Popen(
            arguments,
            env={**os.environ, **self._environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        seen: list[str] = []
        for line in self._process.stdout:
            seen.append(line)
            if line.startswith(READY):
                return
        self._process.communicate()
        raise AssertionError("the system did not start:\n" + "".join(seen))

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Ask it to stop, and wait; the exit code and what it said since it was ready."""
        assert self._process is not None
        self._process.send_signal(how)
        said, _ = self._process.communicate(timeout=90)
        return self._process.returncode, said

    def restart(self) -> None:
        """Stop it and start it again on the same folder and port."""
        self.stop()
        self.start()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def processes(self) -> dict[int, Sequence[str]]:
        """Everything it runs: command lines by process id."""
        found: dict[int, Sequence[str]] = {}
        unseen = [self.pid]
        while unseen:
            for child in _children(unseen.pop()):
                found[child] = Path(f"/proc/{child}/cmdline").read_text().split("\0")
                unseen.append(child)
        return found

    def kill(self, module: str) -> int:
        """kill -9 of the process that runs a module, such as ``owntrumps_engine``; its process id."""
        pid = next(pid for pid, command in self.processes().items() if module in command)
        os.kill(pid, signal.SIGKILL)
        return pid

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, trust_env=False)

    def player(self, name: str = "Ann") -> httpx.Client:
        """A new player's client."""
        with self.client() as stranger:
            registered = stranger.post("/v1/players", json={"name": name})
        assert registered.status_code == 201, registered.text
        return self.client(registered.json()["token"])


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
