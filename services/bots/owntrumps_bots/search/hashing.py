"""Zobrist keys for repetition: 62 random bits per (card, place), per turn and per phase, joined by exclusive or.

Because it is a plain exclusive or, the *difference* of two positions needs only what moved between them, all of it
public: a seat can count repetitions without knowing the hidden hands. Two different positions of one deal share a key
with a chance of 2**-62.
"""

import numpy as np

from owntrumps_bots.search.compiled import compiled
from owntrumps_bots.search.layout import CARDS, HEIGHT, MAX_SEATS, PHASE, PILE, TURN, Grid, Row

_DRAWN = np.random.Generator(np.random.PCG64(2026))


def _keys(rows: int, columns: int) -> Grid:
    return _DRAWN.integers(0, 1 << 62, size=(rows, columns), dtype=np.int64)


IN_HAND = _keys(MAX_SEATS, CARDS)
IN_PILE = _keys(CARDS, CARDS)
TO_MOVE = _keys(MAX_SEATS, 2)


@compiled
def position_key(s: Row) -> int:
    """The key of hands, pile in order, turn and phase."""
    key = TO_MOVE[s[TURN], s[PHASE]]
    for seat in range(MAX_SEATS):
        hand = s[seat]
        card = 0
        while hand != 0:
            if hand & 1 != 0:
                key ^= IN_HAND[seat, card]
            hand >>= 1
            card += 1
    for i in range(s[HEIGHT]):
        key ^= IN_PILE[s[PILE + i], i]
    return key


@compiled
def key_change(s: Row, turn: int, phase: int, height: int, a: int) -> int:
    """The exclusive or of the keys before and after a play: ``s`` is the row after it, and ``turn``, ``phase`` and
    ``height`` are those before it. (Cards that left the pile still stand above its height.)"""
    key = TO_MOVE[turn, phase] ^ TO_MOVE[s[TURN], s[PHASE]]
    left = s[HEIGHT]
    if a < CARDS:
        key ^= IN_HAND[turn, a]
        if left > 0:
            key ^= IN_PILE[a, height]
        else:
            for i in range(height):
                key ^= IN_PILE[s[PILE + i], i]
    else:
        for i in range(left, height):
            key ^= IN_PILE[s[PILE + i], i] ^ IN_HAND[turn, s[PILE + i]]
    return key
