"""Every forgery of a record is found, and where."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from owntrumps.game.chance import chain_key
from owntrumps.record.build import record_json
from owntrumps.record.verify import verify
from owntrumps.rules.rulesets import PRESETS, Ruleset
from owntrumps.store.codec import canonical_json, chain_hash
from tests.record.samples import finished_log, finished_record, resigned_log
from tests.strategies import rulesets


def rechained(record: Any) -> Any:
    """The record with a chain made anew: what a forger does who knows the seed."""
    key = chain_key(record["fairness"]["seed"])
    before = ""
    for entry in record["entries"]:
        payload = canonical_json({name: value for name, value in entry.items() if name != "chain"})
        before = entry["chain"] = chain_hash(key, before, payload)
    record["chain"] = before
    return record


def codes(record: Any) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.entry) for problem in verify(record)]


@pytest.mark.parametrize("name", PRESETS)
def test_an_honest_record_of_every_preset_is_found_right(name: str) -> None:
    assert verify(finished_record(name, seed=2, games=2)) == []


@given(ruleset=rulesets(), seed=st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_an_honest_record_of_any_ruleset_is_found_right(ruleset: Ruleset, seed: int) -> None:
    assert verify(record_json(finished_log(ruleset, seed))) == []


def test_resignations_and_nonces_are_followed() -> None:
    assert verify(record_json(resigned_log())) == []


def play_entry(record: Any, kind: str = "card-led") -> int:
    """The index of an entry in the middle with such an event."""
    found = [
        index for index, entry in enumerate(record["entries"]) if [event["type"] for event in entry["events"]] == [kind]
    ]
    return found[len(found) // 2]


def test_an_edited_entry_breaks_the_chain_there() -> None:
    record = finished_record()
    index = play_entry(record)
    record["entries"][index]["at"] = "1999-01-01T00:00:00.000Z"
    assert ("broken-chain", index + 1) in codes(record)
    assert [code for code, _ in codes(record)].count("broken-chain") == 1


def test_a_dropped_an_added_and_two_swapped_entries_are_found() -> None:
    record = finished_record()
    index = play_entry(record)
    dropped = copy.deepcopy(record)
    del dropped["entries"][index]
    assert {("wrong-version", index + 1), ("broken-chain", index + 1)} <= set(codes(dropped))
    added = copy.deepcopy(record)
    added["entries"].insert(index, copy.deepcopy(added["entries"][index]))
    assert {("wrong-version", index + 2), ("broken-chain", index + 2)} <= set(codes(added))
    swapped = copy.deepcopy(record)
    entries = swapped["entries"]
    entries[index], entries[index + 1] = entries[index + 1], entries[index]
    assert {("wrong-version", index + 1), ("broken-chain", index + 1)} <= set(codes(swapped))


def test_a_cut_log_is_unfinished() -> None:
    record = finished_record()
    del record["entries"][-1]
    assert codes(record) == [("unfinished", None)]


def test_an_illegal_play_is_found_even_in_a_new_chain() -> None:
    record = finished_record()
    index = play_entry(record)
    event = record["entries"][index]["events"][0]
    event["card"] = "7c" if event["card"] != "7c" else "8c"
    found = codes(rechained(record))
    assert ("broken-chain", index + 1) not in found
    assert found[0] == ("illegal-play", index + 1)


def test_another_deal_is_found_even_in_a_new_chain() -> None:
    record = finished_record("duel")
    dealt = next(event for event in record["entries"][0]["events"] if event["type"] == "deal-dealt")
    first, second = dealt["hands"]
    first[0], second[0] = second[0], first[0]
    assert codes(rechained(record))[0] == ("wrong-deal", 1)


def test_other_trumps_are_found_even_in_a_new_chain() -> None:
    record = finished_record()
    turned = next(event for event in record["entries"][0]["events"] if event["type"] == "trumps-turned")
    turned["trumps"] = turned["trumps"][::-1]
    assert codes(rechained(record))[0] == ("wrong-trumps", 1)


def test_another_result_is_found_even_in_a_new_chain() -> None:
    record = finished_record()
    last = record["entries"][-1]
    lost = next(event for event in last["events"] if event["type"] == "deal-lost")
    lost["loser"] = (lost["loser"] + 1) % 4
    assert ("wrong-result", last["version"]) in codes(rechained(record))


def test_another_seed_does_not_fit_the_commitment() -> None:
    record = finished_record()
    seed = "11" * 32
    record["entries"][0]["events"][0]["terms"]["seed"] = seed
    record["entries"][-1]["events"][-1]["seed"] = seed
    record["fairness"]["seed"] = seed
    assert codes(rechained(record))[0] == ("wrong-seed", 1)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("deals", lambda deals: deals[0]["plays"].pop()),
        ("result", lambda result: result.update(losers=[0, 1, 2, 3])),
        ("losses", lambda losses: losses.append(0)),
        ("ruleset", lambda ruleset: ruleset.update(ply_limit=7)),
        ("seats", lambda seats: seats.reverse()),
    ],
)
def test_a_summary_that_its_log_does_not_bear_out_is_found(name: str, change: Callable[[Any], object]) -> None:
    record = finished_record()
    change(record[name])
    problems = verify(record)
    assert [(problem.code, problem.entry) for problem in problems] == [("wrong-summary", None)]
    assert problems[0].detail.startswith(name)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (None, "not-a-record"),
        ([], "not-a-record"),
        ({"format": "owntrumps-record/9"}, "not-a-record"),
        ({"format": "owntrumps-record/1"}, "no-entries"),
        ({"format": "owntrumps-record/1", "entries": []}, "no-entries"),
        ({"format": "owntrumps-record/1", "entries": ["x"]}, "unfinished"),
    ],
)
def test_what_is_no_record_is_called_so(record: Any, code: str) -> None:
    assert [problem.code for problem in verify(record)] == [code]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_any_single_change_of_a_log_is_found(seed: int) -> None:
    dice = random.Random(seed)
    record = copy.deepcopy(SAMPLE)
    entry = dice.choice(record["entries"])
    _change_something(entry, dice)
    if record != SAMPLE:
        assert verify(record) != []


SAMPLE = record_json(finished_log(Ruleset(deck=24, seats=3, trump_choice="turned", ply_limit=40), 5))


def _change_something(value: Any, dice: random.Random) -> None:
    """Change one leaf of a JSON value."""
    key = dice.choice(list(value) if isinstance(value, dict) else list(range(len(value))))
    inner = value[key]
    if isinstance(inner, dict | list) and inner:
        _change_something(inner, dice)
    else:
        value[key] = dice.choice([None, 0, 1, -1, 3, "7c", "x", [], {}, True, "00" * 32])
