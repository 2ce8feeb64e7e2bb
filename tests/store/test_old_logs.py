"""Logs of every schema fold for ever: to the same result, with hashes over what was written then."""

import json
from pathlib import Path

import pytest

from owntrumps.game.chance import chain_key
from owntrumps.game.log import fold
from owntrumps.game.state import NoMatch
from owntrumps.game.terms import Version
from owntrumps.store.codec import EVENT_TYPES, chain_hash, read_entry
from owntrumps.store.port import StoredEntry
from owntrumps.store.state_codec import read_state, write_state
from owntrumps.store.upcasts import LATEST_SCHEMA
from owntrumps.store.wire import entry_fields, entry_of
from tests.store.write_logs import LOGS, STORIES, outcome_of, told

LOG_FILES = sorted(LOGS.glob("schema-*/*.log"))


def stored_in(log: Path) -> list[StoredEntry]:
    lines = [line.split(b" ", 1) for line in log.read_bytes().splitlines()]
    return [
        StoredEntry(Version(version), payload, chain.decode())
        for version, (chain, payload) in enumerate(lines, start=1)
    ]


@pytest.mark.parametrize("log", LOG_FILES, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_a_kept_log_folds_to_its_result(log: Path):
    results = json.loads((log.parent / "results.json").read_text())
    stored = stored_in(log)

    match = fold(read_entry(entry.payload, entry.chain) for entry in stored)

    assert outcome_of(match) == results[log.stem]
    assert read_state(write_state(match)) == match


@pytest.mark.parametrize("log", LOG_FILES, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_a_kept_logs_hashes_hold_over_what_was_written(log: Path):
    stored = stored_in(log)
    match = fold(read_entry(entry.payload, entry.chain) for entry in stored)
    assert not isinstance(match.state, NoMatch)
    assert match.state.terms.seed is not None
    key, before = chain_key(match.state.terms.seed), ""

    for entry in stored:
        assert entry.chain == chain_hash(key, before, entry.payload)
        before = entry.chain


@pytest.mark.parametrize("log", LOG_FILES, ids=lambda log: f"{log.parent.name}-{log.stem}")
def test_a_kept_log_comes_back_from_a_stream_byte_for_byte(log: Path):
    for entry in stored_in(log):
        names = (b"at", b"schema", b"events", b"chain")
        fields = {
            name: value if isinstance(value, bytes) else str(value).encode()
            for name, value in zip(names, entry_fields(entry), strict=True)
        }
        assert entry_of(b"%d-0" % entry.version, fields) == entry


def test_every_schema_has_logs_of_every_kind():
    assert {log.parent.name for log in LOG_FILES} == {f"schema-{number}" for number in range(1, LATEST_SCHEMA + 1)}
    latest = [log for log in LOG_FILES if log.parent.name == f"schema-{LATEST_SCHEMA}"]
    assert {log.stem for log in latest} == set(STORIES)
    written = b"".join(log.read_bytes() for log in latest)
    assert [name for name in EVENT_TYPES if b'"type":"%s"' % name.encode() not in written] == []


@pytest.mark.parametrize("name", STORIES)
def test_the_latest_schema_still_writes_its_logs_like_this(name: str):
    """Whoever changes what is written must raise the schema number and keep the old logs."""
    entries, _ = told(name)

    assert entries == stored_in(LOGS / f"schema-{LATEST_SCHEMA}" / f"{name}.log")
