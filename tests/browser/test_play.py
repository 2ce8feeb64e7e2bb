"""Matches played in browsers, against the system that `make run` starts."""

import json
from typing import Any

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.browser.person import People, play_duel, started_duel
from tests.e2e.play import events, move
from tests.e2e.system import System

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.slow]

LONGEST_DEAL = 60
"""Plies after which a deal is drawn: nobody here plays to win, and such deals can go on for long."""


def test_two_browsers_play_each_other_to_the_end(person: People) -> None:
    # Given
    anna, bela = person("Anna"), person("Béla")
    started_duel(anna, bela, overrides={"ply_limit": LONGEST_DEAL})
    # When
    answers = play_duel(anna, bela)
    # Then every move was taken at once, and both see the same end
    assert {answer.status for answer in answers[:-1]} == {201}
    assert answers[-1].status in (201, 422)  # 422: the beat alone had ended the deal, and was sent again alone
    assert anna.settled() == bela.settled() == "over"
    view = anna.view()
    assert view["status"] == "finished"
    assert anna.version == bela.version == f"{view['version']} / {view['version']}"
    told = [each.page.locator("#result-title").inner_text() for each in (anna, bela)]
    if "draw" in view["result"]:
        assert told[0] == told[1]
        assert told[0].startswith("A draw")
    else:
        assert told == (["You lose.", "You win!"] if view["result"]["losers"] == [0] else ["You win!", "You lose."])


def test_a_private_table_is_joined_by_its_link_and_only_so(person: People) -> None:
    # Given a private table with a pack of 24 that Anna opens
    anna, bela, stranger = person(), person(), person()
    anna.open()
    anna.page.get_by_role("button", name="Options: Duel").click()
    anna.page.locator(".house-rules summary").click()
    anna.page.get_by_label("Pack").select_option("24")
    anna.page.get_by_label("Private: only with the link").check()
    anna.page.get_by_role("button", name="Open the table").click()
    anna.give_name("Anna")
    link = anna.page.get_by_label("Link to this table").input_value()
    # When somebody comes without the key, and Béla with it
    stranger.open(link.partition("?")[0])
    expect(stranger.page.get_by_role("alert").filter(has_text="private")).to_be_visible()
    bela.open(link)
    bela.page.locator(".panel").get_by_role("button", name="Sit down").click()
    bela.give_name("Béla")
    # Then these two play
    for each in (anna, bela):
        expect(each.page.locator(".hand .card")).to_have_count(12)
    assert {answer.status for answer in play_duel(anna, bela, moves=2)} == {201}
    # And a reload without the key finds the table again
    bela.open(link.partition("?")[0])
    assert bela.settled() in ("mine", "theirs")


def test_a_browser_plays_bornyu_against_three_bots_to_the_end(person: People, system: System) -> None:
    # Given somebody who has never been here
    anna = person()

    def bounded(route: Route) -> None:
        asked = {**json.loads(route.request.post_data or ""), "ruleset": {"base": "bornyu", "ply_limit": LONGEST_DEAL}}
        route.continue_(post_data=json.dumps(asked))

    anna.page.route("**/v1/matches", bounded, times=1)
    anna.open()
    anna.page.get_by_role("button", name="Play bornyú now").click()
    anna.give_name("Anna")
    # When
    moves = 0
    while anna.my_turn():
        if anna.move().status == 422:  # the beat alone had ended the deal: the page has sent it again without the lead
            assert anna.settled() == "over"
        moves += 1
    # Then
    view = anna.view()
    assert view["status"] == "finished"
    told = anna.page.locator("#result-title").inner_text()
    if "draw" in view["result"]:
        assert told.startswith("A draw")
    else:
        assert told.startswith("You are the calf" if view["result"]["losers"] == [0] else "The calf: ")
    with system.client(anna.token) as client:
        entries = events(client, anna.match)
    own = {"card-led", "top-beaten", "pile-taken"}
    mine = [entry for entry in entries if any(e["type"] in own and e["seat"] == 0 for e in entry["events"])]
    assert len(mine) == moves > 0


# Remembers which cards lay on the pile when a notice came.
PILE_UNDER_NOTICE = """() => {
  window.pileUnderNotice = null;
  new MutationObserver(() => {
    if (!document.querySelector(".notice")) return;
    window.pileUnderNotice ??= [...document.querySelectorAll(".pile .flip")].map((node) => node.dataset.card);
  }).observe(document.body, { childList: true, subtree: true });
}"""


