"""Whole matches over HTTP, each answer held against the rules."""

import pytest

from owntrumps.rules.rulesets import PRESETS
from tests.e2e.strict_match import play_strictly


@pytest.mark.server
@pytest.mark.parametrize("name", PRESETS)
def test_every_answer_of_a_match_is_what_the_rules_say(system, name: str) -> None:
    # Random play makes deals of a thousand plies; a limit keeps this one short and its draw is checked as well.
    played = play_strictly(system.url, name, seed=7, overrides={"ply_limit": 120})
    assert played.version > played.moves > 20
