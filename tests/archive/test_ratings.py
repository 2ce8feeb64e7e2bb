"""Each match that counts changes each rating once, and the book can be written anew to the same last bit."""

import random

import pytest
from sqlalchemy import select

from owntrumps.archive.archive import open_archive
from owntrumps.archive.rating import RatedSeat, Rating, rated_seats
from owntrumps.archive.tables import rating_changes, ratings
from owntrumps.archive.whole import whole_match
from owntrumps.game.terms import PlayerId
from owntrumps_history.rating import OpenSkillRater
from tests.archive.given import ANN, BOB, aborted, bot, many, person, played

FRESH = OpenSkillRater().start()


def book(archive):
    """All ratings and all changes, to the last bit."""
    with archive._reading() as connection:
        lines = connection.execute(select(ratings).order_by(ratings.c.ruleset_name, ratings.c.entity)).all()
        changes = connection.execute(
            select(rating_changes).order_by(rating_changes.c.match_seq, rating_changes.c.entity)
        ).all()
    return [tuple(line) for line in lines], [tuple(change) for change in changes]


def test_the_loser_falls_and_the_others_rise(archive):
    match = played(3, "bornyu", [person(PlayerId(name * 16)) for name in "abcd"])
    archive.save(match.id, match.entries)
    ((_, whole),) = archive.page(after=0, limit=1)
    standings = {standing.entity: standing for standing in archive.leaderboard("bornyu", limit=10)}
    (loser,) = [seat["player"] for seat in whole.seats if seat["loser"]]
    for entity, standing in standings.items():
        assert (standing.rating.mu < FRESH.mu) == (entity == loser)
        assert standing.rating.sigma < FRESH.sigma
        assert (standing.matches, standing.lost) == (1, int(entity == loser))
    assert archive.leaderboard("bornyu", limit=10)[-1].entity == loser


def test_a_match_saved_again_changes_no_rating(archive):
    third = played(3)
    match = whole_match(third.id, third.entries)
    archive.save_all([match])
    before = book(archive)
    archive.save_all([match, match])
    assert book(archive) == before


@pytest.mark.parametrize("batch", [1, 7, 40])
def test_a_rebuild_gives_the_same_numbers_to_the_last_bit(archive, batch):
    # Given matches of all sorts, saved in an order of their own
    matches = [whole_match(match.id, match.entries) for match in many(30)]
    random.Random(batch).shuffle(matches)
    for start in range(0, len(matches), batch):
        archive.save_all(matches[start : start + batch])
    before = book(archive)
    assert len(before[0]) > 8
    # When
    assert sum(archive.rebuild_ratings(OpenSkillRater())) == len(matches)
    # Then
    assert book(archive) == before


def test_a_rebuild_that_is_given_up_changes_nothing(archive):
    for match in many(10):
        archive.save(match.id, match.entries)
    before = book(archive)
    rebuilding = archive.rebuild_ratings(OpenSkillRater())
    next(iter(rebuilding))
    rebuilding.close()
    assert book(archive) == before


def test_both_databases_keep_the_same_numbers(tmp_path, archive):
    beside = open_archive(f"sqlite:///{tmp_path}/beside.sqlite3", OpenSkillRater())
    for match in many(10):
        archive.save(match.id, match.entries)
        beside.save(match.id, match.entries)
    assert book(archive) == book(beside)
    beside.close()


def rows(match):
    whole = whole_match(match.id, match.entries)
    return whole.match, whole.seats


def test_what_counts_is_finished_public_and_a_preset_between_two_at_least():
    two = (person(ANN), person(BOB))
    match, seats = rows(played(1, "duel", two))
    assert {seat.entity for seat in rated_seats(match, seats)} == {ANN, BOB}
    for changed in ({"private": True}, {"imported": True}, {"status": "aborted"}, {"ruleset_name": "custom"}):
        assert rated_seats({**match, **changed}, seats) == []
    assert rated_seats(*rows(aborted())) == []
    assert rated_seats(*rows(played(1, "duel", (bot(), bot())))) == []
    assert {seat.entity for seat in rated_seats(*rows(played(1, "duel", (bot(), bot("club")))))} == {
        "bot:greedy",
        "bot:club",
    }


def test_a_seat_with_a_stand_in_counts_for_its_player():
    match, seats = rows(played(1, "duel", (person(ANN), bot())))
    stood_in = [{**seat, "level": "greedy", "stand_in": True} if seat["player"] == ANN else seat for seat in seats]
    assert [seat.entity for seat in rated_seats(match, stood_in)] == [ANN, "bot:greedy"]


def test_a_level_on_several_seats_changes_once_by_their_mean():
    seats = [RatedSeat("a", lost=True), *[RatedSeat("bot:greedy", lost=False)] * 3]
    apart = [RatedSeat("a", lost=True), *[RatedSeat(f"b{seat}", lost=False) for seat in range(3)]]
    rater = OpenSkillRater()
    together = rater.rate(seats, {"a": FRESH, "bot:greedy": FRESH})
    alone = rater.rate(apart, {"a": FRESH, **{f"b{seat}": FRESH for seat in range(3)}})
    assert together["a"] == alone["a"]
    assert together["bot:greedy"].mu == pytest.approx(sum(alone[f"b{seat}"].mu for seat in range(3)) / 3)


def test_a_draw_between_equals_moves_nobody():
    after = OpenSkillRater().rate([RatedSeat("a", lost=False), RatedSeat("b", lost=False)], {"a": FRESH, "b": FRESH})
    assert after["a"].mu == pytest.approx(FRESH.mu) == pytest.approx(after["b"].mu)


def test_whoever_is_new_ranks_low_until_they_have_shown_what_they_can_do():
    assert Rating(25.0, 8.0).low < Rating(20.0, 1.0).low


def test_results_count_public_finished_matches_by_ruleset(archive):
    for match in many(30):
        archive.save(match.id, match.entries)
    imported = played(99, "duel", (person(ANN), person(BOB)))
    archive.save(imported.id, imported.entries, imported=True)
    found = {results.ruleset_name: results for results in archive.results_of(ANN)}
    mine = [
        (whole.match, next(seat for seat in whole.seats if seat["player"] == ANN))
        for _, whole in archive.page(after=0, limit=100)
        if any(seat["player"] == ANN for seat in whole.seats)
        and whole.match["status"] == "finished"
        and not whole.match["private"]
        and not whole.match["imported"]
    ]
    assert sum(results.matches for results in found.values()) == len(mine) > 5
    assert sum(results.lost for results in found.values()) == sum(seat["loser"] for _, seat in mine)
    assert sum(results.calf for results in found.values()) == sum(seat["losses"] for _, seat in mine)
    assert sum(results.drawn for results in found.values()) == sum(match["draw"] is not None for match, _ in mine)
    assert archive.results_of(PlayerId("nobody")) == []


def test_a_players_ratings_are_those_of_the_leaderboards(archive):
    for match in many(20):
        archive.save(match.id, match.entries)
    standings = archive.ratings_of(ANN)
    assert standings
    for standing in standings:
        assert standing in archive.leaderboard(standing.ruleset_name, limit=100)
    lows = [standing.rating.low for standing in archive.leaderboard("duel", limit=100)]
    assert lows == sorted(lows, reverse=True)
    assert len(archive.leaderboard("duel", limit=2)) == 2
