"""A worker runs jobs in its own process, survives bad ones, and leaves RQ's registries clean."""

import urllib.request
from collections.abc import Iterator

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from rq import Worker
from rq.registry import clean_registries
from structlog.testing import capture_logs

from owntrumps_bots import jobs
from owntrumps_bots.answers import warm_up
from owntrumps_bots.budgets import LEVELS
from owntrumps_bots.metrics import BotsCollector, serve
from owntrumps_bots.player import Player
from owntrumps_bots.reports import Report
from owntrumps_bots.tallies import Tallies
from owntrumps_bots.worker import turn_worker
from tests.services.bots.inside import World
from tests.store.servers import free_port

FOUR = ("greedy", "greedy", "greedy", "greedy")
BIG_JOBS = {"turns_per_job": 2000, "seconds_per_job": 60}


@pytest.fixture
def world() -> Iterator[World]:
    yield World(**BIG_JOBS)
    jobs.serve(None)


def work(world: World, level: str = "greedy", player: Player | None = None) -> None:
    """Run all jobs of the level's queue in this process."""
    worker = turn_worker(level, world.redis, world.config, player or world.player)
    worker.work(burst=True, logging_level="ERROR")


def test_a_four_bot_match_finishes_by_itself(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    world.dispatcher.run_once(0)
    work(world)
    assert world.view(match)["status"] == "finished"
    assert world.leftovers() == []


def test_levels_hand_a_match_to_each_other(world: World) -> None:
    match = world.match("bornyu", "greedy", "club", "greedy", "club")
    for _ in range(3):
        world.dispatcher.run_once(0)
        work(world, "greedy")
        work(world, "club")
    assert world.view(match)["version"] > 3
    assert {level for level, _, _ in world.thoughts.seen} == {"greedy", "club"}


def test_many_waiting_matches_are_played_in_the_order_they_came() -> None:
    world = World(turns_per_job=1)
    matches = [world.match("bornyu", *FOUR, shard=shard) for shard in (9, 3, 12, 0, 7)]
    world.dispatcher.run_once(0)
    worker = turn_worker("greedy", world.redis, world.config, world.player)
    worker.work(burst=True, logging_level="ERROR", max_jobs=10)
    assert [view["id"] for _, _, view in world.thoughts.seen] == matches * 2


def test_a_job_that_fails_is_logged_without_its_message_and_the_worker_lives_on(world: World) -> None:
    first, second = world.match("bornyu", *FOUR), world.match("bornyu", *FOUR)
    world.dispatcher.run_once(0)

    def stumble_once() -> None:
        world.thoughts.before = None
        raise ZeroDivisionError("the hand is 7c 9c")

    world.thoughts.before = stumble_once
    with capture_logs() as logs:
        work(world)
    failed = [line for line in logs if line["event"] == "job-failed"]
    assert [(line["job"], line["error"]) for line in failed] == [(f"{first}-v1", "ZeroDivisionError")]
    assert "7c" not in str(logs)
    assert world.view(second)["status"] == "finished"
    registry = world.turns.of_level("greedy").failed_job_registry
    assert registry.get_job_ids() == [f"{first}-v1"]
    assert 0 < world.redis.ttl(f"rq:job:{first}-v1") <= world.config.failure_ttl_seconds


def test_a_match_whose_job_failed_is_played_when_it_is_told_of_again(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    world.dispatcher.run_once(0)

    def stumble_once() -> None:
        world.thoughts.before = None
        raise ZeroDivisionError

    world.thoughts.before = stumble_once
    work(world)
    world.tell(world.turn(match))
    assert world.dispatcher.run_once(0) == 1
    work(world)
    assert world.view(match)["status"] == "finished"
    assert [key for key in world.leftovers() if not key.startswith("rq:results:")] == []


def test_a_job_that_comes_back_while_its_worker_is_alive_after_all_is_ended_twice_without_harm(world: World) -> None:
    match = world.match_whose_turn_it_is(1, "bornyu", None, *FOUR[1:])
    turn = world.turn(match)
    world.turns.enqueue(turn)
    rival = world.another_player()

    def overtake() -> None:
        world.thoughts.before = None
        world.redis.delete(f"bots:playing:{match}:greedy")
        assert world.turns.enqueue(turn) == "returned"
        work(world, player=rival)
        jobs.serve(world.player)

    world.thoughts.before = overtake
    with capture_logs() as logs:
        work(world)
    assert [line for line in logs if line["log_level"] == "error"] == []
    assert [report.ending for report in world.reports] == ["handed-over", "handed-over"]
    assert world.leftovers() == []


def test_what_a_killed_worker_left_in_the_registries_goes_when_its_turn_is_played(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    world.dispatcher.run_once(0)
    queue = world.turns.of_level("greedy")
    dead = turn_worker("greedy", world.redis, world.config, world.player)
    job = queue.fetch_job(queue.pop_job_id() or "")
    assert job is not None
    dead.prepare_execution(job)
    dead.prepare_job_execution(job)
    assert len(queue.started_job_registry.get_job_ids()) == 1
    world.tell(world.turn(match))
    assert world.dispatcher.run_once(0) == 1
    work(world)
    assert world.view(match)["status"] == "finished"
    assert world.leftovers() == []


def test_what_a_killed_worker_left_goes_by_itself_where_the_engine_played_for_it(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    world.dispatcher.run_once(0)
    queue = world.turns.of_level("greedy")
    dead = turn_worker("greedy", world.redis, world.config, world.player)
    job = queue.fetch_job(queue.pop_job_id() or "")
    assert job is not None
    dead.prepare_execution(job)
    dead.prepare_job_execution(job)
    world.play_for_bot(match)
    much_later = 10**10
    queue.started_job_registry.cleanup(timestamp=much_later)
    assert queue.failed_job_registry.get_job_ids(cleanup=False) == [job.id]
    assert 0 < world.redis.ttl(job.key) <= world.config.failure_ttl_seconds
    queue.failed_job_registry.cleanup(timestamp=much_later)
    clean_registries(queue)
    assert queue.started_job_registry.get_job_ids() == queue.failed_job_registry.get_job_ids() == []


def test_a_job_outside_a_worker_of_the_service_says_so() -> None:
    jobs.serve(None)
    with pytest.raises(RuntimeError, match="owntrumps_bots work"):
        jobs.play_turns("07-aaaaaaaaaaaa", 1, 0, "greedy")


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_warms_up(level: str) -> None:
    warm_up(level)


def test_a_worker_that_its_server_has_forgotten_registers_anew(world: World) -> None:
    worker = turn_worker("greedy", world.redis, world.config, world.player)
    worker.register_birth()
    world.redis.flushall()
    worker.run_maintenance_tasks()
    assert [known.name for known in Worker.all(queue=world.turns.of_level("greedy"))] == [worker.name]


# Figures


def figures(world: World) -> dict[str, float]:
    registry = CollectorRegistry()
    registry.register(BotsCollector(world.redis, world.config))
    lines = generate_latest(registry).decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def test_the_figures_tell_of_queues_workers_waiting_and_thinking(world: World) -> None:
    player = Player(world.store, world.turns, world.claims, world.config, report=Tallies(world.redis).add)
    match = world.match("bornyu", *FOUR)
    world.dispatcher.run_once(0)
    assert figures(world)['owntrumps_bots_queue_depth{level="greedy"}'] == 1
    work(world, player=player)
    told = figures(world)
    moves = world.view(match)["version"] - 1
    assert told['owntrumps_bots_queue_depth{level="greedy"}'] == 0
    assert told['owntrumps_bots_jobs_total{ending="over",level="greedy"}'] == 1
    assert told['owntrumps_bots_wait_seconds_count{level="greedy"}'] == 1
    assert told['owntrumps_bots_thinking_seconds_count{level="greedy"}'] == moves
    assert told['owntrumps_bots_thinking_seconds_bucket{le="+Inf",level="greedy"}'] == moves
    thinking = told['owntrumps_bots_thinking_seconds_sum{level="greedy"}']
    assert 0 < thinking < told['owntrumps_bots_busy_seconds_total{level="greedy"}']
    assert told['owntrumps_bots_thinking_seconds_count{level="master"}'] == 0


def test_buckets_count_what_is_below_their_bound() -> None:
    world = World()
    tallies = Tallies(world.redis)
    for waited, thoughts in ((0.004, [0.02, 0.03]), (0.3, [9.0]), (None, [])):
        tallies.add(Report("greedy", "handed-over", waited, thoughts))
    told = figures(world)
    waits = [told[f'owntrumps_bots_wait_seconds_bucket{{le="{le}",level="greedy"}}'] for le in ("0.005", "0.25", "0.5")]
    assert waits == [1, 1, 2]
    assert told['owntrumps_bots_thinking_seconds_bucket{le="2.5",level="greedy"}'] == 2
    assert told['owntrumps_bots_thinking_seconds_bucket{le="+Inf",level="greedy"}'] == 3
    assert told['owntrumps_bots_thinking_seconds_sum{level="greedy"}'] == pytest.approx(9.05)
    assert told['owntrumps_bots_jobs_total{ending="handed-over",level="greedy"}'] == 3


def test_the_dispatchers_port_answers_scrapes() -> None:
    world = World()
    port = free_port()
    stop = serve(port, world.redis, world.config)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            assert b'owntrumps_bots_queue_depth{level="master"} 0.0' in answer.read()
    finally:
        stop()
