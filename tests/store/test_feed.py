"""The contract of the feed: everybody's notices after a cursor, and each notice to one of a group."""

from threading import Thread

from owntrumps.game.terms import Version
from owntrumps.rules.cards import Seat
from owntrumps.store.port import BotTurn, Notice, Shard, Store
from tests.store.conftest import Place
from tests.store.given import EVERY_NOTICE, M, a_moment_passes, commit, match_id

BOT = BotTurn(Seat(3), "greedy")


def told(notices: list[Notice]) -> list[tuple[str, int | None]]:
    return [(notice.match, notice.version) for notice in notices]


def test_an_empty_feed_has_a_tail_for_every_shard(store: Store):
    assert store.tail() == EVERY_NOTICE
    assert store.notices(store.tail(), block_ms=0) == []
    assert store.notices(store.tail(), block_ms=20) == []


def test_notices_after_a_cursor_are_those_that_came_later(store: Store):
    store.commit([commit(version=1), commit(version=2)])
    [first, second] = store.notices(EVERY_NOTICE, block_ms=0)
    middle = {**EVERY_NOTICE, first.shard: first.cursor}

    assert told([first, second]) == [(M, 1), (M, 2)]
    assert store.notices(middle, block_ms=0) == [second]
    assert store.tail()[second.shard] == second.cursor
    assert store.notices(store.tail(), block_ms=0) == []

    tail = store.tail()
    store.commit([commit(version=3)])
    assert told(store.notices(tail, block_ms=0)) == [(M, 3)]


def test_only_the_shards_asked_for_are_read(store: Store):
    store.commit([commit(match_id(shard)) for shard in range(16)])

    some = dict.fromkeys(map(Shard, (2, 5, 11)), "0-0")

    assert {notice.shard for notice in store.notices(some, block_ms=0)} == {2, 5, 11}


def test_a_reader_that_waits_wakes_for_a_commit(place: Place):
    waiting, engine = place.open(), place.open()
    received: list[Notice] = []
    tail = waiting.tail()
    reader = Thread(target=lambda: received.extend(waiting.notices(tail, block_ms=20_000)))

    reader.start()
    engine.commit([commit()])
    reader.join(15)

    assert told(received) == [(M, 1)]


def test_each_group_is_given_every_notice_and_each_notice_to_one_consumer(place: Place):
    one, two = place.open(), place.open()
    matches = [match_id(number % 16, number) for number in range(64)]
    one.commit([commit(match) for match in matches])

    bots = [*one.receive_notices("bots", "b1", limit=32, block_ms=0)]
    bots += two.receive_notices("bots", "b2", limit=1000, block_ms=0)
    history = one.receive_notices("history", "h1", limit=1000, block_ms=0)

    assert sorted(told(bots)) == sorted(told(history)) == sorted((match, 1) for match in matches)
    assert one.receive_notices("bots", "b1", limit=1000, block_ms=0) == []


def test_a_group_that_waits_wakes_for_a_commit(place: Place):
    waiting, engine = place.open(), place.open()
    received: list[Notice] = []
    reader = Thread(target=lambda: received.extend(waiting.receive_notices("bots", "b1", limit=1, block_ms=20_000)))

    reader.start()
    engine.commit([commit(bot_turn=BOT)])
    reader.join(15)

    assert [notice.bot_turn for notice in received] == [BOT]


def test_notices_that_a_dead_consumer_left_are_claimed_once_settled_never(store: Store):
    store.commit([commit(version=1), commit(version=2)])
    received: list[Notice] = []
    while len(received) < 2:
        received += store.receive_notices("bots", "dead", limit=10, block_ms=0)
    store.settle_notices("bots", received[:1])

    assert store.claim_notices("bots", "alive", idle_ms=60_000, limit=10) == []
    a_moment_passes(store)
    claimed = store.claim_notices("bots", "alive", idle_ms=0, limit=10)
    assert claimed == received[1:]

    store.settle_notices("bots", claimed)
    assert store.claim_notices("bots", "alive", idle_ms=0, limit=10) == []


def test_claiming_from_a_group_that_never_read_finds_nothing(store: Store):
    assert store.claim_notices("bots", "b1", idle_ms=0, limit=10) == []
    store.settle_notices("bots", [])


def test_a_reminder_of_a_bots_turn_names_no_command(store: Store):
    store.commit([commit(bot_turn=BOT)])

    store.notify_bot(M, Version(1), BOT)

    [first, again] = store.notices(EVERY_NOTICE, block_ms=0)
    assert (again.match, again.version, again.status, again.bot_turn) == (M, 1, "playing", BOT)
    assert (first.command, again.command) == (f"{M}-1", "")
