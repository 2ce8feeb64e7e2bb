"""The text record loses nothing, and a text that is no record is refused where it goes wrong."""

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from owntrumps.game.state import PlayingMatch
from owntrumps.record.build import record_json
from owntrumps.record.text import RecordSyntaxError, parse_record, record_text
from owntrumps.rules.cards import Seat
from owntrumps.rules.rulesets import PRESETS, Ruleset
from owntrumps.views.redaction import visible_entry
from tests.matches import random_match
from tests.record.samples import finished_log, finished_record, resigned_log
from tests.strategies import rulesets


@pytest.mark.parametrize("name", PRESETS)
def test_a_finished_record_of_every_preset_comes_back_from_its_text(name: str) -> None:
    record = finished_record(name, seed=3, games=2)
    assert parse_record(record_text(record)) == record


@given(ruleset=rulesets(), seed=st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_the_record_of_any_ruleset_comes_back_from_its_text(ruleset: Ruleset, seed: int) -> None:
    record = record_json(finished_log(ruleset, seed))
    assert parse_record(record_text(record)) == record


def test_names_with_quotes_and_resignations_come_back() -> None:
    record = record_json(resigned_log())
    assert record["result"] == {"losers": [1], "forfeit": True}
    assert parse_record(record_text(record)) == record


def test_the_record_of_a_running_match_is_redacted_and_comes_back_too() -> None:
    steps = list(islice(random_match(PRESETS["bornyu"], random.Random(1)), 12))
    log = [entry for _, entry in steps]
    state = steps[-1][0].state
    assert isinstance(state, PlayingMatch)
    record = record_json([visible_entry(entry, state, Seat(1)) for entry in log])
    assert [hand.count(None) == 0 for hand in record["deals"][0]["hands"]] == [False, True, False, False]
    assert record["fairness"]["seed"] is None
    assert parse_record(record_text(record)) == record


def test_a_deal_of_a_record_is_a_line_for_the_referee() -> None:
    record = finished_record("svoi-kozyri")
    deal = record["deals"][0]
    lowest = [f"6{trump}" for trump in deal["trumps"]]
    assert all(card in hand for card, hand in zip(lowest, deal["hands"], strict=True))
    assert sum(map(len, deal["hands"])) == sum(map(len, deal["dealt"])) == 36


LINE = "2 1970-01-01T00:00:00.010Z 0>7c #ab"


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("x", 1, "version"),
        ("0 1970-01-01T00:00:00.010Z 0>7c #ab", 1, "version"),
        ("2  1970-01-01T00:00:00.010Z", 3, "moment"),
        ("2 yesterday", 3, "moment"),
        ("2 1970-01-01T00:00:00.010Z", 27, "space"),
        ("2 1970-01-01T00:00:00.010Z 0>7x #", 28, "event"),
        ("2 1970-01-01T00:00:00.010Z 0>7c", 28, "event"),
        ("2 1970-01-01T00:00:00.010Z 0>7c 1", 33, "event"),
        ("2 1970-01-01T00:00:00.010Z 0>7c #AB", 34, "end of the line"),
        ("2 1970-01-01T00:00:00.010Z deal-lost{ #", 39, "JSON"),
        ("2 1970-01-01T00:00:00.010Z deal-lost{} #", 1, "missing fields"),
        ('2 1970-01-01T00:00:00.010Z deal-lost{"game":1,"loser":true} #', 1, "True"),
        ('2 1970-01-01T00:00:00.010Z deal-found{"game":1} #', 1, "deal-found"),
        ("2 1970-01-01T00:00:00.010Z schema=9 0>7c #ab", 1, "schema 9"),
        ("2 1970-13-01T00:00:00.010Z 0>7c #ab", 1, "1970-13-01"),
    ],
)
def test_a_broken_line_is_refused_at_its_place(line: str, column: int, expected: str) -> None:
    text = record_text(finished_record()).split("\n")
    first = next(index for index, written in enumerate(text) if written.startswith("2 "))
    with pytest.raises(RecordSyntaxError) as refusal:
        parse_record("\n".join([*text[:first], line, *text[first + 1 :]]))
    assert (refusal.value.line, refusal.value.column) == (first + 1, column)
    assert expected in refusal.value.expected


@pytest.mark.parametrize("header", ["Result", "Seed", "Seat2", "Chain", "Parameters", "Match"])
def test_a_header_that_contradicts_the_log_is_refused_at_its_line(header: str) -> None:
    lines = record_text(finished_record()).split("\n")
    index = next(index for index, line in enumerate(lines) if line.startswith(f"[{header} "))
    lines[index] = f'[{header} "something else"]'
    with pytest.raises(RecordSyntaxError, match="what the entries say") as refusal:
        parse_record("\n".join(lines))
    assert refusal.value.line == index + 1


@pytest.mark.parametrize("text", ["", "\n\n", '[Format "owntrumps-record/1"]\n', "[Format]\n", "hello", "[" * 5000])
def test_a_text_without_entries_is_refused(text: str) -> None:
    with pytest.raises(RecordSyntaxError):
        parse_record(text)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_damaged_text_is_read_or_refused_but_never_crashes(data: st.DataObject) -> None:
    text = SAMPLE
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    damaged = text[:start] + data.draw(st.text(max_size=8)) + text[end:]
    try:
        record = parse_record(damaged)
    except RecordSyntaxError:
        return
    assert parse_record(record_text(record)) == record


SAMPLE = record_text(record_json(finished_log(Ruleset(deck=24, seats=2, ply_limit=12), 5)))
