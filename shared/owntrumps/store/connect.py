"""Opening a store by its URL. Nothing connects before it is asked to."""

from typing import Final
from urllib.parse import urlsplit

from redis import BlockingConnectionPool, Redis, RedisCluster
from redis.backoff import ExponentialWithJitterBackoff
from redis.cluster import ClusterNode
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from owntrumps.store.memory import MemoryStore
from owntrumps.store.outcomes import OUTCOME_TTL_SECONDS
from owntrumps.store.port import Store
from owntrumps.store.redis_link import errors_translated
from owntrumps.store.redis_reads import MAX_BLOCK_MS
from owntrumps.store.redis_store import RedisStore

MAX_CONNECTIONS: Final = 64
"""Of a process to one server; whoever needs another waits for `POOL_SECONDS`."""
POOL_SECONDS: Final = 5
ANSWER_SECONDS: Final = 5
"""A server that is silent for so long counts as unreachable. Blocking reads are silent on purpose, half as long."""
CONNECT_SECONDS: Final = 2
RETRIES: Final = 2
"""After a connection broke. A silent server is not asked again: its answer may still come."""


def open_store(url: str, *, outcome_ttl_seconds: int = OUTCOME_TTL_SECONDS) -> Store:
    """The store behind a URL; ValueError for a URL of no known kind.

    ``redis://host:port/0``, ``rediss://…`` (TLS) and ``unix:///path`` are one server's,
    ``redis+cluster://host:port,host:port`` and ``rediss+cluster://…`` a cluster's first nodes, ``memory://`` this
    process's own.
    """
    scheme = urlsplit(url).scheme
    if scheme in ("redis", "rediss", "unix"):
        return RedisStore(
            _one_server(url, ANSWER_SECONDS),
            _one_server(url, 2 * MAX_BLOCK_MS // 1000),
            outcome_ttl_seconds=outcome_ttl_seconds,
        )
    if scheme in ("redis+cluster", "rediss+cluster"):
        with errors_translated():
            return RedisStore(_cluster(url), outcome_ttl_seconds=outcome_ttl_seconds)
    if scheme == "memory":
        return MemoryStore(outcome_ttl_seconds=outcome_ttl_seconds)
    raise ValueError(f"{url!r} is not the URL of a store: redis, rediss, unix, redis+cluster, rediss+cluster, memory")


def _retry() -> Retry:
    return Retry(ExponentialWithJitterBackoff(cap=0.5, base=0.05), RETRIES, supported_errors=(RedisConnectionError,))


def _one_server(url: str, answer_seconds: float) -> Redis:
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=MAX_CONNECTIONS,
        timeout=POOL_SECONDS,
        socket_timeout=answer_seconds,
        **({} if url.startswith("unix:") else {"socket_connect_timeout": CONNECT_SECONDS, "socket_keepalive": True}),
        protocol=2,
        retry=_retry(),
        health_check_interval=0,
    )
    return Redis(connection_pool=pool)


def _cluster(url: str) -> RedisCluster:
    parts = urlsplit(url)
    credentials, _, hosts = parts.netloc.rpartition("@")
    user, _, password = credentials.partition(":")
    nodes = []
    for host in hosts.split(","):
        name, _, port = host.rpartition(":")
        nodes.append(ClusterNode(name or port, int(port) if name else 6379))
    return RedisCluster(
        startup_nodes=nodes,
        username=user or None,
        password=password or None,
        ssl=parts.scheme == "rediss+cluster",
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_keepalive=True,
        protocol=2,
        retry=_retry(),
        max_connections=MAX_CONNECTIONS,
    )
