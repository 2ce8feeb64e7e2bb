"""What is written can be read, and nothing else can."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from owntrumps.game import commands, events, terms
from owntrumps.game.events import CardLed
from owntrumps.game.moments import iso
from owntrumps.game.terms import Millis, Version
from owntrumps.rules.cards import Card, Seat
from owntrumps.store.codec import (
    ACTOR_TYPES,
    COMMAND_TYPES,
    EVENT_TYPES,
    MalformedDataError,
    UnknownSchemaError,
    canonical_json,
    chain_hash,
    entry_json,
    entry_of,
    read_command,
    read_entry,
    write_command,
    write_entry,
)
from tests.store.strategies import values_of

KEY = b"k" * 32
MOMENTS = st.integers(min_value=0, max_value=4_000_000_000_000).map(Millis)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
EVENTS = st.lists(values_of(events.Event), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("union", "names"), [(events.Event, EVENT_TYPES), (commands.Command, COMMAND_TYPES), (terms.Actor, ACTOR_TYPES)]
)
def test_every_member_of_a_union_has_a_stored_name(union: Any, names: Any):
    assert set(names.values()) == set(union.__args__)
    assert all(name == name.lower() and name.replace("-", "").isalpha() for name in names)


@given(EVENTS, MOMENTS, st.integers(min_value=1, max_value=10**6).map(Version))
def test_every_entry_is_read_as_it_was_written(happened: list[events.Event], at: Millis, version: Version):
    payload, entry = write_entry(KEY, "ab" * 32, version, at, happened)

    assert read_entry(payload, entry.chain) == entry
    assert entry.events == tuple(happened)
    assert read_entry(payload.decode(), entry.chain) == entry


@given(EVENTS, MOMENTS)
def test_an_entry_is_canonical_json(happened: list[events.Event], at: Millis):
    payload, entry = write_entry(KEY, "", Version(3), at, happened)

    written = json.loads(payload)
    again = json.dumps(written, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert payload == again.encode() == canonical_json(written)
    assert written == {name: value for name, value in entry_json(entry).items() if name != "chain"}
    assert (written["version"], written["at"], written["schema"]) == (3, iso(at), 1)


@given(values_of(commands.Command))
def test_every_command_is_read_as_it_was_written(command: commands.Command):
    assert read_command(write_command(command)) == command


def test_a_chain_hash_depends_on_the_key_the_hash_before_and_every_byte():
    hashes = {
        chain_hash(KEY, "", b"{}"),
        chain_hash(b"other", "", b"{}"),
        chain_hash(KEY, "00", b"{}"),
        chain_hash(KEY, "", b"{ }"),
    }

    assert len(hashes) == 4
    assert all(len(value) == 64 for value in hashes)


LED = {"type": "card-led", "seat": 1, "card": "Th"}
GOOD = {"version": 1, "at": "2026-03-01T12:00:00.250Z", "schema": 1, "events": [LED]}


def test_the_good_entry_of_the_tests_below_is_read():
    entry = entry_of(GOOD, "")

    assert entry.events == (CardLed(Seat(1), Card(34)),)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        "entry",
        {},
        {**GOOD, "more": 1},
        {name: value for name, value in GOOD.items() if name != "at"},
        {**GOOD, "version": "1"},
        {**GOOD, "version": True},
        {**GOOD, "version": 1.0},
        {**GOOD, "schema": None},
        {**GOOD, "at": "yesterday"},
        {**GOOD, "at": "2026-03-01T12:00:00.250+00:00"},
        {**GOOD, "at": "2026-03-01T12:00:00Z"},
        {**GOOD, "at": 1_772_366_400_250},
        {**GOOD, "events": LED},
        {**GOOD, "events": [None]},
        {**GOOD, "events": ["card-led"]},
        {**GOOD, "events": [{}]},
        {**GOOD, "events": [{**LED, "type": "card-eaten"}]},
        {**GOOD, "events": [{**LED, "type": ["card-led"]}]},
        {**GOOD, "events": [{**LED, "card": "1h"}]},
        {**GOOD, "events": [{**LED, "card": 34}]},
        {**GOOD, "events": [{**LED, "card": None}]},
        {**GOOD, "events": [{**LED, "seat": "1"}]},
        {**GOOD, "events": [{**LED, "more": 1}]},
        {**GOOD, "events": [{"type": "card-led", "seat": 1}]},
        {**GOOD, "events": [{"type": "pile-taken", "seat": 1, "cards": "Th"}]},
        {**GOOD, "events": [{"type": "deal-drawn", "game": 1, "reason": "boredom"}]},
    ],
)
def test_what_is_no_entry_is_refused(wrong: object):
    with pytest.raises(MalformedDataError):
        entry_of(wrong, "")
    with pytest.raises(MalformedDataError):
        read_entry(json.dumps(wrong), "")


@pytest.mark.parametrize("wrong", [b"", b"{", b"\xff\xfe", b'{"a":1}{', "nul\x00"])
def test_what_is_not_json_is_refused(wrong: bytes | str):
    with pytest.raises(MalformedDataError, match="not JSON"):
        read_entry(wrong, "")
    with pytest.raises(MalformedDataError, match="not JSON"):
        read_command(wrong)


@pytest.mark.parametrize("schema", [0, 2, -1, 10**30])
def test_an_entry_of_an_unknown_schema_is_refused(schema: int):
    with pytest.raises(UnknownSchemaError, match="is not one of 1 to 1"):
        entry_of({**GOOD, "schema": schema}, "")


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {"type": "expire"},
        {"type": "expire", "at": "now"},
        {"type": "conquer", "at": 1},
        {"type": "make-move", "at": 1, "actor": {"type": "by-god"}, "plays": ["7c"], "if_version": None},
        {"type": "make-move", "at": 1, "actor": {"type": "server"}, "plays": ["pass"], "if_version": None},
        {"type": "make-move", "at": 1, "actor": {"type": "server"}, "plays": "take", "if_version": None},
        {"type": "take-seat", "at": 1, "player": "p", "name": "n", "trump": "x", "nonce": None},
    ],
)
def test_what_is_no_command_is_refused(wrong: object):
    with pytest.raises(MalformedDataError):
        read_command(json.dumps(wrong))


@given(ANY_JSON)
def test_any_json_is_read_or_refused_in_our_own_words(value: object):
    for read in (lambda: entry_of(value, ""), lambda: read_command(json.dumps(value))):
        with pytest.raises(MalformedDataError):
            read()


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_our_own_words(value: bytes):
    with pytest.raises(MalformedDataError):
        read_entry(value, "")
    with pytest.raises(MalformedDataError):
        read_command(value)
