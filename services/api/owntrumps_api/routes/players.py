"""Players: registering, who somebody is, and giving a token up."""

import hmac
import secrets
import unicodedata
from typing import Any, Final

from flask import Response, request

from owntrumps.game.moments import iso
from owntrumps.game.terms import Millis, PlayerId
from owntrumps.store.port import Player
from owntrumps_api.auth import PLAYER_ID_BYTES, SECRET_BYTES, player_id, secret_text, token_hash
from owntrumps_api.body import json_response
from owntrumps_api.idempotency import derived
from owntrumps_api.operations import LOCATION, Answers, Operations
from owntrumps_api.problems import Problem
from owntrumps_api.routes.history import results_of
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import PostHeaders
from owntrumps_api.schemas.history import PlayerProfile
from owntrumps_api.schemas.requests import NewPlayer
from owntrumps_api.service import service

TOKEN_SHOWN_AGAIN_MS: Final = 10 * 60 * 1000
"""For so long a repeated POST with the same key is answered with the same token."""

players = Operations("players", __name__, description="Who plays.")


@players.operation(
    "POST",
    "/v1/players",
    body=NewPlayer,
    headers=PostHeaders,
    answers={201: Answers(answers.PlayerMade, "Registered.", headers=LOCATION)},
    problems=["idempotency-key-reused"],
)
def create_player(body: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Register

    The token is shown this once. With an Idempotency-Key, choose one nobody can guess: for ten minutes it, the name and
    the address it came from get the same token again.
    """
    name = unicodedata.normalize("NFC", " ".join(body["name"].split()))
    key = headers.get("idempotency_key")
    player, secret = _random_player(name) if key is None else _keyed_player(name, key)
    made = {"id": player.id, "name": player.name, "token": f"{player.id}.{secret}"}
    return json_response(made, 201, {"Location": f"/v1/players/{player.id}"})


def _random_player(name: str) -> tuple[Player, str]:
    secret = secret_text(secrets.token_bytes(SECRET_BYTES))
    player = Player(player_id(secrets.token_bytes(PLAYER_ID_BYTES)), name, token_hash(secret), service().store.now())
    service().store.add_player(player)
    return player, secret


def _keyed_player(name: str, key: str) -> tuple[Player, str]:
    """The player of the key: a new one, or the one that the same request made just now.

    Nothing but the hash is kept: the secret follows from the server's secret, the key, and what is known of the player.
    """
    config, store = service().config, service().store
    scope = request.remote_addr or ""
    id_ = player_id(derived(config.secret, "player", scope, key)[:PLAYER_ID_BYTES])

    def secret_at(moment: Millis) -> str:
        return secret_text(derived(config.secret, "token", id_, key, name, str(moment)))

    now = store.now()
    try:
        player = Player(id_, name, token_hash(secret_at(now)), now)
        store.add_player(player)
        return player, secret_at(now)
    except ValueError:  # taken: by an earlier try of this request, or by another one
        known = store.player(id_)
    secret = secret_at(known.created_at) if known is not None else ""
    if known is None or not hmac.compare_digest(token_hash(secret), known.token_hash):
        raise Problem("idempotency-key-reused", f"the key {key!r} was sent with another request before")
    if now - known.created_at > TOKEN_SHOWN_AGAIN_MS:
        raise Problem("idempotency-key-reused", "this key made a player a while ago; a token is not shown again later")
    return known, secret


@players.operation(
    "GET",
    "/v1/players/<player>",
    answers={200: Answers(PlayerProfile, "The player.")},
    problems=["not-found"],
)
def get_player(player: str) -> Response:
    """Who a player is, and what their public matches came to"""
    found = _existing(player)
    return json_response({**_shown(found), "results": results_of(found.id)})


@players.operation("GET", "/v1/me", caller="player", answers={200: Answers(answers.PlayerShown, "The caller.")})
def get_me(caller: Player) -> Response:
    """Whose token this is"""
    return json_response(_shown(caller))


@players.operation(
    "DELETE", "/v1/me/token", caller="player", answers={204: Answers(None, "The token is worthless now.")}
)
def revoke_token(caller: Player) -> Response:
    """Give the token up, for good"""
    service().players.revoke(caller.id)
    return Response(status=204)


def _existing(text: str) -> Player:
    player = service().store.player(PlayerId(text)) if len(text) == 16 and text.isalnum() and text.isascii() else None
    if player is None:
        raise Problem("not-found", f"there is no player {text!r}")
    return player


def _shown(player: Player) -> dict[str, str]:
    return {"id": player.id, "name": player.name, "created_at": iso(player.created_at)}
