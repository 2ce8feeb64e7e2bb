"""The Lua scripts: each is one atomic step. Redis does not roll a script back, so every check precedes the first write.

All may be repeated: a second run of the same step finds that it was done. Keys that a script derives itself begin with
the prefix it is given and so live in the same slot as those it declares.
"""

from dataclasses import dataclass, field
from hashlib import sha1
from typing import Final

FEED_LENGTH: Final = 10_000
"""About how many notices a shard's feed keeps."""
DEAD_LENGTH: Final = 10_000
"""About how many poison commands a shard keeps."""


@dataclass(frozen=True, slots=True)
class Script:
    """A script and the SHA-1 (hex) by which the server knows it."""

    text: str
    sha: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sha", sha1(self.text.encode(), usedforsecurity=False).hexdigest())


_TELL: Final = f"""
local function tell(feed, bell, match, command, version, status, bot_turn, to_move)
  redis.call('XADD', feed, 'MAXLEN', '~', {FEED_LENGTH}, '*',
    'match', match, 'command', command, 'version', version, 'status', status, 'bot', bot_turn, 'to_move', to_move)
  if bell ~= '' then redis.call('PUBLISH', bell, '') end
end
"""

_SETTLE: Final = """
local function settle(inbox, delivery)
  if delivery ~= '' then
    redis.call('XACK', inbox, 'engine', delivery)
    redis.call('XDEL', inbox, delivery)
  end
end
"""

_LISTS: Final = """
local function lists_of(prefix, index)
  local lists = {}
  if not index then return lists end
  if not index.private then
    local name = index.status == 'open' and 'lobby' or index.status
    lists[prefix .. name] = true
    lists[prefix .. name .. ':' .. index.ruleset] = true
  end
  for _, player in ipairs(index.players) do lists[prefix .. 'of:' .. player] = true end
  return lists
end

-- Moves a match from the lists of one index to those of another; either may be nil.
local function relist(prefix, match, row, before, after)
  local old, new = lists_of(prefix, before), lists_of(prefix, after)
  for list in pairs(old) do
    if not new[list] then redis.call('ZREM', list, row) end
  end
  for list in pairs(new) do
    if not old[list] then redis.call('ZADD', list, 0, row) end
  end
  local waited, waits = before and before.to_move, after and after.to_move
  if waited and waited ~= waits then redis.call('ZREM', prefix .. 'turns:' .. waited, match) end
  local over = after and (after.status == 'finished' or after.status == 'aborted')
  if waits or over then
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    if waits then redis.call('ZADD', prefix .. 'turns:' .. waits, 'NX', now, match) end
    if over then redis.call('ZADD', prefix .. 'ended', 'NX', now, match) end
  end
end
"""

COMMIT: Final = Script(
    """
-- One decision becomes durable.
-- KEYS: log, state, outcome, feed, due, index, inbox
-- ARGV: prefix, bell, match, row, version, moment, schema, events (JSON), chain hash, state, command, outcome,
--       outcome's seconds to live, status, bot turn or '', person to move or '', due or '', index (JSON),
--       delivery or ''
-- Returns 'committed', 'conflict' (nothing changed) or 'duplicate' (told again and settled).
"""
    + _TELL
    + _SETTLE
    + _LISTS
    + """
local log, state, outcome, feed, due, index, inbox = unpack(KEYS)
local prefix, bell, match, row, version, at, schema, events, chain, state_bytes, command, answer,
  seconds, status, bot_turn, to_move, due_at, index_json, delivery = unpack(ARGV)

local known = redis.call('GET', outcome)
if known then
  tell(feed, bell, match, command, string.match(known, '^%d+'), '', '', '')
  settle(inbox, delivery)
  return 'duplicate'
end
-- A log is never trimmed, so its length is its version; XADD itself refuses an id that is not the highest.
if redis.call('XLEN', log) ~= tonumber(version) - 1 then return 'conflict' end

redis.call('XADD', log, version .. '-0', 'at', at, 'schema', schema, 'events', events, 'chain', chain)
redis.call('SET', state, state_bytes)
redis.call('SET', outcome, answer, 'EX', seconds)
tell(feed, bell, match, command, version, status, bot_turn, to_move)
if due_at == '' then redis.call('ZREM', due, match) else redis.call('ZADD', due, due_at, match) end
local before = redis.call('HGET', index, match)
if before ~= index_json then
  redis.call('HSET', index, match, index_json)
  relist(prefix, match, row, before and cjson.decode(before) or nil, cjson.decode(index_json))
end
settle(inbox, delivery)
return 'committed'
"""
)

