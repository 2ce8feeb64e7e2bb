"""Streams that stay open: Server-Sent Events or lines of JSON, with heartbeats and last words."""

import socket
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, Literal

import msgspec
from flask import Response, request

from owntrumps.store.port import Player, StoreUnavailableError
from owntrumps_api import auth
from owntrumps_api.service import Service, service

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
RETRY_MS: Final = 1000
"""How long a browser's EventSource waits before it connects again."""
SEND_BUFFER_BYTES: Final = 128 * 1024
"""What the kernel holds for a client that does not read; beyond it, writing waits."""

CutReason = Literal["too-slow", "shutdown", "unavailable", "token-given-up"]
_ABOUT_CUTS: Final[dict[CutReason, str]] = {
    "too-slow": "you took too long to read; go on from your last id",
    "shutdown": "this server is stopping; go on from your last id, on another",
    "token-given-up": "the token that this stream was opened with is worthless now",
    "unavailable": "the matches cannot be reached at the moment; go on from your last id",
}


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a stream; ``data`` is JSON. News has no name; last messages are named ``end`` or ``cut``."""

    data: bytes
    id: str | None = None
    name: str | None = None


HEARTBEAT: Final = Message(b"")


def over(version: int) -> Message:
    """The last message of a stream whose match is over."""
    return Message(msgspec.json.encode({"reason": "match-over", "version": version}), name="end")


def cut(reason: CutReason, after: str | None) -> Message:
    """The last message of a stream that ends before its match does, with the id to go on from."""
    body = {"reason": reason, "detail": _ABOUT_CUTS[reason], "after": after}
    return Message(msgspec.json.encode(body), name="cut")


def asked_format() -> str | None:
    """The kind of stream that the request's Accept prefers to JSON, None for JSON itself."""
    best = request.accept_mimetypes.best_match(["application/json", SSE, NDJSON], default="application/json")
    return None if best == "application/json" else best


def written(message: Message, kind: str) -> bytes:
    """The message's bytes on the wire. Of NDJSON, an empty line is a heartbeat and ``{"end": …}`` the last line."""
    if kind == NDJSON:
        if message.name in ("end", "cut"):
            return b'{"%s":%s}\n' % (message.name.encode(), message.data)
        return message.data + b"\n"
    if message is HEARTBEAT:
        return b":\n\n"
    id_ = f"id: {message.id}\n" if message.id is not None else ""
    name = f"event: {message.name}\n" if message.name is not None else ""
    return f"{id_}{name}".encode() + b"data: " + message.data + b"\n\n"


def live(kind: str, messages: Generator[Message, None, None]) -> Response:
    """The open stream of the messages. Problem ``too-many-streams`` if there is no place left for it."""
    shared = service()
    if request.method == "HEAD":
        response = Response(mimetype=kind)
    else:
        shared.places.take()
        unbound = _bound_socket(request.environ.get("gunicorn.socket"), shared.config.slow_client)
        response = Response(_paced(messages, kind, shared, auth.caller_or_none()), mimetype=kind)
        response.call_on_close(unbound)
        response.call_on_close(shared.places.leave)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Authorization, Accept"
    response.headers["X-Accel-Buffering"] = "no"  # a buffering proxy would make the news old
    return response


def _bound_socket(client: Any, seconds: float) -> Callable[[], None]:
    """Let a client that reads nothing fill a small buffer, and then hold its own greenlet for so long at most.

    Returns what takes the time limit off again: the connection is kept, and may be idle for longer after the stream.
    """
    if client is None:
        return lambda: None
    before = client.gettimeout()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    client.settimeout(seconds)
    return lambda: client.settimeout(before)


def _paced(
    messages: Generator[Message, None, None], kind: str, shared: Service, caller: Player | None
) -> Iterator[bytes]:
    """The messages as the client takes them. The server asks for the next one when the last has been sent.

    Whoever has given up their token since gets no more of them.
    """
    last: str | None = None
    yield f"retry: {RETRY_MS}\n\n".encode() if kind == SSE else b"\n"
    with closing(messages):
        try:
            for message in messages:
                if caller is not None and not shared.players.still(caller):
                    yield written(cut("token-given-up", last), kind)
                    return
                started = monotonic()
                yield written(message, kind)
                last = message.id or last
                if monotonic() - started > shared.config.slow_client:
                    shared.metrics.cut.inc()
                    yield written(cut("too-slow", last), kind)
                    return
        except StoreUnavailableError:
            yield written(cut("unavailable", last), kind)
