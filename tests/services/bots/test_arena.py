"""The arena: deals as the rules say, everybody on every seat with the same cards, runs that repeat and go on."""

import json

import pytest
from typer.testing import CliRunner

from owntrumps.rules.cards import cards_of, mask_of, pack, parse_card, parse_suit
from owntrumps.rules.rulesets import PRESETS
from owntrumps_bots.arena.cli import app
from owntrumps_bots.arena.deals import start_of, turned_up
from owntrumps_bots.arena.entries import entry_of
from owntrumps_bots.arena.run import Arena, ResumeError, play_all, play_number
from owntrumps_bots.arena.tally import level_rows, wilson
from owntrumps_bots.policies.levels import LevelError
from tests.services.bots.kernel import vectors


def arena_of(levels: str, deals: int, ruleset: str = "bornyu") -> Arena:
    entries = tuple(entry_of(level, None, 200) for level in levels.split(","))
    return Arena(PRESETS[ruleset], entries, deals, 5)


@pytest.mark.parametrize("vector", vectors("turned"), ids=lambda vector: f"{vector['seats']}-{vector['deck']}")
def test_trumps_are_turned_up_as_in_the_vectors(vector):
    dealt = [[parse_card(name) for name in hand] for hand in vector["dealt"]]
    trumps, shown = turned_up(dealt, vector["leader"], vector["direction"])
    assert list(trumps) == [parse_suit(name) for name in vector["trumps"]]
    assert list(shown) == [mask_of(map(parse_card, names)) for names in vector["turned"]]


@pytest.mark.parametrize("name", PRESETS)
def test_every_card_is_dealt_once_and_what_is_shown_is_held(name):
    ruleset = PRESETS[name]
    for number in range(20):
        start = start_of(ruleset, 1, number)
        hands = start.deal.position.hands
        assert sum(hand.cards for hand in hands) == pack(ruleset.deck)
        assert len(set(start.table.trumps)) == ruleset.seats
        assert all(hand.shown & ~hand.cards == 0 for hand in hands)
        if ruleset.low_card_exchange:
            lowest = [13 * trump + 13 - ruleset.deck // 4 for trump in start.table.trumps]
            assert all(hand.cards >> card & 1 for hand, card in zip(hands, lowest, strict=True))
        if ruleset.trump_choice == "turned":
            assert all(hand.shown for hand in hands)


def test_a_mirrored_deal_gives_each_the_others_ranks():
    for number in range(20):
        start = start_of(PRESETS["challenge"], 1, number)
        one, other = (cards_of(hand.cards) for hand in start.deal.position.hands)
        a, b = start.table.trumps
        assert {card % 13 for card in one if card // 13 == a} == {card % 13 for card in other if card // 13 == b}
        assert len(one) == len(other) == 16
        assert start.deal.position.hands[0].shown == start.deal.position.hands[0].cards
    assert start_of(PRESETS["challenge"], 1, 3) == start_of(PRESETS["challenge"], 1, 3)
    assert start_of(PRESETS["challenge"], 1, 3) != start_of(PRESETS["challenge"], 1, 4)


def test_everybody_plays_the_same_cards_from_every_seat():
    rows = level_rows(arena_of("greedy,greedy,random,greedy", 8).entries, 4, [])
    assert [row["rate"] for row in rows] == [0.0] * 4
    # Given equal players, a deal's loser is a seat: rotated four times, each entry loses it once
    arena = arena_of("greedy,greedy,greedy,greedy", 8)
    losers = [play_number(arena, number).loser for number in range(8)]
    for common in (losers[:4], losers[4:]):
        assert sorted(common, key=str) == [0, 1, 2, 3] or common == [None] * 4


def test_an_arena_repeats_and_a_stopped_one_goes_on(tmp_path):
    kept, whole = tmp_path / "deals.jsonl", arena_of("master,greedy,club,random", 6)

    def results(played):
        return sorted((deal.number, deal.loser, deal.plies, deal.decisions) for deal in played)

    at_once = results(play_all(whole, 1, None))
    part = Arena(whole.ruleset, whole.entries, 4, whole.seed)
    assert results(play_all(part, 1, kept)) == at_once[:4]
    # A killed run may leave half a line
    kept.write_text(kept.read_text() + '{"number": 4, "los')
    assert results(play_all(whole, 1, kept)) == at_once
    assert len(kept.read_text().splitlines()) == 7
    with pytest.raises(ResumeError, match="another arena"):
        list(play_all(arena_of("master,greedy,club,greedy", 6), 1, kept))


def test_wilsons_interval_holds_the_rate_and_shrinks():
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(5, 100)
    assert low < 0.05 < high
    assert wilson(0, 50)[0] == 0.0
    assert wilson(50, 1000)[1] - wilson(50, 1000)[0] < (high - low) / 2


def test_the_command_prints_one_row_an_entry_in_order(tmp_path):
    plot = tmp_path / "rates.svg"
    arguments = ["--ruleset", "bornyu", "--levels", "greedy,random,greedy@3,club", "--deals", "8", "--seed", "2"]
    outcome = CliRunner().invoke(app, [*arguments, "--processes", "1", "--json", "--plot", str(plot)])
    assert outcome.exit_code == 0
    report = json.loads(outcome.stdout)
    assert (report["ruleset"], report["deals"]) == ("bornyu", 8)
    assert [row["level"] for row in report["levels"]] == ["greedy", "random", "greedy@3", "club"]
    for row in report["levels"]:
        assert row["deals"] == 8
        assert row["seats"] == [0, 1, 2, 3]
        assert row["ci95"][0] <= row["rate"] == row["lost"] / 8 <= row["ci95"][1]
        assert row["ms_per_decision"] > 0
    assert sum(row["lost"] for row in report["levels"]) + report["levels"][0]["drawn"] == 8
    assert "<svg" in plot.read_text()
    table = CliRunner().invoke(app, [*arguments, "--processes", "2"])
    assert table.exit_code == 0
    assert "greedy@3" in table.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--levels", "greedy,greedy"], "4 seats"),
        (["--levels", "greedy,greedy,greedy,genius"], "'genius' is not a level"),
        (["--levels", "greedy,greedy,greedy,master@soon"], "LEVEL@MILLISECONDS"),
        (["--levels", "greedy,greedy,greedy,master@99999"], "5 to 2000 ms"),
        (["--levels", "greedy,greedy", "--ruleset", "whist"], "'whist' is not a ruleset"),
        (["--levels", "greedy,greedy", "--ruleset", "{"], "not JSON"),
        (["--levels", "greedy,greedy", "--ruleset", "duel", "--deals", "1", "--plot", "x.gif"], ".png nor .svg"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_reason(arguments, reason):
    outcome = CliRunner().invoke(app, [*arguments, "--processes", "1"])
    assert outcome.exit_code == 2
    assert reason in outcome.stderr
    with pytest.raises(LevelError):
        entry_of("nobody", None, None)
