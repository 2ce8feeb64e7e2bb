"""Client and api mean the same."""

import asyncio
from collections.abc import Iterator
from threading import Thread

import pytest

from owntrumps.client import AsyncClient, Client, ProblemError
from tests.client.served import served

SHORT_DUEL = {"base": "duel", "ply_limit": 30}
TWO_PEOPLE = [{"kind": "me"}, {"kind": "open"}]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served() as (_, address):
        yield address


def player(url: str, name: str) -> Client:
    client = Client(url)
    assert client.register(name)["name"] == name
    return client


def test_two_people_play_a_match_to_its_end(url: str):
    with player(url, "Anna") as anna, player(url, "Ben") as ben:
        # Given
        match = anna.create(SHORT_DUEL, TWO_PEOPLE, trump="h")["id"]
        # When
        threads = [Thread(target=play_lowest, args=(client, match)) for client in (anna, ben)]
        assert ben.take_seat(match, trump="c")["status"] == "playing"
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # Then
        view = anna.view(match)
        assert view["status"] == "finished"
        assert [seat["trump"] for seat in view["seats"]] == ["h", "c"]
        entries = anna.entries(match)
        assert [entry["version"] for entry in entries] == list(range(1, view["version"] + 1))
        assert anna.entries(match, after=3, limit=2) == entries[3:5]
        assert anna.news(match, view["version"] - 1, seconds=0) == view
        assert anna.matches(status="finished", player=anna.me()["id"])["matches"][0]["id"] == match


def play_lowest(client: Client, match: str) -> None:
    for view in client.my_turns(match):
        moved = client.move(match, view["legal"][0], if_version=view["version"])
        assert moved["version"] == moved["view"]["version"] == view["version"] + 1


def test_a_refusal_says_what_the_server_said(url: str):
    with player(url, "Anna") as anna, player(url, "Ben") as ben:
        match = anna.create("duel", TWO_PEOPLE)["id"]
        ben.take_seat(match)
        to_move = next(client for client in (anna, ben) if client.view(match)["legal"])
        view = to_move.view(match)
        other = next(
            card for card in ("6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc", "Ac") if card not in view["hand"]
        )
        with pytest.raises(ProblemError) as caught:
            to_move.move(match, other)
        assert (caught.value.slug, caught.value.status) == ("illegal-play", 422)
        assert caught.value.extra["legal"] == view["legal"]
        with pytest.raises(ProblemError) as caught:
            to_move.move(match, view["legal"][0], if_version=view["version"] - 1)
        assert (caught.value.slug, caught.value.status) == ("stale-version", 412)


def test_everything_around_a_match(url: str):
    with player(url, "Anna") as anna, player(url, "Ben") as ben, Client(url) as nobody:
        open_match = anna.create("duel", TWO_PEOPLE)["id"]
        anna.declare_trump(open_match, "s")
        assert nobody.view(open_match)["seats"][0]["trump"] == "s"
        anna.abort(open_match)
        assert nobody.view(open_match)["status"] == "aborted"

        match = anna.create("duel", TWO_PEOPLE, on_timeout="forfeit")["id"]
        ben.take_seat(match)
        assert ben.resign(match)["view"]["result"] == {"losers": [1], "forfeit": True}
        assert {ruleset["name"] for ruleset in nobody.rulesets()} >= {"bornyu", "duel"}
        assert {bot["level"] for bot in nobody.bots()} >= {"greedy"}


def test_many_moves_in_one_call(url: str):
    with player(url, "Anna") as anna, player(url, "Ben") as ben:
        matches = [anna.create("duel", TWO_PEOPLE)["id"] for _ in range(3)]
        for match in matches:
            ben.take_seat(match)
        owed = {match for match in matches if anna.view(match)["legal"]}
        results = anna.move_many([{"match": match, "action": "take"} for match in matches])
        # Nobody can take at the beginning: it is refused for one reason or another.
        reasons = {True: "illegal-play", False: "not-your-turn"}
        assert [result["match"] for result in results] == matches
        assert [result["problem"]["code"] for result in results] == [reasons[match in owed] for match in matches]


def test_a_private_match_needs_its_link(url: str):
    with player(url, "Anna") as anna, player(url, "Ben") as ben:
        made = anna.create("duel", TWO_PEOPLE, private=True)
        with pytest.raises(ProblemError) as caught:
            ben.view(made["id"])
        assert caught.value.slug == "private-match"
        assert ben.view(made["id"], link=made["link"])["private"]
        assert ben.take_seat(made["id"], link=made["link"])["you"] == 1


def test_the_asyncio_twin_plays_alike(url: str):
    async def play() -> str:
        async with AsyncClient(url) as anna, AsyncClient(url) as ben:
            await anna.register("Anna")
            await ben.register("Ben")
            match = (await anna.create(SHORT_DUEL, TWO_PEOPLE))["id"]
            await ben.take_seat(match)

            async def play_lowest(client: AsyncClient) -> None:
                async for view in client.my_turns(match):
                    await client.move(match, view["legal"][0])

            await asyncio.gather(play_lowest(anna), play_lowest(ben))
            return (await anna.view(match))["status"]

    assert asyncio.run(play()) == "finished"
