"""A match as it was at any version, without folding its log from the beginning each time.

Folds are kept at every `EVERY`th version. Logs never change, so a kept fold is never wrong. Repetitions are not counted
in them: they are for looking, not for deciding.
"""

from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import Final

from owntrumps.game.log import fold
from owntrumps.game.state import EMPTY, Match, PlayingMatch
from owntrumps.game.terms import MatchId, Version
from owntrumps.rules.deal import NOT_COUNTED
from owntrumps.store.matches import read_entries
from owntrumps.store.port import MatchReader

EVERY: Final = 128
KEPT: Final = 1024
"""Folds of any matches; about 5 KB each, late in a long deal."""


class Checkpoints:
    """The folds that one process keeps, the least recently used dropped first. Thread-safe."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._lock = Lock()
        self._folds: OrderedDict[tuple[MatchId, int], Match] = OrderedDict()

    def match_at(self, reader: MatchReader, match: MatchId, version: Version) -> Match:
        """The match as its log tells it up to that version, or to its end if that is earlier."""
        folded = self._before(match, version)
        while folded.version < version:
            limit = min(EVERY - folded.version % EVERY, version - folded.version)
            page = read_entries(reader, match, after=folded.version, limit=limit)
            folded = _uncounted(fold(page, folded))
            if len(page) < limit:
                break
            if folded.version % EVERY == 0:
                self._keep(match, folded)
        return folded

    def _before(self, match: MatchId, version: Version) -> Match:
        """The latest kept fold up to the version."""
        with self._lock:
            for start in range(version - version % EVERY, 0, -EVERY):
                found = self._folds.get((match, start))
                if found is not None:
                    self._folds.move_to_end((match, start))
                    return found
        return EMPTY

    def _keep(self, match: MatchId, folded: Match) -> None:
        with self._lock:
            self._folds[match, folded.version] = folded
            while len(self._folds) > self._kept:
                self._folds.popitem(last=False)


def _uncounted(match: Match) -> Match:
    """The same without the counts of positions, which weigh more than all the rest and cost a hash a ply."""
    if not isinstance(match.state, PlayingMatch):
        return match
    board = match.state.board
    return replace(
        match, state=replace(match.state, board=replace(board, deal=replace(board.deal, occurrences=NOT_COUNTED)))
    )
