"""Who plays a level's turns in a match right now. A claim saves work, it guards nothing: it runs out by itself, and two
bots that answer the same turn are told apart by the engine, which takes one move for each version."""

from collections.abc import Sequence
from typing import Final

from redis import Redis

from owntrumps.store.door import MatchId, Version
from owntrumps_bots.turns import Turn

GIVE_UP: Final = """
-- Give up a claim that is still one's own.
-- KEYS[1] the claim; ARGV[1] its holder. Returns 1 if it was deleted, else 0.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
"""


class Claims:
    """Claims on one RQ server, each by match and level."""

    def __init__(self, connection: Redis) -> None:
        self._connection = connection
        self._give_up = connection.register_script(GIVE_UP)

    def take(self, match: MatchId, level: str, holder: str, *, for_ms: int) -> bool:
        """Whether nobody else holds it, and now ``holder`` does, for so long."""
        return bool(self._connection.set(_key(match, level), holder, px=for_ms, nx=True))

    def keep(self, match: MatchId, level: str, holder: str, *, for_ms: int) -> None:
        """Hold it for so long from now on."""
        self._connection.set(_key(match, level), holder, px=for_ms)

    def give_up(self, match: MatchId, level: str, holder: str) -> None:
        self._give_up(keys=[_key(match, level)], args=[holder])

    def mark_sent(self, match: MatchId, version: Version, *, for_ms: int) -> None:
        """A move for this version is on its way to the engine: nobody need think about it for so long."""
        self._connection.set(_sent(match, version), b"", px=for_ms)

    def held(self, turns: Sequence[Turn]) -> list[bool]:
        """By turn: whether somebody plays on there for its level, or has sent its move. One round trip."""
        if not turns:
            return []
        keys = [key for turn in turns for key in (_key(turn.match, turn.level), _sent(turn.match, turn.version))]
        found = self._connection.mget(keys)
        return [found[index] is not None or found[index + 1] is not None for index in range(0, len(found), 2)]


def _sent(match: MatchId, version: Version) -> str:
    return f"bots:sent:{match}-v{version}"


def _key(match: MatchId, level: str) -> str:
    return f"bots:playing:{match}:{level}"
