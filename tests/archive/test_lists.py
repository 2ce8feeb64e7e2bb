"""Lists of the archive have the store's order and cursors, so that both merge into one."""

from collections.abc import Iterator

import pytest

from owntrumps.archive.archive import Archive, open_archive
from owntrumps.archive.errors import ArchiveUnavailableError
from owntrumps.archive.read_through import reading_through
from owntrumps.game.terms import MatchId, PlayerId, Version
from owntrumps.store.matches import existing_match, refold
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import Store, UnknownMatchError
from tests.archive.given import ANN, BOB, START, Played, bot, commit, many, person, played

FILTERS = [
    {},
    {"status": "finished"},
    {"status": "aborted"},
    {"status": "playing"},
    {"ruleset": "duel"},
    {"ruleset": "bornyu", "status": "finished"},
    {"player": ANN},
    {"player": PlayerId("c" * 16), "ruleset": "duel"},
    {"player": PlayerId("nobody")},
]


def pages(store: Store, limit: int, **filters) -> Iterator[list[MatchId]]:
    cursor = None
    while True:
        asked = {"status": None, "ruleset": None, "player": None, **filters}
        found, cursor = store.matches(cursor=cursor, limit=limit, **asked)
        yield [summary.match for summary in found]
        if cursor is None:
            return


def everything(store: Store, limit: int = 100, **filters) -> list[MatchId]:
    return [match for page in pages(store, limit, **filters) for match in page]


@pytest.fixture(scope="module")
def matches() -> list[Played]:
    return many(24)


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("limit", [1, 5, 100])
def test_a_client_cannot_tell_from_lists_where_a_match_lives(archive, matches, filters, limit):
    # Given all matches in one store, and the same ones spread over a store and the archive, some of them in both
    whole, part = MemoryStore(), MemoryStore()
    for number, match in enumerate(matches):
        unfinished = number % 8 == 5
        commit(whole, match, but_last=unfinished)
        if unfinished or number % 3:
            commit(part, match, but_last=unfinished)
        if not unfinished and number % 3 != 1:
            archive.save(match.id, match.entries)
    # Then
    there = [*pages(whole, limit, **filters)]
    assert [*pages(reading_through(part, archive), limit, **filters)] == there


def test_summaries_say_the_same_wherever_they_come_from(archive, matches):
    store = MemoryStore()
    for match in matches:
        commit(store, match)
        archive.save(match.id, match.entries)
    for ruleset in (None, "duel"):
        listed = store.matches(status=None, ruleset=ruleset, player=ANN, cursor=None, limit=100)
        assert archive.matches(status=None, ruleset=ruleset, player=ANN, cursor=None, limit=100) == listed


def test_private_matches_are_listed_for_their_players_only(archive):
    match = played(1, "duel", (person(ANN), person(BOB)), private=True)
    archive.save(match.id, match.entries)
    store = reading_through(MemoryStore(), archive)
    assert everything(store) == []
    assert everything(store, player=BOB) == [match.id]


def test_imported_matches_are_read_by_id_but_listed_nowhere(archive):
    match = played(1, "duel", (person(ANN), person(BOB)))
    archive.save(match.id, match.entries, imported=True)
    store = reading_through(MemoryStore(), archive)
    assert everything(store) == everything(store, player=ANN) == []
    assert existing_match(store, match.id).version == match.match.version


def test_a_match_is_read_wherever_it_lives(archive, matches):
    for match in matches[:4]:
        archive.save(match.id, match.entries)
    rest = MemoryStore()
    for match in matches[2:6]:
        commit(rest, match)
    store = reading_through(rest, archive)
    for match in matches[:6]:
        assert refold(store, match.id) == match.match
        assert existing_match(store, match.id) == existing_match(store, match.id)
        assert store.entries(match.id, after=Version(1), limit=2) == match.entries[1:3]
        assert store.entries(match.id, after=match.match.version, limit=2) == []
    with pytest.raises(UnknownMatchError):
        existing_match(store, matches[6].id)


def test_a_bad_cursor_is_refused(archive):
    with pytest.raises(ValueError, match="cursor"):
        archive.matches(status=None, ruleset=None, player=None, cursor="nonsense", limit=5)


def test_what_is_in_the_store_is_read_while_the_database_is_away(matches):
    nowhere = open_archive("postgresql://owntrumps@127.0.0.1:1/none")
    rest = MemoryStore()
    commit(rest, matches[0])
    commit(rest, matches[1], but_last=1)
    store = reading_through(rest, nowhere)
    assert refold(store, matches[0].id) == matches[0].match
    assert everything(store, status="playing") == [matches[1].id]
    with pytest.raises(ArchiveUnavailableError):
        everything(store)
    with pytest.raises(ArchiveUnavailableError):
        existing_match(store, matches[2].id)


def test_everything_else_is_the_stores_own(archive):
    rest = MemoryStore(lambda: START)
    store = reading_through(rest, archive)
    assert store.now() == START
    store.close()
    with pytest.raises(Exception, match="closed"):
        rest.ping()


def test_the_archives_players_come_in_the_order_of_seats(archive: Archive):
    match = played(1, "duel", (person(BOB), person(ANN)))
    archive.save(match.id, match.entries)
    found, _ = archive.matches(status=None, ruleset=None, player=ANN, cursor=None, limit=5)
    assert found[0].index.players == (BOB, ANN)
    assert bot().player is None
