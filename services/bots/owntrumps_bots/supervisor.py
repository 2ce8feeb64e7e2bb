"""Keeping one process for each worker: started warm, started again if it ends, stopped with the supervisor.

Workers are forked from a process that has everything imported and compiled but nothing opened: they are ready at once
and share that memory. (RQ's own `WorkerPool` starts workers that all serve the same queues.)
"""

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from multiprocessing.context import ForkProcess
from threading import Event, Thread
from time import monotonic
from types import FrameType
from typing import Final

import structlog
from structlog.typing import FilteringBoundLogger

STEADY_SECONDS: Final = 10.0
"""A worker that lived for so long is started again at once; others wait, longer each time."""
FIRST_WAIT_SECONDS: Final = 0.5
LAST_WAIT_SECONDS: Final = 15.0
ASK_AGAIN_SECONDS: Final = 0.5
"""A worker is asked to stop until it does: see `owntrumps_bots.worker.TurnWorker.request_stop`."""

_fork = get_context("fork")
_log: FilteringBoundLogger = structlog.get_logger()


@dataclass(slots=True)
class _Place:
    """One worker's place: who is in it, or when somebody will be."""

    level: str
    process: ForkProcess | None = None
    started: float = 0.0
    start_at: float = 0.0
    wait: float = FIRST_WAIT_SECONDS


class Supervisor:
    """``work`` is called in each worker's process with its level."""

    def __init__(self, levels: Sequence[str], work: Callable[[str], None]) -> None:
        self._places = [_Place(level) for level in levels]
        self._work = work
        self._stopping = False
        self._woken, self._wake = os.pipe()

    def run(self) -> None:
        """Until SIGTERM or SIGINT, and then until every worker has ended. Call it in the main thread, once."""
        signal.signal(signal.SIGTERM, self._ask_to_stop)
        signal.signal(signal.SIGINT, self._ask_to_stop)
        while not self._stopping:
            self._fill_places()
            self._wait()
            self._look_after()
        processes = [place.process for place in self._places if place.process is not None]
        while processes:
            for process in processes:
                process.terminate()
            connection.wait([process.sentinel for process in processes], ASK_AGAIN_SECONDS)
            processes = [process for process in processes if process.is_alive()]

    def _ask_to_stop(self, _signal: int, _frame: FrameType | None) -> None:
        self._stopping = True
        os.write(self._wake, b".")

    def _fill_places(self) -> None:
        for place in self._places:
            if place.process is None and place.start_at <= monotonic():
                place.process = _fork.Process(target=_work, args=(self._work, place.level))
                place.process.start()
                place.started = monotonic()
                _log.info("worker-started", level=place.level, pid=place.process.pid)

    def _wait(self) -> None:
        """Until a worker ends, a place is due, or somebody wants us to stop."""
        sentinels = [place.process.sentinel for place in self._places if place.process is not None]
        due = [place.start_at for place in self._places if place.process is None]
        connection.wait([*sentinels, self._woken], max(0.0, min(due) - monotonic()) if due else None)

    def _look_after(self) -> None:
        for place in self._places:
            if place.process is None or place.process.is_alive() or self._stopping:
                continue
            _log.warning("worker-gone", level=place.level, pid=place.process.pid, exit_code=place.process.exitcode)
            steady = monotonic() - place.started >= STEADY_SECONDS
            place.wait = FIRST_WAIT_SECONDS if steady else min(place.wait * 2, LAST_WAIT_SECONDS)
            place.start_at = monotonic() + (0.0 if steady else place.wait)
            place.process.join()
            place.process = None


def _work(work: Callable[[str], None], level: str) -> None:
    """The worker's process: it ends with its supervisor, also if that is killed."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()
    work(level)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        asked = Event()
        while True:
            os.kill(os.getpid(), signal.SIGTERM)
            asked.wait(ASK_AGAIN_SECONDS)
