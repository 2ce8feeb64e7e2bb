"""What a match's page shows besides play: its beginning, its past, its end, and the wait before it."""

from collections.abc import Sequence
from typing import Any

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.browser.person import People, Person, play_duel, started_duel
from tests.e2e.play import View, news
from tests.e2e.system import System

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.slow]

# Remembers how many cards lay on the pile, whenever that changes, once there are cards in hand.
PILES = """() => {
  window.piles = [];
  new MutationObserver(() => {
    if (!document.querySelector(".hand .card")) return;
    const now = document.querySelectorAll(".pile .card").length;
    if (window.piles.at(-1) !== now) window.piles.push(now);
  }).observe(document.body, { childList: true, subtree: true });
}"""


def log_lines(person: Person) -> list[str]:
    lines: list[str] = person.page.locator(".log li").all_inner_texts()
    return lines


def prompt(person: Person) -> str:
    said: str = person.page.locator(".prompt").inner_text()
    return said


def test_the_first_moves_of_a_new_match_are_seen_one_after_the_other(person: People, system: System) -> None:
    # Given somebody whose page gets a match that it has made when the bots have moved already
    anna = person("Anna")

    def late(route: Route) -> None:
        with system.client(anna.token) as client:
            view: View = {"id": anna.match, "version": 0}
            while view.get("turn") != 0:
                view = news(client, view)
        route.continue_()

    while True:
        anna.open()
        anna.page.route("**/v1/matches/*", late, times=1)
        anna.page.evaluate(PILES)
        # When
        anna.page.get_by_role("button", name="Play bornyú now").click()
        assert anna.my_turn()
        if anna.view()["leader"] != 0:
            break  # else she was first herself: another match
    # Then the cards came one by one, from an empty pile on
    piles: list[int] = anna.page.evaluate("() => window.piles")
    assert piles[0] == 0
    assert len(piles) > 1
    # And a reload, which begins with what is now, tells the same moves
    told = log_lines(anna)
    anna.page.reload()
    assert anna.my_turn()
    assert log_lines(anna) == told


def test_whoever_sits_down_sees_the_first_move_though_it_was_made_at_once(person: People, system: System) -> None:
    anna = person("Anna")
    with system.player("Béla") as bela:

        def late(route: Route) -> None:
            view = bela.get(f"/v1/matches/{match}").json()
            if view["legal"]:
                bela.post(f"/v1/matches/{match}/moves", json={"action": "play", "cards": [view["legal"][0]]})
            route.continue_()

        while True:
            seats = [{"kind": "me"}, {"kind": "open"}]
            match = bela.post("/v1/matches", json={"ruleset": "duel", "seats": seats}).json()["id"]
            anna.open(f"/#/m/{match}")
            expect(anna.page.locator(".panel.waiting")).to_be_visible()
            anna.page.evaluate(PILES)
            # When he leads before her page asks for the match that she has just joined
            anna.page.route(f"**/v1/matches/{match}", late, times=1)
            anna.page.get_by_role("button", name="Sit down").click()
            assert anna.my_turn()
            if anna.view()["leader"] == 0:
                break  # else she was first herself: another match
    # Then
    assert anna.page.evaluate("() => window.piles") == [0, 1]
    assert len(log_lines(anna)) == len(set(log_lines(anna)))


def test_a_look_back_leads_to_the_result_again_and_a_rematch_to_its_table(person: People) -> None:
    # Given a duel that is over with its second ply, and somebody who watched it
    anna, bela, watcher = person("Anna"), person("Béla"), person()
    match = started_duel(anna, bela, overrides={"ply_limit": 2})
    watcher.open(f"/#/m/{match}")
    play_duel(anna, bela)
    rematch = anna.page.get_by_role("button", name="Rematch")
    expect(rematch).to_be_visible()
    # When Anna looks back
    anna.page.get_by_role("button", name="Look back").click()
    expect(rematch).to_be_hidden()
    # Then "now" leads to the result, at once and from the past
    now = anna.page.get_by_role("button", name="Now")
    now.click()
    expect(rematch).to_be_visible()
    anna.page.get_by_role("button", name="Look back").click()
    anna.page.get_by_role("button", name="One step back").click()
    expect(anna.page.locator(".past-banner")).to_be_visible()
    now.click()
    expect(rematch).to_be_visible()
    # And when Béla asks for a rematch, her page finds out, and whoever watches can watch that too
    bela.page.get_by_role("button", name="Rematch").click()
    expect(bela.page.locator(".hand .card")).not_to_have_count(0)
    on = anna.page.get_by_role("button", name="The rematch is on: go to the table")
    expect(on).to_be_visible()
    expect(anna.page.locator("#voice")).to_contain_text("The rematch is on")
    on.click()
    expect(anna.page.locator(".hand .card")).not_to_have_count(0)
    watcher.page.get_by_role("link", name="Watch the rematch").click()
    expect(watcher.page.locator(".table.watching .seat")).to_have_count(2)
    assert anna.match == bela.match == watcher.match != match