SETTLE: Final = Script(
    """
-- A delivery is refused, or put aside as poison.
-- KEYS: outcome, feed, inbox, dead
-- ARGV: bell, match, command, outcome or '' (there is no id to answer), its seconds to live, delivery,
--       then for poison: reason and the delivery's fields and values
-- Returns 1.
"""
    + _TELL
    + _SETTLE
    + f"""
local outcome, feed, inbox, dead = unpack(KEYS)
local bell, match, command, answer, seconds, delivery = unpack(ARGV)

if #ARGV > 6 then
  redis.call('XADD', dead, 'MAXLEN', '~', {DEAD_LENGTH}, '*', 'delivery', delivery, 'reason', unpack(ARGV, 7))
end
if answer ~= '' then
  local known = redis.call('GET', outcome)
  if not known then redis.call('SET', outcome, answer, 'EX', seconds) end
  tell(feed, bell, match, command, string.match(known or answer, '^%d+'), '', '', '')
end
settle(inbox, delivery)
return 1
"""
)

NOTIFY: Final = Script(
    """
-- The feed is told once more that a bot is to move.
-- KEYS: feed
-- ARGV: bell, match, version, bot turn
-- Returns 1.
"""
    + _TELL
    + """
tell(KEYS[1], ARGV[1], ARGV[2], '', ARGV[3], 'playing', ARGV[4], '')
return 1
"""
)

POSTPONE: Final = Script("""
-- A match's due moment changes, unless its log has moved on.
-- KEYS: log, due
-- ARGV: version, match, due or ''
-- Returns 1, or 0 if nothing changed.
if redis.call('XLEN', KEYS[1]) > tonumber(ARGV[1]) then return 0 end
if ARGV[3] == '' then redis.call('ZREM', KEYS[2], ARGV[2]) else redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2]) end
return 1
""")

PUT_STATE: Final = Script("""
-- A refolded state is written, unless the log is at another version.
-- KEYS: log, state
-- ARGV: version, state
-- Returns 1, or 0 if nothing changed.
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[2], ARGV[2])
return 1
""")

FORGET: Final = Script(
    """
-- An archived match leaves, unless it is still played or its log is at another version.
-- KEYS: log, state, due, index, ended
-- ARGV: prefix, match, row, version
-- Returns 1, or 0 if nothing changed.
"""
    + _LISTS
    + """
local log, state, due, index, ended = unpack(KEYS)
local prefix, match, row, version = unpack(ARGV)
if redis.call('XLEN', log) ~= tonumber(version) or not redis.call('ZSCORE', ended, match) then return 0 end

redis.call('UNLINK', log, state)
redis.call('ZREM', due, match)
redis.call('ZREM', ended, match)
local before = redis.call('HGET', index, match)
if before then
  redis.call('HDEL', index, match)
  relist(prefix, match, row, cjson.decode(before), nil)
end
return 1
"""
)

HEARTBEAT: Final = Script("""
-- An engine says that it is alive. The beat before is kept with the beat, so that a repetition gives the same answer.
-- KEYS: heartbeat
-- ARGV: now
-- Returns the moment of the beat before, or nil.
local last, before = string.match(redis.call('GET', KEYS[1]) or '', '^(%d*) ?(%d*)$')
if last ~= ARGV[1] then
  before = last
  redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. before)
end
return before ~= '' and before
""")

REVOKE: Final = Script("""
-- A player's token becomes worthless.
-- KEYS: player
-- ARGV: none
-- Returns 1, or 0 if there is no such player.
local value = redis.call('GET', KEYS[1])
if not value then return 0 end
local player = cjson.decode(value)
player.token_hash = ''
redis.call('SET', KEYS[1], cjson.encode(player))
return 1
""")

IDLE: Final = Script("""
-- How many messages of a group nobody settled for a while. Consumers that are long gone and hold none are forgotten:
-- each process has a name of its own. One that comes back is made anew.
-- KEYS: stream
-- ARGV: group, idle milliseconds, how many to count to, milliseconds after which a consumer is gone
-- Returns their number.
local idle = #redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', ARGV[2], '-', '+', ARGV[3])
for _, told in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local consumer = {}
  for at = 1, #told, 2 do consumer[told[at]] = told[at + 1] end
  if consumer.pending == 0 and consumer.idle >= tonumber(ARGV[4]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer.name)
  end
end
return idle
""")

CLAIM: Final = Script("""
-- Messages of a group that nobody settled go to another consumer.
-- KEYS: stream
-- ARGV: group, consumer, idle milliseconds, how many at most
-- Returns {id, times delivered, {field, value, …}} for each; messages that left the stream are dropped.
local claimed = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3], '0-0', 'COUNT', ARGV[4])[2]
local messages = {}
for _, message in ipairs(claimed) do
  local pending = redis.call('XPENDING', KEYS[1], ARGV[1], message[1], message[1], 1)[1]
  messages[#messages + 1] = {message[1], pending[4], message[2]}
end
return messages
""")
