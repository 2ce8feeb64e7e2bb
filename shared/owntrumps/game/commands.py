"""Everything that can be asked of a match. Imperative; each carries the moment (`at`) it is decided at."""

from dataclasses import dataclass

from owntrumps.game.terms import Actor, MatchId, Millis, OnTimeout, PlayerId, SeatTerms, Version
from owntrumps.rules.cards import Suit
from owntrumps.rules.plays import Play
from owntrumps.rules.rulesets import Ruleset


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """``seed`` is 64 hex digits (32 bytes) of a secure random source; ``seats`` has one entry for each seat."""

    at: Millis
    match: MatchId
    ruleset: Ruleset
    ruleset_name: str
    seats: tuple[SeatTerms, ...]
    seed: str
    games: int = 1
    turn_seconds: int | None = None
    on_timeout: OnTimeout = "bot"
    private: bool = False
    creator: PlayerId | None = None


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down on the first open seat, or come back to the seat where a bot stands in."""

    at: Millis
    player: PlayerId
    name: str
    trump: Suit | None = None
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class DeclareTrump:
    """Choose one's trump while the match waits for players."""

    at: Millis
    player: PlayerId
    trump: Suit


@dataclass(frozen=True, slots=True)
class MakeMove:
    """One play, or a beat with the lead on it. Refused as `stale-version` unless the match is at ``if_version``."""

    at: Millis
    actor: Actor
    plays: tuple[Play, ...]
    if_version: Version | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave one's seat: a bot plays on or the seat forfeits, as the match says."""

    at: Millis
    player: PlayerId


@dataclass(frozen=True, slots=True)
class Expire:
    """The engine's clock: warn or time out the person to move, or abort a match that nobody joined."""

    at: Millis


@dataclass(frozen=True, slots=True)
class ExtendClock:
    """Give the person to move until ``deadline``: an outage must not run clocks down."""

    at: Millis
    deadline: Millis


@dataclass(frozen=True, slots=True)
class AbortMatch:
    """Call the match off: its creator while it is open, an operator at any time."""

    at: Millis
    actor: Actor
    reason: str


Command = CreateMatch | TakeSeat | DeclareTrump | MakeMove | Resign | Expire | ExtendClock | AbortMatch
