"""Out of the store's logs into the archive, and out of the store once both are the same."""

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

import structlog

from owntrumps.archive.archive import Archive
from owntrumps.archive.errors import DamagedLogError, UnfitLogError, UnfitRowsError
from owntrumps.archive.whole import WholeMatch, whole_match
from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.store.matches import PAGE
from owntrumps.store.port import Archiving, MatchReader, StoredEntry
from owntrumps_history.metrics import Metrics

log = structlog.get_logger("owntrumps.history")

AT_ONCE: Final = 64
"""Matches saved in one transaction: so many logs are in memory together."""


class LeavingStore(MatchReader, Archiving, Protocol):
    """What archiving needs of a store."""


class Archivist:
    """Archives matches and lets them go. What cannot be archived is told loudly, and stays where it is."""

    def __init__(self, store: LeavingStore, archive: Archive, metrics: Metrics) -> None:
        self._store = store
        self._archive = archive
        self._metrics = metrics
        self._stuck: set[MatchId] = set()

    def archive(self, ids: Iterable[MatchId]) -> int:
        """Archive these matches, unless they are there already; how many were new.

        Raises StoreUnavailableError; what was archived by then stays so, and doing it again is harmless.
        """
        rest = [*dict.fromkeys(ids)]
        return sum(self._save(self._whole(rest[start : start + AT_ONCE])) for start in range(0, len(rest), AT_ONCE))

    def let_go(self, until: Millis, limit: int) -> int:
        """Take up to ``limit`` matches that ended by ``until``: archive what is missing, compare, and only then have
        the store forget them. How many were looked at."""
        over = self._store.ended(until, limit=limit + len(self._stuck))
        ripe = [match for match in over if match not in self._stuck][:limit]
        for match in ripe:
            self._let_go(match)
        return len(ripe)

    def _let_go(self, match: MatchId) -> None:
        written = whole_log(self._store, match)
        archived = self._archived(match)
        if archived is None and match not in self._stuck:
            self._metrics.swept.inc(self.archive([match]))
            archived = self._archived(match)
        if match in self._stuck:
            return
        if archived != written:
            if written:
                self._give_up(match, "the archive's log is not the store's")
            return
        if self._store.forget(match, at_version=Version(len(written))):
            self._metrics.forgotten.inc()

    def _archived(self, match: MatchId) -> list[StoredEntry] | None:
        try:
            return self._archive.logs([match]).get(match)
        except DamagedLogError as error:
            self._give_up(match, f"its archived log is damaged: {error}")
            return None

    def _whole(self, ids: Sequence[MatchId]) -> list[WholeMatch]:
        found = []
        for match in ids:
            entries = whole_log(self._store, match)
            if not entries:
                continue  # it has left: somebody else archived it
            try:
                found.append(whole_match(match, entries))
            except UnfitLogError as error:
                self._give_up(match, str(error))
        return found

    def _save(self, whole: Sequence[WholeMatch]) -> int:
        if not whole:
            return 0
        try:
            with self._metrics.save_seconds.time():
                results = self._archive.save_all(whole)
        except UnfitRowsError as error:
            if len(whole) > 1:
                return sum(self._save([match]) for match in whole)
            self._give_up(whole[0].id, str(error))
            return 0
        for match, result in zip(whole, results, strict=True):
            if result == "other":
                self._give_up(match.id, "the archive has another log under its id")
        saved = results.count("saved")
        self._metrics.archived.inc(saved)
        return saved

    def _give_up(self, match: MatchId, reason: str) -> None:
        """Leave a match where it is, for people to look at. It is tried again by the next process."""
        self._stuck.add(match)
        self._metrics.stuck.set(len(self._stuck))
        log.critical("stuck", match=match, reason=reason)


def whole_log(store: MatchReader, match: MatchId) -> list[StoredEntry]:
    """Every entry of a match's log."""
    entries: list[StoredEntry] = []
    while True:
        page = store.entries(match, after=Version(len(entries)), limit=PAGE)
        entries += page
        if len(page) < PAGE:
            return entries
