"""Streams of the real api: a reader whose connections break at random misses nothing and hears nothing twice."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import aclosing
from threading import Thread
from typing import Any

import httpx
import pytest

from owntrumps.client import AsyncClient, Client, Entry
from tests.client.served import served

SHORT_DUEL = {"base": "duel", "ply_limit": 40}
TWO_PEOPLE = [{"kind": "me"}, {"kind": "open"}]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(heartbeat=0.05) as (_, address):
        yield address


def player(url: str, name: str, **settings: Any) -> Client:
    client = Client(url, **settings)
    client.register(name)
    return client


def play_lowest(client: Client, match: str) -> None:
    for view in client.my_turns(match):
        client.move(match, view["legal"][0], if_version=view["version"])


class Breaking(httpx.BaseTransport):
    """Real connections; those of streams break after a few pieces."""

    def __init__(self, dice: random.Random) -> None:
        self._real = httpx.HTTPTransport()
        self._dice = dice
        self.opened = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._real.handle_request(request)
        if request.headers.get("Accept") == "text/event-stream":
            self.opened += 1
            response.stream = _Broken(response.stream, self._dice.randrange(1, 30))
        return response


class _Broken(httpx.SyncByteStream):
    def __init__(self, whole: Any, pieces: int) -> None:
        self._whole = whole
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        for index, piece in enumerate(self._whole):
            if index == self._pieces:
                yield piece[: len(piece) // 2]
                raise httpx.ReadError("broken")
            yield piece

    def close(self) -> None:
        self._whole.close()


def test_a_stream_that_breaks_at_random_tells_the_whole_log_once(url: str):
    transport = Breaking(random.Random(3))
    heard: list[Entry] = []
    with player(url, "Anna") as anna, player(url, "Ben") as ben, Client(url, transport=transport) as watching:
        match = anna.create(SHORT_DUEL, TWO_PEOPLE)["id"]

        def watch() -> None:
            heard.extend(watching.stream_entries(match))

        threads = [Thread(target=watch), *(Thread(target=play_lowest, args=(client, match)) for client in (anna, ben))]
        threads[0].start()
        ben.take_seat(match)
        for thread in threads[1:]:
            thread.start()
        for thread in threads:
            thread.join()
        assert transport.opened > 1
        # The spectator heard the last entries while others heard more of them; the end reveals all to all.
        assert [entry["version"] for entry in heard] == list(range(1, anna.view(match)["version"] + 1))
        assert heard[-1] == watching.entries(match)[-1]
        assert [entry["chain"] for entry in heard] == [entry["chain"] for entry in watching.entries(match)]
        assert list(watching.stream_entries(match, after=heard[-3]["version"])) == watching.entries(match)[-2:]
        assert list(watching.stream_entries(match, after=heard[-1]["version"])) == []


def test_one_stream_of_turns_serves_a_player_of_many_matches(url: str):
    told: list[tuple[str, int]] = []
    with player(url, "Anna", transport=Breaking(random.Random(4))) as anna, player(url, "Ben") as ben:
        # Given three matches between the two, in which Ben plays on each for itself
        matches = [anna.create(SHORT_DUEL, TWO_PEOPLE)["id"] for _ in range(3)]
        for match in matches:
            ben.take_seat(match)
        last = anna.create("duel", TWO_PEOPLE)["id"]

        def play_all() -> None:
            threads = [Thread(target=play_lowest, args=(ben, match)) for match in matches]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            # Whoever leads in the last match, Anna owes a move in it then.
            legal = ben.take_seat(last)["legal"]
            if legal:
                ben.move(last, legal[0])

        others = Thread(target=play_all)
        others.start()
        # When Anna plays whatever her one stream tells her
        for turn in anna.stream_turns():
            told.append((turn["match"], turn["version"]))
            if turn["match"] == last:
                break
            anna.move(turn["match"], anna.view(turn["match"])["legal"][0], if_version=turn["version"])
        others.join()
        # Then every match came to its end, and no turn was told twice
        assert [anna.view(match)["status"] for match in matches] == ["finished"] * 3
        assert len(told) == len(set(told))
        assert {match for match, _ in told} == {*matches, last}


def test_the_asyncio_twin_is_told_its_turns(url: str):
    async def first_turn() -> tuple[str, list[Any]]:
        async with AsyncClient(url) as anna, AsyncClient(url) as ben:
            await anna.register("Anna")
            await ben.register("Ben")
            match = (await anna.create("duel", TWO_PEOPLE))["id"]
            await ben.take_seat(match)
            owing = anna if await anna.turns() else ben
            async with aclosing(owing.stream_turns()) as turns:
                async for turn in turns:
                    return match, [turn]
        raise AssertionError("the stream of turns ended")

    match, turns = asyncio.run(first_turn())
    assert [turn["match"] for turn in turns] == [match]
