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
    """Two machines' clocks drift apart by far less than a millisecond in a second. What it tells is never ahead of the
    store's clock by more than that, and behind by what a reading took."""

    def __init__(self, store: HasClock, ticks: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._ticks = ticks
        self._lock = Lock()
        self._read: tuple[Millis, float] | None = None

    def now(self) -> Millis:
        """The store's moment."""
        with self._lock:
            if self._read is None or self._ticks() - self._read[1] >= READ_EVERY_SECONDS:
                moment = self._store.now()
                self._read = moment, self._ticks()
            moment, at = self._read
            return Millis(moment + int((self._ticks() - at) * 1000))
