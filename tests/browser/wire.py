"""A line between a browser and the server that remembers every byte the server sends."""

import re
import socket
import socketserver
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

BLOCK_BYTES = 65_536
PROGRAM = re.compile(rb"content-type: *(text/(javascript|css|html)|image/)", re.IGNORECASE)


class Wire:
    """Within ``with``, ``url`` is the server at that port, overheard."""

    def __init__(self, port: int) -> None:
        self._heard: list[bytearray] = []
        heard = self._heard

        class Line(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                connection = bytearray()
                heard.append(connection)
                with socket.create_connection(("127.0.0.1", port)) as server:
                    asking = threading.Thread(target=_pass_on, args=(self.request, server, bytearray()))
                    asking.start()
                    _pass_on(server, self.request, connection)
                    asking.join()

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Line)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.socket.close()

    def heard(self) -> str:
        """Everything that came so far, headers included, but for the page's own program and pictures."""
        answers = [part for connection in self._heard for part in re.split(rb"(?=HTTP/1\.1 \d{3} )", bytes(connection))]
        return b"".join(part for part in answers if not PROGRAM.search(part.partition(b"\r\n\r\n")[0])).decode()


def _pass_on(source: socket.socket, target: socket.socket, kept: bytearray) -> None:
    """All that comes from the source goes to the target, until either side is gone; then both hear of it."""
    with suppress(OSError):  # one of them has hung up, as browsers do
        while block := source.recv(BLOCK_BYTES):
            kept += block
            target.sendall(block)
    for end in (source, target):
        with suppress(OSError):  # it had ended already
            end.shutdown(socket.SHUT_RDWR)
