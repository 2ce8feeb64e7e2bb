"""axe-core finds no serious fault on what people see."""

from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.person import People, play_duel, started_duel
from tests.e2e.play import create
from tests.e2e.system import System

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.slow]

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
CALM: Any = {"reduced_motion": "reduce"}
"""No fading: contrast is measured on what stays."""


def serious_faults(page: Page) -> list[tuple[str, list[str]]]:
    """The rules of axe-core that the page breaks seriously or critically, with the elements."""
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate("async () => (await axe.run({resultTypes: ['violations']})).violations")
    return [
        (fault["id"], [node["html"][:160] for node in fault["nodes"]])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


def test_a_fault_would_be_found(person: People) -> None:
    anna = person()
    anna.open()
    expect(anna.page.locator(".tile").first).to_be_visible()
    anna.page.evaluate("() => document.querySelector('#main').append(document.createElement('button'))")
    assert [rule for rule, _ in serious_faults(anna.page)] == ["button-name"]


@SIZES
def test_the_lobby_and_its_dialogs_have_no_serious_fault(person: People, system: System, size: tuple[int, int]) -> None:
    # Given a lobby with an open table, one in play and one's own
    anna = person("Anna", size=size, **CALM)
    with system.player("Béla") as bela:
        bela.post("/v1/matches", json={"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]})
        create(bela, "bornyu", me=True, bots=3)
    anna.open()
    with system.client(anna.token) as client:
        create(client, "duel", me=True, bots=1)
    anna.page.reload()
    for listed in ("#mine", "#open-tables", "#playing"):
        expect(anna.page.locator(f"{listed} a").first).to_be_visible()
    # Then
    assert serious_faults(anna.page) == []
    for button in ("New table", "Rules", "Settings"):
        anna.page.get_by_role("button", name=button, exact=True).click()
        expect(anna.page.locator("dialog")).to_be_visible()
        assert serious_faults(anna.page) == [], button
        anna.page.keyboard.press("Escape")


# How wide the longest choice is, against the room for it: a select cuts without a word.
CUT = """() => [...document.querySelectorAll("dialog select")].flatMap((select) => {
  if (!select.checkVisibility()) return [];
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = getComputedStyle(select).font;
  const arrow = 16;
  const room = select.clientWidth - 24 - arrow;
  return [...select.options].map((option) => option.text).filter((text) => pen.measureText(text).width > room);
})"""


@pytest.mark.parametrize("language", ["en", "hu", "is", "ru"])
def test_the_narrowest_phone_and_the_desktop_show_every_choice_of_a_new_table(person: People, language: str) -> None:
    # Given
    anna = person("Anna", size=(320, 568), **CALM)
    anna.page.add_init_script(f"localStorage.setItem('owntrumps.settings', '{{\"language\": \"{language}\"}}')")
    anna.open()
    for width, height in ((320, 568), DESKTOP):
        # When everything that can be chosen is on show
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.page.locator("#create").click()
        dialog = anna.page.locator("dialog")
        dialog.locator("select").first.select_option("svoi-kozyri")
        dialog.locator("select:has(option[value='86400'])").select_option("60")
        dialog.locator("summary").click()
        # Then
        assert anna.page.evaluate(CUT) == []
        assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
        assert anna.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        anna.page.keyboard.press("Escape")


@SIZES
def test_a_table_has_no_serious_fault_from_the_first_move_to_the_result(person: People, size: tuple[int, int]) -> None:
    # Given
    anna, bela = person("Anna", size=size, **CALM), person("Béla", **CALM)
    started_duel(anna, bela, overrides={"ply_limit": 8})
    # When a card has been led, then once the match is over
    play_duel(anna, bela, moves=2)
    assert serious_faults(anna.page) == []
    assert serious_faults(bela.page) == []
    play_duel(anna, bela)
    assert anna.settled() == "over"
    # Then
    assert serious_faults(anna.page) == []


@SIZES
def test_a_table_of_four_has_no_serious_fault_in_hungarian_cards(person: People, size: tuple[int, int]) -> None:
    anna = person("Anna", size=size, **CALM)
    anna.open()
    anna.page.get_by_role("button", name="Play bornyú now").click()
    anna.my_turn()
    assert serious_faults(anna.page) == []
    assert anna.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, "nothing sticks out"
