"""How many turns the bots service plays, what a job costs, how much memory a worker takes.

    python -m benchmarks.bots_turns [--level NAME] [--workers N] [--matches N] [--jobs N]

Everything but an api runs as processes of its own: the embedded Valkey twice (the store with `appendfsync always`, RQ's
without a file), one engine, one dispatcher, N workers. Three measurements:

- `end to end`: one bornyú match of four bots alone, then N at once; turns per second of wall-clock time from the first
  submission to the last match's end, and everybody's processor time a turn. A turn is one entry of the log: a lead, a
  take, or a beat with the lead on it.
- `a job's cost`: jobs whose turn was played long ago; what one costs in all, RQ's share and a look at the match.
- `memory`: of each worker once it has played, resident and its own (private) in MB.
"""

import argparse
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.header import header
from owntrumps.game.terms import MatchId, Version
from owntrumps.rules.cards import Seat
from owntrumps.store.connect import open_store
from owntrumps.store.port import Store
from owntrumps_bots.budgets import LEVELS
from owntrumps_bots.config import BotsConfig
from owntrumps_bots.turns import Turn, TurnQueues
from tests.services.bots.running import Running, create, running, wait_until_over

SEATS = 4
CLOCK_TICKS = 100
"""A second has so many in /proc/<pid>/stat on Linux."""


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


def memory_mb(pid: int) -> tuple[float, float]:
    """Resident and private, in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    kb = {name: int(rest.split()[0]) for name, rest in (line.split(":", 1) for line in lines)}
    return kb["Rss"] / 1024, (kb["Private_Clean"] + kb["Private_Dirty"]) / 1024


class Bench:
    """The running service and the processes whose time counts."""

    def __init__(self, place: Running, store: Store, level: str, workers: int) -> None:
        self.place, self.store, self.level, self.workers = place, store, level, workers
        engine = place.start("-m", "owntrumps_engine")
        engine.wait_for("started")
        dispatcher = place.start("-m", "owntrumps_bots", "dispatch")
        dispatcher.wait_for("dispatcher-ready")
        supervisor = place.worker(level, "--workers", str(workers))
        self.pids = {"engine": [engine.pid], "dispatcher": [dispatcher.pid], "workers": []}
        self.pids["workers"] = [supervisor.wait_for("worker-started")["pid"] for _ in range(workers)]
        for _ in range(workers):
            supervisor.wait_for("worker-ready")

    def end_to_end(self, matches: int) -> MatchId:
        """Measures, prints, and returns one of the matches."""
        before = {name: sum(map(processor_seconds, pids)) for name, pids in self.pids.items()}
        tail = self.store.tail()
        begun = time.perf_counter()
        levels = [self.level] * SEATS
        played = [create(self.store, "bornyu", *levels, shard=number % 16) for number in range(matches)]
        wait_until_over(self.store, played, tail)
        seconds = time.perf_counter() - begun
        entries = [len(self.store.entries(match, after=Version(0), limit=10_000)) for match in played]
        turns = sum(entries) - matches
        spent = {name: sum(map(processor_seconds, pids)) - before[name] for name, pids in self.pids.items()}
        shares = ", ".join(f"{name} {1000 * value / turns:.2f} ms" for name, value in spent.items())
        print(
            f"end to end, {matches} matches, {self.workers} workers: {turns} turns in {seconds:.2f} s, "
            f"{turns / seconds:.0f} turns/s, {turns / seconds / self.workers:.0f} a worker; "
            f"processor time a turn: {shares}"
        )
        return played[0]

    def a_jobs_cost(self, match: MatchId, jobs: int) -> None:
        turns = TurnQueues(self.place.queue, BotsConfig())
        key = TurnQueues(self.place.queue, BotsConfig()).of_level(self.level).key
        before = sum(map(processor_seconds, self.pids["workers"]))
        tallied = self.moved_on()
        begun = time.perf_counter()
        for version in range(1, jobs + 1):
            turns.enqueue(Turn(match, Version(100_000 + version), Seat(0), self.level))
        queued = time.perf_counter() - begun
        while self.moved_on() < tallied + jobs:
            self.place.queue.blpop([f"{key}:nothing"], timeout=0.05)
        seconds = time.perf_counter() - begun
        spent = sum(map(processor_seconds, self.pids["workers"])) - before
        print(
            f"a job's cost, {jobs} jobs that are dropped: {1000 * seconds * self.workers / jobs:.2f} ms each, of it "
            f"{1000 * spent / jobs:.2f} ms of the worker's processor; queueing one took {1000 * queued / jobs:.2f} ms"
        )

    def moved_on(self) -> int:
        return int(self.place.queue.hget("bots:tallies", f"jobs:{self.level}:moved-on") or 0)

    def memory(self) -> None:
        for pid in self.pids["workers"]:
            resident, private = memory_mb(pid)
            print(f"memory of a worker: {resident:.0f} MB resident, {private:.0f} MB its own")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", choices=LEVELS, default="greedy")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=1000)
    asked = parser.parse_args()
    print(header())
    with ExitStack() as stack:
        place = stack.enter_context(running(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        store = open_store(place.environment["OWNTRUMPS_STORE_URL"])
        stack.callback(store.close)
        bench = Bench(place, store, asked.level, asked.workers)
        bench.end_to_end(1)
        match = bench.end_to_end(asked.matches)
        bench.a_jobs_cost(match, asked.jobs)
        bench.memory()


if __name__ == "__main__":
    main()
