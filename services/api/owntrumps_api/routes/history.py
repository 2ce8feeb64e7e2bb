"""What lasts: records of matches, results, ratings."""

from typing import Any, Final

from flask import Response, request

from owntrumps.archive.archive import Archive, Saved
from owntrumps.archive.errors import UnfitRowsError
from owntrumps.archive.rating import BOT, Rating
from owntrumps.archive.standings import Standing
from owntrumps.archive.whole import WholeMatch
from owntrumps.game.log import Entry
from owntrumps.game.state import Match, NoMatch, is_over
from owntrumps.game.terms import MatchId, PlayerId, Version
from owntrumps.record.build import record_json, record_of
from owntrumps.record.text import record_text
from owntrumps.store.matches import PAGE, existing_match, load_match, read_entries
from owntrumps.store.port import Player
from owntrumps.views.redaction import visible_entry
from owntrumps.views.view import viewer_of
from owntrumps_api import importing, reading
from owntrumps_api.body import json_response
from owntrumps_api.operations import ETAG, LOCATION, Answers, Operations
from owntrumps_api.problems import Problem
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import KeyQuery, PostHeaders
from owntrumps_api.schemas.history import Leaderboard, LeaderboardQuery, Record
from owntrumps_api.service import service

history = Operations("history", __name__, description="What lasts: records, results, ratings.")

JSON: Final = "application/json"
TEXT: Final = "text/plain"
RECORD_BODY: Final = {
    "required": True,
    "description": f"A record, as GET /v1/matches/…/record gives it, of at most {importing.RECORD_BYTES} bytes.",
    "content": {JSON: {"schema": {"type": "object"}}, TEXT: {"schema": {"type": "string"}}},
}


@history.operation(
    "GET",
    "/v1/leaderboard",
    query=LeaderboardQuery,
    answers={200: Answers(Leaderboard, "Those who are surely the strongest first.")},
)
def get_leaderboard(query: dict[str, Any]) -> Response:
    """Who plays how well

    Players and levels of bots, by ruleset. A rating comes with its uncertainty; the order is by `low`, so somebody new
    has to show first what they can do.
    """
    found = archive().leaderboard(query["ruleset"], limit=query["limit"])
    board = [{"rank": rank, **_standing(standing)} for rank, standing in enumerate(found, start=1)]
    return json_response({"ruleset": query["ruleset"], "leaderboard": board})


def _standing(standing: Standing) -> dict[str, Any]:
    is_bot = standing.entity.startswith(BOT)
    who = {"level": standing.entity.removeprefix(BOT)} if is_bot else {"player": standing.entity}
    return {
        "kind": "bot" if is_bot else "player",
        "name": standing.name,
        **who,
        **_rating(standing.rating),
        "matches": standing.matches,
        "lost": standing.lost,
    }


def _rating(rating: Rating) -> dict[str, float]:
    return {"rating": round(rating.mu, 3), "uncertainty": round(rating.sigma, 3), "low": round(rating.low, 3)}


def results_of(player: PlayerId) -> list[dict[str, Any]]:
    """A player's results with their ratings, by ruleset; [] where no archive is kept."""
    kept = service().archive
    if kept is None:
        return []
    ratings = {standing.ruleset_name: _rating(standing.rating) for standing in kept.ratings_of(player)}
    return [
        {
            "ruleset": results.ruleset_name,
            "matches": results.matches,
            "lost": results.lost,
            "drawn": results.drawn,
            "forfeited": results.forfeited,
            "calf": results.calf,
            "rating": ratings.get(results.ruleset_name),
        }
        for results in kept.results_of(player)
    ]


@history.operation(
    "GET",
    "/v1/matches/<match>/record",
    caller="anybody",
    query=KeyQuery,
    answers={200: Answers(Record, "The record, as the caller may see it.", headers=ETAG, also=[TEXT])},
    problems=["not-found", "private-match", "not-acceptable"],
)
def get_record(match: str, caller: Player | None, query: dict[str, Any]) -> Response:
    """The portable record

    As JSON or, with `Accept: text/plain`, as text: both say the same. Until the match is over it shows what the caller
    may see; afterwards everything, and `owntrumps verify` checks it without asking any server.
    """
    kind = request.accept_mimetypes.best_match([JSON, TEXT]) if request.accept_mimetypes else JSON
    if kind is None:
        raise Problem("not-acceptable", f"a record is {JSON} or {TEXT}, not {request.headers['Accept']!r}")
    now = reading.readable_match(service().store, match, caller, query.get("key"))
    record = record_for(now, caller)
    if kind == TEXT:
        response = Response(record_text(record), mimetype=TEXT)
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Authorization, Accept"
    else:
        response = json_response(record)
    response.headers["ETag"] = f'"{now.version}"'
    return response


def record_for(now: Match, caller: Player | None) -> dict[str, Any]:
    """The record of a match up to the version it has, as the caller may see it."""
    state = reading.created(now)
    entries = _entries(state.terms.match, now.version)
    if is_over(state):
        return record_of(now, entries)
    viewer = viewer_of(state, caller.id if caller is not None else None)
    return record_json([visible_entry(entry, state, viewer) for entry in entries])


def _entries(match: MatchId, until: Version) -> list[Entry]:
    found: list[Entry] = []
    while len(found) < until:
        limit = min(PAGE, until - len(found))
        page = read_entries(service().store, match, after=Version(len(found)), limit=limit)
        found += page
        if len(page) < limit:
            break
    return found


@history.operation(
    "POST",
    "/v1/records",
    caller="player",
    headers=PostHeaders,
    answers={
        201: Answers(answers.View, "The match, which can be read but never played on.", headers=LOCATION | ETAG),
    },
    problems=[
        *("broken-json", "unsupported-media-type", "too-large", "rate-limited"),
        *("unreadable-record", "record-refused", "match-exists"),
    ],
)
@history.doc(requestBody=RECORD_BODY)  # type: ignore[untyped-decorator]  # flask-smorest's
def import_record(caller: Player, headers: dict[str, Any]) -> Response:  # noqa: ARG001 - a key is checked, and not needed
    """Keep a finished record

    It is verified first; the refusal says what is wrong and where. The match is then read by its id like any other, but
    neither listed nor rated. Nothing that is here is ever replaced; sending it again, with a key or without one, gives
    the same answer.
    """
    kept = archive()
    with importing.one_of_few():
        whole = importing.checked(importing.record_in(request))
        there = load_match(service().store, whole.id, to_decide=False)
        is_other = there.chain != whole.match["chain"]
        if isinstance(there.state, NoMatch):
            is_other = _save(kept, whole) == "other"
        if is_other:
            raise Problem("match-exists", f"there is another match {whole.id} here already")
    match = existing_match(service().store, whole.id)
    told = {"Location": f"/v1/matches/{whole.id}", "ETag": f'"{match.version}"'}
    return json_response(reading.view_for(match, caller), 201, told)


def _save(kept: Archive, whole: WholeMatch) -> Saved:
    try:
        return kept.save_all([whole])[0]
    except UnfitRowsError as error:
        raise importing.refused(str(error)) from None


def archive() -> Archive:
    """The app's archive; Problem ``unavailable`` where none is kept."""
    kept = service().archive
    if kept is None:
        raise Problem("unavailable", "this server keeps no archive")
    return kept
