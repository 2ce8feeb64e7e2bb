"""The search: proofs agree with brute force, repetitions are counted from public moves, worlds fit the past."""

from dataclasses import replace
from math import log
from random import Random

import pytest

from owntrumps.rules.cards import CardSet, cards_of, mask_of, pack, parse_card
from owntrumps.rules.deal import Deal, Loser, Result, begin, position_key, step
from owntrumps.rules.perft import moves
from owntrumps.rules.plays import TAKE as TAKE_PLAY
from owntrumps.rules.position import Hand, Position, Table, beaters
from owntrumps.rules.rulesets import PRESETS
from owntrumps_bots.arena.table import happened, observed
from owntrumps_bots.policies.greedy import greedy
from owntrumps_bots.search.chance import seeded
from owntrumps_bots.search.history import NEVER, past_keys, read_plays, unseen_cards
from owntrumps_bots.search.layout import TAKE
from owntrumps_bots.search.thinking import Dials, Thinker
from owntrumps_bots.search.worlds import Hint, new_world, shuffle_world
from tests.services.bots.kernel import random_ruleset
from tests.services.bots.views import in_play

THINKER = Thinker(1 << 14)


def never() -> bool:
    return False


def value_of(result: Result, me: int) -> float:
    return float(result.seat != me) if isinstance(result, Loser) else 0.5


def worth(table: Table, deal: Deal, me: int) -> float:
    """Brute force over all lines with their histories: 1 if ``me`` can win, 0.5 for a draw, 0 for a loss."""
    mine = deal.position.turn == me
    best = 0.0 if mine else 1.0
    for play in moves(table, deal):
        after, result = step(table, deal, play)
        value = worth(table, after, me) if result is None else value_of(result, me)
        best = max(best, value) if mine else min(best, value)
        if best == (1.0 if mine else 0.0):
            break
    return best


