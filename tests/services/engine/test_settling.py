"""Every submission ends as an entry, a refusal, or put aside; nothing is lost and nothing happens twice."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from owntrumps.game.commands import AbortMatch, MakeMove, TakeSeat
from owntrumps.game.refusals import Refusal
from owntrumps.game.terms import ByPlayer, ByServer, MatchId, Millis, PlayerId, Version
from owntrumps.rules.plays import TAKE
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import Accepted, CommandId, Commit, CommitResult, Delivery, Outcome, Shard
from owntrumps.store.state_codec import write_state
from owntrumps_engine.maintenance import refold_verified
from tests.services.engine.given import (
    ANN,
    MATCH,
    OPEN_SEAT,
    START,
    SetClock,
    answer,
    ask,
    bot,
    create,
    engine_over,
    log_of,
    memory,
    next_move,
    now_in,
    person,
    submission,
    submit,
)


class OvertakenStore(MemoryStore):
    """A store in which a stranger's entry comes in just before this engine's commits."""

    def __init__(self, clock: SetClock) -> None:
        super().__init__(clock)
        self.overtakings: list[Any] = []
        self.calls: list[int] = []

    def commit(self, commits: Sequence[Commit]) -> list[CommitResult]:
        self.calls.append(len(commits))
        if self.overtakings:
            self.overtakings.pop(0)()
        return super().commit(commits)


def overtake_always(store: OvertakenStore) -> None:
    """Before each commit, another engine plays the match's next move."""

    def overtake() -> None:
        engine_over(store, consumer="other")._settler.submit_own([submission(next_move(store))], START)
        store.overtakings = [overtake]

    store.overtakings = [overtake]


def test_a_created_match_has_its_entry_state_outcome_and_place_in_the_lists():
    # Given
    store = memory()
    engine = engine_over(store)
    # When
    created = ask(store, engine, create())
    # Then
    assert created == Accepted(Version(1))
    assert store.state(MATCH) == write_state(refold_verified(store, MATCH))
    summaries, _ = store.matches(status="playing", ruleset="duel", player=None, cursor=None, limit=10)
    assert [(summary.match, summary.index.created_at) for summary in summaries] == [(MATCH, START)]


def test_a_whole_match_is_decided_one_entry_a_move_and_its_log_verifies():
    store = memory()
    engine = engine_over(store)
    ask(store, engine, create(seats=(bot(), bot())))
    while now_in(store).state.__class__.__name__ == "PlayingMatch":
        assert isinstance(ask(store, engine, next_move(store)), Accepted)
    finished = refold_verified(store, MATCH)
    assert store.state(MATCH) == write_state(finished)
    assert finished.version == len(log_of(store)) > 10
    assert store.due(Millis(2**50), limit=10) == []


def test_commands_of_one_batch_for_one_match_are_decided_in_order_on_top_of_each_other():
    # Given a match and three moves in a row, submitted together
    store, rehearsal = memory(), memory()
    moves = []
    for each in (store, rehearsal):
        ask(each, engine_over(each), create(seats=(bot(), bot())))
    for _ in range(3):
        moves.append(replace(next_move(rehearsal), if_version=None))
        ask(rehearsal, engine_over(rehearsal), moves[-1])
    ids = [submit(store, move) for move in moves]
    # When
    assert engine_over(store).run_once(0) == 3
    # Then
    assert [answer(store, id_) for id_ in ids] == [Accepted(Version(version)) for version in (2, 3, 4)]
    assert log_of(store) == log_of(rehearsal)


def test_commits_of_different_matches_in_a_batch_go_out_together():
    store = OvertakenStore(SetClock())
    matches = [MatchId(f"{shard:02}-aaaaaaaaaaaa") for shard in range(16)]
    for match in matches:
        submit(store, create(match), match)
    assert engine_over(store).run_once(0) == 16
    assert store.calls == [16]


