"""A move can be typed by number or name, mended before it is sent, and is sent only when asked for."""

from typing import Any, cast

import pytest

from owntrumps.cli.terminal.draft import Draft
from owntrumps.views.view import View


def draft(phase: str = "respond", legal: tuple[str, ...] = ("9c", "Th", "take")) -> Draft:
    hand = ["9c", "Jc", "Th", "2s"]
    return Draft(cast(View, {"phase": phase, "legal": list(legal), "hand": hand, "you": 0}))


def type_all(move: Draft, *lines: str) -> list[Any]:
    return [move.typed(line) for line in lines]


@pytest.mark.parametrize("text", ["2", " 2 ", "Th", "th", "10h", "TH"])
def test_a_card_is_chosen_by_number_or_name(text: str):
    move = draft()
    assert move.typed(text) == "chosen"
    assert move.plays == ["Th"]


@pytest.mark.parametrize("text", ["t", "T", "take"])
def test_a_take_has_its_own_key(text: str):
    move = draft()
    assert type_all(move, text, "") == ["chosen", "send"]
    assert move.plays == ["take"]
    assert move.options() == []


@pytest.mark.parametrize("text", ["0", "3", "-1", "Jc", "x", "²", "h", "take it", "7", "u", ""])
def test_what_cannot_be_chosen_changes_nothing(text: str):
    move = draft()
    assert move.typed(text) == "unknown"
    assert move.plays == []


def test_a_take_that_is_not_legal_cannot_be_chosen():
    move = draft(phase="lead", legal=("9c", "Jc", "Th", "2s"))
    assert move.typed("t") == "unknown"


def test_a_beat_may_be_followed_by_any_other_card_of_the_hand():
    move = draft()
    move.typed("9c")
    assert move.options() == ["Jc", "Th", "2s"]
    assert type_all(move, "3", "4", "") == ["chosen", "unknown", "send"]
    assert move.plays == ["9c", "2s"]


def test_a_beat_may_be_sent_alone():
    move = draft()
    assert type_all(move, "1", "") == ["chosen", "send"]
    assert move.plays == ["9c"]


def test_a_lead_is_one_card():
    move = draft(phase="lead", legal=("9c", "Jc", "Th", "2s"))
    assert type_all(move, "2", "1", "") == ["chosen", "unknown", "send"]
    assert move.plays == ["Jc"]


def test_each_step_can_be_undone():
    move = draft()
    assert type_all(move, "1", "2", "u", "u", "u") == ["chosen", "chosen", "undone", "undone", "unknown"]
    assert type_all(move, "t", "u", "2", "") == ["chosen", "undone", "chosen", "send"]
    assert move.plays == ["Th"]
