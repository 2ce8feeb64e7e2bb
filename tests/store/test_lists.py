"""The contract of lists, of leaving for the archive, and of players."""

import pytest

from owntrumps.game.terms import MatchId, Millis, PlayerId, Version
from owntrumps.store.port import MatchIndex, Player, Status, Store
from tests.store.conftest import Place
from tests.store.given import ANN, BOB, M, a_moment_passes, commit, index, match_id

LATER = Millis(10**14)


def listed(
    store: Store,
    *,
    status: Status | None = None,
    ruleset: str | None = None,
    player: PlayerId | None = None,
    limit: int = 1000,
) -> list[MatchId]:
    """The ids of a whole list, read page by page."""
    found: list[MatchId] = []
    cursor: str | None = None
    while True:
        page, cursor = store.matches(status=status, ruleset=ruleset, player=player, cursor=cursor, limit=limit)
        assert len(page) <= limit
        found += [summary.match for summary in page]
        if cursor is None:
            return found
        assert len(page) == limit


def given(store: Store, indexes: dict[MatchId, MatchIndex]) -> None:
    assert set(store.commit([commit(match, listed=shown) for match, shown in indexes.items()])) == {"committed"}


def test_lists_are_newest_first_across_shards_page_by_page(store: Store):
    moments = {match_id(number % 16, number): 1_772_366_400_000 + number * 7919 % 20 for number in range(50)}
    given(store, {match: index(created_at=moment) for match, moment in moments.items()})
    expected = sorted(moments, key=lambda match: (moments[match], match), reverse=True)

    assert listed(store) == expected
    assert listed(store, limit=7) == expected
    assert listed(store, limit=1) == expected
    assert listed(store, limit=50) == expected


def test_a_page_stays_in_place_while_newer_matches_arrive(store: Store):
    given(store, {match_id(number): index(created_at=1_772_366_400_000 + number) for number in range(6)})
    first, cursor = store.matches(status=None, ruleset=None, player=None, cursor=None, limit=3)

    given(store, {match_id(9): index(created_at=1_772_366_500_000)})
    second, end = store.matches(status=None, ruleset=None, player=None, cursor=cursor, limit=3)

    assert [summary.match[:2] for summary in first + second] == ["05", "04", "03", "02", "01", "00"]
    assert end is None


def test_a_summary_is_what_the_last_commit_said(store: Store):
    shown = index("playing", ruleset="svoi-kozyri", players=(ANN, BOB), to_move=BOB)
    store.commit([commit(version=1), commit(version=2, listed=shown)])

    [summary], cursor = store.matches(status=None, ruleset=None, player=None, cursor=None, limit=10)

    assert (summary.match, summary.index, cursor) == (M, shown, None)


def test_lists_are_filtered_by_status_and_ruleset(store: Store):
    statuses: list[Status] = ["open", "playing", "finished", "aborted"]
    indexes = {
        match_id(shard, number): index(statuses[(shard + number) % 4], ruleset=["bornyu", "duel", "x:y"][shard % 3])
        for shard in range(16)
        for number in range(3)
    }
    given(store, indexes)

    for status in (None, *statuses):
        for ruleset in (None, "bornyu", "duel", "x:y", "dudak"):
            assert set(listed(store, status=status, ruleset=ruleset, limit=4)) == {
                match
                for match, shown in indexes.items()
                if status in (None, shown.status) and ruleset in (None, shown.ruleset_name)
            }


def test_a_match_leaves_a_list_as_its_status_changes(store: Store):
    store.commit([commit(version=1, listed=index("open"))])
    assert (listed(store, status="open"), listed(store, status="playing")) == ([M], [])

    store.commit([commit(version=2, listed=index("playing", players=(ANN,)))])
    assert (listed(store, status="open"), listed(store, status="playing")) == ([], [M])

    store.commit([commit(version=3, listed=index("finished", players=(ANN,)))])
    assert (listed(store, status="playing"), listed(store, status="finished"), listed(store)) == ([], [M], [M])


def test_private_matches_are_listed_for_their_players_only(store: Store):
    given(
        store,
        {
            match_id(1): index(private=True, players=(ANN,)),
            match_id(2): index(players=(ANN, BOB)),
            match_id(3): index(players=(BOB,)),
        },
    )

    assert set(listed(store)) == {match_id(2), match_id(3)}
    assert set(listed(store, player=ANN)) == {match_id(1), match_id(2)}
    assert set(listed(store, player=BOB)) == {match_id(2), match_id(3)}
    assert listed(store, player=PlayerId("nobody")) == []


def test_a_players_list_is_filtered_across_its_pages(store: Store):
    given(
        store,
        {
            match_id(number % 16, number): index(
                "finished" if number % 5 else "open",
                ruleset="duel" if number % 2 else "bornyu",
                players=(ANN,),
                created_at=1_772_366_400_000 + number,
            )
            for number in range(60)
        },
    )

    found = listed(store, player=ANN, status="open", ruleset="duel", limit=2)

    assert found == [match_id(number % 16, number) for number in (55, 45, 35, 25, 15, 5)]


