"""The lists of matches in memory. Whoever calls holds the store's lock."""

from collections import defaultdict

from owntrumps.game.terms import MatchId, Millis, PlayerId
from owntrumps.store.ids import cursor_of, list_row
from owntrumps.store.port import MatchIndex, MatchSummary, Status


class MemoryLists:
    """Each match's index, whom it waits for, and when it was over."""

    def __init__(self) -> None:
        self.index: dict[MatchId, MatchIndex] = {}
        self.ended_at: dict[MatchId, Millis] = {}
        self._waiting: defaultdict[PlayerId, dict[MatchId, None]] = defaultdict(dict)

    def put(self, match: MatchId, index: MatchIndex, now: Millis) -> None:
        """The match's new index, as of a commit at ``now``."""
        before = self.index.get(match)
        if before is not None and before.to_move is not None and before.to_move != index.to_move:
            self._waiting[before.to_move].pop(match, None)
        if index.to_move is not None:
            self._waiting[index.to_move][match] = None
        if index.status in ("finished", "aborted"):
            self.ended_at.setdefault(match, now)
        self.index[match] = index

    def remove(self, match: MatchId) -> None:
        index = self.index.pop(match, None)
        self.ended_at.pop(match, None)
        if index is not None and index.to_move is not None:
            self._waiting[index.to_move].pop(match, None)

    def page(
        self, status: Status | None, ruleset: str | None, player: PlayerId | None, before: str | None, limit: int
    ) -> tuple[list[MatchSummary], str | None]:
        """As `Lists.matches`, with the row that the page comes after."""
        rows = {
            list_row(index.created_at, match): MatchSummary(match, index)
            for match, index in self.index.items()
            if (status is None or index.status == status)
            and (ruleset is None or index.ruleset_name == ruleset)
            and (not index.private if player is None else player in index.players)
        }
        page = sorted((row for row in rows if before is None or row < before), reverse=True)[: limit + 1]
        following = cursor_of(page[limit - 1]) if len(page) > limit else None
        return [rows[row] for row in page[:limit]], following

    def turns_of(self, player: PlayerId) -> list[MatchId]:
        return list(self._waiting.get(player, ()))

    def ended(self, until: Millis, limit: int) -> list[MatchId]:
        over = sorted((when, match) for match, when in self.ended_at.items() if when <= until)
        return [match for _, match in over[:limit]]
