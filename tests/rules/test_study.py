"""A position given by hand is taken only if it can be one, and the refusal says what is wrong with it."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from owntrumps.rules.cards import names_of
from owntrumps.rules.perft import perft
from owntrumps.rules.plays import legal_plays
from owntrumps.rules.referee import RecordError, referee
from owntrumps.rules.rulesets import RulesetError
from owntrumps.rules.study import StudyError, play_from, position_from, start_from
from tests.rules.positions import study


def refusal(given: Mapping[str, Any], build: Callable[[Mapping[str, Any]], object] = position_from) -> tuple[str, str]:
    with pytest.raises((StudyError, RulesetError)) as caught:
        build(given)
    assert isinstance(caught.value, StudyError | RulesetError)
    return caught.value.slug, caught.value.detail


def test_a_position_is_taken_as_given():
    table, deal = position_from(study())
    position = deal.position
    assert [names_of(hand.cards) for hand in position.hands] == [["7c", "Ah"], ["8d", "Th"], ["7s", "Ks"]]
    assert (position.turn, position.phase, len(position.pile), deal.plies) == (1, "respond", 2, 0)
    assert legal_plays(table, position) == ["8d", "Th", "take"]


def test_a_start_is_the_leaders_lead_on_an_empty_pile():
    _, deal = start_from(study())
    assert (deal.position.turn, deal.position.phase, deal.position.pile) == (1, "lead", ())


def test_a_seat_without_cards_counts_as_out_whether_named_or_not():
    hands = [["7c", "Ah"], ["Th", "8d"], []]
    assert position_from(study(hands=hands, out=[2]))[1].position.out == (2,)
    assert position_from(study(hands=hands, out=None))[1].position.out == (2,)
    assert start_from(study(hands=hands))[1].position.out == (2,)


def test_the_order_of_going_out_is_kept():
    hands = [["7c", "Ah"], ["Th", "8d"], [], []]
    four = study(ruleset="bornyu", trumps=["c", "d", "s", "h"], hands=hands, out=[3, 2])
    assert position_from(four)[1].position.out == (3, 2)


@pytest.mark.parametrize(
    ("changes", "slug", "quoted"),
    [
        ({"ruleset": None}, "missing-field", "ruleset"),
        ({"ruleset": "whist"}, "unknown-ruleset", "whist"),
        ({"ruleset": 7}, "bad-ruleset", "7"),
        ({"ruleset": {"base": "bornyu", "seats": 5}}, "bad-parameter", "5"),
        ({"ruleset": {"base": "bornyu", "repetition_limit": 2}}, "impossible-ruleset", "2"),
        ({"ruleset": {"seats": 3}}, "missing-parameter", "deck"),
        ({"ruleset": {"base": "bornyu", "jokers": 2}}, "unknown-parameter", "jokers"),
        ({"trumps": None}, "missing-field", "trumps"),
        ({"trumps": "cds"}, "bad-trumps", "cds"),
        ({"trumps": ["c", "d"]}, "bad-trumps", "3 suits"),
        ({"trumps": ["c", "d", "x"]}, "bad-trumps", "'x'"),
        ({"trumps": ["c", "d", ["s"]]}, "bad-trumps", "['s']"),
        ({"trumps": ["c", "d", "c"]}, "duplicate-trump", "seat 0"),
        ({"hands": None}, "missing-field", "hands"),
        ({"hands": {"0": ["7c"]}}, "bad-hands", "7c"),
        ({"hands": [["7c"], ["8c"]]}, "bad-hands", "2 hands"),
        ({"hands": [["7c"], ["8c"], "9c"]}, "bad-hands", "9c"),
        ({"hands": [["7c"], ["10c"], ["9c"]]}, "malformed-card", "10c"),
        ({"hands": [["7c"], ["8c", 5], ["9c"]]}, "malformed-card", "5"),
        ({"hands": [["7c"], ["8C"], ["9c"]]}, "malformed-card", "8C"),
        ({"hands": [["7c"], ["2c"], ["9c"]]}, "card-not-in-pack", "2c"),
        ({"hands": [["7c"], ["8c", "8c"], ["9c"]]}, "duplicate-card", "8c"),
        ({"hands": [["7c"], ["8c"], ["7c"]]}, "duplicate-card", "seat 2"),
        ({"hands": [["7c"], ["9h"], ["Ac"]]}, "duplicate-card", "the pile"),
        ({"pile": None}, "missing-field", "pile"),
        ({"pile": "9h"}, "bad-pile", "9h"),
        ({"pile": ["9h", "5h"]}, "card-not-in-pack", "5h"),
        ({"pile": ["9h", "9h"]}, "duplicate-card", "9h"),
        ({"pile": []}, "empty-pile", "empty"),
        ({"turn": None}, "missing-field", "turn"),
        ({"turn": 3}, "bad-turn", "3"),
        ({"turn": -1}, "bad-turn", "-1"),
        ({"turn": True}, "bad-turn", "True"),
        ({"turn": 1.0}, "bad-turn", "1.0"),
        ({"phase": None}, "missing-field", "phase"),
        ({"phase": "play"}, "bad-phase", "play"),
        ({"phase": ["lead"]}, "bad-phase", "lead"),
        ({"hands": [["7c"], [], ["9c"]], "out": [1]}, "empty-hand", "seat 1"),
        ({"hands": [[], [], []], "out": [0, 1, 2]}, "empty-hand", "seat 1"),
        ({"out": [0]}, "out-at-odds", "[0]"),
        ({"hands": [["7c"], ["Th"], []], "out": []}, "out-at-odds", "[2]"),
        ({"hands": [["7c"], ["Th"], []], "out": [2, 2]}, "out-at-odds", "[2, 2]"),
        ({"hands": [["7c"], ["Th"], []], "out": [2.0]}, "out-at-odds", "[2.0]"),
        ({"hands": [["7c"], ["Th"], []], "out": 2}, "out-at-odds", "out is 2"),
    ],
)
def test_what_cannot_be_a_position_is_refused_by_slug_and_quoted(changes: dict[str, Any], slug: str, quoted: str):
    found, detail = refusal(study(**changes))
    assert found == slug
    assert quoted in detail


def test_where_one_seat_alone_holds_cards_the_deal_is_over():
    over = study(hands=[[], ["Th"], []], out=[0, 2])
    assert [perft(*position_from(over), depth) for depth in (1, 2, 3)] == [1, 1, 1]
    record = {**over, "leader": 1, "pile": [], "plays": []}
    assert referee(record) == {
        "plies": [],
        "result": {"loser": 1},
        "out": [0, 2],
        "hands": [[], ["Th"], []],
        "pile": [],
    }
    with pytest.raises(RecordError) as caught:
        referee({**record, "plays": ["Th"]})
    assert (caught.value.slug, caught.value.ply, caught.value.legal) == ("deal-over", 0, [])


def test_a_limit_may_be_as_good_as_none():
    table, _ = position_from(study(ruleset={"base": "bornyu", "seats": 3, "ply_limit": 10**9}))
    assert table.ruleset.ply_limit == 10**9


@pytest.mark.parametrize(
    ("changes", "slug"),
    [
        ({"leader": None}, "missing-field"),
        ({"leader": 3}, "bad-leader"),
        ({"leader": "1"}, "bad-leader"),
        ({"hands": [["7c"], [], ["9c"]]}, "empty-hand"),
    ],
)
def test_what_cannot_be_a_start_is_refused(changes: dict[str, Any], slug: str):
    assert refusal(study(**changes), start_from)[0] == slug


@pytest.mark.parametrize("value", ["10h", "TH", "", "Take", None, 8, ["7c"], {"play": "7c"}])
def test_a_play_is_a_card_or_take(value: object):
    assert play_from("take") == "take"
    with pytest.raises(StudyError) as caught:
        play_from(value)
    assert caught.value.slug == "unknown-play"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(field=st.sampled_from(sorted(study())), value=json_values)
def test_no_json_value_in_any_field_does_more_than_refuse(field: str, value: object):
    for build in (position_from, start_from):
        with suppress(StudyError, RulesetError):
            _, deal = build({**study(), field: value})
            assert deal.position.hands[deal.position.turn].count