def test_a_command_submitted_twice_becomes_one_entry():
    store = memory()
    engine = engine_over(store)
    ask(store, engine, create(seats=(bot(), bot())))
    move = next_move(store)
    id_ = submit(store, move, id_="same")
    submit(store, move, id_="same")
    engine.run_once(0)
    assert answer(store, id_) == Accepted(Version(2))
    assert now_in(store).version == 2
    submit(store, move, id_="same")
    engine.run_once(0)
    assert answer(store, id_) == Accepted(Version(2))
    assert now_in(store).version == 2


def test_a_refusal_is_recorded_with_its_slug_and_changes_nothing():
    store = memory()
    engine = engine_over(store)
    ask(store, engine, create())
    before = store.state(MATCH)
    refusal = ask(store, engine, MakeMove(START, ByPlayer(PlayerId("eve")), (TAKE,)))
    assert isinstance(refusal, Refusal)
    assert refusal.slug == "not-your-seat"
    assert (store.state(MATCH), len(log_of(store))) == (before, 1)


@pytest.mark.parametrize(
    ("command", "slug"),
    [(create(), "match-exists"), (MakeMove(START, ByServer(), (TAKE,)), "not-found")],
)
def test_decide_has_the_word_on_matches_that_exist_and_on_those_that_do_not(command, slug):
    store = memory()
    engine = engine_over(store)
    if slug == "match-exists":
        ask(store, engine, create())
    refusal = ask(store, engine, command)
    assert isinstance(refusal, Refusal)
    assert refusal.slug == slug


def test_a_refusal_is_never_based_on_a_match_that_another_engine_has_moved_on():
    # Given an engine that knows the match as it was two moves ago
    store = memory()
    stale, other = engine_over(store), engine_over(store, consumer="other")
    ask(store, stale, create(seats=(bot(), bot())))
    for _ in range(2):
        ask(store, other, next_move(store))
    # When it gets the next move, which would be out of turn or illegal in what it knows
    accepted = ask(store, stale, next_move(store))
    # Then
    assert accepted == Accepted(Version(4))


def test_a_conflict_is_decided_anew_on_what_the_other_engine_committed():
    # Given a seat that somebody else takes at the very moment
    store = OvertakenStore(SetClock())
    engine = engine_over(store)
    ask(store, engine, create(seats=(person(ANN), OPEN_SEAT)))
    other = engine_over(store, consumer="other")
    seat = TakeSeat(START, PlayerId("eve"), "Eve")
    store.overtakings = [lambda: other._settler.submit_own([submission(seat)], START)]
    # When
    refusal = ask(store, engine, TakeSeat(START, PlayerId("joe"), "Joe"))
    # Then
    assert isinstance(refusal, Refusal)
    assert refusal.slug == "match-full"
    assert now_in(store).version == 2


def test_a_command_that_is_always_too_late_is_refused_as_busy():
    clock = SetClock()
    store = OvertakenStore(clock)
    engine = engine_over(store, conflict_retries=3)
    ask(store, engine, create(ruleset="bornyu", seats=(person(ANN), bot(), bot(), bot())))
    overtake_always(store)
    abort = AbortMatch(START, ByServer(), "test")
    id_ = submit(store, abort)
    engine.run_once(0)
    refusal = answer(store, id_)
    assert isinstance(refusal, Refusal)
    assert refusal.slug == "busy"
    # And may be tried again a second later, with the same id
    store.overtakings = []
    clock.now += 1000
    submit(store, abort, id_=id_)
    engine.run_once(0)
    assert isinstance(answer(store, id_), Accepted)


def test_time_never_runs_backwards_in_a_match():
    store = memory()
    engine = engine_over(store)
    ask(store, engine, create(seats=(bot(), bot())))
    ask(store, engine, next_move(store, at=START - 5_000))
    ask(store, engine, next_move(store, at=START + 5_000))
    assert [entry.at for entry in log_of(store)] == [START, START, START + 5_000]


def test_bytes_that_are_no_submission_are_put_aside():
    store = memory()
    store.append_raw(Shard(7), {"rubbish": "x"})
    engine_over(store).run_once(0)
    [(delivery, reason)] = store.parked()
    assert delivery.raw == {"rubbish": "x"}
    assert reason == "these bytes are no submission"
    assert store.claim("other", idle_ms=0, limit=10) == []


