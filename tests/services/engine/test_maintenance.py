"""States follow from logs: `rebuild` makes them anew byte for byte, `check` finds whatever does not follow."""

from dataclasses import replace

import pytest

from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.store.codec import write_entry
from owntrumps.store.matches import read_entries
from owntrumps_engine.maintenance import BrokenChainError, check, rebuild, refold_verified
from tests.services.engine.given import MATCH, ask, bot, create, engine_over, memory, next_move

PRESETS = ["bornyu", "challenge", "duel", "dudak", "svoi-kozyri"]


@pytest.fixture
def store():
    """Five matches, one of each preset, ten moves into the deal."""
    store = memory()
    engine = engine_over(store)
    for shard, ruleset in enumerate(PRESETS):
        match = MatchId(f"0{shard}-aaaaaaaaaaaa")
        seats = (bot(),) * (2 if ruleset in ("duel", "challenge") else 4)
        ask(store, engine, create(match, ruleset, seats), match)
        for _ in range(10):
            ask(store, engine, next_move(store, match), match)
    return store


def test_every_state_deleted_and_rebuilt_gives_identical_bytes(store):
    # Given
    matches = store.match_ids()
    before = {match: store.state(match) for match in matches}
    for match in matches:
        store.drop_state(match)
    assert {store.state(match) for match in matches} == {None}
    # When
    reports = list(rebuild(store, matches))
    # Then
    assert {report.finding for report in reports} == {"good"}
    assert {match: store.state(match) for match in matches} == before
    assert len(matches) == len(PRESETS)
    assert None not in before.values()


def test_check_finds_nothing_wrong_with_what_engines_wrote(store):
    reports = list(check(store, store.match_ids()))
    assert [(report.finding, report.entries) for report in reports] == [("good", 11)] * len(PRESETS)


def test_check_finds_a_missing_state_harmless_and_a_wrong_one_bad(store):
    one, other, *rest = store.match_ids()
    store.drop_state(one)
    wrong = store.state(rest[0])
    assert wrong is not None
    assert store.put_state(other, wrong, at_version=Version(11))
    assert [(report.match, report.finding, report.bad) for report in check(store, [one, other])] == [
        (one, "missing", False),
        (other, "different", True),
    ]
    list(rebuild(store, [one, other]))
    assert {report.finding for report in check(store, store.match_ids())} == {"good"}


def test_an_entry_that_was_edited_in_the_store_is_found_by_the_chain(store):
    # Given an edited log whose entries still fold
    match = store.match_ids()[0]
    log = store._logs[match]
    entry = read_entries(store, match, after=Version(4), limit=1)[0]
    payload, _ = write_entry(b"not the key", "", entry.version, Millis(entry.at + 1), entry.events)
    log[4] = replace(log[4], payload=payload)
    # Then
    with pytest.raises(BrokenChainError, match="entry 5 "):
        refold_verified(store, match)
    [report] = check(store, [match])
    assert (report.finding, report.bad) == ("unreadable", True)


def test_a_match_that_left_the_store_meanwhile_is_reported_and_not_invented():
    store = memory()
    assert [report.finding for report in check(store, [MATCH])] == ["missing"]
    assert [report.finding for report in rebuild(store, [MATCH])] == ["missing"]
    assert store.state(MATCH) is None


def test_a_state_that_cannot_be_read_is_refolded_when_a_command_comes(store):
    match = store.match_ids()[0]
    store.put_state(match, b"of a later format", at_version=Version(11))
    ask(store, engine_over(store), next_move(store, match), match)
    assert [report.finding for report in check(store, [match])] == ["good"]
