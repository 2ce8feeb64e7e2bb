"""The store in Redis or Valkey, one server or a cluster."""

from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.store import keys, wire
from owntrumps.store.ids import is_match_id
from owntrumps.store.outcomes import OUTCOME_TTL_SECONDS
from owntrumps.store.port import StoredEntry
from owntrumps.store.redis_engine import RedisEngine
from owntrumps.store.redis_feed import RedisFeed
from owntrumps.store.redis_link import Client, Link
from owntrumps.store.redis_lists import RedisLists
from owntrumps.store.redis_reads import ClusterReads, OneServerReads
from owntrumps.store.seeks_redis import RedisSeeks


class RedisStore(RedisEngine, RedisFeed, RedisLists):
    """Everything of the port, over redis-py clients that do not decode answers and speak RESP2.

    Blocking reads are made through ``waiting``, whose time-out must exceed `redis_reads.MAX_BLOCK_MS`: a client of its
    own, so that they do not use up the connections of the others. A cluster waits in another way and needs none.
    """

    def __init__(
        self, client: Client, waiting: Client | None = None, *, outcome_ttl_seconds: int = OUTCOME_TTL_SECONDS
    ) -> None:
        link = Link(client)
        reads = ClusterReads(link) if link.is_cluster else OneServerReads(Link(waiting or client))
        super().__init__(link, reads, outcome_ttl_seconds=outcome_ttl_seconds)
        self.seeks = RedisSeeks(link)

    def state(self, match: MatchId) -> bytes | None:
        if not is_match_id(match):
            return None
        found: bytes | None = self._link.call("GET", keys.state(match))
        return found

    def entries(self, match: MatchId, *, after: Version, limit: int) -> list[StoredEntry]:
        if not is_match_id(match):
            return []
        found = self._link.call("XRANGE", keys.log(match), f"{after + 1}-0", "+", "COUNT", limit)
        return [wire.entry_of(id_, fields) for id_, fields in found]

    def ping(self) -> None:
        self._link.ping()

    def now(self) -> Millis:
        return self._link.now()

    def close(self) -> None:
        self._reads.close()
        self._link.close()
