"""How fast commits are made durable, and what a finished match weighs: `python -m benchmarks.store [--runs N]`.

Over the embedded Valkey on this machine's disk. Throughput is by one client; CPU times are of the client's process and
of the server's main thread, so they depend less on what else the machine does.
"""

import argparse
import json
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redis import Redis

from owntrumps.game.commands import Command
from owntrumps.game.state import EMPTY, Match, is_over
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store import keys
from owntrumps.store.connect import open_store
from owntrumps.store.port import Commit, Store
from tests.store.given import ANN, BOB, commit, create, decided, index, match_id
from tests.store.servers import valkey
from tests.store.write_logs import thrifty_move

SEQUENTIAL, PIPELINED, BATCH = 1_000, 10_000, 100


def commits(count: int, run: int) -> list[Commit]:
    """Commits of 100 matches that two people play in turn: every list changes with each."""
    matches = [match_id(number % 16, run * 1_000 + number) for number in range(100)]
    return [
        commit(
            match, version, listed=index("playing", players=(ANN, BOB), to_move=(ANN, BOB)[version % 2]), due=version
        )
        for version in range(1, count // 100 + 1)
        for match in matches
    ]


def server_seconds(redis: "Redis") -> float:
    cpu = redis.info("cpu")
    return float(cpu["used_cpu_user_main_thread"]) + float(cpu["used_cpu_sys_main_thread"])


def measured(redis: "Redis", work: Callable[[], int]) -> dict[str, float]:
    """Commits a second, and CPU microseconds for each on both sides."""
    server, client, begun = server_seconds(redis), time.process_time(), time.perf_counter()
    done = work()
    seconds = time.perf_counter() - begun
    return {
        "per_second": done / seconds,
        "client_us": (time.process_time() - client) / done * 1e6,
        "server_us": (server_seconds(redis) - server) / done * 1e6,
    }


def one_by_one(store: Store, run: int, latencies: list[float]) -> int:
    todo = commits(SEQUENTIAL, run)
    for each in todo:
        begun = time.perf_counter()
        assert store.commit([each]) == ["committed"]
        latencies.append(time.perf_counter() - begun)
    return len(todo)


def in_batches(store: Store, run: int) -> int:
    todo = commits(PIPELINED, run)
    for first in range(0, len(todo), BATCH):
        assert set(store.commit(todo[first : first + BATCH])) == {"committed"}
    return len(todo)


def speed(fsync: str, runs: int, folder: Path) -> list[dict[str, Any]]:
    with valkey(folder, appendfsync=fsync) as url, Redis.from_url(url) as redis:
        store = open_store(url)
        latencies: list[float] = []
        single = [measured(redis, lambda run=run: one_by_one(store, run, latencies)) for run in range(runs)]  # type: ignore[misc]
        batched = [measured(redis, lambda run=run: in_batches(store, 10_000 + run)) for run in range(runs)]  # type: ignore[misc]
        store.close()
    latencies.sort()
    p50, p99 = (latencies[len(latencies) * percent // 100] * 1e3 for percent in (50, 99))
    return [
        {"what": f"commits, appendfsync {fsync}, one by one", **spread(single), "p50_ms": p50, "p99_ms": p99},
        {"what": f"commits, appendfsync {fsync}, by {BATCH}", **spread(batched)},
    ]


def spread(results: list[dict[str, float]]) -> dict[str, Any]:
    """Each figure's median, and the lowest and highest of the rates."""
    rates = [result["per_second"] for result in results]
    medians = {name: statistics.median(result[name] for result in results) for name in results[0]}
    return {**medians, "runs": len(results), "lowest": min(rates), "highest": max(rates)}


def greedy_match(number: int) -> tuple[list[Commit], Match]:
    """A bornyú match of four bots that play their lowest card."""
    match, made = EMPTY, list[Commit]()
    command: Command = create(PRESETS["bornyu"], match_id(number % 16, number), random.Random(number))
    while True:
        written, match = decided(match, command, f"{match_id(number % 16, number)}-v{match.version + 1}")
        made.append(written)
        if is_over(match.state):
            return made, match
        command = thrifty_move(match)


def weight(matches: int, folder: Path) -> list[dict[str, Any]]:
    """Bytes by MEMORY USAGE for each finished match, and the server's growth."""
    with valkey(folder, appendfsync="everysec") as url, Redis.from_url(url) as redis:
        store = open_store(url)
        store.commit(greedy_match(10**6)[0])
        before = redis.info("memory")["used_memory"]
        logs, states, outcomes, entries = [], [], [], []
        for number in range(matches):
            made, _ = greedy_match(number)
            store.commit(made)
            match = made[0].outcome.match
            entries.append(len(made))
            logs.append(usage(redis, keys.log(match)))
            states.append(usage(redis, keys.state(match)))
            outcomes.append(sum(usage(redis, keys.outcome(match, each.outcome.id)) for each in made))
        grown = (redis.info("memory")["used_memory"] - before) / matches
        store.close()
    shares = {"entries": entries, "log": logs, "state": states, "outcomes_for_10_min": outcomes}
    means = {name: round(statistics.mean(values)) for name, values in shares.items()}
    medians = {f"{name}_median": round(statistics.median(values)) for name, values in shares.items()}
    return [
        {"what": f"bytes for each of {matches} finished bornyú matches", **means, **medians, "all_in": round(grown)}
    ]


def usage(redis: "Redis", key: str) -> int:
    return int(redis.memory_usage(key, samples=0) or 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--matches", type=int, default=300)
    options = parser.parse_args()
    machine = {"machine": platform.machine(), "cpus": os.cpu_count(), "python": platform.python_version()}
    print(json.dumps({**machine, "load_1_min": os.getloadavg()[0]}))
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        rows = weight(options.matches, Path(folder) / "weight")
        for fsync in ("always", "everysec"):
            rows += speed(fsync, options.runs, Path(folder) / fsync)
    for row in rows:
        rounded = {name: round(value, 2) if isinstance(value, float) else value for name, value in row.items()}
        print(json.dumps(rounded, ensure_ascii=False))


if __name__ == "__main__":
    main()
