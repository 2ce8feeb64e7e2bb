"""The history service: hears of each match that is over, archives it at once, and later lets the store forget it.

The feed is only how it hears early. A notice is settled once its match is archived, so a process that dies leaves its
notices to the next one; what a trimmed feed no longer tells, the sweep over ended matches finds. Saving a match twice
changes nothing. While the database is away nothing is settled, and the feed and the matches wait in the store.
"""

import time
from threading import Event
from typing import Final

import structlog

from owntrumps.archive.archive import Archive
from owntrumps.archive.errors import ArchiveUnavailableError
from owntrumps.game.terms import Millis
from owntrumps.store.port import Notice, Store, StoreUnavailableError
from owntrumps_history.archiving import Archivist
from owntrumps_history.config import HistoryConfig
from owntrumps_history.metrics import Metrics

log = structlog.get_logger("owntrumps.history")

GROUP: Final = "history"
"""The consumer group of all history processes on every shard's feed."""
_RETRY_SECONDS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Waits between attempts to reach store and database; the last one is repeated."""


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

    def hurry(self) -> None:
        """Be true at the next call."""
        self._next = 0.0


class History:
    """One history process. ``run`` until a stop is asked for, or ``run_once`` after ``run_once``."""

    def __init__(self, store: Store, archive: Archive, config: HistoryConfig, metrics: Metrics | None = None) -> None:
        self._store = store
        self._config = config
        self.metrics = metrics or Metrics()
        self._archivist = Archivist(store, archive, self.metrics)
        self._held: list[Notice] = []
        self._next_claim = _Every(config.claim_every_ms)
        self._next_sweep = _Every(config.sweep_every_ms)

    def run_once(self, block_ms: int) -> int:
        """One batch of notices and, when it is time, one round of the sweep; how many of both were handled.

        Waits up to ``block_ms`` for notices. Raises StoreUnavailableError; calling again is safe.
        """
        config = self._config
        if not self._held and self._next_claim():
            self._held = self._store.claim_notices(
                GROUP, config.consumer, idle_ms=config.claim_idle_ms, limit=config.batch
            )
        if not self._held:
            self._held = self._store.receive_notices(GROUP, config.consumer, limit=config.batch, block_ms=block_ms)
        handled = len(self._held)
        self._settle()
        return handled + (self._sweep() if self._next_sweep() else 0)

    def run(self, stop: Event) -> None:
        """Work until ``stop`` is set; a batch that was begun is finished."""
        log.info("started", consumer=self._config.consumer)
        failures, busy = 0, False
        while not stop.is_set():
            try:
                busy = self.run_once(0 if busy else self._config.block_ms) > 0
                failures = 0
            except StoreUnavailableError as error:
                what = "database" if isinstance(error, ArchiveUnavailableError) else "store"
                self.metrics.unavailable.labels(what).inc()
                wait = _RETRY_SECONDS[min(failures, len(_RETRY_SECONDS) - 1)]
                failures += 1
                log.warning("unavailable", what=what, error=str(error), failures=failures, retry_in=wait)
                stop.wait(wait)
        log.info("stopped", consumer=self._config.consumer)

    def _settle(self) -> None:
        """Archive what the notices at hand say is over, then settle them."""
        if not self._held:
            return
        over = [notice.match for notice in self._held if notice.status in ("finished", "aborted")]
        saved = self._archivist.archive(over)
        self._store.settle_notices(GROUP, self._held)
        self._held = []
        if saved:
            log.info("archived", matches=saved)

    def _sweep(self) -> int:
        config = self._config
        looked_at = self._archivist.let_go(Millis(self._store.now() - config.grace_ms), config.sweep_batch)
        if looked_at == config.sweep_batch:
            self._next_sweep.hurry()
        return looked_at
