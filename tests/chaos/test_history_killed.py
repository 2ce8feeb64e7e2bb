"""kill -9 of the history service and of PostgreSQL in the middle: no match is lost, none is doubled."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from owntrumps.archive.archive import Archive, open_archive
from owntrumps.archive.errors import ArchiveUnavailableError
from owntrumps.game.terms import Version
from owntrumps.store.connect import open_store
from owntrumps.store.port import Store
from owntrumps_history.checking import check
from owntrumps_history.rating import OpenSkillRater
from tests.archive.conftest import database, postgres_server
from tests.archive.given import Played, commit, many
from tests.archive.postgres import PostgresServer
from tests.processes import HistoryProcess
from tests.store.servers import valkey

__all__ = ["database", "postgres_server"]

pytestmark = [pytest.mark.server, pytest.mark.slow]


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with valkey(tmp_path, appendfsync="always") as url:
        yield url


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()


def await_news(url: str, store: Store, database: str, expected: int) -> None:
    """Return once the archive holds so many matches and the store none; each look is paced by Redis."""
    archive = open_archive(database)
    with Redis.from_url(url) as clock:
        for _ in range(600):
            if _count(archive) == expected and not store.match_ids():
                archive.close()
                return
            clock.execute_command("WAIT", 1, 100)
    pytest.fail(f"{_count(archive)} of {expected} archived, {len(store.match_ids())} still in the store")


def _count(archive: Archive) -> int:
    try:
        return archive.count()
    except ArchiveUnavailableError:
        return -1


def assert_none_lost_and_none_doubled(database: str, matches: list[Played]) -> None:
    archive = open_archive(database, OpenSkillRater())
    stored = archive.page(after=0, limit=10_000)
    assert [seq for seq, _ in stored] == [*range(1, len(matches) + 1)]
    for match in matches:
        assert archive.entries(match.id, after=Version(0), limit=10_000) == match.entries
    assert {report.finding for report in check(archive)} == {"good"}
    # Each match that counts changed each of its ratings once: writing the book anew gives the same
    before = [archive.leaderboard(ruleset, limit=1000) for ruleset in ("bornyu", "duel", "dudak")]
    assert sum(archive.rebuild_ratings(OpenSkillRater())) == len(matches)
    assert [archive.leaderboard(ruleset, limit=1000) for ruleset in ("bornyu", "duel", "dudak")] == before
    archive.close()


def test_nothing_is_lost_or_doubled_when_history_is_killed_again_and_again(url, store, database):
    # Given matches that end while processes come and are killed at moments of their own choosing
    matches = many(36)
    dice = random.Random(7)
    waiting = [*matches]
    while waiting:
        with HistoryProcess(url, database):
            for match in [waiting.pop() for _ in range(min(6, len(waiting)))]:
                commit(store, match)
            store.notices(dict(store.tail()), block_ms=dice.randrange(400))  # nothing comes: time passes
    # When one may live
    with HistoryProcess(url, database) as living:
        await_news(url, store, database, len(matches))
        code = living.stop()
    # Then
    assert code == 0
    assert_none_lost_and_none_doubled(database, matches)


@pytest.mark.postgres
def test_nothing_is_lost_or_doubled_when_postgresql_is_killed_in_the_middle(
    url: str, store: Store, postgres_server: PostgresServer
):
    # Given
    matches = many(60)
    database = postgres_server.empty_database()
    with HistoryProcess(url, database) as history:
        for number, match in enumerate(matches):
            commit(store, match)
            # When the database is killed twice, and away for a while
            if number % 20 == 9:
                postgres_server.kill()
            elif number % 20 == 14:
                history.wait_for("unavailable", what="database")
                assert store.match_ids(), "what ended meanwhile waits in the store"
                postgres_server.start()
        await_news(url, store, database, len(matches))
        code = history.stop()
    # Then
    assert code == 0
    assert_none_lost_and_none_doubled(database, matches)