def test_the_last_cards_of_a_deal_are_seen_before_the_next_one_is_dealt(person: People, system: System) -> None:
    # Given a series of two short deals, and somebody who looks at it while both players move by other means
    anna = person("Anna")
    anna.open()
    with system.client(anna.token) as ann, system.player("Béla") as ben:
        seats = [{"kind": "me", "trump": "c"}, {"kind": "open"}]
        duel = {"ruleset": {"base": "duel", "ply_limit": 8}, "seats": seats, "games": 2}
        match = ann.post("/v1/matches", json=duel).json()["id"]
        ben.post(f"/v1/matches/{match}/seats", json={"trump": "d"})
        anna.open(f"/#/m/{match}")
        anna.settled()
        anna.page.evaluate(PILE_UNDER_NOTICE)
        # When the first deal ends
        ended, pile = False, list[str]()
        while not ended:
            mover, view = next((each, view) for each in (ann, ben) if (view := seen(each, match))["legal"])
            play = view["legal"][0]
            body = {"action": "take"} if play == "take" else {"action": "play", "cards": [play]}
            made = mover.post(f"/v1/matches/{match}/moves", json=body).json()["events"]
            ended = any(event["type"] in ("deal-lost", "deal-drawn") for event in made)
            picked_up = [card for event in made if event["type"] == "pile-taken" for card in event["cards"]]
            played = [] if play == "take" else [play]
            pile = [card for card in view["pile"] + played if card not in picked_up]
    # Then its end is told over the cards as they lay last, and after it the new deal is shown
    assert anna.page.wait_for_function("() => window.pileUnderNotice").json_value() == pile
    assert anna.settled() in ("mine", "theirs")
    assert not anna.page.locator(".pile .card").count()


def seen(client: httpx.Client, match: str) -> dict[str, Any]:
    view: dict[str, Any] = client.get(f"/v1/matches/{match}").json()
    return view


def test_a_button_pressed_before_the_lobby_has_loaded_does_its_work(person: People) -> None:
    anna = person("Anna")

    def answer(route: Route) -> None:
        anna.page.get_by_role("button", name="Play bornyú now").click()
        route.continue_()

    # When it is pressed before the page knows which games there are
    anna.page.route("**/v1/rulesets", answer, times=1)
    anna.open()
    # Then
    expect(anna.page.locator(".hand .card")).not_to_have_count(0)


def test_a_reload_in_the_middle_changes_nothing(person: People) -> None:
    anna, bela = person("Anna"), person("Béla")
    started_duel(anna, bela)
    play_duel(anna, bela, moves=3)
    before = anna.up_to_date(), anna.hand(), anna.version
    # When
    anna.page.reload()
    # Then
    assert (anna.settled(), anna.hand(), anna.version) == before
    assert {answer.status for answer in play_duel(anna, bela, moves=2)} == {201}


def test_a_move_made_while_the_page_loads_is_shown(person: People, system: System) -> None:
    # Given a duel in which nobody has moved
    anna = person("Anna")
    anna.open()
    with system.player("Béla") as bela:
        seats = [{"kind": "me"}, {"kind": "open"}]
        match = bela.post("/v1/matches", json={"ruleset": "duel", "seats": seats}).json()["id"]
        with system.client(anna.token) as client:
            client.post(f"/v1/matches/{match}/seats", json={})
            before = client.get(f"/v1/matches/{match}").json()
            mover = client if before["turn"] == before["you"] else bela

            def answer(route: Route) -> None:
                view = route.fetch()
                assert move(mover, mover.get(f"/v1/matches/{match}").json()).status_code == 201
                route.fulfill(response=view)

            # When the one to move does so after the page has got the view, and before it asks for the log
            anna.page.route(f"**/v1/matches/{match}", answer, times=1)
            anna.open(f"/#/m/{match}")
            # Then the page shows it
            expect(anna.page.locator(".pile .card")).to_have_count(1)
            # and tells of it once
            lines = anna.page.locator(".log li").all_inner_texts()
            assert len(lines) == len(set(lines))
            # and who is to answer can
            if mover is bela:
                assert anna.my_turn()


def test_a_restart_of_the_server_costs_a_pause_and_nothing_else(person: People, system: System) -> None:
    # Given a match in its middle
    anna, bela = person("Anna"), person("Béla")
    started_duel(anna, bela)
    play_duel(anna, bela, moves=3)
    before = [(each.hand(), each.version) for each in (anna, bela)]
    # When
    system.stop()
    for each in (anna, bela):
        expect(each.page.locator(".link-state.lost")).to_be_visible()
    system.start()
    # Then both pages find back by themselves
    for each in (anna, bela):
        expect(each.page.locator(".link-state.live")).to_be_visible()
    assert [(each.hand(), each.version) for each in (anna, bela)] == before
    assert {answer.status for answer in play_duel(anna, bela, moves=2)} == {201}


