"""Given-steps: a server that answers as a test says, one answer for each request, and remembers what it was asked."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpx

from owntrumps.client import Client

Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]

VIEW: dict[str, Any] = {
    "id": "07-aaaaaaaaaaaa",
    "status": "playing",
    "version": 4,
    "you": 0,
    "turn": 0,
    "seats": [{"kind": "player"}, {"kind": "bot"}],
    "legal": ["7c"],
}


class Scripted(httpx.MockTransport):
    """Answers in order; a request too many is a failure of the test."""

    def __init__(self, *answers: Answer) -> None:
        self.asked: list[httpx.Request] = []
        self._answers = iter(answers)
        super().__init__(self._answer)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(request)

    def client(self, *, token: str | None = "secret", retry_for: float = 60.0) -> Client:
        return Client("http://server.test", token, retry_for=retry_for, transport=self)


class Chunks(httpx.SyncByteStream):
    """A body that comes in pieces; an exception among them breaks the connection."""

    def __init__(self, pieces: Iterable[bytes | Exception]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece


def view(**changes: Any) -> httpx.Response:
    return httpx.Response(200, json={**VIEW, **changes})


def problem(status: int, code: str, headers: dict[str, str] | None = None, **members: Any) -> httpx.Response:
    body = {"type": f"/docs/problems#{code}", "title": "Title", "status": status, "detail": "In words.", "code": code}
    return httpx.Response(status, json={**body, **members}, headers=headers)


def stream(*pieces: bytes | Exception) -> httpx.Response:
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Chunks(pieces))
