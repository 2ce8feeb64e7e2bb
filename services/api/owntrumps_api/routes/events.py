"""The log of a match, page by page or live."""

from typing import Any

from flask import Response

from owntrumps.game.terms import Version
from owntrumps.store.door import visible_entries
from owntrumps.store.port import Player
from owntrumps.views.view import viewer_of
from owntrumps_api import reading
from owntrumps_api.body import json_response
from owntrumps_api.operations import Answers, Operations
from owntrumps_api.problems import Problem
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import EventsQuery, StreamHeaders
from owntrumps_api.service import service

events = Operations("events", __name__, description="The log, page by page or live.")


@events.operation(
    "GET",
    "/v1/matches/<match>/events",
    caller="anybody",
    query=EventsQuery,
    headers=StreamHeaders,
    answers={200: Answers(answers.EventsPage, "Entries as the caller may see them.")},
    problems=["not-found", "private-match", "bad-cursor"],
)
def list_events(match: str, caller: Player | None, query: dict[str, Any], headers: dict[str, Any]) -> Response:  # noqa: ARG001
    """What happened in a match"""
    now = reading.readable_match(service().store, match, caller, query.get("key"))
    state = reading.created(now)
    after = query["after"]
    if after > now.version:
        raise Problem("bad-cursor", f"the match is at version {now.version}, not {after}", {"version": now.version})
    viewer = viewer_of(state, caller.id if caller is not None else None)
    limit = query["limit"]
    entries = visible_entries(service().store, state.terms.match, state, viewer, after=Version(after), limit=limit)
    more = bool(entries) and entries[-1]["version"] < now.version
    return json_response({"entries": entries, "next": entries[-1]["version"] if more else None})