def test_a_move_made_while_the_server_is_down_arrives_when_it_is_back(person: People, system: System) -> None:
    anna, bela = person("Anna"), person("Béla")
    started_duel(anna, bela)
    mover = anna if anna.up_to_date() == "mine" else bela
    version = mover.view()["version"]
    system.stop()
    # When
    mover.page.locator(".hand .card.playable").first.press("Enter")
    expect(mover.page.locator(".link-state.lost")).to_be_visible()
    system.start()
    # Then it is made, once
    assert mover.settled() == "theirs"
    assert mover.view()["version"] == version + 1


def test_a_rematch_is_one_match_whoever_asks(person: People) -> None:
    # Given a duel that ends with its second ply
    anna, bela = person("Anna"), person("Béla")
    old = started_duel(anna, bela, overrides={"ply_limit": 2})
    play_duel(anna, bela)
    # When both ask
    for each in (anna, bela):
        each.page.get_by_role("button", name="Rematch").click()
    # Then
    for each in (anna, bela):
        expect(each.page.locator(".hand .card")).to_have_count(12)
    assert anna.match == bela.match != old


def test_two_strangers_who_look_for_the_same_game_find_each_other(person: People) -> None:
    anna, bela = person("Anna"), person("Béla")
    for each in (anna, bela):
        each.open()
        each.page.get_by_role("button", name="Find people: Duel").click()
    for each in (anna, bela):
        expect(each.page.locator(".hand")).to_be_visible()
    assert anna.match == bela.match
    assert [seat["name"] for seat in anna.view()["seats"]] == ["Anna", "Béla"]


def test_looking_for_another_game_ends_the_search_for_the_first(person: People, system: System) -> None:
    anna = person("Anna")
    anna.open()
    anna.page.get_by_role("button", name="Find people: Duel").click()
    expect(anna.page.locator(".seeking")).to_be_visible()
    anna.page.reload()
    # When
    anna.page.get_by_role("button", name="Find people: Bornyú").click()
    expect(anna.page.locator(".seeking")).to_be_visible()
    # Then
    with system.client(anna.token) as client:
        sought = client.get("/v1/seeks").json()["seeks"]
    assert [seek["ruleset"]["name"] for seek in sought] == ["bornyu"]
    # And giving up ends it
    with anna.page.expect_response(lambda response: response.request.method == "DELETE"):
        anna.page.get_by_role("button", name="Cancel").click()
    with system.client(anna.token) as client:
        assert client.get("/v1/seeks").json()["seeks"] == []


def test_who_left_can_take_the_seat_over_from_the_bot(person: People) -> None:
    # Given Anna has left a duel in which it is Béla's turn
    anna, bela = person("Anna"), person("Béla")
    started_duel(anna, bela)
    while bela.settled() != "mine" or anna.settled() != "theirs":
        play_duel(anna, bela, moves=1)
    anna.page.get_by_role("button", name="Leave the game").click()
    anna.page.locator("dialog").get_by_role("button", name="Leave the game").click()
    back = anna.page.get_by_role("button", name="I’m back: let me play")
    expect(back).to_be_visible()
    # and the bot has played for her: that is not told as her doing
    bela.move()
    assert bela.my_turn()
    expect(anna.page.locator(".log li", has_text="Anna ").last).to_be_visible()
    told = anna.page.locator(".log li").all_inner_texts()
    since = told[told.index("You have left; a bot plays on.") + 1 :]
    assert [line for line in since if line.startswith("You ")] == []
    anna.page.reload()
    expect(back).to_be_visible()
    assert anna.page.locator(".log li").all_inner_texts()[: len(told)] == told
    # When she comes back
    back.click()
    # Then the seat is hers again
    expect(back).to_be_hidden()
    assert anna.view()["seats"][0]["kind"] == "player"


def test_a_dragged_slider_asks_only_for_where_it_stops(person: People) -> None:
    # Given a match with some history
    anna, bela = person("Anna"), person("Béla")
    started_duel(anna, bela)
    play_duel(anna, bela, moves=6)
    anna.page.reload()
    anna.settled()
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url) if "/views/" in request.url else None)
    # When it is dragged over many versions at once
    slider = anna.page.get_by_role("slider", name="Version on show")
    slider.evaluate(
        "slider => { for (const at of [5, 4, 3, 2]) { slider.value = at; slider.dispatchEvent(new Event('input')); } }"
    )
    # Then the table shows the last of them, with at most one other asked for on the way
    expect(anna.page.locator(".past-banner")).to_contain_text("step 2 of")
    with anna.system.client(anna.token) as client:
        then = client.get(f"/v1/matches/{anna.match}/views/2").json()
    expect(anna.page.locator(".hand .card")).to_have_count(len(then["hand"]))
    assert anna.hand() == then["hand"]
    assert [url.rpartition("/")[2] for url in asked] in (["5", "2"], ["2"])
    # And "now" leads back
    anna.page.get_by_role("button", name="Now").click()
    expect(anna.page.locator(".past-banner")).to_be_hidden()
    assert anna.hand() == anna.view()["hand"]
