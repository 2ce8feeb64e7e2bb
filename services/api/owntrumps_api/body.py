"""Reading what came in: strict JSON, strict content type, and every fault of shape as one problem."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import marshmallow as ma
import msgspec
from flask import Request, Response, g, request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import RequestEntityTooLarge

from owntrumps_api.problems import Problem

Place = Literal["json", "query", "headers"]

_decode = msgspec.json.Decoder().decode


def whole_body(req: Request) -> bytes:
    """The body's bytes; RequestEntityTooLarge for more than ``req.max_content_length`` of them, Problem ``bad-request``
    for a body that breaks off.

    Of a body without a length (chunked), Werkzeug reads so many and is silent about the rest, so one of exactly so many
    is refused as well.
    """
    try:
        body = req.get_data(cache=True)
    except (OSError, ParseException) as error:  # the server's words for chunks that are none
        raise Problem("bad-request", f"the body cannot be read: {error}") from None
    if req.content_length is not None and len(body) < req.content_length:
        raise Problem("bad-request", f"the body ends after {len(body)} of {req.content_length} bytes")
    limit = req.max_content_length
    if req.content_length is None and limit is not None and len(body) >= limit:
        raise RequestEntityTooLarge
    return body


def json_body(req: Request) -> Any:
    """The body's JSON value, an empty object for no body at all.

    Raises:
        Problem: ``unsupported-media-type`` for any other content type, ``broken-json`` for anything but one JSON value
            in UTF-8.
        RequestEntityTooLarge: see `whole_body`.
    """
    payload = whole_body(req)
    if not payload and not req.mimetype:
        return {}
    if req.mimetype != "application/json":
        raise Problem("unsupported-media-type", f"the body is {req.mimetype or 'of no type'}, not application/json")
    if req.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise Problem("unsupported-media-type", "JSON is sent in UTF-8")
    if not payload:
        return {}
    try:
        return _decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem("broken-json", f"the body is not JSON: {error}") from None


def loaded(schema: ma.Schema, place: Place) -> dict[str, Any]:
    """What the request holds at that place, as the schema reads it; Problem ``malformed`` for anything else."""
    given: Any
    if place == "json":
        given = g.sent = json_body(request)
    elif place == "query":
        given = request.args.to_dict()
    else:
        names = (field.data_key or name for name, field in schema.fields.items())
        given = {name: request.headers[name] for name in names if name in request.headers}
    try:
        values: dict[str, Any] = schema.load(given)
    except ma.ValidationError as error:
        raise malformed(error.messages, "body" if place == "json" else place) from None
    return values


def malformed(messages: object, place: str) -> Problem:
    """marshmallow's messages about what stood in a place, as one problem."""
    faults = [{"in": place, **fault} for fault in _faults(messages, "")]
    first = faults[0]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return Problem("malformed", f"{first['field'] or first['in']}: {first['detail']}{more}", {"errors": faults})


def _faults(messages: object, path: str) -> Iterator[dict[str, str]]:
    if isinstance(messages, Mapping):
        for key, nested in messages.items():
            step = "" if key == "_schema" else str(key)
            yield from _faults(nested, f"{path}.{step}" if path and step else path or step)
    elif isinstance(messages, list):
        for message in messages:
            yield from _faults(message, path)
    else:
        yield {"field": path, "detail": str(messages)}


def json_response(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """The value as JSON. What a player sees is nobody else's: caches keep nothing without asking again."""
    response = Response(msgspec.json.encode(value), status, mimetype="application/json")
    response.headers["Cache-Control"] = "private, no-cache" if request.method in ("GET", "HEAD") else "no-store"
    response.headers["Vary"] = "Authorization, Accept"
    response.headers.extend(headers or {})
    return response
