"""Moves: one, or many matches' in one call, and the answers that came late."""

from typing import Any, Final

from flask import Response

from owntrumps.game.commands import MakeMove
from owntrumps.game.terms import ByPlayer, Version
from owntrumps.rules.cards import parse_card
from owntrumps.rules.plays import TAKE, Play
from owntrumps.store.ids import is_match_id
from owntrumps.store.port import Answered, CommandId, Player
from owntrumps_api import deciding, reading
from owntrumps_api.archived import late_outcome
from owntrumps_api.body import json_response
from owntrumps_api.deciding import Asked
from owntrumps_api.idempotency import Once, is_own, once
from owntrumps_api.operations import ETAG, Answers, Operations
from owntrumps_api.problems import Problem, problem_json
from owntrumps_api.routes.seats import DECIDED
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import CommandQuery, MoveHeaders, PostHeaders
from owntrumps_api.schemas.requests import ManyMoves, Move
from owntrumps_api.service import service

moves = Operations("moves", __name__, description="Playing.")

MOVE_PROBLEMS: Final = (
    *("not-your-seat", "not-your-turn", "match-not-started", "match-over"),
    *("stale-version", "illegal-play", "idempotency-key-reused"),
)


@moves.operation(
    "POST",
    "/v1/matches/<match>/moves",
    caller="player",
    body=Move,
    headers=MoveHeaders,
    answers=DECIDED,
    problems=["not-found", *MOVE_PROBLEMS],
)
def make_move(match: str, caller: Player, body: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Play

    In phase lead one card; in phase respond `take`, or the beating card and, if one likes, the card led on it (refused
    whole if the first card already ends the deal or empties the hand). A refusal tells the legal plays.
    """
    if_version = _version_in(headers.get("if_match"))
    asked = _asked(reading.match_id_of(match), body, if_version, headers.get("idempotency_key"), caller)
    return deciding.answer(asked, caller, headers.get("prefer"))


@moves.operation(
    "POST",
    "/v1/moves",
    caller="player",
    body=ManyMoves,
    headers=PostHeaders,
    answers={200: Answers(answers.ManyResults, "One result for each move, in order.")},
)
def make_moves(caller: Player, body: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Play in many matches at once

    Each move is answered as POST /v1/matches/{match}/moves would; one refused does not touch the others.
    """
    whole = headers.get("idempotency_key")
    given: list[dict[str, Any]] = body["moves"]
    service().writes.check(caller.id, len(given) - 1)
    asked: list[Asked | None] = []
    for index, move in enumerate(given):
        key = move.get("key", f"{whole}/{index}" if whole is not None else None)
        known = is_match_id(move["match"])
        asked.append(
            _asked(reading.match_id_of(move["match"]), move, move.get("if_version"), key, caller) if known else None
        )
    sent = [ask for ask in asked if ask is not None]
    got = iter(deciding.submitted(sent, deciding.preferred_wait(headers.get("prefer"))))
    results = [
        {"match": move["match"], **(_no_match(move["match"]) if ask is None else _result(ask, next(got), caller))}
        for move, ask in zip(given, asked, strict=True)
    ]
    return json_response({"results": results})


def _no_match(match: str) -> dict[str, Any]:
    return {"status": 404, "problem": problem_json("not-found", f"there is no match {match!r}")}


def _result(asked: Asked, answered: Answered, caller: Player) -> dict[str, Any]:
    if answered.outcome is None:
        return {
            "status": 202,
            "location": deciding.outcome_path(asked.match, asked.once),
        }
    try:
        return {"status": 201, **deciding.accepted(asked, answered, caller)}
    except Problem as problem:
        body = problem_json(problem.code, problem.detail, problem.extra)
        return {"status": body["status"], "problem": body}


def _asked(match: Any, move: dict[str, Any], if_version: int | None, key: str | None, caller: Player) -> Asked:
    """The same command and fingerprint whichever door the move came through."""
    plays: tuple[Play, ...] = tuple(parse_card(card) for card in move["cards"]) if move["action"] == "play" else (TAKE,)
    sent = {name: move[name] for name in ("action", "cards") if name in move}
    version = Version(if_version) if if_version is not None else None
    command = MakeMove(service().now(), ByPlayer(caller.id), plays, version)
    return Asked(once(caller.id, key, f"/v1/matches/{match}/moves", sent, if_version), match, command)


def _version_in(header: str | None) -> int | None:
    """The version of If-Match; None for no condition, which ``*`` is too."""
    text = (header or "*").removeprefix("W/").strip('"')
    return None if text == "*" else int(text)


@moves.operation(
    "GET",
    "/v1/matches/<match>/commands/<command>",
    caller="player",
    query=CommandQuery,
    answers={
        200: Answers(answers.MoveMade, "Decided.", headers=ETAG),
        202: Answers(answers.Undecided, "The engine has not answered yet."),
    },
    problems=[
        *(
            "not-found",
            *MOVE_PROBLEMS,
            "already-seated",
            "match-full",
            "match-started",
            "not-your-match",
            "trump-not-free",
            "idempotency-key-reused",
        ),
        *("trumps-are-turned", "bad-seats", "bad-terms", "impossible-ruleset", "match-exists", "busy", "undecidable"),
    ],
)
def get_outcome(match: str, command: str, caller: Player, query: dict[str, Any]) -> Response:
    """The answer to what got 202

    What the POST itself would have answered with, problems included; 202 until then. Kept for a day. `request` stands
    for what was sent: with a key that had been used for something else, the answer is `idempotency-key-reused`.
    """
    id_ = reading.match_id_of(match)
    if not is_own(caller.id, command) or len(command) > 128:
        raise Problem("not-found", f"there is no command {command!r} of yours")
    outcome = service().store.outcome(id_, CommandId(command))
    if outcome is None:
        return deciding.undecided(id_, Once(CommandId(command), query["request"], None))
    if query["request"] not in ("", outcome.fingerprint):
        raise deciding.key_reused(None)
    decided = reading.decided(
        service().store, id_, deciding.version_of(late_outcome(service().archive, outcome)), caller
    )
    return deciding.shown(decided, view_only=False, status=200)
