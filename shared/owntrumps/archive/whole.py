"""A match that is over, as it goes into the archive: folded once more from its log, and described by its rows."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from owntrumps.archive.blob import pack_log, unpack_log
from owntrumps.archive.errors import UnfitLogError
from owntrumps.game.events import CardLed, PileTaken, TopBeaten
from owntrumps.game.evolve import CorruptLogError
from owntrumps.game.log import Entry, fold
from owntrumps.game.state import AbortedMatch, FinishedMatch, Match
from owntrumps.game.terms import MatchId
from owntrumps.store.codec import read_entry
from owntrumps.store.port import StoredEntry
from owntrumps.store.state_codec import write_state

_FAULTS: Final = (CorruptLogError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError)
"""What folding a log raises that nothing of ours has written."""


@dataclass(frozen=True, slots=True)
class WholeMatch:
    """``match`` is the row of the table of that name but for its ``seq``, ``seats`` the rows of its seats."""

    id: MatchId
    match: Mapping[str, Any]
    seats: Sequence[Mapping[str, Any]]

    def entries(self) -> list[StoredEntry]:
        """Its log; DamagedLogError for one that is not what was written."""
        return unpack_log(self.match["log"], self.match["chain"])


def whole_match(match: MatchId, entries: Sequence[StoredEntry], *, imported: bool = False) -> WholeMatch:
    """The match of its whole log; UnfitLogError if it is not over, not whole, not this match's, or not in order."""
    log = pack_log(entries)
    try:
        read = [read_entry(entry.payload, entry.chain) for entry in entries]
        folded = fold(read)
    except _FAULTS as error:
        raise UnfitLogError(f"its entries do not follow from each other ({type(error).__name__})") from error
    state = folded.state
    if not isinstance(state, FinishedMatch | AbortedMatch):
        raise UnfitLogError("it is not over")
    if state.terms.match != match:
        raise UnfitLogError(f"it is the log of {state.terms.match}")
    result = state.result if isinstance(state, FinishedMatch) else None
    row = {
        "id": match,
        "ruleset_name": state.terms.ruleset_name,
        "status": "aborted" if result is None else "finished",
        "private": state.terms.private,
        "imported": imported,
        "created_at": read[0].at,
        "ended_at": folded.at,
        "version": folded.version,
        "games": state.terms.games,
        "plies": sum(_plies(read)),
        "chain": folded.chain,
        "draw": None if result is None else result.draw,
        "forfeit": result is not None and result.forfeit,
        "aborted": state.reason if isinstance(state, AbortedMatch) else None,
        "state": pack_state(folded),
        "log": log,
    }
    return WholeMatch(match, row, [*_seats(state)])


def pack_state(match: Match) -> bytes:
    return zlib.compress(write_state(match), 9)


def unpack_state(packed: bytes) -> bytes:
    return zlib.decompress(packed)


def _plies(entries: Sequence[Entry]) -> Iterator[bool]:
    return (isinstance(event, CardLed | TopBeaten | PileTaken) for entry in entries for event in entry.events)


def _seats(state: FinishedMatch | AbortedMatch) -> Iterator[dict[str, Any]]:
    losers = state.result.losers if isinstance(state, FinishedMatch) else ()
    forfeit = isinstance(state, FinishedMatch) and state.result.forfeit
    losses = state.score.losses if state.score is not None else (0,) * len(state.seats)
    for seat, terms in enumerate(state.seats):
        yield {
            "seat": seat,
            "player": terms.player,
            "name": terms.name,
            "level": terms.level,
            "losses": losses[seat],
            "loser": seat in losers,
            "forfeit": forfeit and seat in losers,
            "stand_in": terms.stand_in,
        }
