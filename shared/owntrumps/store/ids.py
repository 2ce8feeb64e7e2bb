"""Ids: of matches (``<2-digit shard>-<12 characters of base32>``), of commands, and the order of lists."""

import base64
import re
from hashlib import sha256
from typing import Final

from owntrumps.game.terms import MatchId, Millis
from owntrumps.store.port import SHARDS, CommandId, Shard

MATCH_ID_BYTES: Final = 9
"""How many random bytes a match id is made of: one for the shard, 60 bits for the rest."""

_MATCH_ID: Final = re.compile(r"[0-9]{2}-[a-z2-7]{12}", re.ASCII)
_COMMAND_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}", re.ASCII)


def new_match_id(random: bytes) -> MatchId:
    """The match id of `MATCH_ID_BYTES` bytes of a random source, or of a hash where the same must give the same.

    >>> new_match_id(bytes([7, 1, 2, 3, 4, 5, 6, 7, 8]))
    '07-aebagbafaydq'
    """
    if len(random) != MATCH_ID_BYTES:
        raise ValueError(f"a match id is made of {MATCH_ID_BYTES} bytes, not {len(random)}")
    name = base64.b32encode(random[1:]).decode().lower()[:12]
    return MatchId(f"{random[0] % SHARDS:02}-{name}")


def is_match_id(text: str) -> bool:
    """Whether the text may be a match's id; of an id that is not, no key is ever made.

    >>> is_match_id("07-aebagbafaydq"), is_match_id("99-aebagbafaydq"), is_match_id("07-{x}")
    (True, False, False)
    """
    return _MATCH_ID.fullmatch(text) is not None and int(text[:2]) < SHARDS


def shard_of(match: MatchId) -> Shard:
    """The shard that holds the match; ValueError if this is no match id."""
    if not is_match_id(match):
        raise ValueError(f"{match!r} is not a match id")
    return Shard(int(match[:2]))


def is_command_id(text: str) -> bool:
    """Whether the text may be a command's id."""
    return _COMMAND_ID.fullmatch(text) is not None


def command_id(caller: str, key: str) -> CommandId:
    """The command id of a caller's own idempotency key, whatever its characters: no two callers share one.

    >>> command_id("ann", "1") == command_id("ann", "1"), command_id("ann", "1") == command_id("bob", "1")
    (True, False)
    """
    digest = sha256(f"{len(caller)}:{caller}{key}".encode()).digest()
    return CommandId(base64.urlsafe_b64encode(digest).decode().rstrip("="))


def list_row(created_at: Millis, match: MatchId) -> str:
    """The match's place in a list: rows in descending order are the newest first, and a row is a cursor.

    >>> list_row(Millis(1_772_366_400_250), MatchId("07-aebagbafaydq"))
    '1772366400250:07-aebagbafaydq'
    """
    return f"{created_at:013}:{match}"


def match_of_row(row: str) -> MatchId:
    """The match of a list's row."""
    return MatchId(row[14:])


def cursor_of(row: str) -> str:
    """The row as an opaque cursor for clients."""
    return base64.urlsafe_b64encode(row.encode()).decode().rstrip("=")


def row_of(cursor: str) -> str:
    """The inverse of `cursor_of`; ValueError for any other text."""
    refusal = f"{cursor!r} is not a cursor of this list"
    try:
        row = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except ValueError:
        raise ValueError(refusal) from None
    if not (row[:13].isdigit() and row[13:14] == ":" and is_match_id(row[14:]) and cursor_of(row) == cursor):
        raise ValueError(refusal)
    return row
