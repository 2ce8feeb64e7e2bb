"""The contract of the way in: submissions, their delivery, outcomes, poison."""

from threading import Thread

from owntrumps.game.terms import Millis, Version
from owntrumps.store.port import Answered, CommandId, Delivery, Shard, Store, Submission
from tests.store.conftest import Place
from tests.store.given import (
    EVERY_NOTICE,
    M,
    a_moment_passes,
    accepted,
    commit,
    delivered,
    match_id,
    refused,
    submission,
)


def test_answers_bring_outcome_entry_and_state_in_one_go(store: Store):
    store.commit([commit(id_="a", version=1), commit(id_="b", version=2)])
    a, x = CommandId("a"), CommandId("x")

    named, unnamed, unknown = store.answers([(M, a, Version(1)), (M, a, None), (M, x, Version(7))])

    assert named == Answered(store.outcome(M, a), store.entries(M, after=Version(0), limit=1)[0], store.state(M))
    assert unnamed == Answered(named.outcome, None, None)
    assert unknown == Answered(None, None, store.state(M))
    assert store.answers([]) == []


def test_a_submission_is_delivered_as_it_was_submitted(store: Store):
    [delivery] = delivered(store, submission(id_="key_-1", at=5, fingerprint="abc"))

    assert delivery.submission == submission(id_="key_-1", at=5, fingerprint="abc")
    assert delivery.shard == 7
    assert delivery.times == 1


def test_submissions_of_a_shard_come_in_their_order(store: Store):
    sent = [submission(id_=f"s{number}") for number in range(40)]

    assert [delivery.submission for delivery in delivered(store, *sent)] == sent


def test_every_shard_is_read(store: Store):
    sent = {submission(match_id(shard)) for shard in range(16)}

    assert {delivery.submission for delivery in delivered(store, *sent)} == sent


def test_a_batch_holds_no_more_than_its_limit_or_one_of_each_shard(store: Store):
    store.submit([submission(match_id(shard), f"s{number}") for shard in range(16) for number in range(9)])

    assert len(store.receive("e1", limit=1, block_ms=0)) <= 16
    assert len(store.receive("e1", limit=48, block_ms=0)) <= 48


def test_nothing_submitted_is_nothing_received(store: Store):
    assert store.receive("e1", limit=10, block_ms=0) == []
    assert store.receive("e1", limit=10, block_ms=20) == []


def test_a_waiting_consumer_wakes_for_a_submission(place: Place):
    waiting, other = place.open(), place.open()
    received: list[Delivery] = []
    assert waiting.receive("e1", limit=1, block_ms=0) == []
    reader = Thread(target=lambda: received.extend(waiting.receive("e1", limit=1, block_ms=20_000)))

    reader.start()
    other.submit([submission()])
    reader.join(15)

    assert [delivery.submission for delivery in received] == [submission()]


def test_each_submission_goes_to_one_consumer(place: Place):
    one, two = place.open(), place.open()
    sent = [submission(match_id(number % 16), f"s{number}") for number in range(64)]
    one.submit(sent)

    received = [*one.receive("e1", limit=32, block_ms=0), *two.receive("e2", limit=64, block_ms=0)]
    received += one.receive("e1", limit=1000, block_ms=0)

    assert len(received) == 64
    assert {delivery.submission for delivery in received} == set(sent)


def test_an_unsettled_submission_can_be_claimed_and_the_deliveries_are_counted(place: Place):
    dead, alive = place.open(), place.open()
    delivered(dead, submission(), consumer="dead")

    a_moment_passes(alive)
    [first] = alive.claim("alive", idle_ms=0, limit=10)
    a_moment_passes(alive)
    [second] = alive.claim("third", idle_ms=0, limit=10)

    assert first.submission == submission()
    assert (first.times, second.times) == (2, 3)


def test_only_what_waited_long_enough_is_claimed(store: Store):
    delivered(store, submission())

    assert store.claim("e2", idle_ms=60_000, limit=10) == []


