"""The stores under contract, each with nothing in it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest
from fakeredis import FakeRedis, FakeServer
from redis import Redis, RedisCluster

from owntrumps.store.connect import open_store
from owntrumps.store.keys import inbox
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import Shard, Store
from owntrumps.store.redis_store import RedisStore
from tests.store.servers import cluster, debian_redis, valkey


@dataclass(frozen=True)
class Place:
    """Where matches live. ``open`` gives one more store over the same data, as another process would have."""

    name: str
    open: Callable[[], Store]
    append_raw: Callable[[Shard, Mapping[str, str]], None]


@pytest.fixture(scope="session")
def valkey_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with valkey(tmp_path_factory.mktemp("valkey")) as url:
        yield url


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with debian_redis(tmp_path_factory.mktemp("redis"), appendonly="yes") as port:
        yield f"redis://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with cluster(tmp_path_factory.mktemp("cluster")) as url:
        yield url


KINDS = [
    "memory",
    "fakeredis",
    pytest.param("valkey", marks=pytest.mark.server),
    pytest.param("redis", marks=pytest.mark.server),
    pytest.param("cluster", marks=pytest.mark.server),
]


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    kind: str = request.param
    if kind == "memory":
        store = MemoryStore()
        yield Place(kind, lambda: store, store.append_raw)
    elif kind == "fakeredis":
        yield from _fake_place()
    else:
        url: str = request.getfixturevalue(f"{kind}_url")
        yield from _server_place(kind, url)


@pytest.fixture
def store(place: Place) -> Store:
    return place.open()


def fake_store(server: FakeServer) -> RedisStore:
    """A store over a fake server. ``protocol=2`` as in `open_store`."""
    return RedisStore(FakeRedis(server=server, protocol=2), FakeRedis(server=server, protocol=2))


def _fake_place() -> Iterator[Place]:
    server = FakeServer()
    with FakeRedis(server=server, protocol=2) as raw:
        yield from _opened("fakeredis", raw, lambda: fake_store(server))


def _server_place(kind: str, url: str) -> Iterator[Place]:
    raw: Redis | RedisCluster
    if kind == "cluster":
        host, port = url.removeprefix("redis+cluster://").split(",")[0].split(":")
        raw = RedisCluster(host, int(port), protocol=2)
    else:
        raw = Redis.from_url(url, protocol=2)
    raw.flushall()
    with raw:
        yield from _opened(kind, raw, lambda: open_store(url))


def _opened(kind: str, raw: "Redis | RedisCluster", opener: Callable[[], Store]) -> Iterator[Place]:
    opened: list[Store] = []

    def open_one() -> Store:
        opened.append(opener())
        return opened[-1]

    def append_raw(shard: Shard, fields: Mapping[str, str]) -> None:
        raw.execute_command("XADD", inbox(shard), "*", *(word for pair in fields.items() for word in pair))

    yield Place(kind, open_one, append_raw)
    for store in opened:
        store.close()
