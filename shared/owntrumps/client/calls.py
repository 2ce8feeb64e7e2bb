"""The calls of the HTTP API, each as data: what to send, and how to read the answer. Sends nothing itself."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, Literal, TypedDict, TypeVar, cast

import httpx

from owntrumps.client.errors import ProblemError
from owntrumps.client.retries import error_of
from owntrumps.rules.plays import TAKE
from owntrumps.views.view import View

T = TypeVar("T")

RulesetGiven = str | Mapping[str, Any]
"""A preset's name, a complete parameter set, or ``{"base": NAME, overrides…}``."""

ENGINE_SECONDS: Final = 5
"""How long the server may wait for the engine before it answers 202."""
ANSWER_SECONDS: Final = 15.0
"""Silence, beyond what a call asks the server to wait, after which a connection counts as lost."""


class Registered(TypedDict):
    """A new player. The ``token`` is shown this once."""

    id: str
    name: str
    token: str


class Entry(TypedDict):
    """One decision as the caller may see it; ``chain`` is its place in the hash chain."""

    version: int
    at: str
    schema: int
    events: list[dict[str, Any]]
    chain: str


class Moved(TypedDict):
    """An accepted command: the version it made, what happened, and the match after it."""

    version: int
    events: list[dict[str, Any]]
    view: View


class Turn(TypedDict):
    """A move that the caller owes: in which match, since which version, on which seat."""

    match: str
    version: int
    seat: int
    game: int
    phase: str
    ruleset: str
    deadline: str | None
    updated_at: str


class Seek(TypedDict):
    """A search for strangers to play with. ``match`` is there once ``status`` is ``paired``."""

    id: str
    status: str
    ruleset: dict[str, Any]
    match: str | None
    created_at: str
    expires_at: str
    bots_at: str | None


class Terms(TypedDict, total=False):
    """What else may be agreed when a match is created; ``trump`` and ``nonce`` are the caller's."""

    games: int
    trump: str
    nonce: str
    turn_seconds: int
    on_timeout: Literal["bot", "forfeit"]
    private: bool
    seed: str


class Wishes(TypedDict, total=False):
    """What else a seek may ask for; times in seconds. ``level`` is that of the bots that come after ``bots_after``."""

    seats: int
    bots_after: int
    level: str
    trump: str
    expires_after: int


class Filters(TypedDict, total=False):
    """Which matches to list; ``player`` is an id, ``cursor`` the ``next`` of the page before."""

    status: Literal["open", "playing", "finished", "aborted"]
    ruleset: str
    player: str
    cursor: str
    limit: int


