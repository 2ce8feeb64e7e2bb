"""A bounded number of bytes of what was read lately. Thread-safe."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by key, the least recently used dropped first once they weigh more than ``limit`` bytes together."""

    def __init__(self, limit: int, weight: Callable[[V], int]) -> None:
        self._limit = limit
        self._weight = weight
        self._lock = Lock()
        self._values: OrderedDict[K, tuple[int, V]] = OrderedDict()
        self._held = 0

    def get(self, key: K) -> V | None:
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[1]

    def put(self, key: K, value: V) -> None:
        weight = self._weight(value)
        with self._lock:
            self._held += weight - self._values.pop(key, (0, value))[0]
            self._values[key] = (weight, value)
            while self._held > self._limit:
                _, (dropped, _) = self._values.popitem(last=False)
                self._held -= dropped
