"""The service's processes on real servers: killed, stopped, starved of their queue, and side by side."""

import json
import os
import select
import signal
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from owntrumps.game.terms import MatchId, Version
from owntrumps.rules.cards import Seat
from owntrumps.store.connect import open_store
from owntrumps.store.port import Store
from owntrumps_bots import jobs
from owntrumps_bots.config import BotsConfig
from owntrumps_bots.turns import Turn, TurnQueues
from owntrumps_bots.worker import make_player, turn_worker
from tests.processes import Process
from tests.services.bots.inside import leftovers
from tests.services.bots.running import (
    Running,
    create,
    create_duel_led_by_a_bot,
    running,
    told,
    wait_until_over,
)

pytestmark = pytest.mark.server

FOUR = ("greedy", "greedy", "greedy", "greedy")
QUICK_CALLS = {"OWNTRUMPS_ENGINE_BOT_REDISPATCH_MS": "300", "OWNTRUMPS_ENGINE_BOT_FALLBACK_MS": "120000"}
"""An engine that soon calls a bot again, and never plays for one while a test runs."""
NOWHERE = {"OWNTRUMPS_STORE_URL": "redis://127.0.0.1:1/0", "OWNTRUMPS_QUEUE_URL": "redis://127.0.0.1:1/0"}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as everything:
        yield everything


@pytest.fixture
def store(place: Running) -> Iterator[Store]:
    opened = open_store(place.environment["OWNTRUMPS_STORE_URL"])
    yield opened
    opened.close()


def start_engine_and_dispatcher(place: Running, **environment: str) -> None:
    place.start("-m", "owntrumps_engine", **environment).wait_for("started")
    place.start("-m", "owntrumps_bots", "dispatch").wait_for("dispatcher-ready")


def sleeper(place: Running, milliseconds: int) -> Process:
    """A ready worker that thinks for so long about each turn."""
    process = place.start("-m", "tests.services.bots.sleeper", str(milliseconds))
    process.wait_for("worker-ready")
    return process


def ready_worker(place: Running, levels: str = "greedy") -> Process:
    process = place.worker(levels)
    for _ in levels.split(","):
        process.wait_for("worker-ready")
    return process


def versions(store: Store, match: MatchId) -> list[int]:
    return [entry.version for entry in store.entries(match, after=Version(0), limit=5000)]


def test_a_four_bot_match_finishes_by_itself_within_ten_seconds(place: Running, store: Store) -> None:
    start_engine_and_dispatcher(place)
    ready_worker(place)
    tail = store.tail()
    begun = monotonic()
    match = create(store, "bornyu", *FOUR)
    wait_until_over(store, [match], tail)
    assert monotonic() - begun < 10
    assert versions(store, match) == list(range(1, len(versions(store, match)) + 1))


def test_the_turn_of_a_worker_killed_in_the_middle_of_a_job_is_played_by_another(place: Running, store: Store) -> None:
    start_engine_and_dispatcher(place, **QUICK_CALLS)
    victim = sleeper(place, 60_000)
    tail = store.tail()
    match = create(store, "bornyu", *FOUR)
    assert victim.wait_for("thinking")["match"] == match
    victim.kill()
    rescuer = ready_worker(place)
    wait_until_over(store, [match], tail)
    assert rescuer.stop() == 0
    assert versions(store, match) == list(range(1, len(versions(store, match)) + 1))
    assert leftovers(place.queue) == []


def test_a_queue_that_lost_everything_loses_no_turn(place: Running, store: Store) -> None:
    start_engine_and_dispatcher(place, **QUICK_CALLS)
    tail = store.tail()
    match = create(store, "bornyu", *FOUR)
    key = TurnQueues(place.queue, BotsConfig()).of_level("greedy").key
    assert place.queue.blmove(key, "somewhere", 30, "LEFT", "LEFT") is not None
    place.queue.flushall()
    ready_worker(place)
    wait_until_over(store, [match], tail)


