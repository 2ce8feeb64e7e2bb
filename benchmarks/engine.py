"""How fast the engine decides, and how fast logs are folded.

    python -m benchmarks.engine [--matches N] [--repeat N]

Three measurements, each repeated, over bornyú matches of four bots that play as the engine's own fallback does (a beat
together with its lead is one move):

- `in process`: submissions handed to one engine over the memory store, in batches of N; moves per second of processor
  time, so that what else the machine does hardly matters. No network, no disk.
- `one engine, pipelined`: an engine process over the embedded Valkey with `appendfsync always`, N matches at a time;
  moves per second of wall-clock time from submission to notice. `one client`: the same with a single match; the median
  and the 99th percentile of one move, in milliseconds.
- `refold`: entries of random play read from their stored JSON and folded; plies per second of processor time, with and
  without verifying the hash chain.
"""

import argparse
import os
import platform
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from owntrumps.game.chance import chain_key
from owntrumps.game.commands import CreateMatch, MakeMove
from owntrumps.game.events import CardLed, MatchCreated, PileTaken, TopBeaten
from owntrumps.game.state import Match, PlayingMatch
from owntrumps.game.terms import ByBot, MatchId, SeatTerms, Version
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.codec import write_entry
from owntrumps.store.connect import open_store
from owntrumps.store.ids import MATCH_ID_BYTES, new_match_id
from owntrumps.store.matches import load_match, refold
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import CommandId, MatchReader, Store, StoredEntry, Submission
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.deadlines import fallback_plays
from owntrumps_engine.engine import Engine
from owntrumps_engine.maintenance import refold_verified
from tests.chaos.kept_server import kept_server
from tests.matches import random_match
from tests.processes import EngineProcess

SEATS = (SeatTerms("bot", name="bot", level="greedy"),) * 4


def created(store: Store, matches: int) -> list[Submission]:
    ids = [new_match_id(os.urandom(MATCH_ID_BYTES)) for _ in range(matches)]
    commands = [
        CreateMatch(store.now(), match, PRESETS["bornyu"], "bornyu", SEATS, os.urandom(32).hex()) for match in ids
    ]
    return [Submission(CommandId(f"c-{match}"), match, command) for match, command in zip(ids, commands, strict=True)]


def next_move(store: Store, match: MatchId, now: Match) -> Submission | None:
    if not isinstance(now.state, PlayingMatch):
        return None
    turn = now.state.board.deal.position.turn
    command = MakeMove(store.now(), ByBot(turn), fallback_plays(now.state), now.version)
    return Submission(CommandId(f"m-{match}-{now.version}"), match, command)


def in_process(matches: int) -> float:
    """Moves per second of processor time."""
    store = MemoryStore()
    engine = Engine(store, EngineConfig(batch=matches))
    work = created(store, matches)
    ids = [submission.match for submission in work]
    moves, seconds = -matches, 0.0
    while work:
        store.submit(work)
        moves += len(work)
        start = time.process_time()
        while engine.run_once(0):
            pass
        seconds += time.process_time() - start
        following = [next_move(store, match, load_match(store, match, to_decide=True)) for match in ids]
        work = [submission for submission in following if submission is not None]
    return moves / seconds


@contextmanager
def one_engine() -> Iterator[Store]:
    """A store that an engine process serves."""
    with tempfile.TemporaryDirectory() as folder, kept_server(Path(folder)) as server, EngineProcess(server.url):
        store = open_store(server.url)
        yield store
        store.close()


def through_the_store(store: Store, matches: int) -> tuple[float, list[float]]:
    """Moves per second, and each move's milliseconds from its submission to its notice."""
    cursors = dict(store.tail())
    work = created(store, matches)
    sent: dict[CommandId, float] = {}
    waits: list[float] = []
    started = time.perf_counter()
    left = matches
    while left:
        for submission in work:
            sent[submission.id] = time.perf_counter()
        store.submit(work)
        work = []
        for notice in store.notices(cursors, block_ms=1000):
            cursors[notice.shard] = notice.cursor
            if notice.command not in sent:
                continue
            waits.append((time.perf_counter() - sent.pop(notice.command)) * 1000)
            move = next_move(store, notice.match, load_match(store, notice.match, to_decide=True))
            if move is None:
                left -= 1
            else:
                work.append(move)
    return len(waits) / (time.perf_counter() - started), waits


class Logs(MemoryStore):
    """Random matches as they lie in a store, and how many plies they have."""

    def __init__(self, ruleset: str, matches: int) -> None:
        super().__init__()
        self.plies = 0
        dice = random.Random(1)
        for number in range(matches):
            self._write(MatchId(f"07-aaaaaaaaaa{number:02}"), ruleset, dice)

    def _write(self, match: MatchId, ruleset: str, dice: random.Random) -> None:
        key, before = b"", ""
        log: list[StoredEntry] = []
        for _, entry in random_match(PRESETS[ruleset], dice):
            first = entry.events[0]
            if isinstance(first, MatchCreated) and first.terms.seed is not None:
                key = chain_key(first.terms.seed)
            payload, written = write_entry(key, before, entry.version, entry.at, entry.events)
            before = written.chain
            log.append(StoredEntry(entry.version, payload, before))
            self.plies += sum(isinstance(event, CardLed | TopBeaten | PileTaken) for event in entry.events)
        self._logs[match] = log


def folding(logs: Logs, fold: Callable[[MatchReader, MatchId], Match]) -> float:
    """Plies per second of processor time."""
    start = time.process_time()
    for match in logs.match_ids():
        assert fold(logs, match).version > Version(0)
    return logs.plies / (time.process_time() - start)


def spread(name: str, unit: str, figures: Sequence[float]) -> None:
    print(
        f"{name:42} {statistics.median(figures):9,.0f} {unit}  ({min(figures):,.0f} to {max(figures):,.0f})", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], check=False, capture_output=True, text=True)
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"commit {commit.stdout.strip()}, Python {platform.python_version()}, {os.cpu_count()} cores, load {load}")
    times = range(given.repeat)
    spread(f"in process, {given.matches} matches at a time", "moves/s", [in_process(given.matches) for _ in times])
    with one_engine() as store:
        rates = [through_the_store(store, given.matches)[0] for _ in times]
        spread(f"one engine, pipelined, {given.matches} matches", "moves/s", rates)
        waits = sorted(wait for _ in times for wait in through_the_store(store, 1)[1])
        print(f"{'one client':42} {statistics.median(waits):9.2f} ms    (p99 {waits[len(waits) * 99 // 100]:.2f})")
    for ruleset in ("bornyu", "duel"):
        logs = Logs(ruleset, 5)
        spread(f"refold {ruleset}, {logs.plies} plies", "plies/s", [folding(logs, refold) for _ in times])
        spread("  with the hash chain verified", "plies/s", [folding(logs, refold_verified) for _ in times])


if __name__ == "__main__":
    main()
