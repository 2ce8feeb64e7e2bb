"""Every error as `application/problem+json` (RFC 9457), from one table: slug -> HTTP status and title.

``type`` points at the slug's line on /docs/problems, ``code`` is the slug itself, ``detail`` quotes the offending
value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import structlog
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from owntrumps.game.refusals import Refusal
from owntrumps.rules.rulesets import RulesetError
from owntrumps.store.port import StoreUnavailableError, UnknownMatchError

PROBLEM_JSON: Final = "application/problem+json"
LONGEST_DETAIL: Final = 400
"""Characters; a detail quotes what came in, and that may be long."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What all problems of one slug share. ``retry_after`` in seconds: trying again may help."""

    status: int
    title: str
    retry_after: int | None = None


KINDS: Final[Mapping[str, Kind]] = {
    # The request itself
    "broken-json": Kind(400, "The body is not JSON"),
    "bad-request": Kind(400, "The request cannot be understood"),
    "unauthorized": Kind(401, "A bearer token is needed"),
    "not-found": Kind(404, "There is no such thing"),
    "not-acceptable": Kind(406, "Not to be had in this form"),
    "method-not-allowed": Kind(405, "This address does not take this method"),
    "too-large": Kind(413, "The body is larger than allowed"),
    "unsupported-media-type": Kind(415, "A body is sent as application/json"),
    "malformed": Kind(422, "Fields are missing, unknown or of the wrong shape"),
    "bad-cursor": Kind(422, "The cursor does not belong here"),
    "idempotency-key-reused": Kind(422, "The key was used for another request"),
    "rate-limited": Kind(429, "Too many requests", retry_after=5),
    "internal": Kind(500, "A fault of the server's"),
    "unavailable": Kind(503, "Not available at the moment", retry_after=1),
    "too-many-streams": Kind(503, "All places for streams are taken", retry_after=5),
    # Matches and seats
    "bad-ruleset": Kind(422, "A ruleset is a name or an object"),
    "unknown-ruleset": Kind(422, "There is no such ruleset"),
    "unknown-parameter": Kind(422, "A ruleset has no such parameter"),
    "missing-parameter": Kind(422, "A ruleset without a base needs every parameter"),
    "bad-parameter": Kind(422, "A parameter of the ruleset cannot have this value"),
    "impossible-ruleset": Kind(422, "The parameters contradict each other"),
    "bad-seats": Kind(422, "The seats do not fit"),
    "bad-terms": Kind(422, "The terms of the match cannot be"),
    "unknown-level": Kind(422, "There is no such level of bots"),
    "bad-budget": Kind(422, "The bot cannot think for so long, or so little"),
    "seed-not-allowed": Kind(403, "This server draws seeds itself"),
    "private-match": Kind(403, "A private match needs its link"),
    "not-your-seat": Kind(403, "You do not play this seat"),
    "not-your-match": Kind(403, "Only its creator may do that"),
    "already-seated": Kind(409, "Nobody sits on two seats"),
    "match-exists": Kind(409, "The match exists already"),
    "match-full": Kind(409, "Every seat is taken"),
    "match-not-over": Kind(409, "The match is not over"),
    "match-not-started": Kind(409, "The match has not started"),
    "match-over": Kind(409, "The match is over"),
    "match-started": Kind(409, "The match has started"),
    "trump-not-free": Kind(409, "The trump is another seat's"),
    "trumps-are-turned": Kind(422, "Nobody chooses a trump in this ruleset"),
    # Moves
    "not-your-turn": Kind(409, "It is another seat's turn"),
    "stale-version": Kind(412, "The match has moved on"),
    "illegal-play": Kind(422, "The rules do not allow this play"),
    "not-due": Kind(409, "Nothing is due"),
    "busy": Kind(503, "Others were quicker, again and again", retry_after=1),
    "undecidable": Kind(500, "The engine could not decide this"),
    # Records
    "unreadable-record": Kind(422, "This is no record"),
    "record-refused": Kind(422, "The record does not hold"),
    # Seeks
    "already-seeking": Kind(409, "You are looking for another match already"),
    "already-paired": Kind(409, "The match has been found"),
}
UNLISTED: Final = Kind(409, "Refused")

_BY_STATUS: Final = {
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "unsupported-media-type",
    429: "rate-limited",
    503: "unavailable",
}

_log = structlog.get_logger("owntrumps_api.problems")


class Problem(Exception):  # noqa: N818 - it is what the client gets, not only an error of ours
    """A refusal on its way to the client. ``extra`` holds further JSON members, such as the legal plays."""

    def __init__(self, code: str, detail: str, extra: Mapping[str, Any] | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.extra = dict(extra or {})


def refused(refusal: Refusal) -> Problem:
    """The engine's refusal as a problem."""
    return Problem(refusal.slug, refusal.detail, refusal.extra)


def kind_of(code: str) -> Kind:
    return KINDS.get(code, UNLISTED)


def problem_json(
    code: str, detail: str, extra: Mapping[str, Any] | None = None, *, status: int | None = None
) -> dict[str, Any]:
    """The members of the problem; ``status`` only where HTTP has a more exact one than the table."""
    kind = kind_of(code)
    if len(detail) > LONGEST_DETAIL:
        detail = detail[:LONGEST_DETAIL] + "…"
    body = {
        **(extra or {}),
        "type": f"/docs/problems#{code}",
        "title": kind.title,
        "status": status or kind.status,
        "detail": detail,
        "code": code,
    }
    return body if kind.retry_after is None else {"retry_after": kind.retry_after, **body}


def problem_response(
    code: str, detail: str, extra: Mapping[str, Any] | None = None, *, status: int | None = None
) -> Response:
    body = problem_json(code, detail, extra, status=status)
    response = Response(msgspec.json.encode(body), body["status"], mimetype=PROBLEM_JSON)
    response.headers["Cache-Control"] = "no-store"
    if "retry_after" in body:
        response.headers["Retry-After"] = str(body["retry_after"])
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="owntrumps"'
    return response


def register_problems(app: Flask) -> None:
    """Make every error of the app a problem, those of routing and of our own faults included."""
    app.register_error_handler(Problem, lambda error: problem_response(error.code, error.detail, error.extra))
    app.register_error_handler(RulesetError, lambda error: problem_response(error.slug, error.detail))
    app.register_error_handler(UnknownMatchError, lambda error: problem_response("not-found", _no_match(error.args[0])))
    app.register_error_handler(StoreUnavailableError, _unavailable)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(Exception, _fault)


def _no_match(match: object) -> str:
    return f"there is no match {match!r}"


def _unavailable(error: StoreUnavailableError) -> Response:
    _log.warning("the store is unavailable", error=str(error))
    return problem_response("unavailable", "the matches cannot be reached at the moment; trying again is safe")


def http_problem(error: HTTPException) -> Response:
    """An error of routing or of reading the request."""
    status = error.code or 500
    code = _BY_STATUS.get(status, "bad-request" if status < 500 else "internal")
    details = {
        404: f"there is nothing at {request.path!r}",
        405: f"{request.path!r} does not take {request.method}",
    }
    response = problem_response(code, details.get(status) or error.description or "no more is known", status=status)
    allowed = getattr(error, "valid_methods", None)
    if allowed:
        response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


def _fault(error: Exception) -> Response:
    _log.error("fault", path=request.path, method=request.method, exc_info=error)
    return problem_response("internal", "this should not have happened; it has been noted")
