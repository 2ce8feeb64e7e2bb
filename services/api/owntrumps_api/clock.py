"""The store's clock, read once in a while and carried on by this machine's own."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final, Protocol

from owntrumps.game.terms import Millis

READ_EVERY_SECONDS: Final = 1.0


class HasClock(Protocol):
    def now(self) -> Millis: ...


class Clock:
    """Two machines' clocks drift apart by far less than a millisecond in a second."""

    def __init__(self, store: HasClock, ticks: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._ticks = ticks
        self._lock = Lock()
        self._moment = Millis(0)
        self._at = -READ_EVERY_SECONDS

    def now(self) -> Millis:
        """The store's moment, never before one that was given."""
        with self._lock:
            ticks = self._ticks()
            if ticks - self._at >= READ_EVERY_SECONDS:
                self._moment = max(self._store.now(), self._carried(ticks))
                self._at = ticks
            return self._carried(ticks)

    def _carried(self, ticks: float) -> Millis:
        return Millis(self._moment + int((ticks - self._at) * 1000)) if self._moment else Millis(0)
