"""An engine over a memory store whose time the test sets, and matches to put into it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from owntrumps.game.commands import Command, CreateMatch, MakeMove
from owntrumps.game.log import Entry
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import Match, PlayingMatch
from owntrumps.game.terms import ByBot, ByPlayer, MatchId, Millis, PlayerId, SeatTerms, Version
from owntrumps.rules.cards import Seat
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.matches import existing_match, read_entries
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import Accepted, CommandId, Store, Submission
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.deadlines import fallback_plays
from owntrumps_engine.engine import Engine

MATCH = MatchId("07-aaaaaaaaaaaa")
ANN, BOB = PlayerId("ann"), PlayerId("bob")
START = Millis(1_700_000_000_000)
PATIENT = EngineConfig(due_every_ms=0, beat_every_ms=0, claim_every_ms=0)
"""An engine that looks at everything at every turn."""

_ids = count(1)


class SetClock:
    """A clock that stands still until it is set."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> Millis:
        return Millis(self.now)


def engine_over(store: Store, **settings: Any) -> Engine:
    return Engine(store, replace(PATIENT, **settings))


def person(player: PlayerId) -> SeatTerms:
    return SeatTerms("player", player=player, name=player)


def bot(level: str = "greedy") -> SeatTerms:
    return SeatTerms("bot", name=level, level=level)


OPEN_SEAT = SeatTerms("open")


def create(
    match: MatchId = MATCH,
    ruleset: str = "duel",
    seats: Sequence[SeatTerms] = (person(ANN), person(BOB)),
    at: int = START,
    **terms: Any,
) -> CreateMatch:
    return CreateMatch(Millis(at), match, PRESETS[ruleset], ruleset, tuple(seats), "5e" * 32, creator=ANN, **terms)


def submission(command: Command, match: MatchId = MATCH, id_: str | None = None) -> Submission:
    return Submission(CommandId(id_ or f"c{next(_ids)}"), match, command, "print")


def submit(store: Store, command: Command, match: MatchId = MATCH, id_: str | None = None) -> CommandId:
    """Put a command into the inbox; its id."""
    given = submission(command, match, id_)
    store.submit([given])
    return given.id


def answer(store: Store, id_: CommandId, match: MatchId = MATCH) -> Accepted | Refusal:
    outcome = store.outcome(match, id_)
    assert outcome is not None, f"{id_} has no outcome"
    return outcome.answer


def ask(store: Store, engine: Engine, command: Command, match: MatchId = MATCH) -> Accepted | Refusal:
    """The engine's answer to one command."""
    id_ = submit(store, command, match)
    while engine.run_once(0):
        pass
    return answer(store, id_, match)


def now_in(store: Store, match: MatchId = MATCH) -> Match:
    return existing_match(store, match, to_decide=True)


def playing(store: Store, match: MatchId = MATCH) -> PlayingMatch:
    state = now_in(store, match).state
    assert isinstance(state, PlayingMatch)
    return state


def log_of(store: Store, match: MatchId = MATCH) -> list[Entry]:
    return read_entries(store, match, after=Version(0), limit=10_000)


def next_move(store: Store, match: MatchId = MATCH, at: int | None = None) -> MakeMove:
    """A legal turn of whoever is to move, the one that makes short matches."""
    state = playing(store, match)
    turn = state.board.deal.position.turn
    terms = state.seats[turn]
    actor = ByBot(Seat(turn)) if terms.player is None or terms.stand_in else ByPlayer(terms.player)
    loaded = now_in(store, match)
    return MakeMove(Millis(at if at is not None else loaded.at + 1), actor, fallback_plays(state), loaded.version)


def memory(clock: SetClock | None = None) -> MemoryStore:
    return MemoryStore(clock or SetClock())