def test_a_player_who_leaves_a_match_leaves_its_lists(store: Store):
    store.commit([commit(version=1, listed=index(players=(ANN, BOB), to_move=ANN))])
    store.commit([commit(version=2, listed=index(players=(BOB,), to_move=BOB))])

    assert (listed(store, player=ANN), listed(store, player=BOB)) == ([], [M])
    assert (store.turns_of(ANN), store.turns_of(BOB)) == ([], [M])


@pytest.mark.parametrize("cursor", ["", "x", "!!!", "MTIz", "éé", "MTc3MjM2NjQwMDI1MDo5OS1hZWJhZ2JhZmF5ZHE", "a" * 500])
def test_a_cursor_of_nowhere_is_refused(store: Store, cursor: str):
    with pytest.raises(ValueError, match="is not a cursor"):
        store.matches(status=None, ruleset=None, player=None, cursor=cursor, limit=5)


def test_turns_follow_the_person_to_move(store: Store):
    other = match_id(2)
    given(store, {M: index("playing", to_move=ANN), other: index("playing", to_move=BOB)})
    assert (store.turns_of(ANN), store.turns_of(BOB)) == ([M], [other])

    store.commit([commit(M, 2, listed=index("playing", to_move=BOB))])
    assert (store.turns_of(ANN), set(store.turns_of(BOB))) == ([], {M, other})

    store.commit([commit(M, 3, listed=index("finished")), commit(other, 2, listed=index("playing"))])
    assert (store.turns_of(ANN), store.turns_of(BOB)) == ([], [])


def test_turns_come_longest_waiting_first_and_a_warning_does_not_start_the_wait_anew(store: Store):
    first, second = match_id(9), match_id(2)
    store.commit([commit(first, 1, listed=index("playing", to_move=ANN))])
    a_moment_passes(store)
    store.commit([commit(second, 1, listed=index("playing", to_move=ANN))])
    a_moment_passes(store)

    store.commit([commit(first, 2, listed=index("playing", ruleset="duel", to_move=ANN))])

    assert store.turns_of(ANN) == [first, second]


def test_matches_that_ended_first_leave_first(store: Store):
    first, second = match_id(9), match_id(2)
    store.commit([commit(first, 1, listed=index("finished"))])
    a_moment_passes(store)
    between = store.now()
    a_moment_passes(store)
    store.commit([commit(second, 1, listed=index("aborted"))])

    assert store.ended(between, limit=5) == [first]
    assert store.ended(LATER, limit=5) == [first, second]


def test_matches_that_are_over_wait_for_the_archive(store: Store):
    given(
        store,
        {
            match_id(1): index("finished", private=True),
            match_id(2): index("aborted"),
            match_id(3): index("playing"),
            match_id(4): index("open"),
        },
    )

    assert set(store.ended(LATER, limit=10)) == {match_id(1), match_id(2)}
    assert len(store.ended(LATER, limit=1)) == 1
    assert store.ended(Millis(store.now() - 60_000), limit=10) == []


def test_a_forgotten_match_leaves_nothing_behind(store: Store):
    shown = index("finished", players=(ANN, BOB))
    store.commit([commit(version=1, listed=index("playing", players=(ANN,), to_move=ANN), due=5)])
    store.commit([commit(version=2, listed=shown, due=50)])

    assert store.forget(M, at_version=Version(2))

    assert store.entries(M, after=Version(0), limit=10) == []
    assert store.state(M) is None
    assert (store.match_ids(), listed(store), listed(store, player=ANN)) == ([], [], [])
    assert (store.due(LATER, limit=5), store.ended(LATER, limit=5), store.turns_of(ANN)) == ([], [], [])
    assert not store.forget(M, at_version=Version(2))


def test_a_match_that_is_played_or_has_moved_on_is_not_forgotten(store: Store):
    other = match_id(8)
    store.commit(
        [commit(version=1, listed=index("playing")), commit(other, 1), commit(other, 2, listed=index("finished"))]
    )

    assert not store.forget(M, at_version=Version(1))
    assert not store.forget(other, at_version=Version(1))
    assert not store.forget(match_id(9), at_version=Version(0))
    assert store.match_ids() == sorted([M, other])


PLAYER = Player(PlayerId("p-1"), "Ann ♥ {07}", "ab" * 32, Millis(1_772_366_400_250))


def test_a_player_is_found_as_registered(place: Place):
    one, two = place.open(), place.open()
    assert two.player(PLAYER.id) is None

    one.add_player(PLAYER)

    assert two.player(PLAYER.id) == PLAYER


def test_a_players_id_is_given_once(store: Store):
    store.add_player(PLAYER)

    with pytest.raises(ValueError, match="p-1"):
        store.add_player(Player(PLAYER.id, "Bob", "cd" * 32, Millis(5)))

    assert store.player(PLAYER.id) == PLAYER


def test_a_revoked_token_matches_nothing_and_the_player_stays(store: Store):
    store.add_player(PLAYER)

    store.revoke(PLAYER.id)
    store.revoke(PlayerId("nobody"))

    assert store.player(PLAYER.id) == Player(PLAYER.id, PLAYER.name, "", PLAYER.created_at)
    assert store.player(PlayerId("nobody")) is None
