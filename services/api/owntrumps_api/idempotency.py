"""Keys that make a retry safe: the same key and request get the same answer, another request is refused.

A key counts for its caller and its address. It becomes the id of the command that the request submits, and of the
match that it creates, so the log itself knows what was done already; nothing else is kept.
"""

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from owntrumps.game.terms import MatchId, PlayerId
from owntrumps.store.codec import canonical_json
from owntrumps.store.ids import MATCH_ID_BYTES, command_id, new_match_id
from owntrumps.store.port import CommandId


@dataclass(frozen=True, slots=True)
class Once:
    """One request that may be sent again. ``key`` is the client's, None if it gave none."""

    command: CommandId
    fingerprint: str
    key: str | None


def once(player: PlayerId, key: str | None, address: str, sent: object, if_version: int | None = None) -> Once:
    """The command id and the fingerprint of a player's POST of ``sent`` (JSON) to ``address`` (a path)."""
    name = key if key is not None else secrets.token_urlsafe(24)
    command = command_id(player, f"{address}\n{name}")
    return Once(own(player, command), fingerprint("POST", address, sent, if_version), key)


def own(player: PlayerId, command: str) -> CommandId:
    """A command id that begins with its player's id, so that others can be kept from asking for its outcome."""
    return CommandId(f"{player}-{command}")


def is_own(player: PlayerId, command: str) -> bool:
    return command.startswith(f"{player}-")


def match_id_for(secret: bytes, player: PlayerId, key: str | None) -> MatchId:
    """The id of the match that the player creates with this key: a retry cannot make a twin."""
    if key is None:
        return new_match_id(secrets.token_bytes(MATCH_ID_BYTES))
    return new_match_id(derived(secret, "match", player, key)[:MATCH_ID_BYTES])


def derived(secret: bytes, purpose: str, *parts: str) -> bytes:
    """32 bytes that follow from the server's secret and the parts, and from nothing else."""
    return hmac.digest(secret, canonical_json([purpose, *parts]), "sha256")


def fingerprint(*request: Any) -> str:
    """Stands for a request of which these JSON values are everything that matters."""
    return sha256(canonical_json(request)).hexdigest()
