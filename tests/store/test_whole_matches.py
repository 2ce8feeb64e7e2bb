"""Real matches in every store: what is stored is what was decided, hash by hash, and the log alone tells it all."""

import random
from dataclasses import replace

import pytest

from owntrumps.game.chance import chain_key
from owntrumps.game.log import fold
from owntrumps.game.state import EMPTY, FinishedMatch, NoMatch, is_over
from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.codec import chain_hash, read_entry
from owntrumps.store.matches import existing_match, load_match, read_entries, refold
from owntrumps.store.port import Store, UnknownMatchError
from owntrumps.store.state_codec import write_state
from tests.store.given import M, match_id, played

PAGE = 7


@pytest.mark.parametrize("preset", PRESETS)
def test_a_stored_match_is_chained_folds_to_its_state_and_ends(store: Store, preset: str):
    ruleset = replace(PRESETS[preset], ply_limit=40)

    *_, last = played(store, ruleset, random.Random(preset), games=2)

    assert isinstance(last.state, FinishedMatch)
    stored = [
        entry for after in range(0, last.version, PAGE) for entry in store.entries(M, after=Version(after), limit=PAGE)
    ]
    before = ""
    assert last.state.terms.seed is not None
    key = chain_key(last.state.terms.seed)
    for entry in stored:
        assert entry.chain == chain_hash(key, before, entry.payload)
        before = entry.chain
    assert before == last.chain
    assert fold((read_entry(entry.payload, entry.chain) for entry in stored), EMPTY) == last
    assert store.state(M) == write_state(last)
    assert load_match(store, M, to_decide=True) == last


def test_a_match_without_its_state_is_refolded_to_the_same_bytes(store: Store):
    *_, last = played(store, replace(PRESETS["bornyu"], ply_limit=30), random.Random(5))
    written = store.state(M)

    store.drop_state(M)

    assert load_match(store, M, to_decide=True) == last
    assert write_state(refold(store, M)) == written


def test_a_state_of_another_format_is_refolded(store: Store):
    *_, last = played(store, replace(PRESETS["duel"], ply_limit=10), random.Random(5))

    assert store.put_state(M, b"\x81\xa6format\x00", at_version=last.version)

    assert load_match(store, M, to_decide=True) == last


def test_a_match_can_be_folded_up_to_a_version(store: Store):
    steps = list(played(store, replace(PRESETS["duel"], ply_limit=12), random.Random(3)))

    assert [refold(store, M, until=step.version) for step in steps] == steps
    assert [entry.version for entry in read_entries(store, M, after=Version(2), limit=2)] == [3, 4]


@pytest.mark.parametrize("unknown", [match_id(3), MatchId("nonsense")])
def test_a_match_that_is_not_there_is_unknown(store: Store, unknown: MatchId):
    assert isinstance(load_match(store, unknown, to_decide=False).state, NoMatch)
    with pytest.raises(UnknownMatchError, match=unknown):
        existing_match(store, unknown)


def test_matches_side_by_side_do_not_touch_each_other(store: Store):
    ruleset = replace(PRESETS["bornyu"], ply_limit=10)
    matches = [match_id(number % 16, number) for number in range(20)]

    lasts = [list(played(store, ruleset, random.Random(match), match))[-1] for match in matches]

    assert all(is_over(last.state) for last in lasts)
    assert [load_match(store, match, to_decide=True) for match in matches] == lasts
    assert store.match_ids() == sorted(matches)
    assert set(store.ended(Millis(10**15), limit=100)) == set(matches)
