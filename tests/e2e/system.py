"""The whole system as `make run` starts it, on a free port and a folder of its own."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic

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
        for pid in _descendants(self.pid):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
                found[pid] = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        return found

    def kill(self, module: str) -> None:
        """kill -9 of the process that runs a module, such as ``owntrumps_engine``. Returns when it is gone, and with it
        whatever it had started."""
        pid = next(pid for pid, command in self.processes().items() if module in command)
        ends = End.of([pid, *_descendants(pid)])
        os.kill(pid, signal.SIGKILL)
        ends.wait()

    def kill_supervisor(self) -> None:
        """kill -9 of the supervisor. Returns when everything that it ran is gone."""
        ends = End.of(_descendants(self.pid))
        self.stop(signal.SIGKILL)
        ends.wait()

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, trust_env=False)

    def player(self, name: str = "Ann") -> httpx.Client:
        """A new player's client."""
        with self.client() as stranger:
            registered = stranger.post("/v1/players", json={"name": name})
        assert registered.status_code == 201, registered.text
        return self.client(registered.json()["token"])


class End:
    """That of some processes."""

    def __init__(self, processes: Mapping[int, str]) -> None:
        self._processes = dict(processes)
        """Command lines by process descriptor."""

    @classmethod
    def of(cls, pids: Sequence[int]) -> "End":
        processes = {}
        for pid in pids:
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
                processes[os.pidfd_open(pid)] = command
        return cls(processes)

    def wait(self, seconds: float = 60) -> None:
        """AssertionError, with their command lines, if some are still there after so many seconds."""
        ends = monotonic() + seconds
        try:
            while self._processes:
                ended, _, _ = select.select(self._processes, [], [], max(0.0, ends - monotonic()))
                assert ended, f"still there after {seconds} s: {sorted(self._processes.values())}"
                for descriptor in ended:
                    del self._processes[descriptor]
                    os.close(descriptor)
        finally:
            for descriptor in self._processes:
                os.close(descriptor)


def _descendants(pid: int) -> list[int]:
    """The processes that it started, those that they started, and so on."""
    found = _children(pid)
    for child in found:  # it grows as it is read
        found.extend(_children(child))
    return found


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
