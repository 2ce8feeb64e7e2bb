"""The feed in Redis: one trimmed stream for each shard."""

from collections.abc import Mapping, Sequence
from typing import Final

from owntrumps.store import keys, wire
from owntrumps.store.port import Notice, Shard
from owntrumps.store.redis_part import RedisPart

_FEEDS: Final = {keys.feed(shard): shard for shard in keys.ALL_SHARDS}
_NOTICES_AT_ONCE: Final = 1_000
"""Of each shard in one answer."""


class RedisFeed(RedisPart):
    """The part `Feed` of the port."""

    def tail(self) -> Mapping[Shard, str]:
        answers = self._link.pipeline([("XREVRANGE", feed, "+", "-", "COUNT", 1) for feed in _FEEDS])
        return {
            shard: answer[0][0].decode() if answer else "0-0"
            for shard, answer in zip(_FEEDS.values(), answers, strict=True)
        }

    def notices(self, cursors: Mapping[Shard, str], *, block_ms: int) -> list[Notice]:
        after = {keys.feed(shard): cursor for shard, cursor in cursors.items()}
        command = ("XREAD", "COUNT", _NOTICES_AT_ONCE)
        found = self._reads.read(command, after, block_ms=block_ms, bell=keys.FEED_BELL)
        return [wire.notice_of(_FEEDS[feed], id_, fields) for feed, messages in found for id_, fields in messages]

    def receive_notices(self, group: str, consumer: str, *, limit: int, block_ms: int) -> list[Notice]:
        found = self._groups.read(_FEEDS, group, consumer, limit=limit, block_ms=block_ms, bell=keys.FEED_BELL)
        return [wire.notice_of(_FEEDS[feed], id_, fields) for feed, id_, fields in found]

    def claim_notices(self, group: str, consumer: str, *, idle_ms: int, limit: int) -> list[Notice]:
        found = self._groups.claim(_FEEDS, group, consumer, idle_ms=idle_ms, limit=limit)
        return [wire.notice_of(_FEEDS[feed], id_, fields) for feed, id_, fields, _ in found]

    def settle_notices(self, group: str, notices: Sequence[Notice]) -> None:
        self._groups.settle(group, [(keys.feed(notice.shard), notice.cursor) for notice in notices])