def test_what_the_search_proves_is_what_brute_force_finds():
    decided = 0
    for seed in range(60):
        # Given a small two-seat study: the rest of the pack left play
        chance = Random(seed)
        ruleset = replace(random_ruleset(chance), seats=2, ply_limit=chance.choice([9, 11]))
        cards = cards_of(pack(ruleset.deck))
        chance.shuffle(cards)
        size = chance.randint(2, 5)
        hands = (Hand(mask_of(cards[: size // 2])), Hand(mask_of(cards[size // 2 : size])))
        table = Table(ruleset, tuple(chance.sample(range(4), 2)))  # type: ignore[arg-type]
        deal = begin(Position(hands, (), 0, "lead", (), mask_of(cards[size:])))  # type: ignore[arg-type]
        both = replace(observed(table, deal, []), known=tuple(hand.cards for hand in hands))
        # When it is searched
        searched = THINKER.search(both, 10_000, never, seed, Dials(swindle=False))
        # Then each play that is proven is worth what brute force says
        for found in searched:
            if found.proven:
                after, result = step(table, deal, TAKE_PLAY if found.play == TAKE else found.play)  # type: ignore[arg-type]
                assert found.reward == (worth(table, after, 0) if result is None else value_of(result, 0))
        decided += all(found.proven for found in searched) or any(found.reward == 1 for found in searched)
    # And most studies are decided: rounds may run out, and a way back to an earlier position proves nothing
    assert decided >= 50


@pytest.mark.parametrize("seed", range(80))
def test_a_seat_counts_repetitions_without_knowing_the_hidden_hands(seed):
    chance = Random(seed)
    ruleset = random_ruleset(chance)
    ruleset = replace(ruleset, deck=24, repetition_limit=0, ply_limit=10_000)
    table, deal, history = in_play(ruleset, seed, 0)
    seen = [position_key(deal.position)]
    for _ in range(60):
        play = greedy(observed(table, deal, history)) if chance.random() < 0.8 else chance.choice(moves(table, deal))
        after, result = step(table, deal, play)
        if result is not None:
            break
        history += happened(deal, after, play)
        deal = after
        seen.append(position_key(deal.position))
        keys = [int(key) for key in past_keys(observed(table, deal, history))]
        assert keys.count(0) == seen[:-1].count(seen[-1])
        for back, key in enumerate(keys, start=2):
            assert (key == 0) == (seen[-back] == seen[-1])


def test_unbeaten_tops_and_high_leads_hint_at_what_is_not_held():
    """Three seats play greedily; whatever they hold unseen never goes against a hint, since nobody slips."""
    for seed in range(30):
        table, deal, history = in_play(PRESETS["bornyu"], seed, 0)
        for _ in range(40):
            observation = observed(table, deal, history)
            for hint in read_plays(observation).hints:
                unseen = deal.position.hands[hint.seat].cards & observation.unseen
                assert unseen & hint.cards == 0
                assert hint.weight <= log(1 / 3)
            play = greedy(observation)
            after, result = step(table, deal, play)
            if result is not None:
                break
            history += happened(deal, after, play)
            deal = after


def test_under_must_beat_a_take_proves_that_nothing_beat():
    ruleset = replace(PRESETS["bornyu"], must_beat=True)
    found = 0
    for seed in range(40):
        table, deal, history = in_play(ruleset, seed, 6 + seed % 12)
        observation = observed(table, deal, history)
        sure = [hint for hint in read_plays(observation).hints if hint.weight == NEVER]
        found += len(sure)
        world = new_world(unseen_cards(observation), observation.hidden, read_plays(observation).hints, seeded(seed))
        for _ in range(20):
            shuffle_world(world, 40, seeded(seed))
            for hint in sure:
                assert int(world.hidden[hint.seat]) & hint.cards == 0
    assert found > 5


def test_worlds_keep_the_counts_and_come_as_often_as_they_are_likely():
    # Given two cards for two seats, and a hint that weighs one of the two worlds a third
    hint = Hint(seat=1, cards=1 << 5, weight=log(1 / 3))
    random = seeded(3)
    world = new_world([5, 9], (0, 1, 1, 0), [hint], random)
    # When many worlds are drawn
    against = 0
    for _ in range(20_000):
        shuffle_world(world, 3, random)
        assert int(world.hidden[1] | world.hidden[2]) == 1 << 5 | 1 << 9
        against += int(world.hidden[1]) == 1 << 5
    # Then it comes up a quarter of the time (standard error with some correlation below 0.006)
    assert abs(against / 20_000 - 0.25) < 0.025


def test_a_forced_win_is_found_and_a_lost_position_still_gets_a_play():
    """Seat 0 leads its ace of the other's trump, which cannot be answered, and is out with the card after it."""
    ruleset = replace(PRESETS["bornyu"], seats=2, trump_choice="declared")
    hands = [mask_of(map(parse_card, names)) for names in (["Ad", "7s"], ["Kd", "8s", "7d"])]
    rest = CardSet(pack(32) & ~(hands[0] | hands[1]))
    table = Table(ruleset, (2, 1))  # type: ignore[arg-type]
    deal = begin(Position((Hand(hands[0]), Hand(hands[1], 0, hands[1])), (), 0, "lead", (), rest))  # type: ignore[arg-type]
    assert hands[1] & beaters(table.trumps[1], parse_card("Ad")) == 0
    searched = {found.play: found for found in THINKER.search(observed(table, deal, []), 5000, never, 1, Dials())}
    assert (searched[parse_card("Ad")].proven, searched[parse_card("Ad")].reward) == (True, 1.0)
    lost = begin(Position((Hand(hands[1]), Hand(hands[0], 0, hands[0])), (), 1, "lead", (), rest))  # type: ignore[arg-type]
    turned = Table(ruleset, (1, 2))  # type: ignore[arg-type]
    after, _ = step(turned, lost, parse_card("Ad"))
    only = THINKER.search(observed(turned, after, happened(lost, after, parse_card("Ad"))), 5000, never, 1, Dials())
    assert [found.play for found in only] == [TAKE]
