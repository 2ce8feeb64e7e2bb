"""The log of a match, page by page or live."""

from collections.abc import Generator, Iterator
from typing import Any

from flask import Response

from owntrumps.game.events import SeatTaken
from owntrumps.game.state import CreatedMatch, is_over
from owntrumps.game.terms import PlayerId, Version
from owntrumps.rules.cards import Seat
from owntrumps.store.door import visible_entries
from owntrumps.store.matches import existing_match
from owntrumps.store.port import Player
from owntrumps.views.redaction import Viewer
from owntrumps.views.view import viewer_of
from owntrumps_api import live, reading
from owntrumps_api.body import json_response
from owntrumps_api.live import HEARTBEAT, NDJSON, SSE, Message
from owntrumps_api.operations import Answers, Operations
from owntrumps_api.pace import Pace
from owntrumps_api.problems import Problem
from owntrumps_api.schemas import answers
from owntrumps_api.schemas.headers import EventsQuery, StreamHeaders
from owntrumps_api.service import Service, service
from owntrumps_api.tails import Shown, Tail

events = Operations("events", __name__, description="The log, page by page or live.")


@events.operation(
    "GET",
    "/v1/matches/<match>/events",
    caller="anybody",
    query=EventsQuery,
    headers=StreamHeaders,
    answers={200: Answers(answers.EventsPage, "Entries as the caller may see them.", also=(SSE, NDJSON))},
    problems=["not-found", "private-match", "bad-cursor", "too-many-streams"],
)
def list_events(match: str, caller: Player | None, query: dict[str, Any], headers: dict[str, Any]) -> Response:
    """What happened in a match

    JSON is a page. `Accept: text/event-stream` or `application/x-ndjson` is the log from there on and live: `id` is the
    version, and after a break the stream goes on behind `Last-Event-ID`. Comments (of NDJSON, empty lines) are
    heartbeats. The last message is named `end` once the match is over, or `cut` where the server has to stop before:
    connect again then. With `speed`, what is past comes as slowly as it was played, or so many times quicker, with
    pauses of at most five seconds.
    """
    now = reading.readable_match(service().store, match, caller, query.get("key"))
    state = reading.created(now)
    kind = live.asked_format()
    after = query["after"] if kind is None else _cursor(headers.get("last_event_id"), query["after"])
    if after > now.version:
        raise Problem("bad-cursor", f"the match is at version {now.version}, not {after}", {"version": now.version})
    player = caller.id if caller is not None else None
    if kind is not None:
        return live.live(kind, _entries(service(), state, now.version, player, Version(after), query.get("speed")))
    viewer, limit = viewer_of(state, player), query["limit"]
    entries = visible_entries(service().store, state.terms.match, state, viewer, after=Version(after), limit=limit)
    more = bool(entries) and entries[-1]["version"] < now.version
    return json_response({"entries": entries, "next": entries[-1]["version"] if more else None})


def _cursor(last_event_id: str | None, after: int) -> int:
    """Where the stream begins; Problem ``bad-cursor`` for an id that is no version."""
    if not last_event_id:
        return after
    if not (last_event_id.isascii() and last_event_id.isdecimal() and len(last_event_id) < 10):
        raise Problem("bad-cursor", f"Last-Event-ID is a version of this match, not {last_event_id!r}")
    return int(last_event_id)


def _entries(
    shared: Service, state: CreatedMatch, now: Version, player: PlayerId | None, cursor: Version, speed: float | None
) -> Generator[Message, None, None]:
    """The entries after the cursor, then live, until the match is over."""
    match = state.terms.match
    viewer = viewer_of(state, player)
    with shared.hub.news_of(match) as bell, shared.tails.of(match, now) as tail:
        pace = Pace(speed, now, bell, shared.config.heartbeat, lambda: shared.hub.closing)
        noticed: int | None = None
        while True:
            for shown in _all_after(tail, cursor, noticed):
                yield from pace.before(shown.entry)
                if pace.stopped:
                    break
                if shown.ends_match():
                    state = reading.created(existing_match(shared.store, match))
                viewer = _seat_now(shown, viewer, player)
                cursor = shown.entry.version
                shared.metrics.entries.inc()
                yield Message(shown.text(state, viewer), str(cursor))
            if is_over(state) and not pace.stopped:
                yield live.over(cursor)
                return
            if shared.hub.closing:
                yield live.cut("shutdown", str(cursor))
                return
            if pace.overheard:
                pace.overheard, noticed = False, None
                continue
            heard = bell.wait(shared.config.heartbeat)
            if not heard.rang:
                yield HEARTBEAT
            # At a heartbeat the log itself is asked: a notice may have been lost.
            noticed = max(heard.news, default=None)


def _all_after(tail: Tail, cursor: Version, noticed: int | None) -> Iterator[Shown]:
    page = tail.after(cursor, noticed)
    while page:
        yield from page
        cursor = page[-1].entry.version
        page = tail.after(cursor, cursor)


def _seat_now(shown: Shown, viewer: Viewer, player: PlayerId | None) -> Viewer:
    """Whoever sits down while watching sees their hand from the deal on."""
    taken = [event.seat for event in shown.entry.events if isinstance(event, SeatTaken) and event.player == player]
    return Seat(taken[0]) if taken and player is not None else viewer
