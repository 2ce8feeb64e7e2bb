"""Which rulesets there are and which are refused."""

from dataclasses import replace
from typing import Any

import pytest

from owntrumps.rules.rulesets import PRESETS, RulesetError, name_of, ruleset_from

DUEL = PRESETS["duel"].as_dict()


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_found_by_name_and_recognised_by_its_parameters(name: str) -> None:
    assert ruleset_from(name) == (PRESETS[name], name)
    assert ruleset_from(PRESETS[name].as_dict()) == (PRESETS[name], name)
    assert ruleset_from({**PRESETS[name].as_dict(), "name": "anything"}) == (PRESETS[name], name)


def test_a_base_with_overrides_is_another_ruleset() -> None:
    ruleset, name = ruleset_from({"base": "bornyu", "seats": 3})
    assert ruleset == replace(PRESETS["bornyu"], seats=3)
    assert name == "custom"
    assert name_of(PRESETS["dudak"]) == "dudak"


@pytest.mark.parametrize(
    ("given", "slug", "quoted"),
    [
        ("whist", "unknown-ruleset", "'whist'"),
        ({"base": "whist"}, "unknown-ruleset", "'whist'"),
        ({"base": 3}, "unknown-ruleset", "3"),
        (7, "bad-ruleset", "7"),
        (None, "bad-ruleset", "None"),
        ({"deck": 36}, "missing-parameter", "seats"),
        ({"base": "duel", "colour": "red"}, "unknown-parameter", "'colour'"),
        ({"base": "duel", "deck": 40}, "bad-parameter", "40"),
        ({"base": "duel", "deck": "36"}, "bad-parameter", "'36'"),
        ({"base": "duel", "deck": 36.0}, "bad-parameter", "36.0"),
        ({"base": "duel", "seats": 5}, "bad-parameter", "5"),
        ({"base": "duel", "seats": True}, "bad-parameter", "True"),
        ({"base": "duel", "direction": 0}, "bad-parameter", "0"),
        ({"base": "duel", "direction": True}, "bad-parameter", "True"),
        ({"base": "duel", "first_leader": "loser"}, "bad-parameter", "'loser'"),
        ({"base": "duel", "trump_choice": "random"}, "bad-parameter", "'random'"),
        ({"base": "duel", "deal": "open"}, "bad-parameter", "'open'"),
        ({"base": "duel", "low_card_exchange": 1}, "bad-parameter", "1"),
        ({"base": "duel", "must_beat": "yes"}, "bad-parameter", "'yes'"),
        ({"base": "duel", "pick_up": "all"}, "bad-parameter", "'all'"),
        ({"base": "duel", "pick_up": []}, "bad-parameter", "[]"),
        ({"base": "duel", "after_last_beat": "end"}, "bad-parameter", "'end'"),
        ({"base": "duel", "lead_after_pick_up": "dealer"}, "bad-parameter", "'dealer'"),
        ({"base": "duel", "one_card_draw": None}, "bad-parameter", "None"),
        ({"base": "duel", "repetition_limit": -1}, "bad-parameter", "-1"),
        ({"base": "duel", "repetition_limit": 1}, "impossible-ruleset", "1"),
        ({"base": "duel", "repetition_limit": 2}, "impossible-ruleset", "2"),
        ({"base": "duel", "ply_limit": 0}, "impossible-ruleset", "0"),
        ({"base": "duel", "ply_limit": 10**9 + 1}, "bad-parameter", "1000000001"),
        ({"base": "challenge", "seats": 3}, "impossible-ruleset", "3"),
        ({"base": "challenge", "trump_choice": "turned"}, "impossible-ruleset", "mirrored"),
    ],
)
def test_an_impossible_ruleset_is_refused_with_its_reason(given: Any, slug: str, quoted: str) -> None:
    with pytest.raises(RulesetError) as refusal:
        ruleset_from(given)
    assert refusal.value.slug == slug
    assert quoted in refusal.value.detail


@pytest.mark.parametrize("parameter", DUEL)
def test_a_complete_parameter_set_needs_every_parameter(parameter: str) -> None:
    with pytest.raises(RulesetError) as refusal:
        ruleset_from({name: value for name, value in DUEL.items() if name != parameter})
    assert (refusal.value.slug, parameter in refusal.value.detail) == ("missing-parameter", True)
