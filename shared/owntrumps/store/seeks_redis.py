"""Seeks in Redis. All keys share the hash tag ``{seek}``: pairing touches several seeks in one step.

ot:{seek}:seek:<id>       hash: body (the seek's JSON), player, pool, seats, expires, bots, match; expires
ot:{seek}:of:<player>     string: the id of the seek that the player waits with; expires with it
ot:{seek}:pool:<hash>     sorted set: ids that wait, by the order of their coming
ot:{seek}:bots            sorted set: ids by the moment from which bots may fill up
ot:{seek}:count           string: counts seeks
ot:{seek}:unmade          hash: match -> {moment} [bodies] until the match is known to exist
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

from owntrumps.game.terms import MatchId, Millis, PlayerId
from owntrumps.store.codec import canonical_json
from owntrumps.store.json_values import from_json, to_json
from owntrumps.store.redis_link import Link
from owntrumps.store.scripts import Script
from owntrumps.store.seeks import KEPT_AFTER_PAIRING_MS, AlreadySeekingError, Pairing, Seek, SeekId, Sought

PREFIX: Final = "ot:{seek}:"
CANCELLED: Final = b"0"
"""What stands for the moment of expiry of a seek that was cancelled."""

_COMMON: Final = f"""
local function waits(prefix, id, now)
  local found = redis.call('HMGET', prefix .. 'seek:' .. id, 'expires', 'match')
  return found[1] and tonumber(found[1]) > now and found[2] == ''
end

