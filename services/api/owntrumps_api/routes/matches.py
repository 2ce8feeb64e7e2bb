"""Matches: making, finding and looking at them."""

import secrets
from time import monotonic
from typing import Any, Final

from flask import Response, g

from owntrumps.game.chance import SEED_BYTES
from owntrumps.game.commands import CreateMatch
from owntrumps.game.moments import iso
from owntrumps.game.state import Match, NoMatch, is_over
from owntrumps.game.terms import MatchId, PlayerId, SeatTerms, Version
from owntrumps.rules.cards import Suit, parse_suit
from owntrumps.rules.rulesets import ruleset_from
from owntrumps.store.matches import load_match
from owntrumps.store.port import MatchSummary, Player
from owntrumps_api import auth, deciding, reading
from owntrumps_api.body import json_response
from owntrumps_api.deciding import Asked
from owntrumps_api.idempotency import match_id_for, once
from owntrumps_api.levels import check_level
from owntrumps_api.operations import ETAG, LOCATION, Answers, Operations
from owntrumps_api.problems import Problem
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import KeyQuery, ListQuery, PostHeaders, ViewHeaders, ViewQuery
from owntrumps_api.schemas.requests import NewMatch
from owntrumps_api.service import service

matches = Operations("matches", __name__, description="Making, finding and looking at matches.")

RULESET_PROBLEMS: Final = (
    "bad-ruleset",
    "unknown-ruleset",
    "unknown-parameter",
    "missing-parameter",
    "bad-parameter",
    "impossible-ruleset",
)
"""What `ruleset_from` refuses with."""
_LISTED: Final = (
    "id",
    "status",
    "version",
    "ruleset",
    "seats",
    "you",
    "game",
    "games",
    "turn",
    "turn_seconds",
    "on_timeout",
    "private",
    "creator",
    "losses",
    "result",
    "updated_at",
)
"""The fields of a view that a list shows."""


