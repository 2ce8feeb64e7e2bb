"""Players and their tokens: ``<player id>.<secret>``, of which only the secret's SHA-256 is kept."""

import base64
import hmac
import re
from hashlib import sha256
from typing import Final

from flask import g, request

from owntrumps.game.terms import PlayerId
from owntrumps.store.port import Player
from owntrumps_api.problems import Problem
from owntrumps_api.service import service

PLAYER_ID_BYTES: Final = 10
SECRET_BYTES: Final = 32
_TOKEN: Final = re.compile(r"([a-z2-7]{16})\.([A-Za-z0-9_-]{43})", re.ASCII)


def player_id(random: bytes) -> PlayerId:
    """The id of `PLAYER_ID_BYTES` random bytes: 16 characters of base32.

    >>> player_id(bytes(10))
    'aaaaaaaaaaaaaaaa'
    """
    return PlayerId(base64.b32encode(random).decode().lower())


def secret_text(random: bytes) -> str:
    """`SECRET_BYTES` random bytes as the secret part of a token."""
    return base64.urlsafe_b64encode(random).decode().rstrip("=")


def token_hash(secret: str) -> str:
    """What is kept of the secret part. It has 256 bits, so a slow hash would add nothing."""
    return sha256(secret.encode()).hexdigest()


def caller_or_none() -> Player | None:
    """The player whose token the request carries, None without one; Problem ``unauthorized`` for a worthless one."""
    if "caller" not in g:
        header = request.headers.get("Authorization")
        g.caller = None if header is None else _player_of(header)
    found: Player | None = g.caller
    return found


def caller() -> Player:
    """The player whose token the request carries; Problem ``unauthorized`` without one."""
    player = caller_or_none()
    if player is None:
        raise Problem("unauthorized", "send the header Authorization: Bearer <token>; POST /v1/players gives one")
    return player


def check_still() -> None:
    """After a wait: Problem ``unauthorized`` for a caller whose token was given up meanwhile."""
    player = caller_or_none()
    if player is not None and not service().players.still(player):
        raise _worthless()


def _worthless() -> Problem:
    return Problem("unauthorized", "the token is not valid, or no longer")


def _player_of(header: str) -> Player:
    scheme, _, token = header.partition(" ")
    match = _TOKEN.fullmatch(token.strip())
    if scheme.lower() != "bearer" or match is None:
        raise Problem("unauthorized", "the header Authorization is not Bearer and a token")
    player = service().players.get(PlayerId(match[1]))
    known = player.token_hash if player is not None else ""
    if player is None or not hmac.compare_digest(token_hash(match[2]), known):
        raise _worthless()
    return player
