"""Everything that can have happened in a match. Past tense; the log is a list of these and the only truth.

The same types serve the full log and a seat's redacted log: what a viewer may not see stands as None
(see `owntrumps.views.redaction`). Stored names are the literals in `owntrumps.store.codec`, not these class names.
"""

from dataclasses import dataclass
from typing import Literal

from owntrumps.game.terms import LeaveReason, MatchTerms, Millis, OnTimeout, PlayerId, SeatTerms
from owntrumps.rules.cards import Card, Seat, Suit
from owntrumps.rules.deal import DrawReason

MatchDraw = DrawReason | Literal["no_lost_deal"]
"""A single deal's own reason, or a series in which nobody lost a deal."""


@dataclass(frozen=True, slots=True)
class MatchCreated:
    """Event 1: the whole ruleset and terms, so that later changes of a preset never touch a recorded match."""

    terms: MatchTerms
    seats: tuple[SeatTerms, ...]


@dataclass(frozen=True, slots=True)
class SeatTaken:
    seat: Seat
    player: PlayerId
    name: str
    trump: Suit | None
    nonce: str | None


@dataclass(frozen=True, slots=True)
class TrumpDeclared:
    seat: Seat
    trump: Suit


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """All seats are filled. ``trumps`` by seat where declared, None where they are turned up later."""

    dealer: Seat
    trumps: tuple[Suit, ...] | None


@dataclass(frozen=True, slots=True)
class DealDealt:
    """Each seat's cards in the order of dealing; None is a card the reader may not see. ``game`` counts from 1."""

    game: int
    dealer: Seat
    leader: Seat
    hands: tuple[tuple[Card | None, ...], ...]


@dataclass(frozen=True, slots=True)
class TrumpsTurned:
    """By seat: the trump and the cards turned up for it, in the order they were turned."""

    trumps: tuple[Suit, ...]
    turned: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    card: Card
    giver: Seat
    receiver: Seat


@dataclass(frozen=True, slots=True)
class CardsExchanged:
    """The lowest cards of trump suits went to the seats whose trump they are."""

    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class CardLed:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TopBeaten:
    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class PileTaken:
    """``cards`` bottom to top: the upper part of the pile that went to the seat's hand."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PileDiscarded:
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealLost:
    game: int
    loser: Seat


@dataclass(frozen=True, slots=True)
class DealDrawn:
    game: int
    reason: DrawReason


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A person resigned or ran out of time. ``level`` is the stand-in bot's where a bot plays on."""

    seat: Seat
    reason: LeaveReason
    then: OnTimeout
    level: str | None


@dataclass(frozen=True, slots=True)
class SeatRegained:
    """The person is back and the stand-in bot stops."""

    seat: Seat
    player: PlayerId


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The person to move has until ``deadline``."""

    seat: Seat
    deadline: Millis


@dataclass(frozen=True, slots=True)
class TurnWarned:
    """Little time is left before ``deadline``."""

    seat: Seat
    deadline: Millis


@dataclass(frozen=True, slots=True)
class MatchLost:
    """``losers`` have lost the most deals, or forfeited. ``hands`` are what each seat still held, for all to see."""

    losers: tuple[Seat, ...]
    forfeit: bool
    seed: str
    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class MatchDrawn:
    reason: MatchDraw
    seed: str
    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class MatchAborted:
    reason: str
    seed: str
    hands: tuple[tuple[Card, ...], ...]


Event = (
    MatchCreated
    | SeatTaken
    | TrumpDeclared
    | MatchStarted
    | DealDealt
    | TrumpsTurned
    | CardsExchanged
    | CardLed
    | TopBeaten
    | PileTaken
    | PileDiscarded
    | DealLost
    | DealDrawn
    | SeatLeft
    | SeatRegained
    | ClockSet
    | TurnWarned
    | MatchLost
    | MatchDrawn
    | MatchAborted
)
