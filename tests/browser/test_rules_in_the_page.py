"""What the page shows before a move is done agrees with the rules."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from owntrumps.game.state import NoMatch
from owntrumps.rules.cards import NO_CARDS, CardSet, Seat, card_name, mask_of, parse_card, parse_suit
from owntrumps.rules.deal import begin, step
from owntrumps.rules.position import Hand, Position, Table, pick_up_size, take
from owntrumps.rules.rulesets import PRESETS, ruleset_from
from owntrumps.store.codec import entry_json
from owntrumps.views.redaction import visible_entry
from owntrumps.views.view import View
from owntrumps.views.view import view_of as view_of_match
from tests.matches import random_match

RECORDS = Path(__file__).parents[1] / "vectors" / "own-trumps-records.jsonl"
ENOUGH = 400
SHORT_DEAL = 80
"""Plies: long enough for takes of every size, and for seats to go out."""

pytestmark = pytest.mark.browser


def view_of(table: Table, position: Position) -> dict[str, Any]:
    """As much of a view as the page's own rules read."""
    return {
        "ruleset": table.ruleset.as_dict(),
        "pile": [card_name(card) for card in position.pile],
        "seats": [
            {"trump": "cdhs"[trump], "cards": hand.count}
            for trump, hand in zip(table.trumps, position.hands, strict=True)
        ],
    }


def takes_of(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Every position of a recorded deal in which a take would be possible, with what it would leave."""
    ruleset, _ = ruleset_from(record["ruleset"])
    table = Table(ruleset, tuple(parse_suit(suit) for suit in record["trumps"]))
    hands = tuple(Hand(mask_of(map(parse_card, cards)), 0, CardSet(NO_CARDS)) for cards in record["hands"])
    deal = begin(Position(hands, (), record["leader"], "lead"))
    found = []
    for ply in record["plies"]:
        position = deal.position
        if position.phase == "respond":
            after = take(table, position)
            found.append(
                {
                    "view": view_of(table, position),
                    "seat": position.turn,
                    "expected": {
                        "size": pick_up_size(table, position),
                        "seat": after.turn,
                        "phase": after.phase,
                        "top": card_name(after.pile[-1]) if after.pile else None,
                    },
                }
            )
        play = ply["play"]
        deal, _ = step(table, deal, play if play == "take" else parse_card(play))
    return found


def test_what_a_take_would_pick_up_and_leave_is_what_the_rules_say(modules: Page) -> None:
    cases = [case for line in RECORDS.read_text().splitlines() for case in takes_of(json.loads(line))]
    assert len(cases) >= ENOUGH
    answers = modules.evaluate(
        """async (cases) => {
            const { afterTake } = await import("/static/js/rules.js");
            return cases.map(({ view, seat }) => afterTake(view, seat));
        }""",
        [{"view": case["view"], "seat": case["seat"]} for case in cases],
    )
    for case, answer in zip(cases, answers, strict=True):
        assert answer == case["expected"], case


@pytest.mark.parametrize("name", PRESETS)
def test_the_table_after_a_deals_moves_is_what_the_next_view_shows(modules: Page, name: str) -> None:
    # Given each entry of a short random match, as seat 1 sees it, and the views before and after
    before: View | None = None
    cases: list[tuple[View, Any, View]] = []
    for match, entry in random_match(replace(PRESETS[name], ply_limit=SHORT_DEAL), random.Random(3)):
        assert not isinstance(match.state, NoMatch)
        after = view_of_match(match, Seat(1))
        if before is not None:
            cases.append((before, entry_json(visible_entry(entry, match.state, Seat(1)))["events"], after))
        before = after if after["status"] == "playing" else None
    assert len(cases) > 10
    # When the page works out what the events lead to
    pictures = modules.evaluate(
        """async (cases) => {
            const { afterMoves } = await import("/static/js/rules.js");
            return cases.map(([before, events]) => afterMoves(before, events));
        }""",
        [[before, events] for before, events, _ in cases],
    )
    # Then it is what the server says; once the match is over that shows more
    for (_, events, after), picture in zip(cases, pictures, strict=True):
        assert picture["pile"] == after["pile"], events
        assert sorted(picture["hand"]) == sorted(after["hand"]), events
        for drawn, seat in zip(picture["seats"], after["seats"], strict=True):
            assert (drawn["cards"], drawn["out"]) == (seat["cards"], seat["out"]), events
            if after["status"] == "playing":
                assert sorted(drawn["known"]) == sorted(seat["known"]), events


def test_the_hand_keeps_every_card_and_has_its_trump_last(modules: Page) -> None:
    hand = ["7c", "Ac", "Td", "9h", "Kh", "7s", "As"]
    ordered = modules.evaluate(
        'async (hand) => (await import("/static/js/rules.js")).sortHand(hand, "d")', list(reversed(hand))
    )
    assert ordered == ["7c", "Ac", "9h", "Kh", "7s", "As", "Td"]


def test_seats_lie_round_the_table_in_the_direction_of_play(modules: Page) -> None:
    orders = modules.evaluate(
        """async () => {
            const { seatOrder } = await import("/static/js/rules.js");
            const view = (you, direction) => ({ you, seats: [{}, {}, {}, {}], ruleset: { direction } });
            return [seatOrder(view(2, 1)), seatOrder(view(2, -1)), seatOrder(view(null, 1))];
        }"""
    )
    assert orders == [[2, 3, 0, 1], [2, 1, 0, 3], [0, 1, 2, 3]]
