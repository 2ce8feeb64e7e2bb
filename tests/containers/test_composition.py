"""The shipped composition, built, started, played through and taken down (`make test-containers`)."""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest

from tests.containers.composition import SERVICES, Composition
from tests.containers.engine import docker, inspect, lines_of
from tests.containers.outside import Outside, versions_with_plays_of
from tests.house.repository import ROOT

pytestmark = [pytest.mark.containers, pytest.mark.timeout(600)]

BOT = {"kind": "bot", "level": "greedy"}
OURS = ["api", "engine", "bots", "history"]
MEGABYTE = 1_000_000


def test_every_container_runs_as_a_user_without_rights_on_a_file_system_it_cannot_write(
    composition: Composition,
) -> None:
    for service in SERVICES:
        container = composition.container(service)
        host = inspect(container)["HostConfig"]
        identity = docker("exec", container, "id", "-u").strip()
        assert identity not in {"", "0"}, service
        assert host["ReadonlyRootfs"], service
        assert host["CapDrop"] == ["ALL"], service
        assert host["Memory"] > 0, service


def test_an_image_adds_little_to_its_base(composition: Composition, figures: dict[str, str]) -> None:
    # Only numba's compiler (LLVM) is large; what an image adds is bounded so that nothing creeps in.
    most = {"api": 100, "engine": 60, "history": 100, "bots": 300}
    base = composition.images.get("OWNTRUMPS_BASE_IMAGE", "python:3.11-slim-bookworm")
    base_size = int(docker("image", "inspect", "--format", "{{.Size}}", base))
    for service in OURS:
        image = inspect(composition.container(service))["Image"]
        size = int(docker("image", "inspect", "--format", "{{.Size}}", image))
        added = (size - base_size) / MEGABYTE
        figures[f"image {service}"] = f"{size / MEGABYTE:.0f} MB, of which {added:.0f} MB on top of the base"
        assert added < most[service], service


@pytest.fixture
def outside(composition: Composition) -> Iterator[Outside]:
    """A player outside, new to the server."""
    with Outside.of(composition.url(), seed=1) as player:
        yield player


@pytest.mark.parametrize(("ruleset", "bots"), [("bornyu", 3), ("duel", 1)])
def test_a_match_is_played_from_outside_to_the_end(outside: Outside, ruleset: str, bots: int) -> None:
    # Given a match against bots
    view = outside.create(ruleset, [{"kind": "me"}, *[BOT] * bots])
    # When the player plays random legal plays
    end = outside.play_to_the_end(view)
    # Then the match has a result, and every answered move stands in its log once
    assert end["result"] is not None
    assert_nothing_is_lost_or_doubled(outside, end)


