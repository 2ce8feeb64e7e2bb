"""The levels choose legal plays from what their seat sees, the same for the same seed, and nothing else moves them."""

from dataclasses import replace
from random import Random

import pytest

from owntrumps.rules.cards import CardSet, cards_of, parse_card
from owntrumps.rules.deal import Deal, begin
from owntrumps.rules.plays import TAKE
from owntrumps.rules.position import Hand
from owntrumps.rules.rulesets import PRESETS
from owntrumps_bots.arena.deals import start_of
from owntrumps_bots.arena.table import observed, play_deal
from owntrumps_bots.observation import ObservationError, observe
from owntrumps_bots.policies.greedy import greedy, preferred_over
from owntrumps_bots.policies.levels import LEVELS, LevelError, budget_of, choose, level_named
from owntrumps_bots.search.layout import TAKE as TAKE_CODE
from owntrumps_bots.search.packing import position_row, rules_row
from owntrumps_bots.search.step import greedy_play
from tests.services.bots.kernel import random_ruleset
from tests.services.bots.views import events_json, in_play, view_json

SITUATIONS = [(name, seed, plies) for name in PRESETS for seed, plies in ((1, 0), (2, 7), (3, 25), (4, 60))]


def other_hidden_cards(deal: Deal, seed: int) -> Deal:
    """The same deal with the unseen cards of the seats that are not to move dealt anew among them."""
    position, chance = deal.position, Random(seed)
    others = [seat for seat in range(len(position.hands)) if seat != position.turn]
    pool = [
        card for seat in others for card in cards_of(CardSet(position.hands[seat].cards & ~position.hands[seat].shown))
    ]
    chance.shuffle(pool)
    hands = list(position.hands)
    for seat in others:
        hand = hands[seat]
        count = (hand.cards & ~hand.shown).bit_count()
        fresh, pool = pool[:count], pool[count:]
        hands[seat] = Hand(CardSet(hand.shown | sum(1 << card for card in fresh)), 0, hand.shown)
    return replace(begin(replace(position, hands=tuple(hands))), plies=deal.plies)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("name", "seed", "plies"), SITUATIONS)
def test_a_level_chooses_legal_plays_and_the_same_whatever_lies_hidden(level, name, seed, plies):
    # Given two deals that differ in hidden cards only
    table, deal, history = in_play(PRESETS[name], seed, plies)
    turn = deal.position.turn
    twin = other_hidden_cards(deal, seed)
    events = events_json(history)
    # When the level is shown the view of each
    plays = choose(observe(view_json(table, deal, turn), events), level, 2000, 11, rounds=600)
    again = choose(observe(view_json(table, twin, turn), events), level, 2000, 11, rounds=600)
    # Then it makes the same, legal plays
    assert plays == again
    assert plays[0] in observe(view_json(table, deal, turn), events).legal()
    assert len(plays) == 1 or (deal.position.phase == "respond" and plays[0] != TAKE)


@pytest.mark.parametrize("seed", range(40))
def test_greedy_in_python_is_greedy_in_the_kernel(seed):
    table, deal, history = in_play(random_ruleset(Random(seed)), seed, seed)
    position = deal.position
    row = position_row([hand.cards for hand in position.hands], position.pile, position.turn, position.phase)
    play = greedy(observed(table, deal, history))
    assert greedy_play(row, rules_row(table.ruleset, table.trumps)) == (TAKE_CODE if play == TAKE else play)


def test_greedy_leads_low_keeps_its_trumps_and_takes_only_when_it_must():
    table, deal, _ = in_play(PRESETS["bornyu"], 1, 0)
    view = view_json(table, deal, deal.position.turn)
    view["seats"] = [{**seat, "known": []} for seat in view["seats"]]
    for seat, trump in zip(view["seats"], "hdcs", strict=True):
        seat["trump"] = trump
    view |= {"you": 0, "turn": 0, "phase": "lead", "hand": ["Tc", "Kc", "9d", "7h", "8h", "Qh", "9s", "As"]}
    for seat in view["seats"]:
        seat["cards"] = 8
    assert greedy(observe(view)) == parse_card("9d")
    beside = {**view, "phase": "respond", "seats": [dict(seat) for seat in view["seats"]]}
    beside["seats"][3]["cards"] = 7
    assert greedy(observe({**beside, "pile": ["Qc"]})) == parse_card("Kc")
    assert greedy(observe({**beside, "pile": ["Ac"]})) == parse_card("7h")
    assert greedy(observe({**beside, "pile": ["Kh"]})) == TAKE
    hearts, beaten = table.trumps[0].__class__(2), CardSet(sum(1 << parse_card(card) for card in ("Kc", "7h", "Qh")))
    assert preferred_over(parse_card("7h"), beaten, hearts) == 1 << parse_card("Kc")


@pytest.mark.parametrize("name", PRESETS)
def test_levels_play_whole_deals_by_the_rules(name):
    """The referee refuses an illegal play, so that the deal ends is the assertion; each level sits somewhere."""
    ruleset = PRESETS[name]
    levels = ["club", "greedy", "random", "greedy"][: ruleset.seats]

    def player(level):
        return lambda observation, seed: choose(observation, level, 2000, seed, rounds=100)

    for number in range(6):
        outcome = play_deal(start_of(ruleset, 3, number), [player(level) for level in levels], number)
        assert outcome.loser in {None, *range(ruleset.seats)}
        assert min(outcome.decisions) > 0


def test_what_cannot_be_chosen_from_is_refused_by_name():
    table, deal, history = in_play(PRESETS["bornyu"], 2, 9)
    turn = deal.position.turn
    view = view_json(table, deal, turn)
    seats = view["seats"]
    refused = [
        ({**view, "status": "finished"}, "match-over"),
        ({**view, "you": (turn + 1) % 4}, "not-your-turn"),
        ({**view, "you": None}, "not-your-turn"),
        ({**view, "hand": ["1x"]}, "malformed-view"),
        ({**view, "hand": []}, "malformed-view"),
        ({**view, "ruleset": {"deck": 32}}, "malformed-view"),
        ({**view, "seats": seats[:3]}, "malformed-view"),
        ({**view, "seats": [{**seats[0], "cards": seats[0]["cards"] + 1}, *seats[1:]]}, "malformed-view"),
        ({**view, "phase": "respond", "pile": []}, "malformed-view"),
        ({key: part for key, part in view.items() if key != "phase"}, "malformed-view"),
    ]
    for bad, slug in refused:
        with pytest.raises(ObservationError) as caught:
            observe(bad, events_json(history))
        assert caught.value.slug == slug
    with pytest.raises(LevelError, match="'genius' is not a level"):
        choose(observe(view), "genius")
    master = level_named("master")
    for bad_budget in (master.most_ms + 1, master.least_ms - 1, "60", True):
        with pytest.raises(LevelError) as refusal:
            budget_of(master, bad_budget)
        assert refusal.value.slug == "bad-budget"


def test_only_the_last_deal_of_the_match_is_history():
    table, deal, history = in_play(PRESETS["bornyu"], 2, 9)
    view = view_json(table, deal, deal.position.turn)
    events = [{"type": "match-started"}, *events_json(history[:3]), {"type": "deal-lost"}, *events_json(history)]
    assert observe(view, events).history == tuple(history)
    assert observe(view, events).knows_history
    assert not observe(view).knows_history
