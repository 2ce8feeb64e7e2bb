"""Checkpoints change what an earlier version costs, never what it is."""

import random

import pytest

from owntrumps.game.state import EMPTY
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.checkpoints import EVERY, Checkpoints
from owntrumps.store.matches import refold
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import StoredEntry
from tests.archive.given import Played, bot, commit, played


class CountingReader:
    """A reader that counts the entries that were read."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.read = 0

    def state(self, match: MatchId) -> bytes | None:
        return self._store.state(match)

    def entries(self, match: MatchId, *, after: Version, limit: int) -> list[StoredEntry]:
        found = self._store.entries(match, after=after, limit=limit)
        self.read += len(found)
        return found


@pytest.fixture(scope="module")
def long_match() -> Played:
    return played(3, "svoi-kozyri", [bot()] * 4, games=30)


@pytest.fixture(scope="module")
def reader(long_match) -> CountingReader:
    store = MemoryStore()
    commit(store, long_match)
    return CountingReader(store)


def test_a_match_is_at_every_version_what_its_log_tells(reader, long_match):
    assert long_match.match.version > 6 * EVERY
    checkpoints = Checkpoints()
    edges = [Version(EVERY * step + off) for step in (0, 1, 2, 5) for off in (-1, 0, 1) if EVERY * step + off > 0]
    dice = random.Random(1)
    others = [Version(dice.randint(1, long_match.match.version)) for _ in range(12)]
    for version in (*edges, *others, long_match.match.version, *edges):
        assert checkpoints.match_at(reader, long_match.id, version) == refold(reader, long_match.id, until=version)


def test_a_version_costs_less_than_a_stretch_once_somebody_was_there(reader, long_match):
    checkpoints = Checkpoints()
    checkpoints.match_at(reader, long_match.id, long_match.match.version)
    for version in (700, 130, 129, 128, 640):
        reader.read = 0
        checkpoints.match_at(reader, long_match.id, Version(version))
        assert reader.read == version % EVERY


def test_only_so_many_folds_are_kept(reader, long_match):
    checkpoints = Checkpoints(kept=2)
    checkpoints.match_at(reader, long_match.id, Version(6 * EVERY))
    reader.read = 0
    checkpoints.match_at(reader, long_match.id, Version(2 * EVERY))
    assert reader.read == 2 * EVERY


def test_beyond_the_end_is_the_end_and_nowhere_is_nothing(reader, long_match):
    assert Checkpoints().match_at(reader, long_match.id, Version(99_999)) == long_match.match
    assert Checkpoints().match_at(reader, MatchId("07-aaaaaaaaaaaa"), Version(5)) == EMPTY
