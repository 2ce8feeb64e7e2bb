"""A match that is over is archived at once and exactly once, and leaves the store only when both logs are the same."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from owntrumps.archive.archive import Archive, open_archive
from owntrumps.archive.errors import ArchiveUnavailableError
from owntrumps.game.terms import MatchId, Version
from owntrumps.process.settings import ConfigError
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import Store, StoredEntry
from owntrumps_history.config import HistoryConfig, config_from
from owntrumps_history.rating import OpenSkillRater
from owntrumps_history.service import GROUP, History
from tests.archive.given import START, Played, bot, commit, many, person, played
from tests.services.engine.given import SetClock
from tests.store.given import ANN

EAGER = HistoryConfig(claim_every_ms=0, sweep_every_ms=0, claim_idle_ms=1000)
"""Looks at everything at every turn."""


@pytest.fixture
def clock() -> SetClock:
    return SetClock(START)


@pytest.fixture
def store(clock: SetClock) -> MemoryStore:
    return MemoryStore(clock)


def history_over(store: Store, archive: Archive, **settings: Any) -> History:
    return History(store, archive, replace(EAGER, **settings))


def busy(history: History) -> None:
    """Run until there is nothing left to do."""
    while history.run_once(0):
        pass


def ids(archive: Archive) -> list[MatchId]:
    return [whole.id for _, whole in archive.page(after=0, limit=1000)]


def log_of(store: Store, match: MatchId) -> list[StoredEntry]:
    return store.entries(match, after=Version(0), limit=10_000)


def test_a_match_is_archived_as_soon_as_it_is_over_and_not_before(store, archive):
    over, not_over = played(1), played(2)
    commit(store, over)
    commit(store, not_over, but_last=1)
    busy(history_over(store, archive))
    assert ids(archive) == [over.id]
    assert archive.entries(over.id, after=Version(0), limit=10_000) == over.entries
    # And it stays in the store for its grace period
    assert log_of(store, over.id) == over.entries


def test_after_the_grace_period_a_match_leaves_the_store(store, archive, clock):
    match, playing = played(1), played(2)
    commit(store, match)
    commit(store, playing, but_last=1)
    history = history_over(store, archive, grace_ms=600_000)
    busy(history)
    clock.now += 599_999
    busy(history)
    assert log_of(store, match.id) == match.entries
    clock.now += 1
    busy(history)
    assert log_of(store, match.id) == []
    assert store.match_ids() == [playing.id]
    assert archive.entries(match.id, after=Version(0), limit=10_000) == match.entries


def test_what_the_trimmed_feed_lost_the_sweep_archives(store, archive, clock):
    # Given matches that ended, of which the feed tells nothing
    matches = many(10)
    for match in matches:
        commit(store, match)
    for feed in store._feeds.values():
        feed.clear()
    history = history_over(store, archive, grace_ms=0, sweep_batch=3)
    # When
    busy(history)
    # Then
    assert sorted(ids(archive)) == sorted(match.id for match in matches)
    assert store.match_ids() == []
    assert history.metrics.swept._value.get() == len(matches)


def test_notices_of_a_process_that_died_are_taken_over_and_nothing_is_doubled(store, archive, clock):
    # Given a process that took all notices and died, after it had archived some and before it settled any
    matches = many(8)
    for match in matches:
        commit(store, match)
    assert store.receive_notices(GROUP, "dead", limit=10_000, block_ms=0)
    for match in matches[:4]:
        archive.save(match.id, match.entries)
    ratings = archive.leaderboard("duel", limit=100)
    history = history_over(store, archive)
    busy(history)
    assert len(ids(archive)) == 4
    # When its notices have been idle for long enough
    clock.now += 1000
    busy(history)
    # Then
    assert sorted(ids(archive)) == sorted(match.id for match in matches)
    assert {standing.entity for standing in ratings} <= {
        standing.entity for standing in archive.leaderboard("duel", limit=100)
    }
    assert store.claim_notices(GROUP, "nobody", idle_ms=0, limit=100) == []


@pytest.fixture
def broken(tmp_path) -> Iterator[Archive]:
    """An archive whose database is away."""
    opened = open_archive("postgresql://owntrumps@127.0.0.1:1/none", OpenSkillRater())
    yield opened
    opened.close()


def test_while_the_database_is_away_nothing_is_settled_and_afterwards_all_is_caught_up(store, archive, broken, clock):
    # Given
    match, later = played(1), played(2)
    commit(store, match)
    away = history_over(store, broken, grace_ms=0)
    # When
    for _ in range(3):
        with pytest.raises(ArchiveUnavailableError):
            away.run_once(0)
    clock.now += 1000
    commit(store, later)
    # Then everything is still there for the next process
    assert store.match_ids() == sorted([match.id, later.id])
    busy(history_over(store, archive))
    assert sorted(ids(archive)) == sorted([match.id, later.id])


def test_the_same_process_goes_on_with_what_it_held_when_the_database_is_back(store, tmp_path):
    # Given a database folder that does not exist yet
    folder = tmp_path / "away"
    archive = open_archive(f"sqlite:///{folder}/history.sqlite3", OpenSkillRater())
    match = played(1)
    commit(store, match)
    history = history_over(store, archive, claim_idle_ms=10_000_000)
    with pytest.raises(ArchiveUnavailableError):
        history.run_once(0)
    # When
    folder.mkdir()
    busy(history)
    # Then
    assert ids(archive) == [match.id]
    archive.close()


DAMAGED = "log = (SELECT log FROM matches WHERE seq = 2)"
ANOTHER = f"{DAMAGED}, chain = (SELECT chain FROM matches WHERE seq = 2)"


@pytest.mark.parametrize("change", [DAMAGED, ANOTHER])
def test_a_match_leaves_the_store_only_if_the_archives_log_is_the_stores(store, archive, clock, change):
    # Given two archived matches, of which the first was changed in the database
    matches = [played(1), played(2)]
    for match in matches:
        commit(store, match)
    history = history_over(store, archive, grace_ms=1000)
    busy(history)
    with archive._writer.begin() as connection:
        connection.execute(text(f"UPDATE matches SET {change} WHERE seq = 1"))
    changed, other = ids(archive)
    # When their time has come
    clock.now += 1000
    busy(history)
    # Then
    assert store.match_ids() == [changed]
    assert history.metrics.stuck._value.get() == 1
    assert log_of(store, other) == []


def test_a_log_that_cannot_be_archived_is_told_and_stays_and_holds_nobody_up(store, archive, clock):
    # Given a log whose last hash is wrong, and after it a good one
    bad, good = played(1), played(2)
    spoilt = replace(bad.commits[-1], entry=replace(bad.commits[-1].entry, chain="0" * 64))
    for each in [*bad.commits[:-1], spoilt]:
        assert store.commit([each]) == ["committed"]
    commit(store, good)
    history = history_over(store, archive, grace_ms=0, sweep_batch=1)
    # When
    busy(history)
    # Then
    assert ids(archive) == [good.id]
    assert store.match_ids() == [bad.id]
    assert history.metrics.stuck._value.get() == 1


def test_a_match_that_the_archive_has_another_log_of_is_never_forgotten(store, archive, clock):
    match, twin = played(1), played(1, step_ms=251)
    archive.save(twin.id, twin.entries)
    commit(store, match)
    busy(history_over(store, archive, grace_ms=0))
    assert log_of(store, match.id) == match.entries
    assert archive.entries(twin.id, after=Version(0), limit=10_000) == twin.entries


def test_two_processes_share_the_work(store, archive):
    matches: list[Played] = many(12)
    first, second = history_over(store, archive), History(store, archive, replace(EAGER, consumer="other", batch=16))
    for match in matches:
        commit(store, match)
        second.run_once(0)
        first.run_once(0)
    busy(first)
    busy(second)
    assert sorted(ids(archive)) == sorted(match.id for match in matches)
    assert first.metrics.archived._value.get() + second.metrics.archived._value.get() == len(matches)


def test_a_long_match_is_archived_whole(store, archive):
    match = played(1, "bornyu", (person(ANN), bot(), bot(), bot()), games=20)
    assert len(match.entries) > 600
    commit(store, match)
    busy(history_over(store, archive))
    assert archive.entries(match.id, after=Version(0), limit=10_000) == match.entries


def test_settings_come_from_the_environment():
    given = {
        "OWNTRUMPS_STORE_URL": "redis://x",
        "OWNTRUMPS_DATABASE_URL": "sqlite:////x",
        "OWNTRUMPS_HISTORY_GRACE_MS": "5",
    }
    config = config_from(given)
    assert (config.store_url, config.database_url, config.grace_ms) == ("redis://x", "sqlite:////x", 5)
    for name in ("OWNTRUMPS_STORE_URL", "OWNTRUMPS_DATABASE_URL"):
        with pytest.raises(ConfigError, match=name):
            config_from({key: value for key, value in given.items() if key != name})
    with pytest.raises(ConfigError, match="GRACE_MS"):
        config_from({**given, "OWNTRUMPS_HISTORY_GRACE_MS": "-5"})
