"""The server's worker: gevent, a greenlet for each connection, with clean ends of streams and connections."""

import errno
import os
import socket
from contextlib import suppress
from http import HTTPStatus
from types import FrameType
from typing import Any, Final

import gevent
from gevent import monkey
from gunicorn.http.errors import LimitRequestHeaders, LimitRequestLine, ParseException, UnsupportedTransferCoding
from gunicorn.workers.ggevent import GeventWorker
from msgspec import json

from owntrumps_api.problems import PROBLEM_JSON, problem_json

LINGER_SECONDS: Final = 1
LINGER_BYTES: Final = 1 << 20
STATUSES: Final = (
    (LimitRequestLine, HTTPStatus.REQUEST_URI_TOO_LONG),
    (LimitRequestHeaders, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
    (UnsupportedTransferCoding, HTTPStatus.NOT_IMPLEMENTED),
    (ParseException, HTTPStatus.BAD_REQUEST),
)


def _read_away(client: socket.socket) -> None:
    """Take what the client still sends, within bounds: closing on it would reset the connection, and the client might
    never see its answer."""
    client.shutdown(socket.SHUT_WR)
    client.settimeout(LINGER_SECONDS)
    left = LINGER_BYTES
    while left > 0 and (taken := client.recv(left)):
        left -= len(taken)


_plain_socket: Final = monkey.get_original("socket", "socket")


class Worker(GeventWorker):  # type: ignore[misc]
    """On SIGTERM it ends open streams with their last message and closes connections that wait for a next request, so
    that a stop takes as long as the slowest request and no longer."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._idle: set[socket.socket] = set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        gevent.spawn(self._say_goodbye)
        super().handle_exit(sig, frame)

    def _say_goodbye(self) -> None:
        self.app.owntrumps.hub.close()
        for client in [*self._idle]:
            # gevent's own shutdown() would break the read with an error; the plain one ends it.
            with suppress(OSError), _plain_socket(fileno=os.dup(client.fileno())) as twin:
                twin.shutdown(socket.SHUT_RD)

    def handle(self, listener: socket.socket, client: socket.socket, addr: Any) -> None:
        self._idle.add(client)
        try:
            super().handle(listener, client, addr)
        finally:
            self._idle.discard(client)

    def handle_request(self, listener_name: Any, req: Any, sock: socket.socket, addr: Any) -> None:
        self._idle.discard(sock)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError as error:  # a stream's client that does not read, see `owntrumps_api.live`
            raise ConnectionResetError(errno.ECONNRESET, "the client does not read") from error
        if not self.alive:
            raise StopIteration  # gunicorn's word for: close this connection
        sock.settimeout(None)
        self._idle.add(sock)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """What cannot be read as HTTP never reaches the application, and is answered with a problem all the same."""
        status = next((status for kind, status in STATUSES if isinstance(exc, kind)), None)
        if status is None:
            super().handle_error(req, client, addr, exc)
            return
        body = json.encode(problem_json("bad-request", str(exc) or status.phrase, status=status.value))
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nConnection: close\r\nContent-Type: {PROBLEM_JSON}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        client.sendall(head.encode() + body)
        _read_away(client)