def test_claims_keep_to_their_limit_over_all_shards(store: Store):
    sent = [submission(match_id(shard), f"s{number}") for shard in range(16) for number in range(3)]
    delivered(store, *sent)

    a_moment_passes(store)  # fakeredis claims nothing in the millisecond in which it was handed out
    assert len(store.claim("e2", idle_ms=0, limit=5)) == 5
    a_moment_passes(store)
    assert len(store.claim("e2", idle_ms=0, limit=100)) == 48


def test_a_claim_before_anything_was_received_finds_nothing(store: Store):
    assert store.claim("e2", idle_ms=0, limit=10) == []


def test_what_was_settled_is_never_claimed(store: Store):
    committed, refusable, poison = delivered(store, submission(id_="a"), submission(id_="b"), submission(id_="c"))

    store.commit([commit(id_="a", delivery=committed)])
    store.refuse(refusable, refused(M, "b"))
    store.park(poison, "it broke", refused(M, "c"))

    assert store.claim("e2", idle_ms=0, limit=10) == []
    assert store.receive("e2", limit=10, block_ms=0) == []


def test_an_outcome_is_found_by_its_id_only(store: Store):
    [delivery] = delivered(store, submission(id_="b"))
    assert store.outcome(M, submission(id_="b").id) is None

    store.commit([commit(id_="a")])
    store.refuse(delivery, refused(M, "b"))

    assert store.outcome(M, submission(id_="a").id) == accepted(M, "a", 1)
    assert store.outcome(M, submission(id_="b").id) == refused(M, "b")
    assert store.outcome(M, submission(id_="c").id) is None


def test_a_refusal_is_told(store: Store):
    [delivery] = delivered(store, submission(id_="b"))

    store.refuse(delivery, refused(M, "b"))

    [notice] = store.notices(EVERY_NOTICE, block_ms=0)
    assert (notice.match, notice.command, notice.version, notice.status) == (M, "b", None, None)


def test_the_first_outcome_of_an_id_stands(store: Store):
    first, second = delivered(store, submission(id_="a"), submission(id_="a"))
    store.commit([commit(id_="a", delivery=first)])

    store.refuse(second, refused(M, "a"))

    assert store.outcome(M, submission(id_="a").id) == accepted(M, "a", 1)
    assert [notice.version for notice in store.notices(EVERY_NOTICE, block_ms=0)] == [1, 1]
    assert store.claim("e2", idle_ms=0, limit=10) == []


def test_bytes_that_are_no_submission_arrive_as_poison(place: Place):
    store = place.open()
    wrong_shard = {"id": "a", "match": match_id(3), "command": '{"at":1,"type":"expire"}', "fingerprint": ""}
    poison = [
        {"hello": "world"},
        wrong_shard,
        {**wrong_shard, "match": "07-}{"},
        {**wrong_shard, "match": M, "id": "not an id"},
        {**wrong_shard, "match": M, "command": '{"at":1,"type":"conquer"}'},
        {**wrong_shard, "match": M, "command": "\udcff".encode("utf-8", "surrogateescape").decode("latin-1")},
    ]
    for raw in poison:
        place.append_raw(Shard(7), raw)

    received = [delivery for _ in poison for delivery in store.receive("e1", limit=16, block_ms=0)]

    assert [delivery.submission for delivery in received] == [None] * len(poison)
    assert [dict(delivery.raw) for delivery in received] == poison


def test_poison_is_put_aside_without_an_outcome_where_there_is_no_id(place: Place):
    store = place.open()
    place.append_raw(Shard(7), {"hello": "world"})
    [delivery] = store.receive("e1", limit=16, block_ms=0)

    store.park(delivery, "it is no submission", None)

    assert store.claim("e2", idle_ms=0, limit=10) == []
    assert store.notices(EVERY_NOTICE, block_ms=0) == []


def test_submitting_nothing_is_allowed(store: Store):
    nothing: list[Submission] = []
    store.submit(nothing)

    assert store.receive("e1", limit=1, block_ms=0) == []
    assert store.now() > Millis(1_700_000_000_000)
