"""Finished records from elsewhere: read within bounds, verified, and kept as matches that can only be read."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any, Final

from flask import Request
from marshmallow import ValidationError

from owntrumps.archive.errors import UnfitLogError
from owntrumps.archive.whole import WholeMatch, whole_match
from owntrumps.game.events import MatchAborted, MatchCreated, SeatTaken
from owntrumps.game.log import Entry
from owntrumps.game.terms import MatchId, PlayerId, Version
from owntrumps.record.text import RecordSyntaxError, parse_record
from owntrumps.record.verify import verify
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.codec import canonical_json, entry_of
from owntrumps.store.ids import is_match_id
from owntrumps.store.port import StoredEntry
from owntrumps_api.body import json_body, whole_body
from owntrumps_api.problems import Problem
from owntrumps_api.schemas import values
from owntrumps_api.schemas.requests import NewPlayer

RECORD_BYTES: Final = 2 * 1024 * 1024
"""A deal of 2,000 plies takes about 700 KB."""
AT_ONCE: Final = 2
"""Records that one process reads and verifies at a time: each may take thirty times its size in memory."""
PROBLEMS_TOLD: Final = 20
LONGEST_REASON: Final = 200

_places: Final = BoundedSemaphore(AT_ONCE)
_PLAYER: Final = re.compile(r"[a-z2-7]{16}", re.ASCII)
_LEVEL: Final = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)
_NONCE: Final = re.compile(values.NONCE_PATTERN.removesuffix("$") + r"\Z", re.ASCII)


@contextmanager
def one_of_few() -> Iterator[None]:
    """A place among those who import, before anything is read."""
    if not _places.acquire(blocking=False):
        raise Problem("unavailable", "other records are being read; try again")
    try:
        yield
    finally:
        _places.release()


def record_in(request: Request) -> Any:
    """The record in a request's body, as JSON or as text; a Problem that says where it cannot be read."""
    request.max_content_length = RECORD_BYTES
    body = whole_body(request)
    if request.mimetype != "text/plain":
        return json_body(request)
    try:
        return parse_record(body.decode())
    except UnicodeDecodeError as error:
        raise Problem("unreadable-record", f"byte {error.start} is not UTF-8", {"byte": error.start}) from None
    except RecordSyntaxError as error:
        place = {"line": error.line, "column": error.column, "expected": error.expected}
        raise Problem("unreadable-record", str(error), place) from None


def checked(record: Any) -> WholeMatch:
    """The match of a record that is whole, finished and fair; Problem ``record-refused`` with all that is wrong."""
    problems = verify(record)
    if problems:
        told = [problem.as_json() for problem in problems[:PROBLEMS_TOLD]]
        raise refused(f"{problems[0].code}: {problems[0].detail}", told)
    match = MatchId(record["match"])
    if not is_match_id(match):
        raise refused(f"{match!r} is no match's id here")
    entries = [_stored(entry) for entry in record["entries"]]
    for entry in record["entries"]:
        _check_words(entry_of({name: entry[name] for name in entry if name != "chain"}, entry["chain"]))
    try:
        return whole_match(match, entries, imported=True)
    except UnfitLogError as error:
        raise refused(str(error)) from None


def _stored(entry: dict[str, Any]) -> StoredEntry:
    payload = canonical_json({name: value for name, value in entry.items() if name != "chain"})
    return StoredEntry(Version(entry["version"]), payload, entry["chain"])


def _check_words(entry: Entry) -> None:
    """Refuse what no server of ours would have let in: such words are shown to others."""
    for event in entry.events:
        if isinstance(event, MatchCreated):
            if event.terms.ruleset_name not in {*PRESETS, "custom"}:
                raise refused(f"{event.terms.ruleset_name!r} is not the name of a ruleset")
            _check_player(event.terms.creator)
            for seat in event.seats:
                _check_name(seat.name)
                _check_player(seat.player)
                _check_pattern(_LEVEL, seat.level, "a level of bots")
                _check_pattern(_NONCE, seat.nonce, "a nonce")
        elif isinstance(event, SeatTaken):
            _check_name(event.name)
            _check_player(event.player)
            _check_pattern(_NONCE, event.nonce, "a nonce")
        elif isinstance(event, MatchAborted) and (len(event.reason) > LONGEST_REASON or not event.reason.isprintable()):
            raise refused("the reason of its end is too long, or cannot be printed")


def _check_name(name: str | None) -> None:
    if name is not None:
        try:
            NewPlayer().load({"name": name})
        except ValidationError:
            raise refused(f"{name[:80]!r} is not a name that anybody may have") from None


def _check_player(player: PlayerId | None) -> None:
    _check_pattern(_PLAYER, player, "a player's id")


def _check_pattern(pattern: re.Pattern[str], text: str | None, what: str) -> None:
    if text is not None and pattern.fullmatch(text) is None:
        raise refused(f"{text[:80]!r} is not {what}")


def refused(detail: str, problems: list[dict[str, Any]] | None = None) -> Problem:
    return Problem("record-refused", detail, {"problems": problems or [_told(detail)]})


def _told(detail: str) -> dict[str, Any]:
    """What only a server minds, in the form of what `verify` finds."""
    return {"code": "not-taken", "entry": None, "detail": detail}
