"""What only the memory store has: a clock of one's own, and an end."""

from threading import Thread

import pytest

from owntrumps.game.terms import Millis
from owntrumps.store.memory import MemoryStore
from owntrumps.store.outcomes import OUTCOME_TTL_SECONDS, OWN_OUTCOME_TTL_SECONDS
from owntrumps.store.port import CommandId, Commit, StoreUnavailableError
from tests.store.given import ANN, M, accepted, commit, delivered, index, match_id, refused, submission


class Clock:
    def __init__(self) -> None:
        self.now = Millis(1_000_000)

    def __call__(self) -> Millis:
        return self.now

    def passes(self, millis: int) -> None:
        self.now = Millis(self.now + millis)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> MemoryStore:
    return MemoryStore(clock)


def test_the_clock_is_the_one_given(store: MemoryStore, clock: Clock):
    clock.passes(5)
    assert store.now() == 1_000_005


def test_deliveries_are_idle_by_the_clock(store: MemoryStore, clock: Clock):
    delivered(store, submission())

    clock.passes(9_999)
    assert store.claim("e2", idle_ms=10_000, limit=1) == []
    clock.passes(1)
    assert [delivery.times for delivery in store.claim("e2", idle_ms=10_000, limit=1)] == [2]
    assert store.claim("e3", idle_ms=10_000, limit=1) == []


def test_outcomes_of_callers_are_kept_for_a_day_those_of_bots_for_minutes(store: MemoryStore, clock: Clock):
    caller, bot = commit(version=1, id_="caller"), commit(version=2, id_="bot")
    bot = Commit(None, accepted(M, "bot", 2, fingerprint=""), bot.entry, bot.state, bot.index, None, None)
    store.commit([caller, bot])

    def kept(id_: str) -> bool:
        return store.outcome(M, CommandId(id_)) is not None

    clock.passes(OWN_OUTCOME_TTL_SECONDS * 1000 - 1)
    assert (kept("caller"), kept("bot")) == (True, True)
    clock.passes(1)
    assert (kept("caller"), kept("bot")) == (True, False)
    clock.passes((OUTCOME_TTL_SECONDS - OWN_OUTCOME_TTL_SECONDS) * 1000)
    assert (kept("caller"), kept("bot")) == (False, False)


def test_expired_outcomes_take_no_memory(store: MemoryStore, clock: Clock):
    for number in range(50):
        store.commit([commit(match_id(number % 16, number))])
    clock.passes(OUTCOME_TTL_SECONDS * 1000)
    for number in range(50, 80):
        store.commit([commit(match_id(number % 16, number))])

    assert len(store._outcomes) == 30


def test_turns_that_waited_longest_come_first(store: MemoryStore, clock: Clock):
    waiting = [match_id(number) for number in (9, 2, 5)]
    for match in waiting:
        store.commit([commit(match, listed=index("playing", to_move=ANN))])
        clock.passes(10)

    assert store.turns_of(ANN) == waiting


def test_matches_that_ended_first_leave_first(store: MemoryStore, clock: Clock):
    over = [match_id(number) for number in (9, 2, 5)]
    for match in over:
        store.commit([commit(match, listed=index("finished"))])
        clock.passes(10)

    assert store.ended(clock.now, limit=10) == over
    assert store.ended(Millis(clock.now - 11), limit=10) == over[:2]


def test_parked_poison_can_be_looked_at(store: MemoryStore):
    [delivery] = delivered(store, submission())

    store.park(delivery, "it broke", refused(M, "a"))

    assert store.parked() == [(delivery, "it broke")]


def test_a_closed_store_is_unavailable_also_to_those_who_wait(store: MemoryStore):
    raised: list[StoreUnavailableError] = []

    def wait() -> None:
        try:
            store.receive("e1", limit=1, block_ms=60_000)
        except StoreUnavailableError as error:
            raised.append(error)

    reader = Thread(target=wait)
    reader.start()
    store.close()
    reader.join(10)

    assert len(raised) == 1
    with pytest.raises(StoreUnavailableError, match="closed"):
        store.ping()
