"""Any sequence of calls has the same results in memory and in Redis."""

from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from redis import Redis

from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.rules.cards import Seat
from owntrumps.store.connect import open_store
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import BotTurn, Delivery, MatchIndex, Notice, Status, Store
from tests.store.given import ANN, BOB, commit, index, match_id, refused, snapshot, submission

MATCHES = st.sampled_from([match_id(0, 1), match_id(0, 2), match_id(5, 3)])
IDS = st.sampled_from(["a", "b", "c", "d", "e", "f"])
VERSIONS = st.integers(min_value=1, max_value=6)
STATUSES: list[Status] = ["open", "playing", "finished", "aborted"]
PLAYERS = st.none() | st.sampled_from([ANN, BOB])
INDEXES = st.builds(
    index,
    st.sampled_from(STATUSES),
    ruleset=st.sampled_from(["bornyu", "duel"]),
    private=st.booleans(),
    players=st.sampled_from([(), (ANN,), (ANN, BOB)]),
    to_move=PLAYERS,
)
DUE = st.none() | st.integers(min_value=0, max_value=5)
PLENTY = 1_000


def plain(delivery: Delivery) -> tuple[Any, ...]:
    """A delivery without what is the store's own choice."""
    return delivery.shard, str(delivery.submission), delivery.times


def told(notice: Notice) -> tuple[Any, ...]:
    return notice.match, notice.command, notice.version, notice.status, notice.bot_turn, notice.to_move


def comparable(store: Store, match: MatchId) -> dict[str, Any]:
    seen = snapshot(store, match)
    # Between shards there is no order, and moments of the two stores differ.
    seen["notices"] = sorted(map(told, seen["notices"]), key=str)
    seen["turns"] = {player: sorted(waiting) for player, waiting in seen["turns"].items()}
    seen["ended"] = sorted(seen["ended"])
    return seen


class Stores(RuleBasedStateMachine):
    def __init__(self, redis: Store) -> None:
        super().__init__()
        self.stores: tuple[Store, Store] = (MemoryStore(), redis)
        self.held: list[list[Delivery]] = [[], []]

    def both(self, call: Any) -> None:
        first, second = (call(store, held) for store, held in zip(self.stores, self.held, strict=True))
        assert first == second

    @rule(match=MATCHES, id_=IDS)
    def submit(self, match: MatchId, id_: str) -> None:
        self.both(lambda store, _: store.submit([submission(match, id_)]))

    @rule(consumer=st.sampled_from(["e1", "e2"]))
    def receive(self, consumer: str) -> None:
        def call(store: Store, held: list[Delivery]) -> Any:
            news = sorted(store.receive(consumer, limit=PLENTY, block_ms=0), key=lambda each: each.shard)
            held += news
            return [plain(delivery) for delivery in news]

        self.both(call)

    @rule()
    def claim(self) -> None:
        def call(store: Store, held: list[Delivery]) -> Any:
            return sorted(plain(delivery) for delivery in store.claim("e3", idle_ms=0, limit=PLENTY))

        self.both(call)

    @rule(match=MATCHES, version=VERSIONS, id_=IDS, listed=INDEXES, due=DUE, settles=st.booleans())
    def commit(
        self, match: MatchId, version: int, id_: str, listed: MatchIndex, due: int | None, settles: bool
    ) -> None:
        def call(store: Store, held: list[Delivery]) -> Any:
            settled = [each for each in held if each.shard == int(match[:2])] if settles else []
            delivery = settled[0] if settled else None
            if delivery is not None:
                held.remove(delivery)
            bot_turn = None if listed.to_move else BotTurn(Seat(1), "greedy")
            written = commit(match, version, id_, delivery=delivery, listed=listed, due=due, bot_turn=bot_turn)
            results = store.commit([written])
            if delivery is not None and results == ["conflict"]:
                held.append(delivery)
            return results

        self.both(call)

    @rule(match=MATCHES, parks=st.booleans())
    def refuse(self, match: MatchId, parks: bool) -> None:
        def call(store: Store, held: list[Delivery]) -> Any:
            if held:
                delivery = held.pop(0)
                assert delivery.submission is not None
                outcome = refused(delivery.submission.match, delivery.submission.id)
                if parks:
                    store.park(delivery, "poison", outcome)
                else:
                    store.refuse(delivery, outcome)

        self.both(call)

    @rule(match=MATCHES, version=VERSIONS, due=DUE)
    def postpone(self, match: MatchId, version: int, due: int | None) -> None:
        when = None if due is None else Millis(due)
        self.both(lambda store, _: store.postpone(match, when, at_version=Version(version)))

    @rule(match=MATCHES, version=VERSIONS)
    def states(self, match: MatchId, version: int) -> None:
        self.both(lambda store, _: store.drop_state(match))
        self.both(lambda store, _: store.put_state(match, b"refolded", at_version=Version(version)))

    @rule(match=MATCHES, version=VERSIONS)
    def forget(self, match: MatchId, version: int) -> None:
        self.both(lambda store, _: store.forget(match, at_version=Version(version)))

    @rule(match=MATCHES, id_=IDS)
    def look(self, match: MatchId, id_: Any) -> None:
        self.both(lambda store, _: store.outcome(match, id_))
        self.both(lambda store, _: comparable(store, match))

    @rule(status=st.none() | st.sampled_from(STATUSES), ruleset=st.none() | st.just("duel"), player=PLAYERS)
    def lists(self, status: Status | None, ruleset: str | None, player: Any) -> None:
        def call(store: Store, _: list[Delivery]) -> Any:
            first, cursor = store.matches(status=status, ruleset=ruleset, player=player, cursor=None, limit=1)
            return first, cursor, store.matches(status=status, ruleset=ruleset, player=player, cursor=cursor, limit=5)

        self.both(call)

    @rule(limit=st.integers(min_value=1, max_value=3), now=st.integers(min_value=0, max_value=6))
    def due(self, limit: int, now: int) -> None:
        self.both(lambda store, _: store.due(Millis(now), limit=limit))

    @invariant()
    def have_the_same_matches(self) -> None:
        self.both(lambda store, _: store.match_ids())


@pytest.mark.server
def test_memory_and_redis_agree(valkey_url: str):
    store = open_store(valkey_url)
    with Redis.from_url(valkey_url, protocol=2) as client:

        class EmptyStores(Stores):
            def __init__(self) -> None:
                client.flushall()
                super().__init__(store)

        phases = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]
        run_state_machine_as_test(
            EmptyStores, settings=settings(max_examples=40, stateful_step_count=40, deadline=None, phases=phases)
        )
    store.close()
