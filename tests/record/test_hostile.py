"""Whatever a record says, `verify` answers with problems and never fails itself."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from owntrumps.record.text import RecordSyntaxError, parse_record, record_text
from owntrumps.record.verify import verify
from tests.record.samples import finished_record

ODD: list[Any] = [
    *(None, True, -1, 2**63, 2**64, 10**30, 1.5, 1e308, "", "x", "take", "7c", "\0", "\ud83d", 99),
    *([], {}, [[]], [None], {"type": "card-led"}, "2026-01-01T00:00:00.000Z"),
]
PIECES = ["", "x", '"', "{", "[", "\\", " ", "\n", "9999999999", "\0", "null"]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(value[key], (*path, key))


@pytest.fixture(scope="module", params=["duel", "svoi-kozyri"])
def record(request: pytest.FixtureRequest) -> Any:
    return json.loads(json.dumps(finished_record(request.param, seed=3)))


def test_a_changed_value_anywhere_is_a_problem_and_no_failure(record: Any) -> None:
    dice = random.Random(1)
    everywhere = [place for place in places(record) if len(place) < 3 or dice.random() < 0.05]
    for place in dice.sample(everywhere, 50):
        changed = copy.deepcopy(record)
        holder = changed
        for key in place[:-1]:
            holder = holder[key]
        other = dice.choice(ODD)
        was, holder[place[-1]] = holder[place[-1]], other
        assert (verify(changed) == []) == (was == other and type(was) is type(other)), (place, other)


def test_half_a_character_is_no_record(record: Any) -> None:
    changed = copy.deepcopy(record)
    changed["entries"][0]["events"][0]["seats"][0]["name"] = "\ud83d"
    assert [problem.code for problem in verify(changed)] == ["not-a-record"]


def test_a_damaged_text_says_where_and_never_fails(record: Any) -> None:
    dice = random.Random(2)
    text = record_text(record)
    told = []
    for _ in range(25):
        start = dice.randrange(len(text))
        damaged = text[:start] + dice.choice(PIECES) + text[start + dice.choice([0, 1, 5]) :]
        try:
            verify(parse_record(damaged))
        except RecordSyntaxError as error:
            told.append(1 <= error.line <= damaged.count("\n") + 1 and error.column >= 1)
    assert told
    assert all(told)
