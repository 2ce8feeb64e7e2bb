"""Records of matches that an earlier schema wrote: as it was written, so that the hashes hold."""

from functools import partial
from typing import Any

import pytest

from owntrumps.game.chance import chain_key
from owntrumps.game.log import Entry, fold
from owntrumps.game.state import NoMatch
from owntrumps.record.build import record_json
from owntrumps.record.text import parse_record, record_text
from owntrumps.record.verify import verify
from owntrumps.rules.cards import Seat
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store import codec
from owntrumps.store.codec import canonical_json, chain_hash, entry_json, read_entry
from owntrumps.store.upcasts import LATEST_SCHEMA, upcast
from owntrumps.views.redaction import visible_entry
from tests.record.samples import finished_log

TODAY = LATEST_SCHEMA + 1


def modern(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """From an older schema, which called a led card's seat ``by``, to today's."""
    return [
        {("seat" if name == "by" else name): value for name, value in event.items()}
        if event["type"] == "card-led"
        else event
        for event in events
    ]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    """A finished match as it is read from a store, written in the schema before the latest."""
    written = [entry_json(entry) for entry in finished_log(PRESETS["bornyu"], 1)]
    monkeypatch.setattr(codec, "LATEST_SCHEMA", TODAY)
    monkeypatch.setattr(codec, "upcast", partial(upcast, steps={TODAY - 1: modern}, latest=TODAY))
    key, chain, read = chain_key(written[0]["events"][0]["terms"]["seed"]), "", []
    for entry in written:
        del entry["chain"]
        for event in entry["events"]:
            if event["type"] == "card-led":
                event["by"] = event.pop("seat")
        payload = canonical_json(entry)
        chain = chain_hash(key, chain, payload)
        read.append(read_entry(payload, chain))
    return read


def test_such_a_record_verifies(log: list[Entry]) -> None:
    record = record_json(log)
    assert verify(record) == []
    assert {entry["schema"] for entry in record["entries"]} == {TODAY - 1}
    assert '"by":' in canonical_json(record["entries"]).decode()


def test_it_comes_back_from_its_text(log: list[Entry]) -> None:
    record = record_json(log)
    assert parse_record(record_text(record)) == record


def test_clients_are_sent_the_latest_schema(log: list[Entry]) -> None:
    sent = [entry_json(entry) for entry in log]
    assert {entry["schema"] for entry in sent} == {TODAY}
    assert "by" not in {name for entry in sent for event in entry["events"] for name in event}


def test_what_was_written_is_hidden_from_those_who_may_not_see_it(log: list[Entry]) -> None:
    # Given a match in progress and a record for somebody at the table
    half = log[: len(log) // 2]
    state = fold(half).state
    assert not isinstance(state, NoMatch)
    # When
    record = record_json([visible_entry(entry, state, Seat(0)) for entry in half])
    # Then nobody else's hand stands in it
    assert {entry["schema"] for entry in record["entries"]} == {TODAY}
    dealt = next(event for entry in record["entries"] for event in entry["events"] if event["type"] == "deal-dealt")
    assert all(card is None for hand in dealt["hands"][1:] for card in hand)