def test_the_past_is_told_as_it_was(person: People, system: System) -> None:
    # Given a series of two short deals, which Anna looks at before it begins
    anna = person("Anna")
    anna.open()
    title, notice = anna.page.locator(".match-title"), anna.page.locator(".notice")
    with system.client(anna.token) as ann, system.player("Béla") as ben:
        seats = [{"kind": "me", "trump": "c"}, {"kind": "open"}]
        duel = {"ruleset": {"base": "duel", "ply_limit": 30}, "seats": seats, "games": 2}
        match = ann.post("/v1/matches", json=duel).json()["id"]
        anna.open(f"/#/m/{match}")
        expect(title).to_have_text("House rules · 2 deals")
        # and whose first deal is over
        ben.post(f"/v1/matches/{match}/seats", json={"trump": "d"})
        before = play_until_the_deal_ends([ann, ben], match)
    anna.page.reload()
    expect(title).to_have_text("House rules · deal 2 of 2")
    # When she goes back by a step, to the last cards of the first deal
    anna.page.get_by_role("button", name="One step back").click()
    # Then the heading is of that deal, and nobody is asked for a move that cannot be made
    expect(title).to_have_text("House rules · deal 1 of 2")
    mover = ("Anna", "Béla")[before["turn"]]
    assert prompt(anna).startswith(f"{mover} is ")
    # and the log shows where she is
    assert anna.page.locator(".log").evaluate(IN_SIGHT)
    # When she goes on by a step
    anna.page.evaluate(PILES)
    anna.page.get_by_role("button", name="One step on").click()
    # Then the end of the deal is told before the next one is dealt, and no calf is seen where there was none
    expect(notice).to_contain_text("A draw")
    expect(title).to_have_text("House rules · deal 1 of 2")
    expect(notice.locator(".calf")).to_have_count(0)
    expect(title).to_have_text("House rules · deal 2 of 2")
    expect(notice).to_have_count(0)
    assert anna.page.evaluate("() => window.piles").pop(0) > 0
    # And from the very beginning, the log follows
    anna.page.get_by_role("button", name="To the beginning").click()
    expect(anna.page.locator(".past-banner")).to_contain_text("step 1 of")
    for _ in range(3):
        anna.page.get_by_role("button", name="One step on").click()
    expect(anna.page.locator(".log .shown").first).to_be_visible()
    assert anna.page.locator(".log").evaluate(IN_SIGHT)
    assert anna.page.evaluate("() => scrollY") == 0


# Whether the first line that is marked lies within the list.
IN_SIGHT = """list => {
  const box = list.getBoundingClientRect();
  const line = list.querySelector(".shown").getBoundingClientRect();
  return list.scrollHeight > list.clientHeight && line.top >= box.top - 1 && line.bottom <= box.bottom + 1;
}"""


def play_until_the_deal_ends(players: Sequence[httpx.Client], match: str) -> View:
    """The view of whoever made the last move, before it."""
    while True:
        views: list[tuple[httpx.Client, View]] = [(each, each.get(f"/v1/matches/{match}").json()) for each in players]
        mover, view = next((each, view) for each, view in views if view["legal"])
        play = view["legal"][0]
        body = {"action": "take"} if play == "take" else {"action": "play", "cards": [play]}
        made = mover.post(f"/v1/matches/{match}/moves", json=body).json()["events"]
        if any(event["type"] in ("deal-lost", "deal-drawn") for event in made):
            return view


def test_a_chosen_trump_outlives_somebody_elses_sitting_down(person: People, system: System) -> None:
    # Given a table for four, and somebody who has chosen a trump there but not sat down
    anna = person("Anna")
    with system.player("Béla") as bela, system.player("Cili") as cili, system.player("Dani") as dani:
        seats = [{"kind": "me", "trump": "s"}, {"kind": "open"}, {"kind": "open"}, {"kind": "open"}]
        ruleset = {"base": "duel", "seats": 4}
        match = bela.post("/v1/matches", json={"ruleset": ruleset, "seats": seats}).json()["id"]
        anna.open(f"/#/m/{match}")
        hearts = anna.page.get_by_role("radio", name="hearts")
        hearts.press("Space")
        # When another sits down
        cili.post(f"/v1/matches/{match}/seats", json={"trump": "c"})
        expect(anna.page.locator(".panel")).to_contain_text("Cili")
        # Then the choice stands, and the keyboard is where it was
        expect(hearts).to_be_checked()
        expect(hearts).to_be_focused()
        # But not where somebody else takes that trump
        dani.post(f"/v1/matches/{match}/seats", json={"trump": "h"})
        expect(anna.page.locator(".panel")).to_contain_text("Dani")
        expect(hearts).to_be_disabled()
        expect(anna.page.get_by_role("radio", name="Draw it for me")).to_be_checked()
        # And nobody but who opened the table can call it off
        expect(anna.page.get_by_role("button", name="Call the game off")).to_have_count(0)


def test_whoever_opened_a_table_can_call_it_off(person: People, system: System) -> None:
    # Given
    anna = person("Anna")
    anna.open()
    with system.client(anna.token) as client:
        seats = [{"kind": "me"}, {"kind": "open"}]
        match = client.post("/v1/matches", json={"ruleset": "duel", "seats": seats}).json()["id"]
        anna.open(f"/#/m/{match}")
        # When
        anna.page.get_by_role("button", name="Call the game off").click()
        anna.page.locator("dialog").get_by_role("button", name="Call the game off").click()
        # Then
        expect(anna.page.locator(".lobby")).to_be_visible()
        view: dict[str, Any] = client.get(f"/v1/matches/{match}").json()
    assert view["status"] == "aborted"


def test_a_card_is_named_once_to_those_who_listen(person: People) -> None:
    # Given
    anna, bela = person("Anna"), person("Béla")
    started_duel(anna, bela)
    mover, other = (anna, bela) if anna.up_to_date() == "mine" else (bela, anna)
    mover.move()
    assert other.my_turn()
    other.page.reload()
    assert other.my_turn()
    # When the page asks for an answer to a card
    expect(other.page.locator("#voice p")).not_to_have_count(0)
    said = other.page.locator("#voice").inner_text()
    # Then
    top = other.page.locator(".pile .card .flip").last.get_attribute("data-card")
    assert top is not None
    names = dict(zip("23456789TJQKA", RANKS, strict=True))
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    assert f"beat {names[top[0]]} of {suits[top[1]]}" in said


RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
