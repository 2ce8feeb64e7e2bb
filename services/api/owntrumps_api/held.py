"""What one process carries: places for held-open requests, and how many POSTs one caller may make."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Final

from owntrumps_api.problems import Problem

REMEMBERED_CALLERS: Final = 10_000


class Places:
    """A bounded number of streams and long polls, kept below the server's connections: plain requests always get in."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._lock = Lock()
        self.taken = 0

    def take(self) -> None:
        """Take a place, or Problem ``too-many-streams``. Give it back with `leave`."""
        with self._lock:
            if self.taken >= self._number:
                raise Problem("too-many-streams", f"{self._number} streams and long polls are open here; try again")
            self.taken += 1

    def leave(self) -> None:
        with self._lock:
            self.taken -= 1

    @contextmanager
    def taking(self) -> Iterator[None]:
        self.take()
        try:
            yield
        finally:
            self.leave()


class WriteLimit:
    """A token bucket for each caller: ``per_minute`` POSTs a minute, as many at once; 0 is no limit."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._lock = Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, caller: str, cost: int = 1) -> None:
        """Count the caller's POST, or Problem ``rate-limited`` with the seconds until there is room."""
        if not self._per_minute:
            return
        with self._lock:
            now = self._clock()
            left, since = self._buckets.get(caller, (float(self._per_minute), now))
            left = min(float(self._per_minute), left + (now - since) * self._per_minute / 60)
            if left < cost:
                wait = int((cost - left) * 60 / self._per_minute) + 1
                detail = f"at most {self._per_minute} POSTs a minute; try again in {wait} s"
                raise Problem("rate-limited", detail, {"retry_after": wait})
            self._buckets[caller] = (left - cost, now)
            self._buckets.move_to_end(caller)
            while len(self._buckets) > REMEMBERED_CALLERS:
                self._buckets.popitem(last=False)
