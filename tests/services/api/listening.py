"""Reading open streams in tests, one message at a time."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.services.api.world import Caller

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


@dataclass(frozen=True)
class Heard:
    """One message; a heartbeat has neither data nor name."""

    data: Any = None
    id: str | None = None
    name: str | None = None


def sse_message(chunk: bytes) -> Heard:
    fields: dict[str, str] = {}
    for line in chunk.decode().splitlines():
        name, _, value = line.partition(": ")
        if name and not line.startswith(":"):
            fields[name] = value
    data = json.loads(fields["data"]) if "data" in fields else None
    return Heard(data, fields.get("id"), fields.get("event"))


class Listener:
    """An open stream. Messages are what the server wrote in one piece."""

    def __init__(self, caller: Caller, path: str, *, accept: str = SSE, last_event_id: str | None = None) -> None:
        headers = {"Accept": accept, **({"Last-Event-ID": last_event_id} if last_event_id is not None else {})}
        self.response = caller.send("GET", path, headers=headers, buffered=False)
        assert self.response.status_code == 200, self.response.text
        assert self.response.mimetype == accept
        self._chunks: Iterator[bytes] = iter(self.response.iter_encoded())
        self._accept = accept
        self.opening = next(self._chunks)

    def next(self) -> Heard:
        chunk = next(self._chunks)
        if self._accept == SSE:
            return sse_message(chunk)
        return Heard(json.loads(chunk) if chunk.strip() else None)

    def rest(self) -> list[Heard]:
        """Everything up to the stream's end."""
        heard = []
        while True:
            try:
                heard.append(self.next())
            except StopIteration:
                return heard

    def close(self) -> None:
        self.response.close()
