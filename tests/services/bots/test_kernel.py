"""The compiled kernel plays the same game as the rules: on every vector, and at random over all parameters."""

import os
from random import Random

import numpy as np
import pytest

from owntrumps.rules.cards import CardSet, cards_of
from owntrumps.rules.deal import Draw, begin, step
from owntrumps.rules.perft import moves
from owntrumps.rules.plays import TAKE as TAKE_PLAY
from owntrumps.rules.position import Hand, Position, Table
from owntrumps_bots.search.chance import below, seeded
from owntrumps_bots.search.compiled import nth_bit, nth_bit_by_halves, writable
from owntrumps_bots.search.hashing import key_change, position_key
from owntrumps_bots.search.layout import HEIGHT, ONE_CARD, PHASE, PILE, PLY_LIMIT, REPETITION, RESULT, TAKE, TURN
from owntrumps_bots.search.packing import pile_of, position_row, rules_row
from owntrumps_bots.search.perft import perft
from owntrumps_bots.search.playouts import greedy_playout, random_playout
from owntrumps_bots.search.step import greedy_play, play
from tests.services.bots.kernel import KernelDeal, code_of, random_hands, random_ruleset, rows_of, vectors

DRAWS = {"one_card": ONE_CARD, "repetition": REPETITION, "ply_limit": PLY_LIMIT}


@pytest.mark.parametrize("vector", vectors("perft"), ids=lambda vector: vector["name"])
def test_perft_equals_the_vectors(vector):
    position, rules = rows_of(vector)
    assert [perft(position, rules, depth + 1) for depth in range(len(vector["perft"]))] == vector["perft"]


@pytest.mark.parametrize("vector", [*vectors("records"), *vectors("studies")], ids=lambda vector: vector["name"])
def test_a_recorded_deal_replays_to_the_last_ply(vector):
    deal = KernelDeal(*rows_of(vector))
    for ply in vector["plies"]:
        assert deal.result < 0
        assert (deal.s[TURN], ["lead", "respond"][deal.s[PHASE]]) == (ply["seat"], ply["phase"])
        assert deal.legal == [code_of(name) for name in ply["legal"]]
        deal.play(code_of(ply["play"]))
        assert deal.s[HEIGHT] == ply["pile"]
        assert [int(hand).bit_count() for hand in deal.s[: len(ply["counts"])]] == ply["counts"]
    result = vector["result"]
    assert deal.result == (result["loser"] if "loser" in result else DRAWS[result["draw"]])
    assert [cards_of(CardSet(int(hand))) for hand in deal.s[: len(vector["hands"])]] == [
        [code_of(name) for name in hand] for hand in vector["final_hands"]
    ]
    assert pile_of(deal.s) == [code_of(name) for name in vector["final_pile"]]


@pytest.mark.parametrize("seed", range(400))
def test_random_deals_over_all_parameters_agree_with_the_rules_ply_by_ply(seed):
    chance = Random(seed)
    ruleset = random_ruleset(chance)
    trumps = tuple(chance.sample(range(4), ruleset.seats))
    hands, turn = random_hands(ruleset, chance), chance.randrange(ruleset.seats)
    kernel = KernelDeal(position_row(hands, [], turn, "lead"), rules_row(ruleset, trumps))
    table = Table(ruleset, trumps)  # type: ignore[arg-type]
    deal = begin(Position(tuple(Hand(CardSet(hand)) for hand in hands), (), turn, "lead"))  # type: ignore[arg-type]
    result = None
    while result is None:
        assert kernel.result < 0
        plays = [TAKE if a == TAKE_PLAY else int(a) for a in moves(table, deal)]
        assert kernel.legal == plays
        a = greedy_play(kernel.s, kernel.r) if chance.random() < 0.3 else chance.choice(plays)
        turn_phase_height = int(kernel.s[TURN]), int(kernel.s[PHASE]), int(kernel.s[HEIGHT])
        key = position_key(kernel.s)
        kernel.play(a)
        assert position_key(kernel.s) == key ^ key_change(kernel.s, *turn_phase_height, a)
        deal, result = step(table, deal, TAKE_PLAY if a == TAKE else a)  # type: ignore[arg-type]
        assert [hand.cards for hand in deal.position.hands] == [int(hand) for hand in kernel.s[: ruleset.seats]]
        if result is None:
            assert list(deal.position.pile) == pile_of(kernel.s)
            assert (deal.position.turn, deal.position.phase) == (kernel.s[TURN], ["lead", "respond"][kernel.s[PHASE]])
    assert kernel.result == (DRAWS[result.reason] if isinstance(result, Draw) else result.seat)


@pytest.mark.parametrize("seed", range(60))
def test_a_playout_ends_as_the_same_plays_one_by_one(seed):
    """A random playout, repeated with the same chance, and a greedy one: a cycle found is a draw by the limits too."""
    chance = Random(seed)
    ruleset = random_ruleset(chance)
    start = position_row(random_hands(ruleset, chance), [], 0, "lead")
    rules = rules_row(ruleset, chance.sample(range(4), ruleset.seats))
    whole, single = start.copy(), start.copy()
    ended = greedy_playout(whole, rules, start.copy())
    plies = 0
    while single[RESULT] < 0 and plies < ruleset.ply_limit:
        play(single, rules, greedy_play(single, rules))
        plies += 1
    assert ended == single[RESULT] or (ended in {REPETITION, PLY_LIMIT} and single[RESULT] < 0)
    first, second = start.copy(), start.copy()
    assert random_playout(first, rules, seeded(seed)) == random_playout(second, rules, seeded(seed))
    assert np.array_equal(first[: PILE + first[HEIGHT]], second[: PILE + second[HEIGHT]])


def test_both_ways_to_find_the_nth_bit_agree():
    chance = Random(1)
    for _ in range(2000):
        word = chance.getrandbits(53) | 1 << chance.randrange(53)
        bits = cards_of(CardSet(word))
        n = chance.randrange(len(bits))
        assert nth_bit(word, n) == nth_bit_by_halves(word, n) == bits[n]


def test_the_kernels_chance_is_even_and_repeatable():
    """Chi-square of 52,000 draws over 52 values: above 91 has a chance of about 1 in 2,000."""
    random = seeded(5)
    drawn = [below(random, 52) for _ in range(52_000)]
    assert sum((drawn.count(value) - 1000) ** 2 / 1000 for value in range(52)) < 91
    again = seeded(5)
    assert drawn[:100] == [below(again, 52) for _ in range(100)]
    assert seeded(5)[0] != seeded(6)[0]


def test_a_read_only_cache_is_copied_and_a_writable_one_is_used(tmp_path, monkeypatch):
    (tmp_path / "step.nbc").write_bytes(b"code")
    assert writable(tmp_path) == tmp_path
    assert writable(tmp_path / "absent") == tmp_path / "absent"
    # Root may write anywhere, so a file system that says no is played
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    copy = writable(tmp_path)
    assert copy != tmp_path
    assert (copy / "step.nbc").read_bytes() == b"code"
