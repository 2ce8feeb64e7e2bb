"""The contract of a commit: all of it or nothing, at one version, once for each id."""

from threading import Barrier, Thread

import pytest

from owntrumps.game.terms import Millis, Version
from owntrumps.rules.cards import Seat
from owntrumps.store.port import BotTurn, CommandId, CommitResult, Store
from tests.store.conftest import Place
from tests.store.given import (
    ANN,
    BOB,
    EVERY_NOTICE,
    M,
    a_moment_passes,
    accepted,
    commit,
    delivered,
    index,
    match_id,
    payload,
    snapshot,
    submission,
)


def test_a_commit_writes_entry_state_outcome_notice_due_and_lists(store: Store):
    [delivery] = delivered(store, submission())
    listed = index("playing", players=(ANN,), to_move=ANN)
    written = commit(id_="a", delivery=delivery, listed=listed, due=500, bot_turn=BotTurn(Seat(2), "a level"))

    assert store.commit([written]) == ["committed"]

    assert store.entries(M, after=Version(0), limit=10) == [written.entry]
    assert store.state(M) == b"state 1 by a"
    assert store.outcome(M, CommandId("a")) == accepted(M, "a", 1)
    assert store.due(Millis(500), limit=10) == [M]
    assert store.match_ids() == [M]
    assert store.turns_of(ANN) == [M]
    [notice] = store.notices(EVERY_NOTICE, block_ms=0)
    assert (notice.match, notice.command, notice.version, notice.status) == (M, "a", 1, "playing")
    assert (notice.bot_turn, notice.to_move) == (BotTurn(Seat(2), "a level"), ANN)
    assert store.claim("e2", idle_ms=0, limit=10) == []


@pytest.mark.parametrize("version", [1, 2, 4, 9])
def test_a_commit_at_another_version_is_a_conflict_that_changes_nothing(store: Store, version: int):
    [delivery] = delivered(store, submission(id_="late"))
    store.commit([commit(version=1), commit(version=2, listed=index("playing", to_move=ANN), due=100)])
    before = snapshot(store)
    late = commit(version=version, id_="late", delivery=delivery, listed=index("finished", players=(BOB,)), due=5)

    assert store.commit([late]) == ["committed" if version == 3 else "conflict"]

    assert snapshot(store) == before
    assert store.outcome(M, CommandId("late")) is None
    a_moment_passes(store)
    assert [delivery.submission for delivery in store.claim("e2", idle_ms=0, limit=10)] == [submission(id_="late")]


def test_a_log_begins_with_version_1(store: Store):
    assert store.commit([commit(version=2), commit(version=3)]) == ["conflict", "conflict"]
    assert store.match_ids() == []


def test_an_id_with_an_outcome_is_a_duplicate_settled_and_told_again(store: Store):
    first, again = delivered(store, submission(id_="a"), submission(id_="a"))
    store.commit([commit(version=1, id_="a", delivery=first, listed=index("playing", to_move=ANN), due=50)])
    before = snapshot(store)
    repeated = commit(version=2, id_="a", delivery=again, listed=index("finished"), bot_turn=BotTurn(Seat(1), "x"))

    assert store.commit([repeated]) == ["duplicate"]

    after = snapshot(store)
    told = after.pop("notices")[1:]
    assert [(notice.command, notice.version, notice.status, notice.bot_turn) for notice in told] == [
        ("a", 1, None, None)
    ]
    assert after == {name: value for name, value in before.items() if name != "notices"}
    assert store.outcome(M, CommandId("a")) == accepted(M, "a", 1)
    assert store.claim("e2", idle_ms=0, limit=10) == []


def test_many_commits_go_in_their_order(store: Store):
    commits = [commit(version=1), commit(version=3), commit(version=2), commit(version=2), commit(version=3)]

    results = store.commit(commits)

    assert results == ["committed", "conflict", "committed", "duplicate", "committed"]
    assert [entry.version for entry in store.entries(M, after=Version(0), limit=10)] == [1, 2, 3]


def test_commits_to_many_matches_go_together(store: Store):
    matches = [match_id(number % 16, number) for number in range(48)]

    assert store.commit([commit(match) for match in matches]) == ["committed"] * 48
    assert store.match_ids() == sorted(matches)


def test_no_commits_is_no_result(store: Store):
    assert store.commit([]) == []


