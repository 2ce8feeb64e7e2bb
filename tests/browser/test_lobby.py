"""The lobby on bad days: players the server has forgotten, outages, refused names, links that lead nowhere."""

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.person import People
from tests.e2e.system import System

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.slow]

FORGOTTEN = {"id": "nobodyknowsthis0", "name": "Anna", "token": "a-token-that-no-server-knows"}
NO_LONGER_KNOWN = "The server no longer knows this browser’s player"
OUT_OF_REACH = "The server cannot be reached; connecting again…"
NEXT_LOOK_MS = 6_000
"""After so long the lobby has asked anew."""


def test_a_forgotten_player_goes_on_in_the_lobby_as_a_visitor(person: People) -> None:
    # Given a browser whose player the server does not know
    anna = person()
    anna.remember("owntrumps.player", FORGOTTEN)
    # When
    anna.open()
    # Then the page says so, forgets the player, and shows what everybody sees
    expect(anna.page.get_by_role("alert")).to_contain_text(NO_LONGER_KNOWN)
    expect(anna.page.locator(".player-name")).to_have_count(0)
    expect(anna.page.locator("#open-tables li")).not_to_have_count(0)


def test_a_forgotten_player_is_asked_for_a_name_and_the_button_does_its_work(person: People) -> None:
    # Given a forgotten player who presses a button before the page has found out
    anna = person()
    anna.remember("owntrumps.player", FORGOTTEN)
    anna.page.route("**/v1/matches?*", unreachable)
    anna.page.route("**/v1/me/turns", unreachable)
    anna.open()
    # When
    anna.page.get_by_role("button", name="Play bots: Duel").click()
    # Then
    expect(anna.page.locator("dialog").get_by_role("alert")).to_contain_text(NO_LONGER_KNOWN)
    anna.give_name("Anna the Second")
    expect(anna.page.locator(".hand .card")).not_to_have_count(0)
    assert anna.view()["seats"][0]["name"] == "Anna the Second"


def test_a_forgotten_player_watches_a_table_and_may_sit_down_there_as_somebody_new(
    person: People, system: System
) -> None:
    anna = person()
    anna.remember("owntrumps.player", FORGOTTEN)
    with system.player("Béla") as bela:
        match = open_duel(bela)
    # When
    anna.open(f"/#/m/{match}")
    # Then
    expect(anna.page.get_by_role("alert").filter(has_text=NO_LONGER_KNOWN)).to_be_visible()
    anna.page.get_by_role("button", name="Sit down").click()
    anna.give_name("Anna")
    expect(anna.page.locator(".hand .card")).not_to_have_count(0)


def test_an_outage_is_told_for_as_long_as_it_lasts(person: People) -> None:
    # Given
    anna = person("Anna")
    anna.page.clock.install()
    anna.open()
    expect(anna.page.locator(".tile").first).to_be_visible()
    outage = anna.page.locator(".lobby .link-state.lost")
    expect(outage).to_be_hidden()
    # When the server is out of reach, as the lists find out
    anna.page.route("**/v1/**", unreachable)
    anna.page.clock.run_for(NEXT_LOOK_MS)
    # Then
    expect(outage).to_have_text(OUT_OF_REACH)
    expect(anna.page.get_by_role("alert")).to_be_hidden()
    # And once it is back, nothing is said any more
    anna.page.unroute("**/v1/**")
    anna.page.clock.run_for(NEXT_LOOK_MS)
    expect(outage).to_be_hidden()


def test_a_button_that_has_to_wait_says_so_and_then_does_its_work(person: People) -> None:
    anna = person("Anna")
    anna.open()
    expect(anna.page.locator(".tile").first).to_be_visible()
    anna.page.route("**/v1/matches", unreachable)
    # When
    anna.page.get_by_role("button", name="Play bots: Duel").click()
    # Then
    expect(anna.page.locator(".lobby .link-state.lost")).to_have_text(OUT_OF_REACH)
    anna.page.unroute("**/v1/matches")
    expect(anna.page.locator(".hand .card")).not_to_have_count(0)


def test_the_lobby_looks_once_at_a_time_and_does_not_insist(person: People) -> None:
    # Given a server that takes its time
    anna = person()
    anna.page.clock.install()
    asked: list[Request] = []
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    anna.page.on("request", lambda request: asked.append(request) if "status=open" in request.url else None)
    anna.page.route("**/v1/matches?status=open", hold)
    anna.open()
    until(anna.page, lambda: bool(held))
    # When time passes
    anna.page.clock.run_for(4 * NEXT_LOOK_MS)
    # Then nothing is asked for twice
    assert len(asked) == 1
    # And what has failed is asked for at the next look, not before
    held.pop().abort()
    expect(anna.page.locator(".lobby .link-state.lost")).to_be_visible()
    anna.page.clock.run_for(NEXT_LOOK_MS)
    until(anna.page, lambda: bool(held))
    assert len(asked) == 2


def test_a_refused_name_can_be_mended(person: People) -> None:
    anna = person()
    anna.open()
    anna.page.get_by_role("button", name="Play bots: Duel").click()
    field = anna.page.locator("#player-name")
    assert field.get_attribute("maxlength") == "40"
    # When a name has something in it that names may not have
    anna.give_name("An\u202ena")
    # Then it is still there to be mended
    expect(anna.page.locator("dialog").get_by_role("alert")).to_contain_text("This name will not do")
    expect(field).to_be_focused()
    assert field.input_value() == "An\u202ena"
    anna.give_name("Anna")
    expect(anna.page.locator(".hand .card")).not_to_have_count(0)


def test_dialogs_stay_behind_on_the_page_they_belong_to(person: People) -> None:
    anna = person()
    anna.open()
    anna.open("/#/m/nosuchtable")
    anna.page.get_by_role("button", name="Settings").click()
    expect(anna.page.locator("dialog")).to_be_visible()
    # When
    anna.page.go_back()
    # Then
    expect(anna.page.locator(".lobby")).to_be_visible()
    expect(anna.page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("link", ["/#/m/nosuchtable", "/#/m/nosuchtable?key=%"], ids=["unknown", "broken key"])
def test_a_link_to_nothing_says_so_and_leads_to_the_lobby(person: People, link: str) -> None:
    anna = person()
    anna.open(link)
    # Then the heading and the box say the same
    told = anna.page.get_by_role("alert").filter(has_text="This table does not exist")
    expect(told).to_be_visible()
    assert anna.page.locator("h1").inner_text() == told.locator("p").inner_text()
    # And there is a way on
    told.get_by_role("link", name="Lobby").click()
    expect(anna.page.locator(".tile").first).to_be_visible()


def test_a_bad_link_is_told_where_it_was_pasted(person: People) -> None:
    anna = person()
    anna.open()
    field = anna.page.get_by_label("Link or number of a table")
    # When
    field.fill("not a link at all")
    field.press("Enter")
    # Then
    expect(field).to_be_focused()
    assert fault(field) == "This is not a link to a table."
    # And it can be mended
    field.fill("nosuchtable")
    assert fault(field) == ""
    field.press("Enter")
    expect(anna.page.locator(".match")).to_be_visible()


def open_duel(host: httpx.Client) -> str:
    made = host.post("/v1/matches", json={"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]})
    match: str = made.json()["id"]
    return match


def fault(field: Locator) -> str:
    told: str = field.evaluate("field => field.validationMessage")
    return told


def unreachable(route: Route) -> None:
    route.abort()


def until(page: Page, there: Callable[[], bool]) -> None:
    """Let the page go on until something is there. (Its clock may stand still.)"""
    while not there():
        page.evaluate("() => null")
