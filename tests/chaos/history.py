"""A real history process, to be killed."""

import os
import signal
import subprocess
import sys
from types import TracebackType
from typing import Self

EAGER = {
    "OWNTRUMPS_HISTORY_CLAIM_IDLE_MS": "300",
    "OWNTRUMPS_HISTORY_CLAIM_EVERY_MS": "50",
    "OWNTRUMPS_HISTORY_SWEEP_EVERY_MS": "100",
    "OWNTRUMPS_HISTORY_GRACE_MS": "0",
}
"""A dead process's notices are taken over quickly and matches leave at once, so that tests are quick."""


class HistoryProcess:
    """One `python -m owntrumps_history`, ready when it is made."""

    def __init__(self, store: str, database: str, **settings: str) -> None:
        urls = {"OWNTRUMPS_STORE_URL": store, "OWNTRUMPS_DATABASE_URL": database}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "owntrumps_history"],
            env={**os.environ, **EAGER, **settings, **urls},
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
        """kill -9."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()

    def stop(self) -> tuple[int, str]:
        """SIGTERM; the exit code and the log."""
        self._process.send_signal(signal.SIGTERM)
        _, log = self._process.communicate(timeout=30)
        return self._process.returncode, log
