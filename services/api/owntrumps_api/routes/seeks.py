"""Looking for strangers to play with."""

import secrets
from dataclasses import replace
from time import monotonic
from typing import Any, Final

from flask import Response, g

from owntrumps.game.moments import iso
from owntrumps.game.terms import MatchId, Millis, PlayerId
from owntrumps.rules.rulesets import Ruleset, check_playable, name_of, ruleset_from
from owntrumps.store.port import Player
from owntrumps.store.seeks import AlreadySeekingError, Seek, SeekId, Sought
from owntrumps_api import deciding
from owntrumps_api.auth import PLAYER_ID_BYTES, player_id
from owntrumps_api.body import json_response
from owntrumps_api.idempotency import derived, fingerprint
from owntrumps_api.levels import check_level
from owntrumps_api.matchmaking import random_match_id
from owntrumps_api.operations import LOCATION, Answers, Operations
from owntrumps_api.problems import Problem
from owntrumps_api.routes.matches import RULESET_PROBLEMS
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import PostHeaders, WaitQuery
from owntrumps_api.schemas.requests import NewSeek
from owntrumps_api.service import service

PATH: Final = "/v1/seeks"

seeks = Operations("seeks", __name__, description="Looking for strangers to play with.")


@seeks.operation(
    "POST",
    PATH,
    caller="player",
    body=NewSeek,
    headers=PostHeaders,
    answers={201: Answers(answers.SeekShown, "Waiting, or paired already.", headers=LOCATION)},
    problems=[*RULESET_PROBLEMS, "unknown-level", "trumps-are-turned", "already-seeking", "idempotency-key-reused"],
)
def create_seek(caller: Player, body: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Look for strangers to play with

    Players who look for the same game are paired in the order of their coming. One looks for one match at a time;
    asking for the same game again is the same seek.
    """
    seek = _seek(caller, body, headers.get("idempotency_key"))
    service().matchmaker.start()
    try:
        sought = service().store.seeks.seek(seek, random_match_id())
    except AlreadySeekingError as error:
        sought = error.sought
        if sought.seek.pool != seek.pool:
            detail = f"you look for {sought.seek.ruleset_name} already; cancel that first"
            raise Problem("already-seeking", detail, {"seek": sought.seek.id}) from None
    else:
        if sought.seek.fingerprint != seek.fingerprint:
            key = headers.get("idempotency_key")
            raise Problem("idempotency-key-reused", f"the key {key!r} was sent with another request before")
    if sought.match is not None:
        service().matchmaker.make(sought.match)
    elif sought.seek.bots_at is not None and sought.seek.bots_at <= service().store.now():
        service().matchmaker.sweep()
        sought = service().store.seeks.sought(sought.seek.id) or sought
    wait = deciding.preferred_wait(headers.get("prefer")) if sought.match is not None else 0
    return json_response(_shown(_awaited(sought, wait)), 201, {"Location": f"{PATH}/{sought.seek.id}"})


def _seek(caller: Player, body: dict[str, Any], key: str | None) -> Seek:
    ruleset, name = _ruleset(body)
    check_level(body["level"])
    if "trump" in body and ruleset.trump_choice == "turned":
        raise Problem("trumps-are-turned", "in this ruleset trumps are turned up from the deal, nobody chooses one")
    config, now = service().config, service().store.now()
    random = derived(config.secret, "seek", caller.id, key) if key is not None else secrets.token_bytes(PLAYER_ID_BYTES)
    return Seek(
        SeekId(player_id(random[:PLAYER_ID_BYTES])),
        caller.id,
        caller.name,
        ruleset,
        name,
        body.get("trump"),
        body["level"],
        now,
        Millis(now + 1000 * body["expires_after"]),
        Millis(now + 1000 * body["bots_after"]) if "bots_after" in body else None,
        fingerprint("POST", PATH, g.sent) if key is not None else "",
    )


def _ruleset(body: dict[str, Any]) -> tuple[Ruleset, str]:
    ruleset, name = ruleset_from(body["ruleset"])
    if "seats" not in body or body["seats"] == ruleset.seats:
        return ruleset, name
    ruleset = check_playable(replace(ruleset, seats=body["seats"]))
    return ruleset, name_of(ruleset)


@seeks.operation("GET", PATH, caller="player", answers={200: Answers(answers.Seeks, "None, or one.")})
def list_seeks(caller: Player) -> Response:
    """What I look for"""
    sought = service().store.seeks.seeks_of(caller.id)
    return json_response({"seeks": [] if sought is None else [_shown(_awaited(sought, 0))]})


@seeks.operation(
    "GET",
    f"{PATH}/<seek>",
    caller="player",
    query=WaitQuery,
    answers={200: Answers(answers.SeekShown, "How the seek stands.")},
    problems=["not-found", "too-many-streams"],
)
def get_seek(seek: str, caller: Player, query: dict[str, Any]) -> Response:
    """How my seek stands

    With `wait`, the answer comes with the match, or when the seconds are over. A seek that was cancelled or has expired
    is not found.
    """
    sought = _own(seek, caller.id)
    if query["wait"]:
        with service().places.taking():
            return json_response(_shown(_awaited(sought, query["wait"])))
    return json_response(_shown(_awaited(sought, 0)))


@seeks.operation(
    "DELETE",
    f"{PATH}/<seek>",
    caller="player",
    answers={204: Answers(None, "Nobody looks any more.")},
    problems=["already-paired"],
)
def cancel_seek(seek: str, caller: Player) -> Response:
    """Stop looking

    One that has expired or was cancelled before is cancelled all the same.
    """
    known = service().store.seeks.sought(SeekId(seek))
    if known is not None and known.seek.player == caller.id:
        match = service().store.seeks.cancel(SeekId(seek))
        if match is not None:
            raise Problem("already-paired", f"the seek has become match {match}", {"match": match})
    return Response(status=204)


def _awaited(sought: Sought, seconds: float) -> Sought:
    """The seek once its match is there, or as it is when the seconds are over: a match that does not exist yet is not
    named. Problem ``not-found`` once it has expired."""
    shared, seek = service(), sought.seek
    ends = monotonic() + min(seconds, (seek.expires_at - shared.store.now()) / 1000)
    with shared.hub.pairing_of(seek.player) as bell:
        while sought.match is None or not _exists(sought.match):
            if monotonic() >= ends or shared.hub.closing:
                return replace(sought, match=None)
            bell.wait(ends - monotonic())
            sought = _own(seek.id, seek.player)
        return sought


def _exists(match: MatchId) -> bool:
    pairing = service().store.seeks.pairing(match)
    return pairing is None or service().matchmaker.settled(pairing)


def _own(seek: str, player: PlayerId) -> Sought:
    sought = service().store.seeks.sought(SeekId(seek))
    if sought is None or sought.seek.player != player:
        raise Problem("not-found", f"there is no seek {seek!r} of yours: never, or no longer")
    return sought


def _shown(sought: Sought) -> dict[str, Any]:
    seek = sought.seek
    return {
        "id": seek.id,
        "status": "waiting" if sought.match is None else "paired",
        "ruleset": {**seek.ruleset.as_dict(), "name": seek.ruleset_name},
        "match": sought.match,
        "created_at": iso(seek.created_at),
        "expires_at": iso(seek.expires_at),
        "bots_at": None if seek.bots_at is None else iso(seek.bots_at),
    }
