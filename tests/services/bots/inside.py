"""Given-steps for the bots service without servers: a memory store whose engine decides at once, a fake RQ server."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fakeredis import FakeRedis, FakeServer
from redis import Redis
from rq.utils import as_text

from owntrumps.game.commands import CreateMatch, MakeMove, Resign
from owntrumps.game.terms import ByPlayer, ByServer, MatchId, Millis, PlayerId, SeatTerms, Version
from owntrumps.rules.cards import Seat
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.door import SeatDoor, parse_play
from owntrumps.store.ids import MATCH_ID_BYTES, new_match_id
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import BotTurn, CommandId, Submission
from owntrumps.views.view import View
from owntrumps_bots.answers import think
from owntrumps_bots.claims import Claims
from owntrumps_bots.config import BotsConfig
from owntrumps_bots.dispatcher import Dispatcher
from owntrumps_bots.player import Player
from owntrumps_bots.reports import Report
from owntrumps_bots.turns import Turn, TurnQueues
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.engine import Engine

START = Millis(1_800_000_000_000)


class PromptStore(MemoryStore):
    """Every submission is decided before `submit` returns, unless the engine is away."""

    def __init__(self) -> None:
        self.time = START
        super().__init__(lambda: self.time)
        self.engine: Engine | None = Engine(self, EngineConfig())

    def submit(self, submissions: Sequence[Submission]) -> None:
        super().submit(submissions)
        if self.engine is not None:
            self.engine.run_once(0)


@dataclass
class Thoughts:
    """The levels' own thinking, written down. ``before`` is called before each thought."""

    seen: list[tuple[str, int, View]] = field(default_factory=list)
    answer: list[str] | None = None
    before: Any = None

    def __call__(
        self, view: Mapping[str, Any], events: Iterable[Mapping[str, Any]], level: str, budget_ms: int, seed: int
    ) -> list[str]:
        self.seen.append((level, budget_ms, view))  # type: ignore[arg-type]
        if self.before is not None:
            self.before()
        return self.answer if self.answer is not None else think(view, events, level, budget_ms, seed)


class World:
    """The service around one store and one RQ server."""

    def __init__(self, **config: Any) -> None:
        self.config = BotsConfig(**{"consumer": "one", "answer_ms": 50, **config})
        self.store = PromptStore()
        self.server = FakeServer()
        self.redis = FakeRedis(server=self.server)
        self.turns = TurnQueues(self.redis, self.config)
        self.claims = Claims(self.redis)
        self.dispatcher = self.another_dispatcher("one")
        self.thoughts = Thoughts()
        self.reports: list[Report] = []
        self.player = self.another_player()
        self.door = SeatDoor(self.store)

    def another_dispatcher(self, consumer: str) -> Dispatcher:
        config = replace(self.config, consumer=consumer)
        return Dispatcher(self.store, self.turns, self.claims, config)

    def another_player(self) -> Player:
        return Player(
            self.store, self.turns, self.claims, self.config, thinking=self.thoughts, report=self.reports.append
        )

    def match(
        self, ruleset: str, *levels: str | None, budget_ms: int | None = None, shard: int = 7, games: int = 1
    ) -> MatchId:
        """A match that has started, with a bot of each level and a person where None."""
        match = new_match_id(bytes([shard]) + secrets.token_bytes(MATCH_ID_BYTES - 1))
        seats = tuple(
            SeatTerms("player", player=PlayerId(f"p{seat}"), name="Person")
            if level is None
            else SeatTerms("bot", name="Bot", level=level, budget_ms=budget_ms)
            for seat, level in enumerate(levels)
        )
        seed = secrets.token_hex(32)
        command = CreateMatch(self.store.now(), match, PRESETS[ruleset], ruleset, seats, seed, games)
        self.store.submit([Submission(CommandId(f"create-{match}"), match, command)])
        return match

    def match_whose_turn_it_is(self, seat: int, ruleset: str, *levels: str | None, **terms: Any) -> MatchId:
        """A new match in which that seat leads."""
        while True:
            match = self.match(ruleset, *levels, **terms)
            if self.view(match)["turn"] == seat:
                return match

    def view(self, match: MatchId, seat: int = 0) -> View:
        view = self.door.view(match, Seat(seat))
        assert view is not None
        return view

    def turn(self, match: MatchId) -> Turn:
        """The turn that a bot owes there now."""
        view = self.view(match)
        seat = view["turn"]
        assert seat is not None
        return Turn(match, Version(view["version"]), Seat(seat), view["seats"][seat]["level"])

    def move(self, match: MatchId, *plays: str) -> None:
        """A person's move."""
        view = self.view(match)
        seat = view["turn"]
        assert seat is not None
        player = view["seats"][seat]["player"]
        assert player is not None
        command = MakeMove(
            self.store.now(), ByPlayer(PlayerId(player)), tuple(map(parse_play, plays)), Version(view["version"])
        )
        self.store.submit([Submission(CommandId(f"move-{match}-{view['version']}"), match, command)])

    def resign(self, match: MatchId, seat: int) -> None:
        self.store.submit(
            [Submission(CommandId(f"resign-{match}"), match, Resign(self.store.now(), PlayerId(f"p{seat}")))]
        )

    def play_for_bot(self, match: MatchId) -> None:
        """What the engine does when a bot is too slow: any legal play."""
        view = self.view(match)
        play = self.view(match, view["turn"] or 0)["legal"][0]
        command = MakeMove(self.store.now(), ByServer(), (parse_play(play),), Version(view["version"]))
        self.store.submit([Submission(CommandId(f"fallback-{match}-{view['version']}"), match, command)])

    def tell(self, turn: Turn) -> None:
        """Let the feed say that this turn is owed, whatever the match."""
        self.store.notify_bot(turn.match, turn.version, BotTurn(turn.seat, turn.level))

    def waiting(self, level: str) -> list[str]:
        """The ids of the jobs in the level's queue, the next one first."""
        return self.turns.of_level(level).get_job_ids()

    def leftovers(self) -> list[str]:
        return leftovers(self.redis)


def leftovers(redis: Redis) -> list[str]:
    """Keys that speak of jobs: none are left once all is played."""
    kinds = ("rq:job:", "rq:wip:", "rq:failed:", "rq:execution", "rq:results:", "rq:queue:", "bots:playing:")
    return sorted(key for key in map(as_text, redis.scan_iter()) if key.startswith(kinds))
