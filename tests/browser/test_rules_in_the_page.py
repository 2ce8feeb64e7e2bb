"""What the page shows before a move is done agrees with the rules."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from owntrumps.rules.cards import NO_CARDS, CardSet, card_name, mask_of, parse_card, parse_suit
from owntrumps.rules.deal import begin, step
from owntrumps.rules.position import Hand, Position, Table, pick_up_size, take
from owntrumps.rules.rulesets import ruleset_from

RECORDS = Path(__file__).parents[1] / "vectors" / "own-trumps-records.jsonl"
ENOUGH = 400

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
