"""What the parts of the Redis store have in common."""

from collections.abc import Callable

from owntrumps.game.terms import MatchId, Millis
from owntrumps.store import keys
from owntrumps.store.port import Shard
from owntrumps.store.redis_groups import RedisGroups
from owntrumps.store.redis_link import Link
from owntrumps.store.redis_reads import StreamReads


class RedisPart:
    """One part of the port over Redis. ``link`` answers at once; ``reads`` wait, on connections of their own."""

    def __init__(self, link: Link, reads: StreamReads, *, outcome_ttl_seconds: int) -> None:
        self._link = link
        self._reads = reads
        self._groups = RedisGroups(link, reads)
        self._outcome_ttl_seconds = outcome_ttl_seconds

    def _bell(self, name: str) -> str:
        """The bell to ring, none where one command can wait for everything."""
        return name if self._link.is_cluster else ""


def earliest(link: Link, key: Callable[[Shard], str], until: Millis, limit: int) -> list[MatchId]:
    """The first members of the shards' sorted sets of moments, up to a moment."""
    answers = link.pipeline(
        [("ZRANGEBYSCORE", key(shard), "-inf", until, "LIMIT", 0, limit, "WITHSCORES") for shard in keys.ALL_SHARDS]
    )
    found = sorted((float(moment), member) for answer in answers for member, moment in pairs(answer))
    return [MatchId(member.decode()) for _, member in found[:limit]]


def pairs(answer: list[bytes]) -> list[tuple[bytes, bytes]]:
    """A flat answer [member, score, member, score, …] by twos."""
    return list(zip(answer[::2], answer[1::2], strict=True))
