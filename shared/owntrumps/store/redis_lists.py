"""Lists of matches, their departure into the archive, and players, in Redis."""

from typing import Final, get_args

from owntrumps.game.terms import MatchId, Millis, PlayerId, Version
from owntrumps.store import keys, scripts, wire
from owntrumps.store.ids import cursor_of, list_row, match_of_row, row_of, shard_of
from owntrumps.store.port import MatchIndex, MatchSummary, Player, Status
from owntrumps.store.redis_link import Command
from owntrumps.store.redis_part import RedisPart, earliest, pairs

STATUSES: Final[tuple[Status, ...]] = get_args(Status)


class RedisLists(RedisPart):
    """The parts `Lists`, `Archiving` and `Players` of the port."""

    def matches(
        self,
        *,
        status: Status | None,
        ruleset: str | None,
        player: PlayerId | None,
        cursor: str | None,
        limit: int,
    ) -> tuple[list[MatchSummary], str | None]:
        if player is None:
            statuses = STATUSES if status is None else (status,)
            lists = [keys.listed(shard, name, ruleset) for shard in keys.ALL_SHARDS for name in statuses]
        else:
            lists = [keys.matches_of(shard, player) for shard in keys.ALL_SHARDS]
        before = None if cursor is None else row_of(cursor)
        found: dict[str, MatchSummary] = {}
        more = True
        while more and len(found) <= limit:
            rows = self._rows(lists, before, limit + 1)
            more = len(rows) > limit
            before = rows[-1] if rows else None
            for row, index in zip(rows, self._indexes(rows), strict=True):
                # The lists and the index are read one after the other: a match may have moved on in between.
                if index is not None and _passes(index, status, ruleset, player):
                    found[row] = MatchSummary(match_of_row(row), index)
        page = [*found][:limit]
        return [found[row] for row in page], cursor_of(page[-1]) if len(found) > limit else None

    def _rows(self, lists: list[str], before: str | None, limit: int) -> list[str]:
        """The highest rows below ``before`` over all lists."""
        start = "+" if before is None else f"({before}"
        answers = self._link.pipeline([("ZREVRANGEBYLEX", key, start, "-", "LIMIT", 0, limit) for key in lists])
        rows = {row.decode() for answer in answers for row in answer}
        return sorted(rows, reverse=True)[:limit]

    def _indexes(self, rows: list[str]) -> list[MatchIndex | None]:
        matches = [match_of_row(row) for row in rows]
        commands: list[Command] = [("HGET", keys.index(shard_of(match)), match) for match in matches]
        return [None if value is None else wire.index_of(value) for value in self._link.pipeline(commands)]

    def turns_of(self, player: PlayerId) -> list[MatchId]:
        answers = self._link.pipeline(
            [("ZRANGE", keys.turns_of(shard, player), 0, -1, "WITHSCORES") for shard in keys.ALL_SHARDS]
        )
        waiting = sorted((float(since), match) for answer in answers for match, since in pairs(answer))
        return [MatchId(match.decode()) for _, match in waiting]

    def ended(self, until: Millis, *, limit: int) -> list[MatchId]:
        return earliest(self._link, keys.ended, until, limit)

    def forget(self, match: MatchId, *, at_version: Version) -> bool:
        shard = shard_of(match)
        index = self._link.call("HGET", keys.index(shard), match)
        if index is None:
            return False
        script_keys = (keys.log(match), keys.state(match), keys.due(shard), keys.index(shard), keys.ended(shard))
        row = list_row(wire.index_of(index).created_at, match)
        return bool(self._link.run(scripts.FORGET, script_keys, (keys.prefix(shard), match, row, at_version)))

    def add_player(self, player: Player) -> None:
        key, value = keys.player(player.id), wire.player_value(player)
        # A repetition after a broken connection finds its own value.
        if not self._link.call("SET", key, value, "NX") and self._link.call("GET", key) != value:
            raise ValueError(f"there is a player {player.id!r} already")

    def player(self, player: PlayerId) -> Player | None:
        value = self._link.call("GET", keys.player(player))
        return None if value is None else wire.player_of(player, value)

    def revoke(self, player: PlayerId) -> None:
        self._link.run(scripts.REVOKE, (keys.player(player),), ())


def _passes(index: MatchIndex, status: Status | None, ruleset: str | None, player: PlayerId | None) -> bool:
    return (
        (status is None or index.status == status)
        and (ruleset is None or index.ruleset_name == ruleset)
        and (not index.private if player is None else player in index.players)
    )
