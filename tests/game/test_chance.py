"""Chance follows from the seed alone, evenly, and as docs/fairness.md says."""

import hmac
import random
from collections import Counter
from hashlib import sha256

from hypothesis import given

from owntrumps.game.chance import (
    Draws,
    chain_key,
    commitment_of,
    first_dealer,
    link_key,
    mirrored_hands,
    mixed_key,
    shuffled_pack,
    trumps_for_all,
)
from owntrumps.rules.cards import Suit, cards_of, names_of, pack, rank_of, suit_of
from owntrumps.rules.rulesets import PRESETS
from tests.matches import SEED
from tests.strategies import seeds


def test_the_derivation_is_the_documented_one() -> None:
    # Given the words of docs/fairness.md, written out again with the standard library alone.
    seed = bytes.fromhex(SEED)
    key = hmac.new(seed, b"owntrumps/1/mix\n07-test\n0:\n1:luck", sha256).digest()
    words = [
        int.from_bytes(hmac.new(key, f"deal/1/{block}".encode(), sha256).digest()[4 * word : 4 * word + 4], "big")
        for block in range(20)
        for word in range(8)
    ]
    stack = cards_of(pack(36))
    for index in range(35, 0, -1):
        bound = index + 1
        while (word := words.pop(0)) >= 2**32 // bound * bound:
            pass
        other = word % bound
        stack[index], stack[other] = stack[other], stack[index]
    # Then the package deals the same cards.
    assert mixed_key(SEED, "07-test", [None, "luck"]) == key
    assert shuffled_pack(key, 1, PRESETS["duel"]) == stack
    assert commitment_of(SEED) == sha256(seed).hexdigest()
    assert chain_key(SEED) == hmac.new(seed, b"owntrumps/1/chain", sha256).digest()
    assert link_key(SEED) == hmac.new(seed, b"owntrumps/1/link", sha256).hexdigest()[:32]


@given(seed=seeds())
def test_every_nonce_and_every_deal_gives_another_shuffle(seed: str) -> None:
    keys = [mixed_key(seed, "07-a", nonces) for nonces in ([None, None], ["x", None], [None, "x"])]
    packs = [shuffled_pack(key, game, PRESETS["duel"]) for key in keys for game in (1, 2)]
    assert len({tuple(stack) for stack in packs}) == len(packs)
    assert all(sorted(stack) == cards_of(pack(36)) for stack in packs)


def test_draws_are_even() -> None:
    draws = Draws(bytes(32), "test")
    counts = Counter(draws.below(6) for _ in range(12_000))
    # Chi-square with 5 degrees of freedom: 20.5 is passed by chance once in a thousand; this stream is fixed.
    assert sum((count - 2000) ** 2 / 2000 for count in counts.values()) < 20.5
    assert Draws(bytes(32), "one").below(1) == 0


def test_every_seat_deals_first_and_every_suit_is_drawn() -> None:
    dice = random.Random(3)
    keys = [dice.randbytes(32) for _ in range(200)]
    assert {first_dealer(key, 4) for key in keys} == {0, 1, 2, 3}
    assert {trumps_for_all(key, [None, Suit(2)])[0] for key in keys} == {0, 1, 3}
    assert all(len(set(trumps_for_all(key, [None] * 4))) == 4 for key in keys)


def test_mirrored_hands_mirror_each_other() -> None:
    trumps = (Suit(3), Suit(1))
    for game in range(1, 60):
        first, second = mirrored_hands(bytes(32), game, PRESETS["challenge"], trumps, dealer=0)
        assert sorted(first + second) == cards_of(pack(32))
        assert len(first) == len(second) == 16
        # The dealer's ranks of the own trump are the opponent's ranks of the other trump, and so on for the partners.
        ranks = [
            {suit: {rank_of(card) for card in hand if suit_of(card) == suit} for suit in range(4)}
            for hand in (first, second)
        ]
        assert ranks[0][3] == ranks[1][1]
        assert ranks[0][1] == ranks[1][3]
        assert (ranks[0][0], ranks[0][2]) == (ranks[1][2], ranks[1][0])


def test_the_pack_is_named_low_to_high() -> None:
    assert names_of(pack(32))[0] == "7c"
    assert names_of(pack(36))[-1] == "As"