def test_the_first_match_of_the_readme_runs_to_its_end(composition: Composition) -> None:
    # Given the shell session that the README asks its readers to paste
    fence = re.search(
        r"^## A first match$.*?^```sh$\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert fence is not None
    # When it is pasted, the server being here
    environment = {**os.environ, "URL": composition.url()}
    session = subprocess.run(["sh", "-e"], input=fence[1], env=environment, check=True, capture_output=True, text=True)
    # Then it comes to a result, without a word of complaint
    assert session.stderr == ""
    assert re.match(r"It is over: \{'(losers|draw)'", session.stdout.splitlines()[-1])


def test_an_engine_killed_in_mid_match_loses_and_doubles_nothing(
    composition: Composition, outside: Outside, figures: dict[str, str]
) -> None:
    # Given a match against three bots, which cannot end without an engine
    view = outside.create("bornyu", [{"kind": "me"}, *[BOT] * 3])
    killed_at = 0.0
    answered_at: list[float] = []

    def kill_once(moves: int) -> None:
        nonlocal killed_at
        answered_at.append(time.time())
        if moves == 2:
            killed_at = time.time()
            composition.kill_processes("engine", "owntrumps_engine")

    # When the engine is killed after the second answered move and the player goes on as if nothing were
    end = outside.play_to_the_end(view, after_each_move=kill_once)
    # Then the engine has come back by itself
    assert killed_at > 0
    composition.restarted("engine", since=killed_at)
    # And the player saw no more than a pause
    pauses = [after - before for before, after in pairwise(answered_at)]
    figures["longest time between two answered moves, the engine killed"] = f"{max(pauses):.1f} s"
    assert_nothing_is_lost_or_doubled(outside, end)


def test_every_level_is_played_by_workers_of_its_own(composition: Composition, outside: Outside) -> None:
    # Given a match with one bot of each level
    view = outside.create(
        "bornyu", [{"kind": "bot", "level": level} for level in ("random", "greedy", "club", "master")]
    )
    # When it has played itself to the end
    watch(outside, view)
    # Then the containers of each level have done some of it
    done = jobs_by_host(composition)
    for service in ("bots", "bots-club", "bots-master"):
        assert done[composition.container(service)[:12]] > 0, service


def test_three_bot_workers_share_the_turns(composition: Composition, outside: Outside, figures: dict[str, str]) -> None:
    # Given three containers of bot workers
    composition.up("--scale", "bots=3", "--no-recreate")
    composition.healthy("bots")
    hosts = {container[:12] for container in composition.containers("bots")}
    assert len(hosts) == 3
    before = jobs_by_host(composition)
    # When two dozen matches of four bots each play themselves
    started = time.monotonic()
    matches = [outside.create("bornyu", [BOT] * 4) for _ in range(24)]
    with ThreadPoolExecutor(8) as watchers:
        finished = list(watchers.map(lambda view: watch(outside, view), matches))
    seconds = time.monotonic() - started
    # Then every match has ended and each of the three has done some of the work
    assert all(view["status"] == "finished" for view in finished)
    done = {host: count - before.get(host, 0) for host, count in jobs_by_host(composition).items()}
    figures["24 matches of four bots, three workers"] = f"{seconds:.1f} s, jobs by worker {sorted(done.values())}"
    assert hosts <= {host for host, jobs in done.items() if jobs > 0}


def test_finished_matches_are_archived_in_postgresql(composition: Composition, outside: Outside) -> None:
    # Given matches that have played themselves to the end
    since = str(time.time())
    matches = {watch(outside, outside.create("duel", [BOT] * 2))["id"] for _ in range(3)}
    # When the history service has said of as many that they are archived
    archived = 0
    logs = ["docker", "logs", "--follow", "--since", since, composition.container("history")]
    with lines_of(*logs, seconds=60.0) as lines:
        while archived < len(matches):
            line = next(lines)
            archived += json.loads(line)["matches"] if '"archived"' in line else 0
    # Then the database has each of them once
    listed = ", ".join(f"'{match}'" for match in sorted(matches))
    assert composition.query(f"SELECT id FROM matches WHERE id IN ({listed}) ORDER BY id") == sorted(matches)


def assert_nothing_is_lost_or_doubled(outside: Outside, end: dict[str, Any]) -> None:
    """The log has every version once, and plays of the player's seat exactly at the versions that were answered."""
    entries = outside.entries(end["id"])
    assert [entry["version"] for entry in entries] == list(range(1, end["version"] + 1))
    assert versions_with_plays_of(end["you"], entries) == outside.answered


def watch(outside: Outside, view: dict[str, Any]) -> dict[str, Any]:
    """The view of the finished match, which is played by others."""
    while view["status"] != "finished":
        view = outside.news(view)
    return view


def jobs_by_host(composition: Composition) -> dict[str, int]:
    """Jobs that RQ counts as done, by the container's host name."""
    done: dict[str, int] = {}
    for worker in composition.redis("queue", "smembers", "rq:workers"):
        host, jobs = composition.redis("queue", "hmget", worker, "hostname", "successful_job_count")
        done[host] = done.get(host, 0) + int(jobs or 0)
    return done
