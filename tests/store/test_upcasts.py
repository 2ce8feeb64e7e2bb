"""Entries of earlier schemas become those of the latest, one step after the other."""

from typing import Any

import pytest

from owntrumps.store.upcasts import LATEST_SCHEMA, UPCASTS, UnknownSchemaError, upcast


def seats_renamed(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A synthetic step: schema 1 wrote ``player`` where schema 2 writes ``seat``."""
    return [{("seat" if name == "player" else name): value for name, value in event.items()} for event in events]


def draws_split(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Another: schema 2's ``deal-ended`` became two kinds of event, and an empty ``note`` is gone."""
    return [
        {**event, "type": "deal-drawn" if event.get("loser") is None else "deal-lost"}
        if event["type"] == "deal-ended"
        else event
        for event in events
        if event["type"] != "note"
    ]


STEPS = {1: seats_renamed, 2: draws_split}
OLD: list[dict[str, Any]] = [{"type": "deal-ended", "player": 2, "loser": None}, {"type": "note"}]


def test_an_old_entry_goes_through_every_step_after_its_schema():
    assert upcast(1, OLD, steps=STEPS, latest=3) == [{"type": "deal-drawn", "seat": 2, "loser": None}]


def test_a_newer_entry_goes_through_the_later_steps_only():
    assert upcast(2, OLD, steps=STEPS, latest=3) == [{"type": "deal-drawn", "player": 2, "loser": None}]


def test_an_entry_of_the_latest_schema_is_left_alone():
    assert upcast(3, OLD, steps=STEPS, latest=3) is OLD


def test_what_is_read_is_not_changed_in_place():
    before = [dict(event) for event in OLD]

    upcast(1, OLD, steps=STEPS, latest=3)

    assert before == OLD


@pytest.mark.parametrize("schema", [0, 4, -1])
def test_there_is_no_way_from_an_unknown_schema(schema: int):
    with pytest.raises(UnknownSchemaError, match=f"schema {schema} is not one of 1 to 3"):
        upcast(schema, OLD, steps=STEPS, latest=3)


def test_every_older_schema_has_a_step():
    assert set(UPCASTS) == set(range(1, LATEST_SCHEMA))