-- The others that wait in a pool, in the order of their coming; who waits no more is taken out.
local function others_in(prefix, pool, id, now)
  local others = {{}}
  for _, other in ipairs(redis.call('ZRANGE', pool, 0, -1)) do
    if not waits(prefix, other, now) then
      redis.call('ZREM', pool, other)
    elseif other ~= id then
      others[#others + 1] = other
    end
  end
  return others
end

local function pair(prefix, pool, ids, match, now)
  local bodies = {{}}
  for _, id in ipairs(ids) do
    local key = prefix .. 'seek:' .. id
    local found = redis.call('HMGET', key, 'body', 'player')
    bodies[#bodies + 1] = found[1]
    redis.call('HSET', key, 'match', match)
    redis.call('PEXPIRE', key, {KEPT_AFTER_PAIRING_MS})
    redis.call('ZREM', pool, id)
    redis.call('ZREM', prefix .. 'bots', id)
    redis.call('DEL', prefix .. 'of:' .. found[2])
  end
  redis.call('HSET', prefix .. 'unmade', match, now .. ' [' .. table.concat(bodies, ',') .. ']')
end
"""

SEEK: Final = Script(f"""
-- Waits, or is paired with those who wait.
-- KEYS: count (all others follow from the prefix and lie in the same slot)
-- ARGV: prefix, id, player, pool's hash, seats, now, expires, bots ('' for never), body, match
-- Returns {{'known' or 'other', body, match}}.
{_COMMON}
local prefix, id, player, hash, seats, now, expires, bots, body, match = unpack(ARGV)
now = tonumber(now)
local key, pool = prefix .. 'seek:' .. id, prefix .. 'pool:' .. hash
if tonumber(expires) <= now then return {{'known', body, ''}} end
local known = redis.call('HMGET', key, 'body', 'match')
if known[1] then return {{'known', known[1], known[2]}} end
local other = redis.call('GET', prefix .. 'of:' .. player)
if other and waits(prefix, other, now) then
  return {{'other', redis.call('HGET', prefix .. 'seek:' .. other, 'body'), ''}}
end
local ids = {{}}
for _, waiting in ipairs(others_in(prefix, pool, id, now)) do
  if #ids < tonumber(seats) - 1 then ids[#ids + 1] = waiting end
end
redis.call('HSET', key, 'body', body, 'player', player, 'pool', hash, 'seats', seats, 'expires', expires, 'bots', bots,
  'match', '')
redis.call('PEXPIREAT', key, expires)
ids[#ids + 1] = id
if #ids == tonumber(seats) then
  pair(prefix, pool, ids, match, now)
  return {{'known', body, match}}
end
redis.call('SET', prefix .. 'of:' .. player, id, 'PXAT', expires)
redis.call('ZADD', pool, redis.call('INCR', KEYS[1]), id)
redis.call('PEXPIRE', pool, {KEPT_AFTER_PAIRING_MS})
if bots ~= '' then redis.call('ZADD', prefix .. 'bots', bots, id) end
return {{'known', body, ''}}
""")

CANCEL: Final = Script("""
-- Stops waiting. The seek is known until it would have expired, so that nobody waits again who asks for it late.
-- KEYS: seek (all others follow from the prefix and lie in the same slot)
-- ARGV: prefix, id
-- Returns the match if it became one already, else ''.
local prefix, id = unpack(ARGV)
local found = redis.call('HMGET', KEYS[1], 'player', 'pool', 'match')
if not found[1] then return '' end
if found[3] ~= '' then return found[3] end
redis.call('ZREM', prefix .. 'pool:' .. found[2], id)
redis.call('ZREM', prefix .. 'bots', id)
redis.call('DEL', prefix .. 'of:' .. found[1])
redis.call('HSET', KEYS[1], 'expires', 0)
return ''
""")

FILL: Final = Script(f"""
-- Seeks whose time for bots has come become matches.
-- KEYS: bots (all others follow from the prefix and lie in the same slot)
-- ARGV: prefix, now, match, match, …
-- Returns how many of the matches were used, the first ones.
{_COMMON}
local prefix, now = ARGV[1], tonumber(ARGV[2])
local used = 2
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do
  if not waits(prefix, id, now) then
    redis.call('ZREM', KEYS[1], id)
  elseif used < #ARGV then
    used = used + 1
    local found = redis.call('HMGET', prefix .. 'seek:' .. id, 'pool', 'seats')
    local pool, ids = prefix .. 'pool:' .. found[1], {{id}}
    for _, other in ipairs(others_in(prefix, pool, id, now)) do
      local with_bots = redis.call('HGET', prefix .. 'seek:' .. other, 'bots') ~= ''
      if with_bots and #ids < tonumber(found[2]) then ids[#ids + 1] = other end
    end
    pair(prefix, pool, ids, ARGV[used], now)
  end
end
return used - 2
""")


class RedisSeeks:
    """Over a link whose commands may be repeated: each script finds what a first run of it did."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def seek(self, seek: Seek, match: MatchId) -> Sought:
        args = (
            PREFIX,
            seek.id,
            seek.player,
            sha256(seek.pool.encode()).hexdigest()[:24],
            seek.ruleset.seats,
            self._link.now(),
            seek.expires_at,
            "" if seek.bots_at is None else seek.bots_at,
            canonical_json(to_json(seek, Seek)),
            match,
        )
        whose, body, became = self._link.run(SEEK, (f"{PREFIX}count",), args)
        sought = Sought(_seek_of(body), MatchId(became.decode()) or None)
        if whose == b"other":
            raise AlreadySeekingError(sought)
        return sought

    def sought(self, seek: SeekId) -> Sought | None:
        body, match, expires = self._link.call("HMGET", f"{PREFIX}seek:{seek}", "body", "match", "expires")
        return None if body is None or expires == CANCELLED else Sought(_seek_of(body), MatchId(match.decode()) or None)

    def seeks_of(self, player: PlayerId) -> Sought | None:
        id_ = self._link.call("GET", f"{PREFIX}of:{player}")
        return None if id_ is None else self.sought(SeekId(id_.decode()))

    def cancel(self, seek: SeekId) -> MatchId | None:
        match: bytes = self._link.run(CANCEL, (f"{PREFIX}seek:{seek}",), (PREFIX, seek))
        return MatchId(match.decode()) or None

    def fill(self, matches: Sequence[MatchId], now: Millis) -> list[MatchId]:
        used: int = self._link.run(FILL, (f"{PREFIX}bots",), (PREFIX, now, *matches))
        return [*matches[:used]]

    def pairing(self, match: MatchId) -> Pairing | None:
        value = self._link.call("HGET", f"{PREFIX}unmade", match)
        return None if value is None else _pairing_of(match.encode(), value)

    def unmade(self, before: Millis, *, limit: int) -> list[Pairing]:
        flat = self._link.call("HGETALL", f"{PREFIX}unmade")
        pairs = flat.items() if isinstance(flat, dict) else zip(flat[::2], flat[1::2], strict=True)
        return [_pairing_of(match, value) for match, value in pairs if int(value.split(b" ", 1)[0]) <= before][:limit]

    def made(self, match: MatchId) -> None:
        self._link.call("HDEL", f"{PREFIX}unmade", match)


def _seek_of(body: bytes) -> Seek:
    return _seek(msgspec.json.decode(body))


def _seek(written: Any) -> Seek:
    seek: Seek = from_json(written, Seek)
    return seek


def _pairing_of(match: bytes, value: bytes) -> Pairing:
    bodies = msgspec.json.decode(value.split(b" ", 1)[1])
    return Pairing(MatchId(match.decode()), tuple(map(_seek, bodies)))
