"""Somebody at a table: a browser of their own, used by keyboard as people may use it."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal, Self

from playwright.sync_api import Browser, BrowserContext, Page, Response, expect
from playwright.sync_api import Error as PlaywrightError

from tests.browser.chromium import DESKTOP
from tests.e2e.system import System

Turn = Literal["mine", "theirs", "over"]

PATIENCE_MS = 60_000
"""For anything on a machine that does other things as well."""

# What the table shows, or null while a move is on its way or moves are still being shown. It is "mine" only when
# something can be chosen; "theirs" may be old news.
TURN = """() => {
  if (document.querySelector("#result-title")) return "over";
  const table = document.querySelector(".table");
  if (!table || table.classList.contains("busy")) return null;
  if (table.querySelector(".mine.is-turn .card.playable, .btn.take")) return "mine";
  return table.querySelector(".seat.is-turn") ? "theirs" : null;
}"""
MINE_OR_OVER = f"() => {{ const turn = ({TURN})(); return turn === 'theirs' ? null : turn; }}"


class Person:
    """One browser context: nothing is shared with other people's."""

    def __init__(self, browser: Browser, system: System, size: tuple[int, int] = DESKTOP, **context: Any) -> None:
        self.system = system
        self.context: BrowserContext = browser.new_context(
            base_url=system.url, locale="en", viewport={"width": size[0], "height": size[1]}, **context
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        """Exceptions of the page's program, and what its Content-Security-Policy refused."""
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.remember("owntrumps.settings", {"pace": "fast"})
        self.page.on("console", lambda said: self.errors.append(said.text) if "Security" in said.text else None)

    def remember(self, name: str, value: Any) -> None:
        """Store something before the page's program runs, unless it has stored something itself."""
        self.context.add_init_script(
            f"localStorage.getItem('{name}') ?? localStorage.setItem('{name}', `{json.dumps(value)}`)"
        )

    def known_as(self, name: str) -> Self:
        """Registered already."""
        with self.system.client() as stranger:
            registered = stranger.post("/v1/players", json={"name": name})
        assert registered.status_code == 201, registered.text
        self.remember("owntrumps.player", registered.json())
        return self

    def open(self, address: str = "/") -> None:
        """Go to the lobby, or to a match by its link."""
        try:
            self.page.goto(address)
        except PlaywrightError as error:
            # Chromium drops what it does when any network interface of the machine comes or goes.
            if "ERR_NETWORK_CHANGED" not in error.message:
                raise
            self.page.goto(address)

    def give_name(self, name: str) -> None:
        """Answer the page's question who sits down."""
        self.page.fill("#player-name", name)
        self.page.keyboard.press("Enter")

    @property
    def token(self) -> str:
        """The bearer token that this browser holds."""
        token: str = self.page.evaluate("() => JSON.parse(localStorage.getItem('owntrumps.player')).token")
        return token

    @property
    def match(self) -> str:
        """The id of the match on the page."""
        return self.page.url.partition("#/m/")[2].partition("?")[0]

    @property
    def version(self) -> str:
        """Such as ``17 / 17``: the version on show, and the newest."""
        return self.page.locator(".version").inner_text()

    def view(self) -> dict[str, Any]:
        """The match as the server shows it to this browser's player."""
        with self.system.client(self.token) as client:
            view: dict[str, Any] = client.get(f"/v1/matches/{self.match}").json()
        return view

    def hand(self) -> list[str]:
        """The cards in hand as drawn, in the order of the API."""
        cards: list[str] = self.page.locator(".hand .card").evaluate_all(
            "cards => cards.map(card => card.dataset.pick)"
        )
        return sorted(cards, key=lambda card: ("cdhs".index(card[1]), "23456789TJQKA".index(card[0])))

    def settled(self) -> Turn:
        """Whose turn it is once nothing is under way. Right after one's own move this is never old news."""
        turn: Turn = self.page.wait_for_function(TURN).json_value()
        return turn

    def up_to_date(self) -> Turn:
        """Whose turn it is, once the page shows the match as the server has it."""
        view = self.view()
        turn: Turn = "over" if view["status"] == "finished" else "mine" if view["legal"] else "theirs"
        self.page.wait_for_function(f"turn => ({TURN})() === turn", arg=turn)
        expect(self.page.locator(".version")).to_have_text(f"{view['version']} / {view['version']}")
        return turn

    def my_turn(self) -> bool:
        """Wait until one is to move, or the match is over (False)."""
        turn: Turn = self.page.wait_for_function(MINE_OR_OVER).json_value()
        return turn == "mine"

    def move(self) -> Response:
        """Play the first card that can be played (and lead the first on it), or take; the server's answer."""
        playable = self.page.locator(".hand .card.playable")
        beating = self.page.locator(".prompt").inner_text() != "Your turn: lead a card"
        two = beating and self.page.locator(".hand .card").count() > 1
        with self.page.expect_response(is_move) as answer:
            if playable.count() == 0:
                self.page.locator(".btn.take").press("Enter")
            else:
                playable.first.press("Enter")
                if two:
                    expect(self.page.locator(".card.staged")).to_be_visible()
                    playable.first.press("Enter")
        return answer.value

    def close(self) -> None:
        self.context.close()
        assert self.errors == []


def is_move(response: Response) -> bool:
    return response.request.method == "POST" and response.url.partition("?")[0].endswith("/moves")


def play_duel(one: Person, other: Person, moves: int | None = None) -> list[Response]:
    """Two people play until the match is over, or so many moves are made; the answers."""
    answers: list[Response] = []
    mover, waiting = (one, other) if one.settled() == "mine" else (other, one)
    while (moves is None or len(answers) < moves) and mover.my_turn():
        answers.append(mover.move())
        if mover.settled() == "theirs":
            mover, waiting = waiting, mover
    return answers


def started_duel(
    one: Person, other: Person, *, trumps: tuple[str, str] = ("h", "s"), overrides: Mapping[str, Any] = {}, **terms: Any
) -> str:
    """A small duel of these two, made through the API and open in both browsers; its id."""
    for person in (one, other):
        person.open()
    ruleset = {"base": "duel", "deck": 24, **overrides}
    seats = [{"kind": "me", "trump": trumps[0]}, {"kind": "open"}]
    with one.system.client(one.token) as client:
        made = client.post("/v1/matches", json={"ruleset": ruleset, "seats": seats, **terms})
    assert made.status_code == 201, made.text
    match: str = made.json()["id"]
    with other.system.client(other.token) as client:
        sat = client.post(f"/v1/matches/{match}/seats", json={"trump": trumps[1]})
    assert sat.status_code == 201, sat.text
    for person in (one, other):
        person.open(f"/#/m/{match}")
        expect(person.page.locator(".hand")).to_be_visible()
    return match


People = Callable[..., Person]
