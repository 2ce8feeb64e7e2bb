"""Where a commit leaves the move to a bot, the level's queue gets the turn: once, oldest first, and again if lost."""

from threading import Event, Thread

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.rules.cards import Seat
from owntrumps_bots.turns import Turn
from tests.services.bots.inside import World


@pytest.fixture
def world() -> World:
    return World()


def a_turn(version: int = 5, *, match: str = "07-aaaaaaaaaaaa", level: str = "greedy") -> Turn:
    return Turn(MatchId(match), Version(version), Seat(1), level)


def taken_by_a_worker(world: World, level: str = "greedy") -> str:
    """Pop the next job and mark it as RQ does when it starts; the worker is never heard of again."""
    queue = world.turns.of_level(level)
    job_id = queue.pop_job_id()
    assert job_id is not None
    job = queue.fetch_job(job_id)
    assert job is not None
    with world.redis.pipeline() as pipeline:
        job.prepare_for_execution("dead-worker", pipeline)
        pipeline.execute()
    return job_id


def test_a_bots_turn_becomes_one_job_named_after_match_and_version(world: World) -> None:
    match = world.match("bornyu", "greedy", "greedy", "greedy", "greedy")
    assert world.dispatcher.run_once(0) == 1
    assert world.waiting("greedy") == [f"{match}-v1"]


def test_each_level_has_its_own_queue(world: World) -> None:
    for level in ("random", "greedy", "club", "master"):
        world.tell(a_turn(match=f"07-{level.ljust(12, 'a')}", level=level))
    assert world.dispatcher.run_once(0) == 4
    assert [len(world.waiting(level)) for level in ("random", "greedy", "club", "master")] == [1, 1, 1, 1]


def test_a_persons_turn_a_refusal_and_an_end_queue_nothing(world: World) -> None:
    match = world.match_whose_turn_it_is(0, "duel", None, "greedy")
    world.dispatcher.run_once(0)
    queued = world.waiting("greedy")
    world.move(match, "2c")
    assert world.dispatcher.run_once(0) == 0
    assert world.waiting("greedy") == queued


def test_a_turn_told_of_twice_waits_once(world: World) -> None:
    world.tell(a_turn())
    world.tell(a_turn())
    world.dispatcher.run_once(0)
    world.tell(a_turn())
    assert world.dispatcher.run_once(0) == 0
    assert world.waiting("greedy") == ["07-aaaaaaaaaaaa-v5"]


def test_of_several_versions_told_together_only_the_last_is_queued(world: World) -> None:
    for version in (7, 5, 6):
        world.tell(a_turn(version))
    world.dispatcher.run_once(0)
    assert world.waiting("greedy") == ["07-aaaaaaaaaaaa-v7"]


def test_turns_of_all_shards_are_queued_oldest_first(world: World) -> None:
    for shard in (9, 3, 12, 0):
        world.tell(a_turn(match=f"{shard:02}-aaaaaaaaaaaa"))
    world.dispatcher.run_once(0)
    assert [job_id[:2] for job_id in world.waiting("greedy")] == ["09", "03", "12", "00"]


def test_a_turn_that_a_dead_worker_had_taken_comes_back_before_all_that_wait(world: World) -> None:
    world.tell(a_turn())
    world.dispatcher.run_once(0)
    lost = taken_by_a_worker(world)
    world.tell(a_turn(match="07-bbbbbbbbbbbb"))
    world.dispatcher.run_once(0)
    world.tell(a_turn())
    assert world.dispatcher.run_once(0) == 1
    assert world.waiting("greedy") == [lost, "07-bbbbbbbbbbbb-v5"]


def test_a_turn_lost_between_the_queue_and_its_start_comes_back(world: World) -> None:
    world.tell(a_turn())
    world.dispatcher.run_once(0)
    queue = world.turns.of_level("greedy")
    world.redis.lmove(queue.key, queue.intermediate_queue_key)
    world.tell(a_turn())
    assert world.dispatcher.run_once(0) == 1
    assert world.waiting("greedy") == ["07-aaaaaaaaaaaa-v5"]
    assert queue.intermediate_queue.get_job_ids() == []


def test_a_turn_whose_job_failed_comes_back(world: World) -> None:
    world.tell(a_turn())
    world.dispatcher.run_once(0)
    queue = world.turns.of_level("greedy")
    job = queue.fetch_job(taken_by_a_worker(world))
    assert job is not None
    job.set_status("failed")  # type: ignore[arg-type]
    queue.failed_job_registry.add(job, ttl=60)
    world.tell(a_turn())
    assert world.dispatcher.run_once(0) == 1
    assert world.waiting("greedy") == [job.id]
    assert queue.failed_job_registry.get_job_ids() == []


def test_where_a_job_plays_on_its_level_is_not_called_but_others_are(world: World) -> None:
    world.claims.take(MatchId("07-aaaaaaaaaaaa"), "greedy", "a running job", for_ms=60_000)
    world.tell(a_turn())
    assert world.dispatcher.run_once(0) == 0
    world.tell(a_turn(6, level="random"))
    assert world.dispatcher.run_once(0) == 1


def test_an_unknown_level_is_refused_and_holds_nothing_up(world: World) -> None:
    world.tell(a_turn(level="wizard"))
    world.tell(a_turn(match="07-bbbbbbbbbbbb"))
    with capture_logs() as logs:
        assert world.dispatcher.run_once(0) == 1
    assert [(line["event"], line["slug"]) for line in logs] == [("bot-turn-refused", "unknown-level")]
    assert not world.redis.exists("rq:queue:bots-wizard")


def test_a_job_does_not_wait_for_longer_than_somebody_can_use_it(world: World) -> None:
    world.tell(a_turn())
    world.dispatcher.run_once(0)
    left = world.redis.ttl("rq:job:07-aaaaaaaaaaaa-v5")
    assert 0 < left <= world.config.waiting_ttl_seconds


def test_what_a_dead_dispatcher_received_and_did_not_settle_another_dispatches(world: World) -> None:
    world.tell(a_turn())
    world.store.receive_notices("bots", "dead", limit=10, block_ms=0)
    world.store.time = Millis(world.store.time + world.config.claim_idle_ms)
    assert world.dispatcher.run_once(0) == 1
    assert world.waiting("greedy") == ["07-aaaaaaaaaaaa-v5"]


def test_a_queue_that_is_away_for_a_while_loses_no_turn() -> None:
    world = World(block_ms=10, claim_every_ms=1)
    world.tell(a_turn())
    world.server.connected = False
    stop, interrupted = Event(), Event()

    def watch(_logger: object, _method: str, event: EventDict) -> EventDict:
        if event["event"] == "dispatch-interrupted":
            interrupted.set()
        return event

    with capture_logs(processors=[watch]):
        thread = Thread(target=world.another_dispatcher("two").run, args=(stop,))
        thread.start()
        try:
            assert interrupted.wait(10)
            world.server.connected = True
            world.store.time = Millis(world.store.time + world.config.claim_idle_ms)
            queue = world.turns.of_level("greedy")
            assert world.redis.blpop([queue.key], 10) == (queue.key.encode(), b"07-aaaaaaaaaaaa-v5")
        finally:
            stop.set()
            thread.join()