def test_of_two_committers_at_one_version_one_has_a_conflict(place: Place):
    stores = [place.open(), place.open()]
    barrier = Barrier(2)
    results: list[list[CommitResult]] = [[], []]

    def run(number: int) -> None:
        for version in range(1, 31):
            barrier.wait(10)
            results[number] += stores[number].commit([commit(version=version, id_=f"by-{number}-{version}")])

    threads = [Thread(target=run, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert [sorted(pair) for pair in zip(*results, strict=True)] == [["committed", "conflict"]] * 30
    winners = [0 if first == "committed" else 1 for first, _ in zip(*results, strict=True)]
    entries = stores[0].entries(M, after=Version(0), limit=100)
    assert [entry.payload for entry in entries] == [
        payload(version, f"by-{winner}-{version}") for version, winner in enumerate(winners, start=1)
    ]
    assert stores[0].state(M) == f"state 30 by by-{winners[-1]}-30".encode()


def test_entries_are_read_after_a_version_and_up_to_a_limit(store: Store):
    store.commit([commit(version=version) for version in range(1, 8)])

    def versions(after: int, limit: int) -> list[int]:
        return [entry.version for entry in store.entries(M, after=Version(after), limit=limit)]

    assert versions(0, 3) == [1, 2, 3]
    assert versions(3, 100) == [4, 5, 6, 7]
    assert versions(7, 100) == versions(99, 100) == []


@pytest.mark.parametrize("unknown", [match_id(9), "nonsense", "07-}{", ""])
def test_of_an_unknown_match_there_is_nothing(store: Store, unknown):
    assert store.state(unknown) is None
    assert store.entries(unknown, after=Version(0), limit=10) == []


def test_due_matches_come_earliest_first(store: Store):
    moments = {
        match_id(shard, number): 100 + 37 * (shard * 3 + number) % 160 for shard in range(16) for number in (0, 1)
    }
    store.commit([commit(match, due=moment) for match, moment in moments.items()])
    expected = sorted(moments, key=lambda match: (moments[match], match))

    ripe = store.due(Millis(200), limit=1000)

    assert ripe == [match for match in expected if moments[match] <= 200]
    assert store.due(Millis(10_000), limit=5) == expected[:5]
    assert store.due(Millis(99), limit=5) == []


def test_the_next_commit_moves_or_clears_the_due_moment(store: Store):
    store.commit([commit(version=1, due=100), commit(version=2, due=300)])
    assert (store.due(Millis(299), limit=5), store.due(Millis(300), limit=5)) == ([], [M])

    store.commit([commit(version=3)])

    assert store.due(Millis(10**14), limit=5) == []


def test_a_due_moment_is_postponed_only_while_the_log_stands(store: Store):
    store.commit([commit(version=1, due=100), commit(version=2, due=100)])

    store.postpone(M, Millis(900), at_version=Version(1))
    assert store.due(Millis(100), limit=5) == [M]

    store.postpone(M, Millis(900), at_version=Version(2))
    assert (store.due(Millis(899), limit=5), store.due(Millis(900), limit=5)) == ([], [M])

    store.postpone(M, None, at_version=Version(2))
    assert store.due(Millis(10**14), limit=5) == []


def test_a_state_can_be_dropped_and_put_back_at_its_version_only(store: Store):
    store.commit([commit(version=1), commit(version=2)])

    store.drop_state(M)
    assert store.state(M) is None
    assert len(store.entries(M, after=Version(0), limit=5)) == 2

    assert not store.put_state(M, b"old", at_version=Version(1))
    assert not store.put_state(M, b"of the future", at_version=Version(3))
    assert store.state(M) is None
    assert store.put_state(M, b"refolded", at_version=Version(2))
    assert store.state(M) == b"refolded"


def test_heartbeats_tell_of_the_beat_before_and_may_be_repeated(place: Place):
    one, two = place.open(), place.open()

    assert one.heartbeat(Millis(1_000)) is None
    assert two.heartbeat(Millis(2_500)) == 1_000
    assert two.heartbeat(Millis(2_500)) == 1_000
    assert one.heartbeat(Millis(9_000)) == 2_500


def test_a_store_answers_and_has_a_clock(store: Store):
    store.ping()
    before, after = store.now(), store.now()
    assert Millis(1_700_000_000_000) < before <= after
