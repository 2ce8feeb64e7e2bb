"""The names of everything in Redis. All keys of a shard share a hash tag, so one script may touch them in a cluster."""

from typing import Final

from owntrumps.game.terms import MatchId, PlayerId
from owntrumps.store.ids import shard_of
from owntrumps.store.port import SHARDS, CommandId, Shard, Status

ALL_SHARDS: Final = tuple(Shard(shard) for shard in range(SHARDS))

ENGINE_GROUP: Final = "engine"
"""The consumer group of the engines on every inbox."""

HEARTBEAT: Final = "ot:heartbeat"
"""When an engine last said that it is alive."""

INBOX_BELL: Final = "ot:bell:inbox"
FEED_BELL: Final = "ot:bell:feed"
"""Channels on which a cluster says that some shard's stream has grown, since one command can wait for one slot only."""


def prefix(shard: Shard) -> str:
    return f"ot:{{{shard:02}}}:"


def inbox(shard: Shard) -> str:
    """Stream: submitted commands until they are settled."""
    return f"{prefix(shard)}inbox"


def feed(shard: Shard) -> str:
    """Stream: a notice for each commit and refusal, trimmed."""
    return f"{prefix(shard)}feed"


def dead(shard: Shard) -> str:
    """Stream: poison commands with the reason, trimmed."""
    return f"{prefix(shard)}dead"


def log(match: MatchId) -> str:
    """Stream: the match's entries, id ``<version>-0``, never trimmed."""
    return f"{prefix(shard_of(match))}log:{match}"


def state(match: MatchId) -> str:
    """String: the materialised state."""
    return f"{prefix(shard_of(match))}state:{match}"


def outcome(match: MatchId, command: CommandId) -> str:
    """String that expires: the answer to a submission."""
    return f"{prefix(shard_of(match))}outcome:{command}"


def due(shard: Shard) -> str:
    """Sorted set: matches by the moment at which the engine must look at them."""
    return f"{prefix(shard)}due"


def ended(shard: Shard) -> str:
    """Sorted set: matches that are over, by the moment they ended."""
    return f"{prefix(shard)}ended"


def index(shard: Shard) -> str:
    """Hash: what each match of the shard is listed by."""
    return f"{prefix(shard)}index"


def listed(shard: Shard, status: Status, ruleset: str | None) -> str:
    """Sorted set of rows (`owntrumps.store.ids.list_row`): public matches; ``lobby`` are the open ones."""
    name = "lobby" if status == "open" else status
    return f"{prefix(shard)}{name}" if ruleset is None else f"{prefix(shard)}{name}:{ruleset}"


def matches_of(shard: Shard, player: PlayerId) -> str:
    """Sorted set of rows: the player's matches, private ones too."""
    return f"{prefix(shard)}of:{player}"


def turns_of(shard: Shard, player: PlayerId) -> str:
    """Sorted set: matches that wait for the player, by the moment since when."""
    return f"{prefix(shard)}turns:{player}"


def player(id_: PlayerId) -> str:
    """String: the registered player."""
    return f"ot:player:{id_}"
