"""Whole matches through the front door of a running system."""

import pytest

from tests.e2e.play import create, events, play_to_the_end, wait_until_over

pytestmark = [pytest.mark.server, pytest.mark.slow]


@pytest.mark.parametrize(("ruleset", "opponents"), [("bornyu", 3), ("duel", 1)])
def test_a_player_plays_to_the_end_against_greedy_bots(system, ruleset, opponents):
    with system.player() as player:
        # Given
        created = create(player, ruleset, me=True, bots=opponents)
        # When
        over, answers = play_to_the_end(player, created)
        # Then
        assert {answer.status_code for answer in answers} == {201}
        assert over["status"] == "finished"
        assert over["result"] is not None
        entries = events(player, over["id"])
        assert len(entries) == over["version"]
        kept = [event["type"] for entry in entries for event in entry["events"]]
        assert kept[0] == "match-created"
        assert kept[-1] in ("match-lost", "match-drawn")


def test_four_bots_finish_within_ten_seconds_of_one_post(system):
    with system.player() as player:
        created = create(player, "bornyu", bots=4)
        over = wait_until_over(player, created, seconds=10)
    assert over["status"] == "finished"
    assert over["result"] != {}


@pytest.mark.parametrize("ruleset", ["bornyu", "challenge", "duel", "dudak", "svoi-kozyri"])
def test_bots_finish_a_match_of_every_preset(system, ruleset):
    with system.player() as player:
        over = wait_until_over(player, create(player, ruleset, bots=2 if ruleset in ("challenge", "duel") else 4), 30)
    assert over["status"] == "finished"
