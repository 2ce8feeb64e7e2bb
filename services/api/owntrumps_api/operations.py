"""How an operation is declared: address, caller, what comes in, what goes out and what can go wrong, in one place.

A thin typed layer over flask-smorest: it parses with our parser, and documents every answer, problems included.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, Literal, TypeVar

from flask import Response, g, request
from flask_smorest import Api, Blueprint  # type: ignore[import-untyped]
from flask_smorest.utils import prepare_response  # type: ignore[import-untyped]
from marshmallow import Schema

from owntrumps_api import auth
from owntrumps_api.body import Place, loaded
from owntrumps_api.problems import KINDS, PROBLEM_JSON, http_problem
from owntrumps_api.schemas.answers import ProblemShown
from owntrumps_api.schemas.events import event_schemas
from owntrumps_api.schemas.values import COMMAND_PATTERN, MATCH_PATTERN, PLAYER_PATTERN
from owntrumps_api.service import service

View = TypeVar("View", bound=Callable[..., Response])
Caller = Literal["nobody", "anybody", "player"]
"""Who may call: a token is not looked at, is honoured, or is needed."""

ETAG: Final = {"ETag": {"description": 'The version, such as `"17"`.', "schema": {"type": "string"}}}
LOCATION: Final = {"Location": {"description": "Its address.", "schema": {"type": "string"}}}
JSON: Final = "application/json"
PATH_PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    name: {
        "in": "path",
        "name": name,
        "required": True,
        "description": about,
        "schema": {"type": "string", "pattern": p},
    }
    for name, about, p in (
        ("match", "The match's id.", MATCH_PATTERN),
        ("player", "The player's id.", PLAYER_PATTERN),
        ("command", "As in Location.", COMMAND_PATTERN),
        ("seek", "The seek's id.", PLAYER_PATTERN),
    )
}


class Answers:
    """One good answer of an operation: its shape by content type."""

    def __init__(
        self,
        shape: type[Schema] | None,
        about: str,
        *,
        headers: Mapping[str, Any] | None = None,
        also: Sequence[str] = (),
    ) -> None:
        self.shape = shape
        self.about = about
        self.headers = headers
        self.also = also


class Operations(Blueprint):  # type: ignore[misc]
    """A group of operations."""

    def operation(
        self,
        method: Literal["GET", "POST", "DELETE"],
        rule: str,
        *,
        answers: Mapping[int, Answers],
        caller: Caller = "nobody",
        body: type[Schema] | None = None,
        query: type[Schema] | None = None,
        headers: type[Schema] | None = None,
        problems: Sequence[str] = (),
    ) -> Callable[[View], View]:
        """Register a view function, which gets the rule's variables and ``caller``, ``body``, ``query``, ``headers`` as
        far as they are asked for (dicts of loaded values), and returns a Response.

        ``problems`` are slugs beyond those that follow from the rest.
        """
        codes = {*problems, "internal", "unavailable"}
        if caller != "nobody":
            codes.add("unauthorized")
        if body is not None:
            codes |= {"broken-json", "unsupported-media-type", "malformed", "too-large", "rate-limited"}
        if query is not None or headers is not None:
            codes.add("malformed")

        places: tuple[tuple[str, type[Schema] | None, Place], ...] = (
            ("headers", headers, "headers"),
            ("query", query, "query"),
            ("body", body, "json"),
        )
        asked = tuple((name, schema(), place) for name, schema, place in places if schema is not None)

        def register(view: View) -> View:
            def described(**_: Any) -> Response:  # carries the documentation, and is never called
                raise NotImplementedError

            described._apidoc = deepcopy(getattr(view, "_apidoc", {}))  # type: ignore[attr-defined]  # noqa: SLF001
            documented: Callable[..., Response] = described
            for name, schema, place in asked:
                settings = {"required": _has_required(schema)} if place == "json" else {}
                documented = self.arguments(schema, location=place, arg_name=name, **settings)(documented)
            documented = self._with_answers(documented, answers, codes)
            documented = self.doc(operationId=view.__name__, security=_security(caller))(documented)
            serving = self._serving(view, asked, caller, counted=method == "POST")
            serving._apidoc = documented._apidoc  # type: ignore[attr-defined]  # noqa: SLF001 - flask-smorest's own place
            parameters = [dict(PATH_PARAMETERS[name]) for name in PATH_PARAMETERS if f"<{name}>" in rule]
            self.route(rule, methods=[method], endpoint=view.__name__, parameters=parameters)(serving)
            return view

        return register

    def _serving(
        self,
        view: Callable[..., Response],
        asked: Sequence[tuple[str, Schema, Place]],
        caller: Caller,
        *,
        counted: bool,
    ) -> Callable[..., Response]:
        """The function that Flask calls: who calls is asked before what they sent is read."""

        @wraps(view)
        def serving(**arguments: Any) -> Response:
            g.operation = view.__name__
            if caller == "player":
                arguments["caller"] = auth.caller()
            elif caller == "anybody":
                arguments["caller"] = auth.caller_or_none()
            if counted:
                player = arguments.get("caller")
                service().writes.check(player.id if player is not None else request.remote_addr or "")
            for name, schema, place in asked:
                arguments[name] = loaded(schema, place)
            return view(**arguments)

        return serving

    def _with_answers(
        self, documented: Callable[..., Response], answers: Mapping[int, Answers], codes: set[str]
    ) -> Callable[..., Response]:
        for status, good in answers.items():
            for content_type in (*good.also, JSON) if good.shape is not None else good.also or (None,):
                schema = good.shape if content_type == JSON else {"type": "string"} if content_type else None
                documented = self.alt_response(
                    status,
                    schema=schema,
                    content_type=content_type,
                    description=good.about,
                    headers=good.headers,
                    success=True,
                )(documented)
        for status in sorted({KINDS[code].status for code in codes}):
            listed = ", ".join(f"`{code}`" for code in sorted(codes) if KINDS[code].status == status)
            documented = self.alt_response(
                status,
                schema=ProblemShown,
                content_type=PROBLEM_JSON,
                description=listed,
                headers=_problem_headers(status),
            )(documented)
        return documented


def _has_required(schema: Schema) -> bool:
    return any(field.required for field in schema.fields.values())


def _security(caller: Caller) -> list[dict[str, list[str]]]:
    needed: dict[str, list[str]] = {"bearer": []}
    return {"nobody": [], "anybody": [{}, needed], "player": [needed]}[caller]


def _problem_headers(status: int) -> dict[str, Any] | None:
    if status == 401:
        return {"WWW-Authenticate": {"schema": {"type": "string"}}}
    if status in (429, 503):
        return {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    return None


class Documented(Api):  # type: ignore[misc]
    """The API whose every error is a problem, in the document as on the wire."""

    ERROR_SCHEMA = ProblemShown

    def handle_http_exception(self, error: Any) -> Response:
        return http_problem(error)

    def _register_responses(self) -> None:
        """As flask-smorest does, but with the content type of problems."""
        response = {"description": "Any other problem.", "schema": self.ERROR_SCHEMA}
        prepare_response(response, self.spec, PROBLEM_JSON)
        self.spec.components.response("DEFAULT_ERROR", response, lazy=True)
        response = {"description": "A problem.", "schema": self.ERROR_SCHEMA}
        prepare_response(response, self.spec, PROBLEM_JSON)
        self.spec.components.response(HTTPStatus(422).name, response, lazy=True)

    def describe(self) -> None:
        """What does not hang on one operation: the events' shapes and the token."""
        for name, schema in event_schemas().items():
            self.spec.components.schema(name, component=schema)
        self.spec.components.security_scheme(
            "bearer", {"type": "http", "scheme": "bearer", "description": "The token that POST /v1/players gives."}
        )
