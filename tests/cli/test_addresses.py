"""A match is named by its id, its link on the page, or its address in the API."""

import json
import stat
from pathlib import Path

import httpx
import pytest

from owntrumps.cli.terminal.addresses import AddressError, MatchAddress, match_address
from owntrumps.cli.terminal.identity import identities_file, sign_in
from owntrumps.cli.terminal.wanted import WantedError, others_given, ruleset_given, seed_given, trump_given
from owntrumps.client import Client, ProblemError
from tests.client.scripted import Scripted, problem

MATCH = "07-abcdefghijkl"
KEY = "00112233445566778899aabbccddeeff"


@pytest.mark.parametrize(
    ("text", "server", "address"),
    [
        (MATCH, None, MatchAddress("http://127.0.0.1:8000", MATCH)),
        (MATCH, "https://table.test/", MatchAddress("https://table.test", MATCH)),
        (f"http://table.test:81/#/m/{MATCH}", None, MatchAddress("http://table.test:81", MATCH)),
        (f"http://table.test/#/m/{MATCH}?key={KEY}", None, MatchAddress("http://table.test", MATCH, KEY)),
        (f"http://table.test/v1/matches/{MATCH}", "http://other.test", MatchAddress("http://table.test", MATCH)),
        (
            f"https://table.test/v1/matches/{MATCH}/events?key={KEY}",
            None,
            MatchAddress("https://table.test", MATCH, KEY),
        ),
    ],
)
def test_where_a_match_is(text: str, server: str | None, address: MatchAddress):
    assert match_address(text, server) == address


def test_the_link_of_a_private_match_leads_back_to_it():
    address = MatchAddress("http://table.test", MATCH, KEY)
    assert match_address(address.page) == address


@pytest.mark.parametrize(
    "text", ["", "7", "07-ABCDEFGHIJKL", f"{MATCH}x", f"ftp://table.test/{MATCH}", "http://table.test/"]
)
def test_what_names_no_match_is_refused(text: str):
    with pytest.raises(AddressError):
        match_address(text)


def registered(token: str) -> httpx.Response:
    return httpx.Response(201, json={"id": "a" * 16, "name": "Anna", "token": token})


def sign(server: Scripted, name: str | None, file: Path) -> tuple[str, Client]:
    client = server.client(token=None)
    return sign_in(client, "http://server.test", name, file), client


def test_a_player_is_registered_once_and_known_from_then_on(tmp_path: Path):
    file = tmp_path / "settings" / "players.json"
    server = Scripted(registered("one"), httpx.Response(200, json={"name": "Anna"}))
    assert sign(server, "Anna", file)[1].token == "one"
    name, client = sign(server, None, file)
    assert (name, client.token) == ("Anna", "one")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["players.json"]


def test_another_name_is_another_player(tmp_path: Path):
    file = tmp_path / "players.json"
    server = Scripted(registered("one"), registered("two"))
    sign(server, "Anna", file)
    assert sign(server, "Ben", file)[1].token == "two"


def test_a_token_that_the_server_no_longer_knows_is_replaced(tmp_path: Path):
    file = tmp_path / "players.json"
    server = Scripted(registered("one"), problem(401, "unauthorized"), registered("two"))
    sign(server, "Anna", file)
    assert sign(server, "Anna", file)[1].token == "two"
    assert "Authorization" not in server.asked[2].headers


def test_a_server_in_trouble_costs_nobody_their_identity(tmp_path: Path):
    file = tmp_path / "players.json"
    server = Scripted(registered("one"), problem(403, "forbidden"))
    sign(server, "Anna", file)
    with pytest.raises(ProblemError):
        sign(server, "Anna", file)
    assert json.loads(file.read_text())["http://server.test"]["token"] == "one"


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"http://server.test": 7}', '{"http://server.test": {"name": "A"}}']
)
def test_a_file_that_is_none_of_ours_is_no_obstacle(tmp_path: Path, content: str):
    file = tmp_path / "players.json"
    file.write_text(content)
    assert sign(Scripted(registered("one")), None, file)[0] == "Anna"


def test_identities_are_kept_where_settings_are(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", "/settings")
    assert identities_file() == Path("/settings/owntrumps/players.json")


def test_one_level_is_for_all_other_seats():
    assert others_given("club", "bornyu") == ("club", "club", "club")
    assert others_given("club, open ,greedy", "bornyu") == ("club", "open", "greedy")
    assert others_given("club", {"base": "bornyu", "seats": 2}) == ("club",)


@pytest.mark.parametrize("levels", ["club,club", "a,b,c,d"])
def test_as_many_levels_as_other_seats(levels: str):
    with pytest.raises(WantedError, match="3"):
        others_given(levels, "bornyu")


@pytest.mark.parametrize("text", ["whist", "{", '{"base": "bornyu", "seats": 7}', '{"deck": 32}'])
def test_no_ruleset_comes_of_it(text: str):
    with pytest.raises(WantedError):
        ruleset_given(text)


def test_trumps_and_seeds_are_checked():
    assert (trump_given("h"), trump_given(None), seed_given(None), seed_given("AB" * 32)) == (
        "h",
        None,
        None,
        "ab" * 32,
    )
    for wrong in ("x", "", "cd"):
        with pytest.raises(WantedError):
            trump_given(wrong)
    for wrong in ("", "12", "g" * 64, "a" * 65):
        with pytest.raises(WantedError):
            seed_given(wrong)
