"""Sitting down, choosing a trump, leaving, calling a match off."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response, g

from owntrumps.game.commands import AbortMatch, Command, DeclareTrump, Resign, TakeSeat
from owntrumps.game.terms import ByPlayer, MatchId
from owntrumps.rules.cards import parse_suit
from owntrumps.store.port import Player
from owntrumps_api import deciding, reading
from owntrumps_api.deciding import Asked
from owntrumps_api.idempotency import once
from owntrumps_api.operations import ETAG, LOCATION, Answers, Operations
from owntrumps_api.routes.matches import suit_or_none
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import KeyQuery, PostHeaders
from owntrumps_api.schemas.requests import Nothing, SeatTaken, TrumpChosen
from owntrumps_api.service import service

seats = Operations("seats", __name__, description="Sitting down and leaving.")

DECIDED: Final = {
    201: Answers(answers.MoveMade, "Decided.", headers=LOCATION | ETAG),
    202: Answers(answers.Undecided, "The engine has not answered yet.", headers=LOCATION),
}
SEEN: Final = {
    201: Answers(answers.View, "The caller's view.", headers=LOCATION | ETAG),
    202: Answers(answers.Undecided, "The engine has not answered yet.", headers=LOCATION),
}
CALLED_OFF: Final = "called-off"


@seats.operation(
    "POST",
    "/v1/matches/<match>/seats",
    caller="player",
    body=SeatTaken,
    query=KeyQuery,
    headers=PostHeaders,
    answers=SEEN,
    problems=[
        *("not-found", "private-match", "already-seated", "match-full", "match-over", "trump-not-free"),
        *("trumps-are-turned", "idempotency-key-reused"),
    ],
)
def take_seat(
    match: str, caller: Player, body: dict[str, Any], query: dict[str, Any], headers: dict[str, Any]
) -> Response:
    """Sit down

    On the first open seat; or on one's own again, where a bot plays on for one. The match starts when all are filled.
    """
    reading.readable_match(service().store, match, caller, query.get("key"))
    trump = suit_or_none(body.get("trump"))
    return _ask(
        match,
        "seats",
        caller,
        headers,
        lambda: TakeSeat(service().store.now(), caller.id, caller.name, trump, body.get("nonce")),
        view_only=True,
    )


@seats.operation(
    "POST",
    "/v1/matches/<match>/trump",
    caller="player",
    body=TrumpChosen,
    headers=PostHeaders,
    answers=DECIDED,
    problems=[
        "not-found",
        "not-your-seat",
        "match-started",
        "trump-not-free",
        "trumps-are-turned",
        "idempotency-key-reused",
    ],
)
def declare_trump(match: str, caller: Player, body: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Choose one's trump while the match waits for players"""
    trump = parse_suit(body["trump"])
    return _ask(match, "trump", caller, headers, lambda: DeclareTrump(service().store.now(), caller.id, trump))


@seats.operation(
    "POST",
    "/v1/matches/<match>/resignation",
    caller="player",
    body=Nothing,
    headers=PostHeaders,
    answers=DECIDED,
    problems=["not-found", "not-your-seat", "match-not-started", "match-over", "idempotency-key-reused"],
)
def resign(match: str, caller: Player, body: dict[str, Any], headers: dict[str, Any]) -> Response:  # noqa: ARG001
    """Leave one's seat: a bot plays on or the seat forfeits, as the match says"""
    return _ask(match, "resignation", caller, headers, lambda: Resign(service().store.now(), caller.id))


@seats.operation(
    "POST",
    "/v1/matches/<match>/abort",
    caller="player",
    body=Nothing,
    headers=PostHeaders,
    answers=DECIDED,
    problems=["not-found", "not-your-match", "match-started", "match-over", "idempotency-key-reused"],
)
def abort_match(match: str, caller: Player, body: dict[str, Any], headers: dict[str, Any]) -> Response:  # noqa: ARG001
    """Call a match off that has not started: its creator may"""
    return _ask(
        match, "abort", caller, headers, lambda: AbortMatch(service().store.now(), ByPlayer(caller.id), CALLED_OFF)
    )


def _ask(
    match: str,
    what: str,
    caller: Player,
    headers: dict[str, Any],
    command: Callable[[], Command],
    *,
    view_only: bool = False,
) -> Response:
    id_: MatchId = reading.match_id_of(match)
    asked = Asked(once(caller.id, headers.get("idempotency_key"), f"/v1/matches/{id_}/{what}", g.sent), id_, command())
    return deciding.answer(asked, caller, headers.get("prefer"), view_only=view_only)