def test_rubbish_that_names_its_id_gets_an_answer():
    store = memory()
    store.append_raw(Shard(7), {"id": "k1", "match": MATCH, "command": "{"})
    engine_over(store).run_once(0)
    refusal = answer(store, CommandId("k1"))
    assert isinstance(refusal, Refusal)
    assert refusal.slug == "undecidable"


@pytest.mark.parametrize("raw", [{"id": "k1", "match": "08-aaaaaaaaaaaa"}, {"id": "k1", "match": "x"}, {"id": "a b"}])
def test_rubbish_that_names_what_is_not_here_gets_none(raw):
    store = memory()
    store.append_raw(Shard(7), raw)
    engine_over(store).run_once(0)
    assert len(store.parked()) == 1


def test_a_command_that_deciding_chokes_on_is_put_aside_and_its_neighbours_go_on():
    # Given a command whose inside is not what the core was promised
    store = memory()
    engine = engine_over(store)
    ask(store, engine, create(seats=(bot(), bot())))
    move = next_move(store)
    poison = submit(store, replace(move, plays=("Zz",)))  # type: ignore[arg-type]
    good = submit(store, move)
    # When
    engine.run_once(0)
    # Then
    refusal = answer(store, poison)
    assert isinstance(refusal, Refusal)
    assert refusal.slug == "undecidable"
    assert answer(store, good) == Accepted(Version(2))
    [(_, reason)] = store.parked()
    assert "Zz" not in reason


def test_what_a_dead_engine_left_is_claimed_and_settled_by_another():
    # Given an engine that dies with a delivery in its hands
    clock = SetClock()
    store = memory(clock)
    id_ = submit(store, create())
    assert len(store.receive("dead", limit=10, block_ms=0)) == 1
    # When another looks before and after the time has come
    engine = engine_over(store, claim_idle_ms=1500)
    clock.now += 1000
    assert engine.run_once(0) == 0
    clock.now += 1000
    assert engine.run_once(0) == 1
    # Then
    assert answer(store, id_) == Accepted(Version(1))


def test_a_command_that_kills_its_engines_is_put_aside_after_a_number_of_deliveries():
    clock = SetClock()
    store = memory(clock)
    id_ = submit(store, create())
    store.receive("dead-1", limit=10, block_ms=0)
    for death in range(2, 6):
        clock.now += 2000
        assert store.claim(f"dead-{death}", idle_ms=1500, limit=10)[0].times == death
    clock.now += 2000
    engine_over(store, max_deliveries=5).run_once(0)
    refusal = answer(store, id_)
    assert isinstance(refusal, Refusal)
    assert refusal.slug == "undecidable"
    assert store.match_ids() == []


def test_the_cache_is_bounded_and_forgets_the_least_recently_used_first():
    store = memory()
    engine = engine_over(store, cached_matches=2)
    matches = [MatchId(f"0{shard}-aaaaaaaaaaaa") for shard in range(3)]
    for match in matches:
        ask(store, engine, create(match, seats=(bot(), bot())), match)
    assert [engine._settler.cache.get(match) is not None for match in matches] == [False, True, True]
    assert ask(store, engine, next_move(store, matches[0]), matches[0]) == Accepted(Version(2))


def test_an_outcome_of_an_earlier_delivery_is_told_again_and_the_delivery_settled():
    clock = SetClock()
    store = memory(clock)
    ask(store, engine_over(store), create(seats=(bot(), bot())))
    id_ = submit(store, next_move(store))
    [delivery] = store.receive("slow", limit=1, block_ms=0)
    clock.now += 2000
    engine_over(store).run_once(0)
    # When the slow engine gets to it at last
    engine_over(store)._settler.settle([delivery], START)
    # Then
    assert answer(store, id_) == Accepted(Version(2))
    assert now_in(store).version == 2
    assert isinstance(delivery, Delivery)
    assert isinstance(store.outcome(MATCH, id_), Outcome)