def test_a_worker_that_is_asked_to_stop_ends_the_turn_at_hand_and_passes_the_rest_on(
    place: Running, store: Store
) -> None:
    start_engine_and_dispatcher(place, **QUICK_CALLS)
    leaving = sleeper(place, 1000)
    tail = store.tail()
    match = create(store, "bornyu", *FOUR)
    leaving.wait_for("thinking", version=1)
    assert leaving.stop() == 0
    assert [line["version"] for line in leaving.log if line["event"] == "thinking"] == [1]
    assert versions(store, match) == [1, 2]
    ready_worker(place)
    wait_until_over(store, [match], tail)


def test_a_killed_worker_is_replaced_and_all_end_with_a_killed_supervisor(place: Running) -> None:
    supervisor = place.worker("random,greedy")
    children = [supervisor.wait_for("worker-started")["pid"] for _ in range(2)]
    for _ in range(2):
        supervisor.wait_for("worker-ready")
    os.kill(children[0], signal.SIGKILL)
    assert supervisor.wait_for("worker-gone")["exit_code"] == -signal.SIGKILL
    children[0] = supervisor.wait_for("worker-started")["pid"]
    supervisor.wait_for("worker-ready")
    handles = [os.pidfd_open(pid) for pid in children]
    supervisor.kill()
    for handle in handles:
        assert select.select([handle], [], [], 30)[0], "a worker outlives its supervisor"
        os.close(handle)


def test_a_supervisor_stops_its_workers(place: Running) -> None:
    supervisor = ready_worker(place, "random,greedy")
    assert supervisor.stop() == 0
    assert [line["event"] for line in supervisor.log].count("worker-ended") == 2
    assert place.queue.smembers("rq:workers") == set()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["work", "--levels", "wizard"], "'wizard' is not a level"),
        (["work", "--levels", "greedy", "--workers", "0"], "a whole number above 0, not '0'"),
        (["work"], "--levels"),
        (["think"], "invalid choice"),
        ([], "required"),
    ],
)
def test_a_command_that_cannot_be_is_refused(arguments: list[str], said: str) -> None:
    process = Process(["-m", "owntrumps_bots", *arguments], NOWHERE)
    assert process.join() == 2
    assert said in json.dumps(process.log)


@pytest.mark.parametrize(
    "environment", [{"OWNTRUMPS_STORE_URL": ""}, {"OWNTRUMPS_QUEUE_URL": ""}, {"OWNTRUMPS_BOTS_BATCH": "many"}]
)
def test_a_setting_that_cannot_be_is_refused(environment: dict[str, str]) -> None:
    process = Process(["-m", "owntrumps_bots", "dispatch"], {**NOWHERE, **environment})
    assert process.join() == 2
    assert next(iter(environment)) in json.dumps(process.log)


def test_the_id_of_a_job_that_expired_in_the_queue_is_left_nowhere(place: Running, store: Store) -> None:
    config = BotsConfig()
    turns = TurnQueues(place.queue, config)
    turn = Turn(MatchId("07-aaaaaaaaaaaa"), Version(1), Seat(0), "greedy")
    turns.enqueue(turn)
    place.queue.delete(f"rq:job:{turn.job_id}")
    turn_worker("greedy", place.queue, config, make_player(store, place.queue, config)).work(burst=True)
    jobs.serve(None)
    assert leftovers(place.queue) == []


@pytest.mark.slow
def test_two_workers_finish_a_fixed_load_nearly_twice_as_fast_as_one(place: Running, store: Store) -> None:
    start_engine_and_dispatcher(place, **QUICK_CALLS)
    sleeper(place, THOUGHT_MS)
    alone = seconds_for_the_load(store)
    assert alone >= LOAD * THOUGHT_MS / 1000
    sleeper(place, THOUGHT_MS)
    # The thinking takes no processor, the rest does: where others want it, another attempt is fair
    together = (seconds_for_the_load(store) for _ in range(ATTEMPTS))
    assert any(alone / seconds > 1.6 for seconds in together)


LOAD = 16
THOUGHT_MS = 250
ATTEMPTS = 4


def seconds_for_the_load(store: Store) -> float:
    """How long it takes until a bot has answered in each of so many matches, where then a person is to move."""
    tail = store.tail()
    begun = monotonic()
    waiting = {create_duel_led_by_a_bot(store, shard) for shard in range(LOAD)}
    for notice in told(store, tail):
        if notice.version == 2:
            waiting.discard(notice.match)
        if not waiting:
            break
    return monotonic() - begun
