"""Golden playthroughs: rules, events and what every seat sees stay as they are, for ever."""

import pytest

from owntrumps.rules.rulesets import PRESETS
from tests.playthroughs.script import golden, transcript


@pytest.mark.parametrize("name", PRESETS)
def test_a_playthrough_of_every_preset_shows_what_it_always_showed(name: str) -> None:
    assert transcript(name).splitlines() == golden(name).read_text(encoding="utf-8").splitlines()
