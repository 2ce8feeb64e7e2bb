"""The materialised state of a match as bytes (MessagePack), and back.

A cache: it follows from the log, and deleting it loses nothing. The same log always gives the same bytes. Repetitions
are not stored; they are recounted from the deal's root and the plays since.
"""

from typing import Any, Final

import msgspec

from owntrumps.game.state import (
    AbortedMatch,
    Board,
    Clock,
    FinishedMatch,
    Match,
    MatchResult,
    OpenMatch,
    PlayingMatch,
    Score,
)
from owntrumps.game.terms import MatchTerms, Millis, SeatTerms, Version
from owntrumps.rules.cards import Seat, Suit
from owntrumps.rules.deal import NOT_COUNTED, Deal, Draw, Loser, Result, resume
from owntrumps.rules.position import Position, Table
from owntrumps.store.json_values import MalformedDataError, from_json, register_union, to_json

FORMAT: Final = 1
"""Raised whenever the layout changes: state bytes of another format are ignored and refolded from the log."""

register_union(Result, {"loser": Loser, "draw": Draw})

_SEATS = tuple[SeatTerms, ...]
_TRUMPS = tuple[Suit, ...]


class OtherFormatError(ValueError):
    """State bytes of another format: refold the log."""


def write_state(match: Match) -> bytes:
    """The bytes of a match that is at rest (between two entries)."""
    state = match.state
    if not isinstance(state, OpenMatch | PlayingMatch | FinishedMatch | AbortedMatch):
        raise TypeError(f"a match does not rest as {type(state).__name__}")
    written: dict[str, Any] = {
        "format": FORMAT,
        "version": match.version,
        "at": match.at,
        "chain": match.chain,
        "phase": type(state).__name__,
        "terms": to_json(state.terms, MatchTerms),
        "seats": to_json(state.seats, _SEATS),
    }
    if not isinstance(state, OpenMatch) and state.board is not None:
        written["board"] = _board_json(state.board)
        written["score"] = to_json(state.score, Score)
    if isinstance(state, PlayingMatch):
        written["clock"] = to_json(state.clock, Clock | None)
    elif isinstance(state, FinishedMatch):
        written["result"] = to_json(state.result, MatchResult)
    elif isinstance(state, AbortedMatch):
        written["reason"] = state.reason
    return msgspec.msgpack.encode(written)


def read_state(payload: bytes, *, to_decide: bool = True) -> Match:
    """The match of its bytes. ``to_decide=False`` leaves repetitions uncounted: quicker, and enough for a view.

    Raises:
        OtherFormatError: the bytes were written by another version of this module.
    """
    try:
        written = msgspec.msgpack.decode(payload)
        if written["format"] != FORMAT:
            raise OtherFormatError(f"state format {written['format']} is not {FORMAT}")
        return _match_of(written, to_decide=to_decide)
    except (msgspec.DecodeError, KeyError, TypeError, MalformedDataError) as error:
        raise OtherFormatError(f"state bytes cannot be read: {error}") from None


def _match_of(written: dict[str, Any], *, to_decide: bool) -> Match:
    terms: MatchTerms = from_json(written["terms"], MatchTerms)
    seats: tuple[SeatTerms, ...] = from_json(written["seats"], _SEATS)
    board = _board_of(written["board"], terms, to_decide=to_decide) if "board" in written else None
    score: Score | None = from_json(written["score"], Score) if "score" in written else None
    state: OpenMatch | PlayingMatch | FinishedMatch | AbortedMatch
    match written["phase"]:
        case "OpenMatch":
            state = OpenMatch(terms, seats)
        case "PlayingMatch" if board is not None and score is not None:
            state = PlayingMatch(terms, seats, board, score, from_json(written["clock"], Clock | None))
        case "FinishedMatch" if board is not None and score is not None:
            state = FinishedMatch(terms, seats, board, score, from_json(written["result"], MatchResult))
        case "AbortedMatch":
            state = AbortedMatch(terms, seats, board, score, written["reason"])
        case phase:
            raise OtherFormatError(f"a match does not rest as {phase!r}")
    return Match(Version(written["version"]), Millis(written["at"]), written["chain"], state)


def _board_json(board: Board) -> dict[str, Any]:
    deal = board.deal
    return {
        "trumps": to_json(board.table.trumps, _TRUMPS),
        "dealer": board.dealer,
        "leader": board.leader,
        "root": to_json(deal.root, Position),
        "plays": deal.plays,
        "plies": deal.plies,
        "position": to_json(deal.position, Position),
    }


def _board_of(written: dict[str, Any], terms: MatchTerms, *, to_decide: bool) -> Board:
    table = Table(terms.ruleset, from_json(written["trumps"], _TRUMPS))
    root: Position = from_json(written["root"], Position)
    if to_decide:
        deal = resume(table, root, written["plays"], written["plies"])
    else:
        position: Position = from_json(written["position"], Position)
        deal = Deal(root, written["plays"], written["plies"], position, NOT_COUNTED)
    return Board(table, Seat(written["dealer"]), Seat(written["leader"]), deal)
