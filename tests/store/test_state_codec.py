"""State bytes: the same for the same match, read back in full, and never trusted when they are of another make."""

import random
from dataclasses import replace

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from owntrumps.game.state import EMPTY, Match, PlayingMatch
from owntrumps.rules.deal import NOT_COUNTED, Deal
from owntrumps.rules.rulesets import Ruleset
from owntrumps.store.memory import MemoryStore
from owntrumps.store.state_codec import FORMAT, OtherFormatError, read_state, write_state
from owntrumps.views.view import view_of
from tests.store.given import played
from tests.store.write_logs import STORIES, told
from tests.strategies import rulesets


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rulesets(), st.randoms(use_true_random=False), st.integers(min_value=1, max_value=2))
def test_every_state_on_the_way_is_read_as_it_was_written(ruleset: Ruleset, dice: random.Random, games: int):
    short = replace(ruleset, ply_limit=min(ruleset.ply_limit, 25))
    for match in played(MemoryStore(), short, dice, games=games):
        payload = write_state(match)

        assert read_state(payload) == match
        assert write_state(read_state(payload)) == payload
        quick = read_state(payload, to_decide=False)
        assert all(view_of(quick, viewer) == view_of(match, viewer) for viewer in (None, *range(ruleset.seats)))


@pytest.mark.parametrize("name", STORIES)
def test_the_last_state_of_every_story_is_read_as_it_was_written(name: str):
    _, match = told(name)

    assert read_state(write_state(match)) == match


@pytest.mark.parametrize("state", [b"", b"\xc1", b"{}", b"\x80", b"\x90", msgspec.msgpack.encode({"format": FORMAT})])
def test_bytes_of_no_state_are_of_another_format(state: bytes):
    with pytest.raises(OtherFormatError):
        read_state(state)


def test_a_state_of_another_format_number_or_phase_is_not_read():
    written = msgspec.msgpack.decode(write_state(told("draw")[1]))

    changes: list[dict[str, object]] = [
        {"format": FORMAT + 1},
        {"format": "1"},
        {"phase": "ReadyMatch"},
        {"terms": {}},
        {"seats": [1]},
    ]
    for changed in changes:
        with pytest.raises(OtherFormatError):
            read_state(msgspec.msgpack.encode({**written, **changed}))


@given(st.binary(max_size=100))
def test_any_bytes_are_refused_in_our_own_words(state: bytes):
    with pytest.raises(OtherFormatError):
        read_state(state)


def test_a_match_that_does_not_exist_has_no_state():
    with pytest.raises(TypeError, match="does not rest as NoMatch"):
        write_state(EMPTY)


def test_repetitions_are_recounted_for_whoever_decides_and_for_nobody_else():
    ruleset = Ruleset(deck=24, seats=2, repetition_limit=3, ply_limit=60)
    *_, match, _ = played(MemoryStore(), ruleset, random.Random(4))
    counted = deal_of(match).occurrences
    assert len(counted.recent) + len(counted.settled) > 2

    assert deal_of(read_state(write_state(match))).occurrences == counted
    assert deal_of(read_state(write_state(match), to_decide=False)).occurrences == NOT_COUNTED


def deal_of(match: Match) -> Deal:
    assert isinstance(match.state, PlayingMatch)
    return match.state.board.deal
