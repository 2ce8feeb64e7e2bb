"""The archive gives back what was put in, once, and nothing else."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from threading import Barrier, Thread

import pytest
from sqlalchemy import text

from owntrumps.archive import connect
from owntrumps.archive.archive import Archive, open_archive
from owntrumps.archive.errors import (
    ArchiveSchemaError,
    ArchiveUnavailableError,
    DamagedLogError,
    OtherLogError,
    UnfitLogError,
    UnfitRowsError,
)
from owntrumps.archive.whole import whole_match
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.matches import existing_match, refold
from owntrumps.store.state_codec import write_state
from owntrumps_history.rating import OpenSkillRater
from tests.archive.given import START, aborted, bot, many, person, played
from tests.store.given import ANN


def test_a_saved_log_comes_back_byte_for_byte_and_page_by_page(archive):
    match = played(1)
    assert archive.save(match.id, match.entries)
    read = archive.entries(match.id, after=Version(0), limit=10_000)
    assert read == match.entries
    assert archive.entries(match.id, after=Version(3), limit=2) == match.entries[3:5]
    assert archive.entries(match.id, after=match.entries[-1].version, limit=5) == []


def test_the_state_of_an_archived_match_is_the_one_its_log_leads_to(archive):
    match = played(2, "svoi-kozyri")
    archive.save(match.id, match.entries)
    assert archive.state(match.id) == write_state(match.match)
    assert existing_match(archive, match.id) == existing_match(archive, match.id)
    assert refold(archive, match.id) == match.match


def test_a_match_that_is_not_archived_is_not_there(archive):
    nowhere = MatchId("07-aaaaaaaaaaaa")
    assert archive.state(nowhere) is None
    assert archive.entries(nowhere, after=Version(0), limit=5) == []
    assert not archive.has(nowhere)


def test_saving_twice_changes_nothing(archive):
    match = played(1)
    archive.save(match.id, match.entries)
    before = archive.page(after=0, limit=10), archive.leaderboard("bornyu", limit=10)
    assert not archive.save(match.id, match.entries)
    assert archive.save_all([whole_match(match.id, match.entries)] * 2) == ["present", "present"]
    assert (archive.page(after=0, limit=10), archive.leaderboard("bornyu", limit=10)) == before


def test_a_match_that_comes_twice_in_one_call_is_saved_once(archive):
    match = played(1)
    assert archive.save_all([whole_match(match.id, match.entries)] * 2) == ["saved", "present"]
    assert archive.count() == 1


def test_another_log_never_replaces_one_that_is_there(archive):
    match = played(1)
    other = played(1, step_ms=251)
    assert other.id == match.id
    archive.save(match.id, match.entries)
    with pytest.raises(OtherLogError):
        archive.save(other.id, other.entries)
    assert archive.entries(match.id, after=Version(0), limit=10_000) == match.entries


def test_the_archives_order_is_that_of_saving_without_gaps(archive):
    matches = many(12)
    for match in reversed(matches):
        archive.save(match.id, match.entries)
    assert [(seq, whole.id) for seq, whole in archive.page(after=0, limit=100)] == [
        (seq, match.id) for seq, match in enumerate(reversed(matches), start=1)
    ]
    assert [seq for seq, _ in archive.page(after=4, limit=3)] == [5, 6, 7]
    assert archive.count(after=4) == 8


def test_an_archived_match_is_described_by_its_rows(archive):
    match = played(3, "duel", (person(ANN, "Ánn"), bot("club")), games=2)
    archive.save(match.id, match.entries)
    ((_, whole),) = archive.page(after=0, limit=1)
    assert whole == whole_match(match.id, match.entries)
    assert whole.entries() == match.entries
    assert (whole.match["created_at"], whole.match["ended_at"]) == (START, match.match.at)
    assert [(seat["player"], seat["name"], seat["level"]) for seat in whole.seats] == [
        (ANN, "Ánn", None),
        (None, "club", "club"),
    ]
    losses = [seat["losses"] for seat in whole.seats]
    assert [seat["loser"] for seat in whole.seats] == [lost == max(losses) for lost in losses]


def test_an_aborted_match_is_archived_with_its_reason(archive):
    match = aborted()
    archive.save(match.id, match.entries)
    ((_, whole),) = archive.page(after=0, limit=1)
    assert (whole.match["status"], whole.match["aborted"], whole.match["plies"]) == ("aborted", "called-off", 0)


def _cut(entries):
    return entries[:-1]


def _headless(entries):
    return entries[1:]


def _gap(entries):
    return [*entries[:5], *entries[6:]]


def _edited(entries):
    return [*entries[:-1], replace(entries[-1], payload=entries[-1].payload.replace(b"Z", b"Y", 1))]


def _other_hash(entries):
    return [*entries[:2], replace(entries[2], chain="0" * 64), *entries[3:]]


@pytest.mark.parametrize("spoil", [_cut, _headless, _gap, _edited, _other_hash, lambda entries: []])
def test_a_log_that_is_not_whole_and_over_is_refused(archive, spoil):
    match = played(1)
    with pytest.raises(UnfitLogError):
        archive.save(match.id, spoil(match.entries))
    assert archive.count() == 0


def test_a_log_is_archived_under_its_own_id_only(archive):
    match = played(1)
    with pytest.raises(UnfitLogError):
        archive.save(MatchId("07-aaaaaaaaaaaa"), match.entries)


@pytest.mark.parametrize("column", ["log", "chain"])
def test_a_log_that_was_changed_in_the_database_is_found_out(archive, database, column):
    match, other = played(1), played(2)
    archive.save_all([whole_match(each.id, each.entries) for each in (match, other)])
    with archive._writer.begin() as connection:
        connection.execute(
            text(f"UPDATE matches SET {column} = (SELECT {column} FROM matches WHERE seq = 2) WHERE seq = 1")
        )
    with pytest.raises(DamagedLogError):
        archive.entries(match.id, after=Version(0), limit=5)


def test_matches_saved_by_two_processes_at_once_are_there_once_each(archive, database):
    # Given two archives over one database, neither of which has made its tables
    matches = [whole_match(match.id, match.entries) for match in many(8)]
    archives = [open_archive(database, OpenSkillRater()) for _ in range(2)]
    together = Barrier(len(archives))
    results: list[str] = []

    def save(each: Archive) -> None:
        together.wait()
        for match in matches:
            results.extend(each.save_all([match]))

    # When both save the same matches
    threads = [Thread(target=save, args=(each,)) for each in archives]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in archives:
        each.close()
    # Then
    assert sorted(results) == ["present"] * 8 + ["saved"] * 8
    assert [seq for seq, _ in archive.page(after=0, limit=100)] == [*range(1, 9)]


def test_a_new_database_that_another_process_is_making_is_waited_for(tmp_path, monkeypatch):
    # Given one who holds the lock of a database with nothing in it, for which SQLite lets nobody wait
    with closing(sqlite3.connect(tmp_path / "history.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        awaited = connect._await_writer

        def let_go_and_be_awaited(connection):
            other.execute("ROLLBACK")
            awaited(connection)

        monkeypatch.setattr(connect, "_await_writer", let_go_and_be_awaited)
        # When another opens it, and the first one lets go once that has been refused
        with closing(open_archive(f"sqlite:///{tmp_path}/history.sqlite3")) as archive:
            archive.ping()
        # Then it has waited and was served
        assert not other.in_transaction


def test_an_archive_of_a_later_schema_is_left_alone(archive, database):
    archive.ping()
    with archive._writer.begin() as connection:
        connection.execute(text("UPDATE archive SET schema = 2"))
    later = open_archive(database)
    with pytest.raises(ArchiveSchemaError):
        later.count()
    later.close()


def test_a_database_that_cannot_be_reached_is_unavailable_and_says_no_password():
    nowhere = open_archive("postgresql://owntrumps:s3cret@127.0.0.1:1/none")
    with pytest.raises(ArchiveUnavailableError) as caught:
        nowhere.count()
    assert "s3cret" not in str(caught.value)


@pytest.mark.postgres
def test_rows_that_the_database_does_not_take_are_refused_and_leave_nothing(postgres_server):
    archive = open_archive(postgres_server.empty_database())
    match = played(1, "duel", (person(ANN, "nul \0 nul"), bot()))
    with pytest.raises(UnfitRowsError):
        archive.save(match.id, match.entries)
    assert archive.count() == 0
    archive.close()


@pytest.mark.parametrize("url", ["mysql://a/b", "nonsense", ""])
def test_only_urls_of_postgresql_and_sqlite_are_taken(url):
    with pytest.raises(ValueError, match=r"URL|not in"):
        open_archive(url)
