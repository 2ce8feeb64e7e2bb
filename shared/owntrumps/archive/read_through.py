"""Matches wherever they live: in the store while they are played and for a while after, then in the archive."""

from typing import Any, Final, cast

from owntrumps.archive.archive import Archive
from owntrumps.game.terms import MatchId, PlayerId, Version
from owntrumps.store.ids import cursor_of, list_row
from owntrumps.store.port import MatchSummary, Status, Store, StoredEntry

_OVER: Final[tuple[Status | None, ...]] = ("finished", "aborted", None)


class ReadThrough:
    """A `MatchReader` and the `matches` of `Lists` over both. Everything else is the store's own.

    A match is archived before it leaves the store, so whoever looks there first and then here finds it. Where the
    database cannot be reached, what is in the store can still be read; for the rest it is ArchiveUnavailableError.
    """

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def state(self, match: MatchId) -> bytes | None:
        found = self._store.state(match)
        if found is not None or self._in_store(match):
            return found
        return self._archive.state(match)

    def entries(self, match: MatchId, *, after: Version, limit: int) -> list[StoredEntry]:
        found = self._store.entries(match, after=after, limit=limit)
        if found or self._in_store(match):
            return found
        return self._archive.entries(match, after=after, limit=limit)

    def is_imported(self, match: MatchId) -> bool:
        """Whether it is a record from elsewhere."""
        return not self._in_store(match) and self._archive.is_imported(match)

    def _in_store(self, match: MatchId) -> bool:
        """Whether the store has the match, though perhaps not what was asked for."""
        return bool(self._store.entries(match, after=Version(0), limit=1))

    def matches(
        self,
        *,
        status: Status | None,
        ruleset: str | None,
        player: PlayerId | None,
        cursor: str | None,
        limit: int,
    ) -> tuple[list[MatchSummary], str | None]:
        """As `Lists.matches`: both lists are in the same order and have the same cursors, so they merge."""
        found, more = self._store.matches(status=status, ruleset=ruleset, player=player, cursor=cursor, limit=limit)
        if status not in _OVER:
            return found, more
        archived, more_archived = self._archive.matches(
            status=status, ruleset=ruleset, player=player, cursor=cursor, limit=limit
        )
        rows = {_row(summary): summary for summary in (*archived, *found)}
        page = sorted(rows, reverse=True)
        left = len(page) > limit or more is not None or more_archived is not None
        return [rows[row] for row in page[:limit]], cursor_of(page[limit - 1]) if left else None


def reading_through(store: Store, archive: Archive) -> Store:
    """The store with `ReadThrough` before it."""
    return cast("Store", ReadThrough(store, archive))


def _row(summary: MatchSummary) -> str:
    return list_row(summary.index.created_at, summary.match)
