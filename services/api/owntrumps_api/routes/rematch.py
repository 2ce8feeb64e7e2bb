"""Once more with the same seats."""

from dataclasses import replace
from typing import Any, Final

from flask import Response, g

from owntrumps.archive.read_through import ReadThrough
from owntrumps.game.commands import CreateMatch
from owntrumps.game.state import CreatedMatch, FinishedMatch
from owntrumps.game.terms import MatchId, SeatTerms, Version
from owntrumps.store.ids import MATCH_ID_BYTES, new_match_id
from owntrumps.store.matches import existing_match
from owntrumps.store.port import Player
from owntrumps_api import deciding, reading
from owntrumps_api.body import json_response
from owntrumps_api.deciding import Asked
from owntrumps_api.idempotency import derived, once
from owntrumps_api.levels import check_level
from owntrumps_api.operations import ETAG, LOCATION, Answers, Operations
from owntrumps_api.problems import Problem
from owntrumps_api.routes.matches import new_seed
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import KeyQuery, PostHeaders
from owntrumps_api.schemas.requests import Nothing
from owntrumps_api.service import service

FIRST: Final = Version(1)

rematches = Operations("rematches", __name__, description="Once more with the same seats.")


@rematches.operation(
    "POST",
    "/v1/matches/<match>/rematch",
    caller="player",
    body=Nothing,
    headers=PostHeaders,
    answers={
        201: Answers(answers.View, "The new match, as it began.", headers=LOCATION | ETAG),
        202: Answers(answers.Undecided, "The engine has not answered yet.", headers=LOCATION),
    },
    problems=["not-found", "not-your-seat", "match-not-over", "unknown-level", "bad-budget", "idempotency-key-reused"],
)
def create_rematch(match: str, caller: Player, body: dict[str, Any], headers: dict[str, Any]) -> Response:  # noqa: ARG001
    """Play once more

    With the same seats, terms and declared trumps, and a new seed. One new match, however many of them ask: whoever
    asks later gets the same one.
    """
    old = reading.match_id_of(match)
    state = reading.created(existing_match(service().store, old))
    if not reading.is_member(state, caller):
        raise Problem("not-your-seat", "you have no seat in this match")
    store = service().store
    if isinstance(store, ReadThrough) and store.is_imported(old):
        raise Problem("not-your-seat", "this match is a record from elsewhere: nobody here is known to have played it")
    if not isinstance(state, FinishedMatch):
        raise Problem("match-not-over", f"match {old} was not played to its end")
    for seat in state.seats:
        if seat.player is None and seat.level is not None:
            check_level(seat.level, seat.budget_ms)
    new = rematch_of(old)
    asked = Asked(
        once(caller.id, headers.get("idempotency_key"), f"/v1/matches/{old}/rematch", g.sent),
        new,
        _same_again(state, new),
    )
    try:
        return deciding.answer(asked, caller, headers.get("prefer"), view_only=True)
    except Problem as problem:
        if problem.code != "match-exists":
            raise
        return deciding.shown(reading.decided(service().store, new, FIRST, caller), view_only=True)


@rematches.operation(
    "GET",
    "/v1/matches/<match>/rematch",
    caller="anybody",
    query=KeyQuery,
    answers={200: Answers(answers.View, "The new match, as it is now.", headers=ETAG)},
    problems=["not-found", "private-match"],
)
def get_rematch(match: str, caller: Player | None, query: dict[str, Any]) -> Response:
    """Look whether there is a rematch

    404 as long as nobody has asked for one. That of a private match is shown to those who sit there: it has a link of
    its own.
    """
    old = reading.match_id_of(match)
    reading.check_access(reading.created(existing_match(service().store, old)), caller, query.get("key"))
    now = existing_match(service().store, rematch_of(old))
    reading.check_access(reading.created(now), caller, None)
    return json_response(reading.view_for(now, caller), 200, {"ETag": f'"{now.version}"'})


def rematch_of(match: MatchId) -> MatchId:
    """The id of a match's one rematch, whether it has been made or not."""
    return new_match_id(derived(service().config.secret, "rematch", match)[:MATCH_ID_BYTES])


def _same_again(state: CreatedMatch, match: MatchId) -> CreateMatch:
    """The command for a match like this one. A player for whom a bot stood in sits there again."""
    terms = state.terms
    declared = terms.ruleset.trump_choice == "declared"
    return CreateMatch(
        service().store.now(),
        match,
        terms.ruleset,
        terms.ruleset_name,
        tuple(_seat(seat, declared=declared) for seat in state.seats),
        new_seed(),
        terms.games,
        terms.turn_seconds,
        terms.on_timeout,
        terms.private,
        terms.creator,
    )


def _seat(seat: SeatTerms, *, declared: bool) -> SeatTerms:
    fresh = replace(seat, nonce=None, trump=seat.trump if declared else None)
    return replace(fresh, kind="player", level=None, stand_in=False) if seat.player is not None else fresh
