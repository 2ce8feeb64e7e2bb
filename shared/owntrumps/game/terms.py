"""The words commands, events and states share: units, actors, seats and the terms of a match."""

from dataclasses import dataclass
from typing import Final, Literal, NewType

from owntrumps.rules.cards import Seat, Suit
from owntrumps.rules.rulesets import Ruleset

Version = NewType("Version", int)
"""How many decisions a match's log holds; also the stream id, the ETag and the cursor."""
Millis = NewType("Millis", int)
"""A moment, in milliseconds since 1970-01-01 UTC."""
MatchId = NewType("MatchId", str)
PlayerId = NewType("PlayerId", str)

SeatKind = Literal["open", "player", "bot"]
OnTimeout = Literal["bot", "forfeit"]
LeaveReason = Literal["resigned", "timeout"]

STAND_IN_LEVEL: Final = "greedy"
"""The bot level that plays on for a person who resigned or ran out of time."""


@dataclass(frozen=True, slots=True)
class SeatTerms:
    """Who sits, or may sit, on one seat.

    ``stand_in`` marks a seat whose player left and for whom a bot of ``level`` plays on; the player may come back.
    ``budget_ms`` bounds a bot's thinking per decision (None: the level's own budget). ``nonce`` is mixed into the
    shuffle.
    """

    kind: SeatKind
    player: PlayerId | None = None
    name: str | None = None
    level: str | None = None
    budget_ms: int | None = None
    trump: Suit | None = None
    nonce: str | None = None
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What was agreed at creation and never changes. ``seed`` (64 hex digits) is None for everybody but the authority
    until the match is over."""

    match: MatchId
    ruleset: Ruleset
    ruleset_name: str
    games: int
    turn_seconds: int | None
    on_timeout: OnTimeout
    private: bool
    creator: PlayerId | None
    commitment: str
    seed: str | None


@dataclass(frozen=True, slots=True)
class ByPlayer:
    """A person, authenticated by the service that took the command."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class ByBot:
    """The bot that plays this seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ByServer:
    """The engine itself: fallback plays, expiry, operators."""


Actor = ByPlayer | ByBot | ByServer