@matches.operation(
    "POST",
    "/v1/matches",
    caller="player",
    body=NewMatch,
    headers=PostHeaders,
    answers={
        201: Answers(answers.View, "The match.", headers=LOCATION | ETAG),
        202: Answers(answers.Undecided, "The engine has not answered yet.", headers=LOCATION),
    },
    problems=[
        *RULESET_PROBLEMS,
        *("bad-seats", "bad-terms", "unknown-level", "bad-budget", "seed-not-allowed", "already-seated"),
        *("trump-not-free", "trumps-are-turned", "match-exists", "idempotency-key-reused"),
    ],
)
def create_match(caller: Player, body: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Make a match

    It starts as soon as all seats are filled. Bots may play alone: no seat needs to be `me`.
    """
    key = headers.get("idempotency_key")
    ruleset, name = ruleset_from(body["ruleset"])
    if "seed" in body and not service().config.allow_seed:
        raise Problem("seed-not-allowed", "this server draws seeds itself; a nonce of your own keeps it honest")
    match = match_id_for(service().config.secret, caller.id, key)
    command = CreateMatch(
        service().store.now(),
        match,
        ruleset,
        name,
        seats_of(body, caller),
        body.get("seed", "").lower() or new_seed(),
        body["games"],
        body.get("turn_seconds"),
        body["on_timeout"],
        body["private"],
        caller.id,
    )
    asked = Asked(once(caller.id, key, "/v1/matches", g.sent), match, command)
    return deciding.answer(asked, caller, headers.get("prefer"), view_only=True)


def new_seed() -> str:
    """The whole chance of a match: 64 hex digits."""
    return secrets.token_hex(SEED_BYTES)


def seats_of(body: dict[str, Any], caller: Player) -> tuple[SeatTerms, ...]:
    """The seats as asked for; ``trump`` and ``nonce`` at the top are those of the `me` seat."""
    asked: list[dict[str, Any]] = body["seats"]
    mine = [seat for seat in asked if seat["kind"] == "me"]
    if len(mine) > 1:
        raise Problem("bad-seats", f"{len(mine)} seats are of kind me: nobody may sit on two seats of a match")
    top = {name: body[name] for name in ("trump", "nonce") if name in body}
    if top and not mine:
        raise Problem("bad-seats", f"{' and '.join(top)} at the top is for the seat of kind me, and there is none")
    for name, value in top.items():
        if mine[0].get(name, value) != value:
            raise Problem("bad-seats", f"two values for {name} of the seat of kind me: {value!r} and {mine[0][name]!r}")
        mine[0][name] = value
    return tuple(_seat(seat, caller) for seat in asked)


def _seat(asked: dict[str, Any], caller: Player) -> SeatTerms:
    trump = suit_or_none(asked.get("trump"))
    match asked["kind"]:
        case "me":
            return SeatTerms("player", caller.id, caller.name, trump=trump, nonce=asked.get("nonce"))
        case "bot":
            check_level(asked["level"], asked.get("budget_ms"))
            return SeatTerms(
                "bot", name=asked["level"], level=asked["level"], budget_ms=asked.get("budget_ms"), trump=trump
            )
        case _:
            return SeatTerms("open")


def suit_or_none(name: str | None) -> Suit | None:
    return None if name is None else parse_suit(name)


@matches.operation(
    "GET",
    "/v1/matches",
    caller="anybody",
    query=ListQuery,
    answers={200: Answers(answers.MatchList, "Newest first.")},
    problems=["bad-cursor"],
)
def list_matches(caller: Player | None, query: dict[str, Any]) -> Response:
    """Find matches

    Private ones are listed for those who sit there, when they ask for themselves as `player`.
    """
    player = PlayerId(query["player"]) if "player" in query else None
    try:
        found, following = service().store.matches(
            status=query.get("status"),
            ruleset=query.get("ruleset"),
            player=player,
            cursor=query.get("cursor"),
            limit=query["limit"],
        )
    except ValueError as error:
        raise Problem("bad-cursor", str(error)) from None
    mine = caller is not None and caller.id == player
    rows = [_listed(summary, caller) for summary in found if mine or not summary.index.private]
    return json_response({"matches": [row for row in rows if row is not None], "next": following})


def _listed(summary: MatchSummary, caller: Player | None) -> dict[str, Any] | None:
    match = load_match(service().store, summary.match, to_decide=False)
    if isinstance(match.state, NoMatch):
        return None
    view: dict[str, Any] = {**reading.view_for(match, caller)}
    return {**{name: view[name] for name in _LISTED}, "created_at": iso(summary.index.created_at)}


@matches.operation(
    "GET",
    "/v1/matches/<match>",
    caller="anybody",
    query=ViewQuery,
    headers=ViewHeaders,
    answers={
        200: Answers(answers.View, "The caller's view.", headers=ETAG),
        304: Answers(None, "Nothing newer than If-None-Match.", headers=ETAG),
    },
    problems=["not-found", "private-match", "bad-cursor", "too-many-streams"],
)
def get_match(match: str, caller: Player | None, query: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Look at a match

    With `wait`, the answer comes with the first version after `after`, or when the seconds are over.
    """
    key = query.get("key")
    now = reading.readable_match(service().store, match, caller, key)
    known = _known_version(headers.get("if_none_match"))
    if "wait" in query:
        after = query.get("after", now.version if known is None else known)
        if "after" not in query and after > now.version:
            after = 0  # another match's tag, say: what is here is news
        if after > now.version:
            raise Problem("bad-cursor", f"the match is at version {now.version}, not {after}", {"version": now.version})
        now = _awaited(now, reading.created(now).terms.match, Version(after), query["wait"])
    if known == now.version or headers.get("if_none_match", "").strip() == "*":
        response = Response(status=304)
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Authorization, Accept"
    else:
        response = json_response(reading.view_for(now, caller))
    response.headers["ETag"] = f'"{now.version}"'
    return response


def _known_version(header: str | None) -> int | None:
    """The version in If-None-Match; the newest, if several are named."""
    tags = [tag.strip().removeprefix("W/").strip('"') for tag in (header or "").split(",")]
    versions = [int(tag) for tag in tags if tag.isdecimal() and len(tag) < 10]
    return max(versions, default=None)


def _awaited(now: Match, match: MatchId, after: Version, seconds: float) -> Match:
    """The match once it has a version after that one, or as it is when the seconds are over."""
    store, hub = service().store, service().hub
    ends = monotonic() + seconds
    with service().places.taking(), hub.news_of(match) as bell:
        now = load_match(store, match, to_decide=False)
        while now.version <= after and not is_over(now.state) and not hub.closing and monotonic() < ends:
            bell.wait(ends - monotonic())
            now = load_match(store, match, to_decide=False)
    auth.check_still()
    return now


@matches.operation(
    "GET",
    "/v1/matches/<match>/views/<int:version>",
    caller="anybody",
    query=KeyQuery,
    answers={200: Answers(answers.View, "The caller's view, as it was.", headers=ETAG)},
    problems=["not-found", "private-match"],
)
def get_view(match: str, version: int, caller: Player | None, query: dict[str, Any]) -> Response:
    """Look at a match as it was"""
    now = reading.readable_match(service().store, match, caller, query.get("key"))
    if not 1 <= version <= now.version:
        raise Problem(
            "not-found", f"the match has versions 1 to {now.version}, not {version}", {"version": now.version}
        )
    id_ = reading.created(now).terms.match
    then = now if version == now.version else service().past.match_at(service().store, id_, Version(version))
    return json_response(reading.view_for(then, caller), 200, {"ETag": f'"{version}"'})
