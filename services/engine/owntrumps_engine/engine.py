"""The engine: a competing consumer of the shards' inboxes, and the clock of every match.

Engines own no match. Whatever one of them leaves undone when it dies, another takes over: its submissions by `claim`,
its deadlines by `due`. What two of them do at once happens once, since a commit checks the version.
"""

import time
from collections.abc import Sequence
from threading import Event
from typing import Final

import structlog

from owntrumps.store.port import Delivery, Store, StoreUnavailableError
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.metrics import Metrics
from owntrumps_engine.settling import Settler
from owntrumps_engine.timekeeping import Timekeeper

log = structlog.get_logger("owntrumps.engine")

SUSPECT_TIMES: Final = 2
"""A submission delivered more often than this is settled alone, so that it takes no other down with it."""
_RETRY_SECONDS: Final = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Waits between attempts to reach the store; the last one is repeated."""


class _Every:
    """True when called for the first time, and then whenever so many milliseconds have passed."""

    def __init__(self, milliseconds: int) -> None:
        self._seconds = milliseconds / 1000
        self._next = 0.0

    def __call__(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + self._seconds
        return True


class Engine:
    """One engine over a store. ``run`` until a stop is asked for, or ``run_once`` after ``run_once``."""

    def __init__(self, store: Store, config: EngineConfig, metrics: Metrics | None = None) -> None:
        self._store = store
        self._config = config
        self.metrics = metrics or Metrics()
        self._settler = Settler(store, config, self.metrics)
        self._timekeeper = Timekeeper(store, self._settler, config, self.metrics)
        self._next_claim = _Every(config.claim_every_ms)
        self._next_beat = _Every(config.beat_every_ms)
        self._next_round = _Every(config.due_every_ms)

    def run_once(self, block_ms: int) -> int:
        """One batch of submissions, after whatever time demands; how many submissions and deadlines were handled.

        Waits up to ``block_ms`` for submissions. Raises StoreUnavailableError; calling again is safe.
        """
        try:
            handled = self._time_passes()
            if self._next_claim():
                handled += self._settle(self._claimed())
            return handled + self._settle(
                self._store.receive(self._config.consumer, limit=self._config.batch, block_ms=block_ms)
            )
        except StoreUnavailableError:
            self._settler.cache.clear()
            raise

    def run(self, stop: Event) -> None:
        """Work until ``stop`` is set; a batch that was begun is finished."""
        log.info("started", consumer=self._config.consumer)
        failures = 0
        while not stop.is_set():
            try:
                self.run_once(self._config.block_ms)
                failures = 0
            except StoreUnavailableError as error:
                self.metrics.unavailable.inc()
                wait = _RETRY_SECONDS[min(failures, len(_RETRY_SECONDS) - 1)]
                failures += 1
                log.warning("store-unavailable", error=str(error), failures=failures, retry_in=wait)
                stop.wait(wait)
        log.info("stopped", consumer=self._config.consumer)

    def _time_passes(self) -> int:
        if self._next_beat():
            self._timekeeper.beat()
        return self._timekeeper.round() if self._next_round() else 0

    def _claimed(self) -> list[Delivery]:
        claimed = self._store.claim(self._config.consumer, idle_ms=self._config.claim_idle_ms, limit=self._config.batch)
        if claimed:
            self.metrics.claimed.inc(len(claimed))
            log.warning("claimed", submissions=len(claimed))
        return claimed

    def _settle(self, deliveries: Sequence[Delivery]) -> int:
        if not deliveries:
            return 0
        self.metrics.batch_size.observe(len(deliveries))
        with self.metrics.batch_seconds.time():
            now = self._store.now()
            suspects = [delivery for delivery in deliveries if delivery.times > SUSPECT_TIMES]
            self._settler.settle([delivery for delivery in deliveries if delivery.times <= SUSPECT_TIMES], now)
            for suspect in suspects:
                self._settler.settle([suspect], now)
        return len(deliveries)
