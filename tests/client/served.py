"""Given-steps: the real api with a living engine, behind a real socket."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server

from tests.services.api.world import World, running


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(**settings: Any) -> Iterator[tuple[World, str]]:
    """A world and the address at which it is served; ``settings`` are the api's."""
    with running(**settings) as world:
        server = make_server("127.0.0.1", 0, world.app, threaded=True, request_handler=_Quiet)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, name="server")
        thread.start()
        try:
            yield world, f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
