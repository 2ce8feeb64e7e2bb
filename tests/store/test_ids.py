"""Ids say where a match lives, and no text of a caller's becomes part of a key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from owntrumps.game.terms import MatchId, Millis
from owntrumps.store.ids import (
    MATCH_ID_BYTES,
    command_id,
    cursor_of,
    is_command_id,
    is_match_id,
    list_row,
    match_of_row,
    new_match_id,
    row_of,
    shard_of,
)

IDS = st.binary(min_size=MATCH_ID_BYTES, max_size=MATCH_ID_BYTES).map(new_match_id)
MOMENTS = st.integers(min_value=0, max_value=9_999_999_999_999).map(Millis)


@given(IDS)
def test_a_match_id_names_its_shard(match: MatchId):
    assert is_match_id(match)
    assert f"{shard_of(match):02}" == match[:2]


def test_shards_are_drawn_evenly():
    assert [shard_of(new_match_id(bytes([byte, *range(8)]))) for byte in range(256)] == [*range(16)] * 16


@pytest.mark.parametrize("length", [0, MATCH_ID_BYTES - 1, MATCH_ID_BYTES + 1])
def test_a_match_id_needs_its_bytes(length: int):
    with pytest.raises(ValueError, match="made of 9 bytes"):
        new_match_id(bytes(length))


@pytest.mark.parametrize(
    "text",
    [
        *("", "07", "07-", "07-aebagbafayd", "07-aebagbafaydqq", "16-aebagbafaydq", "7-aebagbafaydq"),
        *("07-AEBAGBAFAYDQ", "07-aebagbafayd1", "07-aebagbafayd}", "07-aebagbafaydq\n", " 07-aebagbafaydq"),
        "٠٧-aebagbafaydq",
    ],
)
def test_other_texts_are_no_match_ids(text: str):
    assert not is_match_id(text)
    with pytest.raises(ValueError, match="is not a match id"):
        shard_of(MatchId(text))


@given(st.text(max_size=300), st.text(max_size=300))
def test_every_key_of_every_caller_makes_a_command_id(caller: str, key: str):
    assert is_command_id(command_id(caller, key))
    assert command_id(caller, key) == command_id(caller, key)
    assert command_id(caller, key) != command_id(caller + "x", key)


def test_callers_cannot_reach_each_others_ids():
    assert command_id("ann", "b1") != command_id("annb", "1")
    assert command_id("1", "2:3") != command_id("1:2", "3")


@pytest.mark.parametrize("text", ["", "a" * 129, "a b", "a:b", "é", "a\n", "{07}"])
def test_other_texts_are_no_command_ids(text: str):
    assert not is_command_id(text)


@given(MOMENTS, IDS)
def test_a_cursor_leads_back_to_its_row(at: Millis, match: MatchId):
    row = list_row(at, match)

    assert row_of(cursor_of(row)) == row
    assert match_of_row(row) == match


@given(st.lists(st.tuples(MOMENTS, IDS)))
def test_rows_sort_by_moment_and_then_match(pairs: list[tuple[Millis, MatchId]]):
    assert sorted(list_row(*pair) for pair in pairs) == [list_row(*pair) for pair in sorted(pairs)]


@given(st.text(max_size=60))
def test_any_other_cursor_is_refused(text: str):
    with pytest.raises(ValueError, match="is not a cursor"):
        row_of(text)
