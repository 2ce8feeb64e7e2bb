"""The whole page at a table that no server has dealt: any hand, any pile, any names, without playing up to them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, Route

from tests.browser.chromium import ORIGIN

CARDS = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
TRUMPS = "cdsh"
NAMES = ("Fallback", "Vladislava Aðalbjörg", "שלום עולם משחק קלפים", "W" * 30)
"""As long as names get, one of them without a space, one written from right to left."""
VERSION = 4


@dataclass(frozen=True)
class Table:
    """What lies on it. The viewer sits at seat 0 (or watches), is to answer the pile, and may take."""

    hand: int = 8
    pile: int = 1
    seats: int = 4
    known: int = 1
    """Cards of each other player that everybody has seen."""
    watching: bool = False
    over: bool = False
    names: Sequence[str] = field(default=NAMES)

    def view(self) -> dict[str, Any]:
        """As ``GET /v1/matches/<id>`` has it."""
        cards = CARDS.copy()
        hand, pile = [cards.pop() for _ in range(self.hand)], [cards.pop(0) for _ in range(self.pile)]
        seats: list[dict[str, Any]] = []
        for seat in range(self.seats):
            known = hand if seat == 0 and self.watching else [cards.pop() for _ in range(self.known if seat else 0)]
            held = self.hand if seat == 0 else self.known + 3
            seats.append({
                "seat": seat, "kind": "player", "name": self.names[seat], "level": None, "trump": TRUMPS[seat],
                "cards": held, "known": known, "out": False, "stand_in": False,
            })  # fmt: skip
        return {
            "id": "any", "version": VERSION, "status": "finished" if self.over else "playing", "phase": "respond",
            "you": None if self.watching else 0, "turn": -1 if self.over else 0, "hand": [] if self.watching else hand,
            "pile": pile, "discarded": [], "legal": [] if self.over else [hand[0], "take"],
            "seats": seats, "losses": [0] * self.seats, "game": 1, "games": 1, "dealer": 0, "deadline": None,
            "result": {"losers": [0]} if self.over else None, "link": None,
            "ruleset": {
                "name": "bornyu", "deck": 32, "seats": self.seats, "direction": 1, "pick_up": "pile",
                "trump_choice": "turned", "lead_after_pick_up": "next",
            },
        }  # fmt: skip

    def entries(self) -> list[dict[str, Any]]:
        """Everybody has done something already, since that takes room as well."""
        taken: dict[str, Any] = {"type": "pile-taken", "seat": 0, "cards": CARDS[:5]}
        moves = [
            [{"type": "top-beaten", "seat": seat, "card": "Qh"}, {"type": "card-led", "seat": seat, "card": "Th"}]
            for seat in range(1, self.seats)
        ]
        events = [[taken], *moves, *([] for _ in range(VERSION - self.seats))]
        return [{"version": version, "events": each} for version, each in enumerate(events, 1)]


def show(page: Page, table: Table, size: tuple[int, int]) -> None:
    """Opens the page at this table in a window of this size. The stream of what happens next never says anything."""

    def answer(route: Route) -> None:
        address = route.request.url.removeprefix(ORIGIN)
        if "/events?after=0" in address:
            route.fulfill(json={"entries": table.entries()})
        elif address == "/v1/matches/any" or "/views/" in address:
            route.fulfill(json=table.view())
        elif "?after=" not in address:
            route.fulfill(status=404, json={})

    page.unroute("**/v1/**")
    page.route("**/v1/**", answer)
    player = {"id": "anybody", "name": table.names[0], "token": "none"}
    page.goto(f"{ORIGIN}/blank")
    page.evaluate("player => localStorage.setItem('owntrumps.player', player)", json.dumps(player))
    resize(page, size)
    page.goto(f"{ORIGIN}/#/m/any")
    page.locator(".bar .prompt").wait_for(state="attached")


def resize(page: Page, size: tuple[int, int]) -> None:
    """Gives the window a size, and the page two frames to draw itself anew once it has heard of it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function("([width, height]) => innerWidth === width && innerHeight === height", arg=list(size))
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
