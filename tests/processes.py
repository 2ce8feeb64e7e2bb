"""The services as processes of their own, to be asked, stopped and killed. Each one's log is read as it comes: a pipe
that nobody reads would fill and hold its writer up."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Self

PATIENCE_SECONDS = 60.0


class Process:
    """`python ARGUMENTS`. ``log`` holds the lines of standard error that were waited for or came before those, and all
    of them after the end; one that is no JSON is an event without fields."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], stdout: int = subprocess.DEVNULL):
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            env={**os.environ, **environment},
            stderr=subprocess.PIPE,
            stdout=stdout,
            text=True,
        )
        self._lines: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._reader = Thread(target=self._read)
        self._reader.start()
        self.log: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._lines.put(json.loads(line) if line.startswith("{") else {"event": line.rstrip()})
        self._lines.put(None)

    def wait_for(self, event: str, **fields: object) -> dict[str, Any]:
        """The next line with that event and those fields."""
        while (line := self._next(event))["event"] != event or not fields.items() <= line.items():
            pass
        return line

    def wait_for_words(self, words: str) -> None:
        """Return when a line's event contains the words."""
        while words not in self._next(words)["event"]:
            pass

    def _next(self, sought: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=PATIENCE_SECONDS)
        except Empty:
            raise AssertionError(f"no {sought!r} in {self.log}") from None
        assert line is not None, f"ended without {sought!r}: {self.log}"
        self.log.append(line)
        return line

    def kill(self) -> None:
        """kill -9, unless it has ended."""
        self._process.kill()
        self.join()

    def stop(self) -> int:
        """SIGTERM, unless it has ended; the exit code."""
        self._process.terminate()
        return self.join()

    def join(self) -> int:
        """Wait for its end; the exit code."""
        code = self._process.wait(PATIENCE_SECONDS)
        self._reader.join()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        while not self._lines.empty():
            line = self._lines.get()
            if line is not None:
                self.log.append(line)
        return code


class ServiceProcess(Process):
    """One `python -m MODULE` that says when it is ready, which it is when it is made."""

    def __init__(self, module: str, settings: Mapping[str, str]) -> None:
        super().__init__(["-m", module], settings, subprocess.PIPE)
        assert self._process.stdout is not None
        if self._process.stdout.readline() != "ready\n":
            self.kill()
            raise AssertionError(f"{module} ended before it was ready: {self.log}")


class EngineProcess(ServiceProcess):
    """An engine over the store at ``url``. A dead engine's commands are taken over quickly, so that tests are quick."""

    def __init__(self, url: str, **settings: str) -> None:
        eager = {"OWNTRUMPS_ENGINE_CLAIM_IDLE_MS": "300", "OWNTRUMPS_ENGINE_CLAIM_EVERY_MS": "50"}
        super().__init__("owntrumps_engine", {**eager, **settings, "OWNTRUMPS_STORE_URL": url})


class HistoryProcess(ServiceProcess):
    """A history process over a store and a database, by their URLs. A dead process's notices are taken over quickly
    and matches leave at once, so that tests are quick."""

    def __init__(self, store: str, database: str, **settings: str) -> None:
        eager = {
            "OWNTRUMPS_HISTORY_CLAIM_IDLE_MS": "300",
            "OWNTRUMPS_HISTORY_CLAIM_EVERY_MS": "50",
            "OWNTRUMPS_HISTORY_SWEEP_EVERY_MS": "100",
            "OWNTRUMPS_HISTORY_GRACE_MS": "0",
        }
        urls = {"OWNTRUMPS_STORE_URL": store, "OWNTRUMPS_DATABASE_URL": database}
        super().__init__("owntrumps_history", {**eager, **settings, **urls})


class ApiProcess(Process):
    """An api that listens on a port of this machine. ``url`` says where."""

    def __init__(self, store: str, port: int, **settings: str) -> None:
        environment = {
            "OWNTRUMPS_STORE_URL": store,
            "OWNTRUMPS_SECRET": "a secret of the tests",
            "OWNTRUMPS_BIND": f"127.0.0.1:{port}",
        }
        super().__init__(["-m", "owntrumps_api"], {**environment, **settings})
        self.url = f"http://127.0.0.1:{port}"
        self.wait_for_words("Listening at")