class MoveOfMany(TypedDict, total=False):
    """One move of `move_many`; ``match`` and ``action`` are needed."""

    match: str
    action: str
    cards: list[str]
    if_version: int
    key: str


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request and how its answer is read. ``patience``: seconds the server may be silent."""

    method: str
    path: str
    read: Callable[[httpx.Response], T]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    patience: float = ANSWER_SECONDS

    def request(self, http: httpx.Client | httpx.AsyncClient, token: str | None) -> httpx.Request:
        """The request for one try."""
        headers = {**self.headers, **authorization(token)}
        timeout = httpx.Timeout(self.patience, connect=ANSWER_SECONDS)
        return http.build_request(
            self.method, self.path, params=given(self.query), json=self.body, headers=headers, timeout=timeout
        )

    def answer(self, response: httpx.Response) -> T:
        """What a final answer says; ProblemError if it is a refusal, or an answer to something else."""
        if not response.is_success and response.status_code != 304:
            raise error_of(response)
        try:
            return self.read(response)
        except (ValueError, LookupError, TypeError) as error:
            detail = f"{response.request.url} answered with what cannot be read: {error!r}"
            raise ProblemError("unreadable-answer", response.status_code, detail, {}) from error


def authorization(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


def given(members: Mapping[str, Any]) -> dict[str, Any]:
    """Those that have a value."""
    return {name: member for name, member in members.items() if member is not None}


def _json(response: httpx.Response) -> Any:
    return response.json()


def _member(name: str) -> Callable[[httpx.Response], Any]:
    return lambda response: response.json()[name]


def _nothing(response: httpx.Response) -> None:
    del response


def _get(path: str, **query: Any) -> Call[Any]:
    return Call("GET", path, _json, query)


def _post(
    path: str, body: Mapping[str, Any], link: str | None = None, headers: Mapping[str, str] | None = None
) -> Call[Any]:
    """A POST with the key that makes it safe to repeat."""
    sent = {"Idempotency-Key": secrets.token_urlsafe(24), "Prefer": f"wait={ENGINE_SECONDS}", **(headers or {})}
    return Call("POST", path, _json, {"key": link}, given(body), sent, ANSWER_SECONDS + ENGINE_SECONDS)


def _match(match: str, rest: str = "") -> str:
    return f"/v1/matches/{match}{rest}"


def register(name: str) -> Call[Registered]:
    return _post("/v1/players", {"name": name})


def me() -> Call[dict[str, Any]]:
    return _get("/v1/me")


def create(ruleset: RulesetGiven, seats: Sequence[Mapping[str, Any]], terms: Terms) -> Call[View]:
    return _post("/v1/matches", {"ruleset": ruleset, "seats": list(seats), **terms})


def take_seat(match: str, trump: str | None, nonce: str | None, link: str | None) -> Call[View]:
    return _post(_match(match, "/seats"), {"trump": trump, "nonce": nonce}, link)


def view(match: str, link: str | None) -> Call[View]:
    return _get(_match(match), key=link)


def view_at(match: str, version: int, link: str | None) -> Call[View]:
    return _get(_match(match, f"/views/{version}"), key=link)


def news(match: str, after: int, seconds: int, link: str | None) -> Call[View | None]:
    """The view once its version is greater than ``after``; None if it was not within that time."""

    def read(response: httpx.Response) -> View | None:
        if response.status_code == 304:
            return None
        found = cast("View", response.json())
        return found if found["version"] > after else None

    query = {"after": after, "wait": seconds, "key": link}
    return Call("GET", _match(match), read, query, patience=ANSWER_SECONDS + seconds)


def entries(match: str, after: int, limit: int, link: str | None) -> Call[list[Entry]]:
    query = {"after": after, "limit": limit, "key": link}
    return Call("GET", _match(match, "/events"), _member("entries"), query)


def move(match: str, plays: Sequence[str], if_version: int | None) -> Call[Moved]:
    headers = {} if if_version is None else {"If-Match": f'"{if_version}"'}
    return _post(_match(match, "/moves"), move_body(plays), headers=headers)


def move_body(plays: Sequence[str]) -> dict[str, Any]:
    """The body for plays such as ``["take"]``, ``["7c"]``, or ``["Jh", "9c"]``: a beat and the lead on it."""
    return {"action": TAKE} if list(plays) == [TAKE] else {"action": "play", "cards": list(plays)}


def move_many(moves: Sequence[MoveOfMany]) -> Call[list[dict[str, Any]]]:
    """Each move gets a key of its own, so that a repeated call moves nowhere twice."""
    keyed = [{"key": secrets.token_urlsafe(24), **one} for one in moves]
    return replace(_post("/v1/moves", {"moves": keyed}), read=_member("results"))


def declare_trump(match: str, trump: str) -> Call[Moved]:
    return _post(_match(match, "/trump"), {"trump": trump})


def resign(match: str) -> Call[Moved]:
    return _post(_match(match, "/resignation"), {})


def abort(match: str) -> Call[Moved]:
    return _post(_match(match, "/abort"), {})


def rematch(match: str) -> Call[View]:
    return _post(_match(match, "/rematch"), {})


def record(match: str, link: str | None) -> Call[dict[str, Any]]:
    return Call("GET", _match(match, "/record"), _json, {"key": link}, headers={"Accept": "application/json"})


def matches(filters: Filters) -> Call[dict[str, Any]]:
    return _get("/v1/matches", **filters)


def turns() -> Call[list[Turn]]:
    return Call("GET", "/v1/me/turns", _member("turns"))


def seek(ruleset: RulesetGiven, wishes: Wishes) -> Call[Seek]:
    return _post("/v1/seeks", {"ruleset": ruleset, **wishes})


def seek_state(seek_id: str, seconds: int) -> Call[Seek]:
    return Call("GET", f"/v1/seeks/{seek_id}", _json, {"wait": seconds}, patience=ANSWER_SECONDS + seconds)


def cancel_seek(seek_id: str) -> Call[None]:
    return Call("DELETE", f"/v1/seeks/{seek_id}", _nothing)


def rulesets() -> Call[list[dict[str, Any]]]:
    return Call("GET", "/v1/rulesets", _member("rulesets"))


def bots() -> Call[list[dict[str, Any]]]:
    return Call("GET", "/v1/bots", _member("bots"))
