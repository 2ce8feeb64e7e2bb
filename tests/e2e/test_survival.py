"""What a running system outlives: the death of its parts, its own, and the loss of everything but the logs."""

import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from redis import Redis

from tests.e2e.play import UnavailableError, check, create, events, move, next_turn, play_to_the_end, wait_until_over
from tests.e2e.system import System

pytestmark = [pytest.mark.server, pytest.mark.slow]

PATIENT = {"Prefer": "wait=20"}


def own_plays(entries, seat):
    """Every play of a seat in a log, as (version, kind, card)."""
    return [
        (entry["version"], event["type"], event.get("card"))
        for entry in entries
        for event in entry["events"]
        if event["type"] in ("card-led", "top-beaten", "pile-taken") and event["seat"] == seat
    ]


def test_an_engine_killed_in_the_middle_of_a_match_costs_a_pause_and_nothing_else(system):
    with system.player() as player:
        # Given a match in progress
        view = create(player, "bornyu", me=True, bots=3)
        answered = []
        moves = 0
        # When the engine is killed just before every fifth move
        while (view := next_turn(player, view))["status"] == "playing":
            if moves % 5 == 2 and moves < 20:
                system.kill("owntrumps_engine")
            answer = move(player, view, **PATIENT, **{"Idempotency-Key": f"move-{moves}"})
            assert answer.status_code == 201, answer.text
            again = move(player, view, **PATIENT, **{"Idempotency-Key": f"move-{moves}"})
            assert (again.status_code, again.json()["version"]) == (201, answer.json()["version"])
            answered.append(answer.json()["version"])
            view = answer.json()["view"]
            moves += 1
        # Then every answered move is in the log once, and nothing else of this seat is
        assert moves > 2
        assert [version for version, _, _ in own_plays(events(player, view["id"]), view["you"])] == answered


def played_on(player, view):
    """The end of the match; None where the server could not be reached or said that it was not ready."""
    try:
        now = check(player.get(f"/v1/matches/{view['id']}"), 200)
        over, _ = play_to_the_end(player, now.json(), **PATIENT)
    except (httpx.TransportError, UnavailableError):
        return None
    return over


@pytest.mark.parametrize("module", ["owntrumps_api", "owntrumps_bots", "owntrumps.supervisor.keeper"])
def test_any_other_part_killed_is_started_again_and_matches_go_on(system, module):
    with system.player() as player:
        view = create(player, "duel", me=True, bots=1)
        system.kill(module)
        over = None
        while over is None:
            over = played_on(player, view)
        assert over["status"] == "finished"


def test_the_whole_system_restarted_keeps_its_matches_and_plays_on(system):
    # Given a match in progress, one of bots alone, and a player
    with system.player() as player:
        mine = next_turn(player, create(player, "duel", me=True, bots=1))
        bots = create(player, "bornyu", bots=4, games=6)
        before = player.get(f"/v1/matches/{mine['id']}").json()
        # When
        system.restart()
        # Then
        assert player.get(f"/v1/matches/{mine['id']}").json() == before
        over, _ = play_to_the_end(player, mine)
        assert over["status"] == "finished"
        assert wait_until_over(player, bots, 60)["status"] == "finished"


def test_every_state_deleted_and_rebuilt_gives_identical_bytes(system):
    with system.player() as player:
        # Given matches at rest: finished ones and one that waits for its player
        next_turn(player, create(player, "duel", me=True, bots=1))
        for ruleset, bots in (("bornyu", 4), ("challenge", 2), ("dudak", 4), ("svoi-kozyri", 4)):
            wait_until_over(player, create(player, ruleset, bots=bots), 30)
    with Redis.from_url(system.store_url, protocol=2) as redis:
        keys = sorted(redis.scan_iter("ot:*:state:*", count=1000))
        before = dict(zip(keys, redis.mget(keys), strict=True)) if keys else {}
        assert len(before) >= 5
        # When
        redis.delete(*keys)
        rebuilt = subprocess.run(
            [sys.executable, "-m", "owntrumps_engine", "rebuild", "--store", system.store_url],
            check=True,
            capture_output=True,
            text=True,
        )
        # Then
        assert f"{len(keys)} matches ({len(keys)} good)" in rebuilt.stdout
        assert dict(zip(keys, redis.mget(keys), strict=True)) == before
    checked = subprocess.run(
        [sys.executable, "-m", "owntrumps_engine", "check", "--store", system.store_url],
        check=False,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.fixture(scope="module")
def mortal(tmp_path_factory):
    """A system for those tests that end it."""
    system = System(tmp_path_factory.mktemp("mortal"), bots=0)
    yield system
    if system.running:
        system.stop()


@pytest.fixture
def own_system(mortal):
    """The same, running."""
    if not mortal.running:
        mortal.start()
    return mortal


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_everything_that_was_started_ends_with_it(own_system, how):
    processes = own_system.processes()
    assert len(processes) >= 6
    code, said = own_system.stop(how)
    assert code == 0
    assert said.endswith("Stopping.\n")
    assert [pid for pid in processes if alive(pid)] == []


def test_a_supervisor_that_is_killed_takes_all_with_it_and_the_next_one_goes_on(own_system):
    with own_system.player() as player:
        before = create(player, "duel", me=True, bots=1)
        own_system.kill_supervisor()
        own_system.start()
        assert player.get(f"/v1/matches/{before['id']}").json()["fairness"] == before["fairness"]


def test_a_second_system_on_the_same_folder_is_refused(own_system):
    second = System(own_system.data)
    with pytest.raises(AssertionError, match=f"in use by process {own_system.pid}"):
        second.start()


def test_a_port_that_is_taken_is_refused(own_system, tmp_path):
    second = System(tmp_path)
    second.port = own_system.port
    with pytest.raises(AssertionError, match="Address already in use"):
        second.start()
