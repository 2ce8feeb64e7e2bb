"""Real processes, to be killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from owntrumps.supervisor.folder import DataFolder
from owntrumps.supervisor.keeper import PIDFILE

EAGER = {"OWNTRUMPS_ENGINE_CLAIM_IDLE_MS": "300", "OWNTRUMPS_ENGINE_CLAIM_EVERY_MS": "50"}
"""A dead engine's commands are taken over quickly, so that tests are quick."""


class ServiceProcess:
    """One `python -m MODULE`, ready when it is made."""

    def __init__(self, module: str, settings: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            env={**os.environ, **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n", self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """kill -9, and its whole log."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()

    def stop(self) -> tuple[int, str]:
        """SIGTERM; the exit code and the log."""
        self._process.send_signal(signal.SIGTERM)
        _, log = self._process.communicate(timeout=30)
        return self._process.returncode, log


class EngineProcess(ServiceProcess):
    """An engine over the store at ``url``."""

    def __init__(self, url: str, **settings: str) -> None:
        super().__init__("owntrumps_engine", {**EAGER, **settings, "OWNTRUMPS_STORE_URL": url})


class KeptServer:
    """The embedded store under its keeper, as `owntrumps serve` runs it. ``url`` stays the same."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self.url = f"unix://{folder.socket('store')}"
        self._keeper: subprocess.Popen[str] | None = None

    def start(self) -> None:
        arguments = [sys.executable, "-m", "owntrumps.supervisor.keeper", "store", str(self._folder.path)]
        self._keeper = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        assert self._keeper.stdout is not None
        assert self._keeper.stdout.readline() == "ready\n"

    def kill_server(self) -> int:
        """kill -9 of the server itself; the keeper's exit code."""
        os.kill(int((self._folder.server("store") / PIDFILE).read_text()), signal.SIGKILL)
        return self._ended()

    def kill_keeper(self) -> None:
        """kill -9 of the keeper: the server lives on."""
        assert self._keeper is not None
        self._keeper.kill()
        self._ended()

    def stop(self) -> int:
        """SIGTERM to the keeper; its exit code."""
        assert self._keeper is not None
        self._keeper.terminate()
        return self._ended()

    def _ended(self) -> int:
        assert self._keeper is not None
        self._keeper.communicate(timeout=30)
        return self._keeper.returncode


@contextmanager
def kept_server(path: Path) -> Iterator[KeptServer]:
    server = KeptServer(DataFolder.at(path))
    server.start()
    try:
        yield server
    finally:
        server.stop()
