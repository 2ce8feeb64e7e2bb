"""Server-Sent Events: read line by line, with the cursor from which a broken stream goes on. Does no I/O."""

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, Final, Generic, TypeVar

import httpx

from owntrumps.client.calls import Entry, Turn, authorization, given
from owntrumps.client.errors import ClientError

T = TypeVar("T")

SILENCE_SECONDS: Final = 45.0
"""The server sends a comment more often than this; longer silence means a dead connection."""
TURNS_REMEMBERED: Final = 10_000
"""Matches of which a stream knows what it told; a match beyond them may be told twice after a break."""
SSE: Final = "text/event-stream"

_OVER: Final = frozenset({"match-lost", "match-drawn", "match-aborted"})


class StreamError(ClientError):
    """The server's answer is no event stream, or not this one."""


class Stream(Generic[T]):
    """One stream across all its connections.

    ``cursor`` is the last event's id: a new connection goes on after it.
    """

    def __init__(self, path: str, query: Mapping[str, Any], cursor: str | None = None) -> None:
        self._path = path
        self._query = query
        self._rest = b""
        self._fields: dict[str, str] = {}
        self.cursor = cursor
        self._ended = False

    def request(self, http: httpx.Client | httpx.AsyncClient, token: str | None) -> httpx.Request:
        """The request for one connection."""
        self._rest, self._fields = b"", {}
        headers = {"Accept": SSE, "Cache-Control": "no-store", **authorization(token)}
        if self.cursor is not None:
            headers["Last-Event-ID"] = self.cursor
        timeout = httpx.Timeout(SILENCE_SECONDS)
        return http.build_request("GET", self._path, params=given(self._query), headers=headers, timeout=timeout)

    def opened(self, response: httpx.Response) -> bool:
        """Whether the answer is a stream; if not, asking again may help.

        Raises StreamError for another answer that is final; a final refusal is raised by the caller, who can read it.
        """
        if not response.is_success:
            return False
        kind = response.headers.get("Content-Type", "")
        if not kind.startswith(SSE):
            raise StreamError(f"{response.request.url} answered with {kind or 'nothing'}, not with {SSE}")
        return True

    def has_ended(self) -> bool:
        """Whether there is nothing more to come, ever."""
        return self._ended

    def received(self, chunk: bytes) -> Iterator[T]:
        """What the chunk completes. Lines end with a line feed only: a name may hold other separators, such as U+2028,
        at which a splitter of text lines would cut."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            try:
                message = self._line(line.removesuffix(b"\r").decode())
                value = None if message is None or self._ended else self._value(*message)
            except (ValueError, LookupError, TypeError) as error:
                raise StreamError(f"{self._path} sent what is no event of this stream: {error!r}") from error
            if value is not None:
                yield value

    def _line(self, line: str) -> tuple[str, str] | None:
        """Name and data of the event that the line completes."""
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data" and "data" in self._fields:
                self._fields["data"] += "\n" + value
            elif name in ("data", "event", "id"):
                self._fields[name] = value
            return None
        fields, self._fields = self._fields, {}
        self.cursor = fields.get("id", self.cursor)
        name = fields.get("event", "message")
        self._ended = self._ended or name == "end"
        return (name, fields["data"]) if "data" in fields else None

    def _value(self, name: str, data: str) -> T | None:
        """What the event stands for, None for nothing (news)."""
        raise NotImplementedError


class EntryStream(Stream[Entry]):
    """A match's log from the entry after version ``after`` on. Entries come once each and in order."""

    def __init__(self, match: str, after: int, link: str | None) -> None:
        super().__init__(f"/v1/matches/{match}/events", {"key": link}, str(after))
        self._after = after

    def _value(self, name: str, data: str) -> Entry | None:
        entry: Entry = json.loads(data)
        if name not in ("message", "entry") or entry["version"] <= self._after:
            return None
        self._after = entry["version"]
        self._ended = any(event["type"] in _OVER for event in entry["events"])
        return entry


class TurnStream(Stream[Turn]):
    """The turns that the caller owes, in every match, from now on; it never ends by itself.

    A new connection begins with all that wait then; those that were told before are left out.
    """

    def __init__(self) -> None:
        super().__init__("/v1/me/turns", {})
        self._told: OrderedDict[str, int] = OrderedDict()

    def _value(self, name: str, data: str) -> Turn | None:
        turn: Turn = json.loads(data)
        if name not in ("message", "turn") or self._told.get(turn["match"]) == turn["version"]:
            return None
        self._told[turn["match"]] = turn["version"]
        self._told.move_to_end(turn["match"])
        if len(self._told) > TURNS_REMEMBERED:
            self._told.popitem(last=False)
        return turn
