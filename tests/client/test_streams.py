"""Streams: every entry once and in order, through any loss of connection, until the server says it is the end."""

import asyncio
import json
import random
from typing import Any

import httpx
import pytest

from owntrumps.client import AsyncClient, Entry, ProblemError, UnreachableError
from owntrumps.client.streams import EntryStream, StreamError
from tests.client.scripted import Scripted, problem, stream


def entry(version: int, kind: str = "card-led", **fields: Any) -> dict[str, Any]:
    return {"version": version, "at": "2026-03-01T12:00:00.250Z", "events": [{"type": kind, **fields}]}


def sent(version: int, kind: str = "card-led", **fields: Any) -> bytes:
    written = json.dumps(entry(version, kind, **fields), ensure_ascii=False)
    return f"id: {version}\ndata: {written}\n\n".encode()


LOST = httpx.ReadError("connection reset")
HEARTBEAT = b": still here\n\n"


def versions(server: Scripted, **settings: Any) -> list[int]:
    with server.client(**settings) as client:
        return [found["version"] for found in client.stream_entries("07-aaaaaaaaaaaa")]


def test_entries_come_in_order_until_the_match_is_over():
    server = Scripted(stream(HEARTBEAT, sent(1), HEARTBEAT, sent(2) + sent(3, "match-lost"), sent(4)))
    assert versions(server) == [1, 2, 3]
    assert server.asked[0].headers["Accept"] == "text/event-stream"


def test_the_server_may_say_that_it_is_the_end():
    server = Scripted(stream(b"event: end\ndata: {}\n\n"))
    assert versions(server) == []


def test_a_lost_stream_goes_on_after_the_last_entry_that_came():
    server = Scripted(
        stream(sent(1), sent(2), LOST),
        httpx.ConnectError("refused"),
        problem(503, "too-many-streams", {"Retry-After": "0"}),
        stream(sent(3)),
        stream(sent(3), sent(4, "match-drawn")),
    )
    assert versions(server) == [1, 2, 3, 4]
    assert [request.headers["Last-Event-ID"] for request in server.asked] == ["0", "2", "2", "2", "3"]


def test_an_entry_cut_in_half_is_not_delivered():
    server = Scripted(stream(sent(1), sent(2)[:-1], LOST), stream(sent(2), sent(3, "match-aborted")))
    assert versions(server) == [1, 2, 3]


def test_bytes_may_be_cut_anywhere():
    whole = sent(1, name="Örn\u2028 \x0b\x85") + HEARTBEAT + sent(2) + sent(3, "match-lost")
    dice = random.Random(7)
    for _ in range(50):
        cuts = sorted(dice.sample(range(len(whole)), 9))
        pieces = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
        reader = EntryStream("07-aaaaaaaaaaaa", 0, None)
        found: list[Entry] = [value for piece in pieces for value in reader.received(piece)]
        assert [value["version"] for value in found] == [1, 2, 3]
        assert found[0]["events"][0]["name"] == "Örn\u2028 \x0b\x85"
        assert reader.has_ended()


def test_data_of_several_lines_is_one_message():
    reader = EntryStream("07-aaaaaaaaaaaa", 0, None)
    first, second = json.dumps(entry(1), indent=1).split("\n", 1)
    second = second.replace("\n", "\ndata:")
    found = list(reader.received(f"data: {first}\r\ndata: {second}\r\nid: 1\r\n\r\n".encode()))
    assert [value["version"] for value in found] == [1]


@pytest.mark.parametrize("status", [401, 403, 404, 422])
def test_a_refused_stream_is_an_error(status: int):
    with pytest.raises(ProblemError) as caught:
        versions(Scripted(problem(status, "not-found")))
    assert caught.value.slug == "not-found"


def test_an_answer_that_is_no_stream_is_an_error():
    with pytest.raises(StreamError):
        versions(Scripted(httpx.Response(200, json={"entries": []})))


@pytest.mark.parametrize("data", [b"data: {\n\n", b"data: 7\n\n", b"data: {}\n\n", b"data: \xff\n\n"])
def test_an_event_that_is_none_is_an_error(data: bytes):
    with pytest.raises(StreamError):
        versions(Scripted(stream(data)))


def test_a_server_that_stays_away_is_unreachable():
    server = Scripted(stream(sent(1), LOST), *[httpx.ConnectError("refused")] * 3)
    with pytest.raises(UnreachableError):
        versions(server, retry_for=0.5)


def test_turns_come_from_every_match():
    def turn(match: str, version: int) -> bytes:
        return f'data: {{"match": "{match}", "version": {version}, "seat": 0}}\n\n'.encode()

    server = Scripted(stream(turn("a", 3), turn("b", 7), LOST), stream(HEARTBEAT, turn("a", 9)))
    with server.client() as client:
        turns = client.stream_turns()
        assert [(found["match"], found["version"]) for found in (next(turns), next(turns), next(turns))] == [
            ("a", 3),
            ("b", 7),
            ("a", 9),
        ]


class AsyncChunks(httpx.AsyncByteStream):
    def __init__(self, *pieces: bytes | Exception) -> None:
        self._pieces = pieces

    async def __aiter__(self):
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece


def test_the_asyncio_twin_goes_on_alike():
    def streamed(*pieces: bytes | Exception) -> httpx.Response:
        return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=AsyncChunks(*pieces))

    server = Scripted(streamed(sent(5), LOST), streamed(sent(5), sent(6)), streamed(sent(7, "match-lost")))

    async def follow() -> list[int]:
        async with AsyncClient("http://server.test", transport=server) as client:
            return [found["version"] async for found in client.stream_entries("07-aaaaaaaaaaaa", after=4)]

    assert asyncio.run(follow()) == [5, 6, 7]
    assert [request.headers["Last-Event-ID"] for request in server.asked] == ["4", "5", "6"]
