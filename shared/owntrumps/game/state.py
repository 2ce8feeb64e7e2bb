"""The states of a match: a union of phases, each holding exactly what that phase has."""

from dataclasses import dataclass

from owntrumps.game.events import MatchDraw
from owntrumps.game.terms import MatchTerms, Millis, SeatTerms, Version
from owntrumps.rules.cards import Card, Seat, Suit
from owntrumps.rules.deal import Deal, Result
from owntrumps.rules.position import Table


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Before event 1."""


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """Waits for players."""

    terms: MatchTerms
    seats: tuple[SeatTerms, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """``losses`` counts lost deals by seat, ``last`` is how the deal before ended, ``game`` counts deals dealt."""

    game: int
    losses: tuple[int, ...]
    last: Result | None = None


@dataclass(frozen=True, slots=True)
class ReadyMatch:
    """Between deals: the next one is about to be dealt. Never the last state of an entry."""

    terms: MatchTerms
    seats: tuple[SeatTerms, ...]
    trumps: tuple[Suit, ...] | None
    dealer: Seat
    score: Score


@dataclass(frozen=True, slots=True)
class DealtMatch:
    """The first deal lies before the seats, trumps are about to be turned up. Never the last state of an entry."""

    terms: MatchTerms
    seats: tuple[SeatTerms, ...]
    dealer: Seat
    leader: Seat
    hands: tuple[tuple[Card | None, ...], ...]
    score: Score


@dataclass(frozen=True, slots=True)
class Board:
    """One deal on the table; ``dealer`` and ``leader`` are its own."""

    table: Table
    dealer: Seat
    leader: Seat
    deal: Deal


@dataclass(frozen=True, slots=True)
class Clock:
    """A running turn clock: the person on ``seat`` has until ``deadline``."""

    seat: Seat
    deadline: Millis
    warned: bool = False


@dataclass(frozen=True, slots=True)
class PlayingMatch:
    """A deal is being played."""

    terms: MatchTerms
    seats: tuple[SeatTerms, ...]
    board: Board
    score: Score
    clock: Clock | None = None


@dataclass(frozen=True, slots=True)
class ScoredMatch:
    """A deal has just ended; the next one, or the end of the match, follows in the same entry."""

    terms: MatchTerms
    seats: tuple[SeatTerms, ...]
    board: Board
    score: Score


@dataclass(frozen=True, slots=True)
class MatchResult:
    """``losers`` is empty for a draw, whose reason is ``draw``."""

    losers: tuple[Seat, ...] = ()
    forfeit: bool = False
    draw: MatchDraw | None = None


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """Over, with nothing hidden any more: the terms carry the seed."""

    terms: MatchTerms
    seats: tuple[SeatTerms, ...]
    board: Board
    score: Score
    result: MatchResult


@dataclass(frozen=True, slots=True)
class AbortedMatch:
    """Called off; ``board`` is None if it never started."""

    terms: MatchTerms
    seats: tuple[SeatTerms, ...]
    board: Board | None
    score: Score | None
    reason: str


CreatedMatch = OpenMatch | ReadyMatch | DealtMatch | PlayingMatch | ScoredMatch | FinishedMatch | AbortedMatch
State = NoMatch | CreatedMatch


@dataclass(frozen=True, slots=True)
class Match:
    """A state at a version. ``at`` is the moment of the last decision, ``chain`` the hash of its entry (hex)."""

    version: Version
    at: Millis
    chain: str
    state: State


EMPTY = Match(Version(0), Millis(0), "", NoMatch())


def is_over(state: State) -> bool:
    """Whether nothing can happen any more."""
    return isinstance(state, FinishedMatch | AbortedMatch)
