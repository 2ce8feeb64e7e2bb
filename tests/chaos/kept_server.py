"""The embedded store under its keeper, to be killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from owntrumps.supervisor.folder import DataFolder
from owntrumps.supervisor.keeper import PIDFILE


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
