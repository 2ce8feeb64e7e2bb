"""The rules agree with an independent model, ply by ply (tests/vectors/)."""

import json
from pathlib import Path
from typing import Any

import pytest

from owntrumps.game.dealing import turn_up_trumps
from owntrumps.rules.cards import Seat, card_name, mask_of, names_of, parse_card, parse_suit, suit_name
from owntrumps.rules.deal import Deal, Loser, Result, begin, resume, step
from owntrumps.rules.perft import perft
from owntrumps.rules.plays import TAKE, legal_plays
from owntrumps.rules.position import Hand, Position, Table
from owntrumps.rules.rulesets import ruleset_from

VECTORS = Path(__file__).parents[1] / "vectors"


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (VECTORS / f"own-trumps-{name}.jsonl").read_text().splitlines()]


def named(records: list[Any]) -> list[Any]:
    return [pytest.param(record, id=record.get("name", str(index))) for index, record in enumerate(records)]


def table_and_deal(record: Any, *, turn: int, phase: Any, pile: list[str], out: list[int]) -> tuple[Table, Deal]:
    table = Table(ruleset_from(record["ruleset"])[0], tuple(parse_suit(trump) for trump in record["trumps"]))
    hands = tuple(Hand(mask_of(parse_card(card) for card in hand)) for hand in record["hands"])
    cards = tuple(parse_card(card) for card in pile)
    return table, begin(Position(hands, cards, Seat(turn), phase, tuple(Seat(seat) for seat in out)))


def result_json(result: Result | None) -> Any:
    if result is None:
        return None
    return {"loser": result.seat} if isinstance(result, Loser) else {"draw": result.reason}


@pytest.mark.parametrize("record", named(lines("records") + lines("studies")))
def test_a_recorded_deal_plays_out_exactly_as_recorded(record: Any) -> None:
    table, deal = table_and_deal(record, turn=record["leader"], phase="lead", pile=[], out=[])
    result = None
    for ply in record["plies"]:
        assert result is None
        assert (deal.position.turn, deal.position.phase) == (ply["seat"], ply["phase"])
        assert legal_plays(table, deal.position) == ply["legal"]
        deal, result = step(table, deal, TAKE if ply["play"] == "take" else parse_card(ply["play"]))
        assert (len(deal.position.pile), deal.position.counts()) == (ply["pile"], ply["counts"])
    assert result_json(result) == record["result"]
    assert list(deal.position.out) == record["out"]
    assert [names_of(hand.cards) for hand in deal.position.hands] == record["final_hands"]
    assert [card_name(card) for card in deal.position.pile] == record["final_pile"]
    assert resume(table, deal.root, deal.plays, deal.plies).occurrences == deal.occurrences


@pytest.mark.parametrize("record", named(lines("perft")))
def test_perft_counts_agree_to_depth_four(record: Any) -> None:
    table, deal = table_and_deal(
        record, turn=record["turn"], phase=record["phase"], pile=record["pile"], out=record["out"]
    )
    assert [perft(table, deal, depth) for depth in range(1, len(record["perft"]) + 1)] == record["perft"]


@pytest.mark.parametrize("record", named(lines("turned")))
def test_trumps_are_turned_up_as_recorded(record: Any) -> None:
    hands = [[parse_card(card) for card in hand] for hand in record["dealt"]]
    trumps, turned = turn_up_trumps(hands, Seat(record["leader"]), record["direction"])
    assert [suit_name(trump) for trump in trumps] == record["trumps"]
    assert [[card_name(card) for card in cards] for cards in turned] == record["turned"]
