"""What a browser never gets: cards that its reader may not see."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import STATIC
from tests.browser.person import People, Person
from tests.browser.wire import Wire
from tests.e2e.play import View, create, move, next_turn
from tests.e2e.system import System

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.slow]

MOVES = 12
IN_JSON = re.compile(r'"([2-9TJQKA][cdhs])"')
IN_MARKUP = re.compile(r'"(?:card-)?([2-9TJQKA][cdhs])"')
TEXTS = json.loads((STATIC / "i18n" / "en.json").read_text())
SPOKEN = {
    f"{TEXTS[f'rank.{rank}']} of {TEXTS[f'suit.french.{suit}.of']}": f"{rank}{suit}"
    for rank in "23456789TJQKA"
    for suit in "cdhs"
}
STORED = """async () => JSON.stringify([
  {...localStorage}, {...sessionStorage}, document.cookie, await indexedDB.databases(), await caches.keys(),
])"""


def cards_in_page(person: Person) -> set[str]:
    """Cards that the elements name, as data or in words, for eyes or for screen readers."""
    markup = person.page.content()
    spoken = re.findall("|".join(rf"\b{words}\b" for words in SPOKEN), markup, re.IGNORECASE)
    return {*IN_MARKUP.findall(markup), *(SPOKEN[words.lower()] for words in spoken)}


def cards_in_storage(person: Person) -> set[str]:
    stored: str = person.page.evaluate(STORED)
    return set(IN_JSON.findall(stored))


def cards_heard(wire: Wire) -> set[str]:
    heard = wire.heard()
    assert "content-encoding" not in heard.lower(), "compressed answers cannot be searched"
    return set(IN_JSON.findall(heard))


def hidden(view: View) -> set[str]:
    """The cards of the view's own hand that nobody else has seen."""
    return {*view["hand"]} - {*view["seats"][view["you"]]["known"]}


def test_neither_an_opponent_nor_a_spectator_gets_a_hidden_card(person: People, system: System) -> None:
    anna, watcher = person("Anna"), person()
    with Wire(system.port) as hers, Wire(system.port) as theirs, system.player("Béla") as bela:
        # Given a duel that Anna plays in her browser, Béla elsewhere, and a stranger watches
        made = bela.post("/v1/matches", json={"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}).json()
        anna.open(f"{hers.url}/#/m/{made['id']}")
        anna.page.get_by_role("button", name="Sit down").click()
        watcher.open(f"{theirs.url}/#/m/{made['id']}")
        expect(watcher.page.locator(".table.watching .seat")).to_have_count(2)
        checked = 0
        his = bela.get(f"/v1/matches/{made['id']}").json()
        while his["status"] == "playing" and checked < MOVES:
            # When they play
            if his["turn"] == his["you"]:
                assert move(bela, his).status_code == 201
            else:
                anna.my_turn()
                anna.move()
            his = bela.get(f"/v1/matches/{made['id']}").json()
            newest = f"{his['version']} / {his['version']}"
            for each in (anna, watcher):
                expect(each.page.locator(".version")).to_have_text(newest)
            if his["status"] != "playing":
                break
            # Then the stranger's browser has got no card of either hand, by no way
            secret = hidden(his), hidden(anna.view())
            for cards in secret:
                assert cards & (cards_heard(theirs) | cards_in_page(watcher) | cards_in_storage(watcher)) == set()
            # and Anna's none of Béla's, though it has got her own: the search does find cards
            assert secret[0] & (cards_heard(hers) | cards_in_page(anna) | cards_in_storage(anna)) == set()
            assert secret[1] <= cards_heard(hers)
            assert cards_in_page(anna) >= set(anna.hand())
            checked += all(secret)
        assert checked >= 3
        # and the spectator has seen the same match
        assert cards_heard(theirs) >= set(his["pile"])


def test_looking_back_shows_a_spectator_no_more_than_there_was_to_see(person: People, system: System) -> None:
    # Given a match in its middle
    watcher = person()
    with Wire(system.port) as wire, system.player("Béla") as bela:
        made = create(bela, "duel", me=True, bots=1)
        watcher.open(f"{wire.url}/#/m/{made['id']}")
        expect(watcher.page.locator(".table.watching .seat")).to_have_count(2)
        his = move(bela, next_turn(bela, made)).json()["view"]
        # When the spectator goes back to the deal
        watcher.page.get_by_role("slider", name="Version on show").press("Home")
        expect(watcher.page.locator(".past-banner")).to_contain_text("step 1 of")
        expect(watcher.page.locator(".pile.empty")).to_be_visible()
        # Then
        assert hidden(his) & (cards_heard(wire) | cards_in_page(watcher)) == set()


def test_the_page_asks_no_other_host(person: People, system: System) -> None:
    anna = person("Anna")
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))
    anna.open()
    anna.page.get_by_role("button", name="Play bots: Duel").click()
    anna.my_turn()
    anna.move()
    assert len(asked) > 20
    assert [url for url in asked if not url.startswith(f"{system.url}/")] == []
