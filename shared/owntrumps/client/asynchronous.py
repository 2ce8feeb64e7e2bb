"""The client for programs on asyncio; `owntrumps.client.sync` is its twin, call by call."""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from owntrumps.client import calls
from owntrumps.client.calls import (
    Call,
    Entry,
    Filters,
    Moved,
    MoveOfMany,
    Registered,
    RulesetGiven,
    Seek,
    Terms,
    Turn,
    Wishes,
)
from owntrumps.client.errors import ClosedError
from owntrumps.client.retries import RETRY_FOR_SECONDS, Attempts, Failure, ended_early, is_answer
from owntrumps.client.streams import EntryStream, Stream, TurnStream
from owntrumps.client.turns import in_progress, is_callers_turn
from owntrumps.views.view import View

T = TypeVar("T")


class AsyncClient:
    """One player's (or without ``token`` a spectator's) way to a server; see docs/client.md.

    Every call may raise `ProblemError`, `UnreachableError` and, after `aclose`, `ClosedError`; what is worth
    another try is tried again first, for ``retry_for`` seconds (see `owntrumps.client.retries`).
    ``link`` is the key of a private match's link. A client belongs to one event loop.
    ``transport`` is httpx's, for tests.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        retry_for: float = RETRY_FOR_SECONDS,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.token = token
        self._retry_for = retry_for
        self._http = httpx.AsyncClient(base_url=url, transport=transport)
        self._closed = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Give up the connections; calls that wait for another try end with ClosedError."""
        self._closed.set()
        await self._http.aclose()

    async def register(self, name: str) -> Registered:
        """Become a new player; this client acts as them from now on. The token is shown this once."""
        registered = await self._answer(calls.register(name))
        self.token = registered["token"]
        return registered

    async def me(self) -> dict[str, Any]:
        """The caller's ``id`` and ``name``."""
        return await self._answer(calls.me())

    async def create(self, ruleset: RulesetGiven, seats: Sequence[Mapping[str, Any]], **terms: Unpack[Terms]) -> View:
        """A new match; ``seats`` such as ``[{"kind": "me"}, {"kind": "bot", "level": "greedy"}, {"kind": "open"}]``."""
        return await self._answer(calls.create(ruleset, seats, terms))

    async def take_seat(
        self, match: str, *, trump: str | None = None, nonce: str | None = None, link: str | None = None
    ) -> View:
        """Sit down on the first open seat, or come back to the own one where a bot stands in."""
        return await self._answer(calls.take_seat(match, trump, nonce, link))

    async def view(self, match: str, *, link: str | None = None) -> View:
        return await self._answer(calls.view(match, link))

    async def view_at(self, match: str, version: int, *, link: str | None = None) -> View:
        """The match as it was."""
        return await self._answer(calls.view_at(match, version, link))

    async def news(self, match: str, after: int, *, seconds: int = 20, link: str | None = None) -> View | None:
        """The view as soon as the match has left version ``after``; None if nothing happened for so long."""
        return await self._answer(calls.news(match, after, seconds, link))

    async def my_turns(self, match: str) -> AsyncGenerator[View, None]:
        """The view each time it is the caller's turn, until the match is over."""
        view: View | None = await self.view(match)
        after = 0
        while view is None or in_progress(view):
            if view is not None:
                after = view["version"]
                if is_callers_turn(view):
                    yield view
            view = await self.news(match, after)

    async def move(self, match: str, *plays: str, if_version: int | None = None) -> Moved:
        """``"take"``, a card, or a beating card and the card led on it."""
        return await self._answer(calls.move(match, plays, if_version))

    async def move_many(self, moves: Sequence[MoveOfMany]) -> list[dict[str, Any]]:
        """Moves in many matches; one result each, in order, a problem in its ``problem``."""
        return await self._answer(calls.move_many(moves))

    async def declare_trump(self, match: str, trump: str) -> Moved:
        """Choose the own trump while the match waits for players."""
        return await self._answer(calls.declare_trump(match, trump))

    async def resign(self, match: str) -> Moved:
        """Leave the own seat: a bot plays on or the seat forfeits, as the match says."""
        return await self._answer(calls.resign(match))

    async def abort(self, match: str) -> Moved:
        """Call off the own match that has not started."""
        return await self._answer(calls.abort(match))

    async def rematch(self, match: str) -> View:
        """The match with the same seats that follows this one, however many ask for it."""
        return await self._answer(calls.rematch(match))

    async def entries(self, match: str, *, after: int = 0, limit: int = 500, link: str | None = None) -> list[Entry]:
        """A page of the log as the caller may see it."""
        return await self._answer(calls.entries(match, after, limit, link))

    async def record(self, match: str, *, link: str | None = None) -> dict[str, Any]:
        return await self._answer(calls.record(match, link))

    async def matches(self, **filters: Unpack[Filters]) -> dict[str, Any]:
        """``{"matches": […], "next": cursor or None}``."""
        return await self._answer(calls.matches(filters))

    async def turns(self) -> list[Turn]:
        """The moves that the caller owes now."""
        return await self._answer(calls.turns())

    async def rulesets(self) -> list[dict[str, Any]]:
        return await self._answer(calls.rulesets())

    async def bots(self) -> list[dict[str, Any]]:
        return await self._answer(calls.bots())

    async def seek(self, ruleset: RulesetGiven, **wishes: Unpack[Wishes]) -> Seek:
        """Look for strangers to play with."""
        return await self._answer(calls.seek(ruleset, wishes))

    async def seek_state(self, seek_id: str, *, seconds: int = 0) -> Seek:
        """How the search stands, at the latest after ``seconds``."""
        return await self._answer(calls.seek_state(seek_id, seconds))

    async def cancel_seek(self, seek_id: str) -> None:
        await self._answer(calls.cancel_seek(seek_id))

    async def find_match(self, ruleset: RulesetGiven, **wishes: Unpack[Wishes]) -> str:
        """Seek, wait, and return the match's id; a ProblemError once the seek has expired."""
        found = await self.seek(ruleset, **wishes)
        while found["match"] is None:
            found = await self.seek_state(found["id"], seconds=20)
        return found["match"]

    def stream_entries(self, match: str, *, after: int = 0, link: str | None = None) -> AsyncGenerator[Entry, None]:
        """The log as it grows, from the entry after ``after`` to the match's end; goes on by itself after losses."""
        return self._values(EntryStream(match, after, link))

    def stream_turns(self) -> AsyncGenerator[Turn, None]:
        """Each move that the caller owes, in any match, first those owed now; never ends by itself."""
        return self._values(TurnStream())

    async def _answer(self, call: Call[T]) -> T:
        attempts = Attempts(time.monotonic, self._retry_for)
        request = call.request(self._http, self.token)
        while True:
            failure: Failure
            try:
                response = await self._send(request)
                if is_answer(response):
                    return call.answer(response)
                failure = response
            except httpx.TransportError as error:
                failure = error
            await self._pause(attempts.wait_after(failure))

    async def _values(self, stream: Stream[T]) -> AsyncGenerator[T, None]:
        attempts = Attempts(time.monotonic, self._retry_for)
        while not stream.has_ended():
            failure: Failure
            try:
                response = await self._send(stream.request(self._http, self.token), stream=True)
                try:
                    if not stream.opened(response):
                        await response.aread()
                        failure = response
                    else:
                        async for chunk in response.aiter_bytes():
                            attempts.succeeded()
                            for value in stream.received(chunk):
                                yield value
                            if stream.has_ended():
                                return
                        failure = ended_early(response)
                finally:
                    await response.aclose()
            except httpx.TransportError as error:
                failure = error
            await self._pause(attempts.wait_after(failure))

    async def _send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        if self._closed.is_set():
            raise ClosedError("the client is closed")
        return await self._http.send(request, stream=stream)

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._closed.wait(), seconds)
        except TimeoutError:
            return
        raise ClosedError("the client was closed")
