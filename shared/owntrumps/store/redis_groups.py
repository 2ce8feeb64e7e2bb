"""Consumer groups over all shards' streams."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from redis.exceptions import ResponseError

from owntrumps.store import scripts
from owntrumps.store.port import SHARDS, Shard
from owntrumps.store.redis_link import Command, Link
from owntrumps.store.redis_reads import StreamReads
from owntrumps.store.wire import Fields

GONE_MS: Final = 24 * 60 * 60 * 1000
"""A consumer that has asked for nothing for so long is gone. Those that live ask every few seconds."""

T = TypeVar("T")
Streams = Mapping[str, Shard]


class RedisGroups:
    """A message goes to one consumer of the group until somebody settles it.

    Groups begin at the start of their streams. They are made on first use, and again where the server has lost them.
    """

    def __init__(self, link: Link, reads: StreamReads) -> None:
        self._link = link
        self._reads = reads
        self._made: set[tuple[str, frozenset[str]]] = set()

    def read(
        self, streams: Streams, group: str, consumer: str, *, limit: int, block_ms: int, bell: str
    ) -> list[tuple[str, bytes, Fields]]:
        """New messages: stream, id, fields. The shards share ``limit``, but each may hand out one."""
        command: Command = ("XREADGROUP", "GROUP", group, consumer, "COUNT", max(1, limit // SHARDS))
        news = dict.fromkeys(streams, ">")
        found = self._with_group(streams, group, lambda: self._reads.read(command, news, block_ms=block_ms, bell=bell))
        return [(stream, id_, fields) for stream, messages in found for id_, fields in messages]

    def claim(
        self, streams: Streams, group: str, consumer: str, *, idle_ms: int, limit: int
    ) -> list[tuple[str, bytes, Fields, int]]:
        """Messages that waited for more than ``idle_ms`` to be settled: stream, id, fields, times delivered."""
        counts = [((stream,), (group, idle_ms, limit, GONE_MS)) for stream in streams]
        idle = self._with_group(streams, group, lambda: self._link.run_many(scripts.IDLE, counts))
        shares: dict[str, int] = {}
        for stream, count in zip(streams, idle, strict=True):
            share = min(count, limit - sum(shares.values()))
            if share:
                shares[stream] = share
        answers = self._link.run_many(
            scripts.CLAIM, [((stream,), (group, consumer, idle_ms, share)) for stream, share in shares.items()]
        )
        return [
            (stream, id_, dict(zip(fields[::2], fields[1::2], strict=True)), times)
            for stream, answer in zip(shares, answers, strict=True)
            for id_, times, fields in answer
        ]

    def settle(self, group: str, ids: Iterable[tuple[str, str]]) -> None:
        """Messages (stream, id) need not go to anybody else."""
        by_stream: dict[str, list[str]] = {}
        for stream, id_ in ids:
            by_stream.setdefault(stream, []).append(id_)
        self._link.pipeline([("XACK", stream, group, *settled) for stream, settled in by_stream.items()])

    def _with_group(self, streams: Streams, group: str, use: Callable[[], T]) -> T:
        """What ``use`` returns, once the group is there."""
        key = (group, frozenset(streams))
        if key not in self._made:
            self._make(streams, group)
            self._made.add(key)
        try:
            return use()
        except ResponseError as error:
            if "NOGROUP" not in str(error):
                raise
            self._make(streams, group)
            return use()

    def _make(self, streams: Streams, group: str) -> None:
        for stream in streams:
            try:
                self._link.call("XGROUP CREATE", stream, group, "0", "MKSTREAM")
            except ResponseError as refusal:
                if not str(refusal).startswith("BUSYGROUP"):
                    raise
