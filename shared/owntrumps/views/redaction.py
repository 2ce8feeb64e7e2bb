"""Events as one viewer may see them. Default-deny: what is not named here as public does not pass."""

from dataclasses import replace
from typing import assert_never

from owntrumps.game.events import (
    CardLed,
    CardsExchanged,
    ClockSet,
    DealDealt,
    DealDrawn,
    DealLost,
    Event,
    MatchAborted,
    MatchCreated,
    MatchDrawn,
    MatchLost,
    MatchStarted,
    PileDiscarded,
    PileTaken,
    SeatLeft,
    SeatRegained,
    SeatTaken,
    TopBeaten,
    TrumpDeclared,
    TrumpsTurned,
    TurnWarned,
)
from owntrumps.game.log import Entry
from owntrumps.game.state import CreatedMatch, is_over
from owntrumps.rules.cards import Seat

Viewer = Seat | None
"""A seat, or None for a spectator."""


def redact(event: Event, viewer: Viewer, *, face_up: bool) -> Event:
    """The event without what the viewer may not see. ``face_up``: deals of this match are public (mirrored)."""
    match event:
        case MatchCreated():
            return replace(event, terms=replace(event.terms, seed=None))
        case DealDealt():
            if face_up:
                return event
            hands = tuple(cards if seat == viewer else (None,) * len(cards) for seat, cards in enumerate(event.hands))
            return replace(event, hands=hands)
        case SeatTaken() | TrumpDeclared() | MatchStarted() | SeatLeft() | SeatRegained() | ClockSet() | TurnWarned():
            return event
        case TrumpsTurned() | CardsExchanged() | CardLed() | TopBeaten() | PileTaken() | PileDiscarded():
            return event
        case DealLost() | DealDrawn():
            return event
        case MatchLost() | MatchDrawn() | MatchAborted():
            return event
        case _:
            assert_never(event)


def visible_entry(entry: Entry, state: CreatedMatch, viewer: Viewer) -> Entry:
    """The entry as the viewer may see it while the match is in ``state``: once it is over, nothing is hidden."""
    if is_over(state):
        return entry
    face_up = state.terms.ruleset.deal == "mirrored"
    events = tuple(redact(event, viewer, face_up=face_up) for event in entry.events)
    return Entry(entry.version, entry.at, events, entry.chain)  # without ``older``, which hides nothing
