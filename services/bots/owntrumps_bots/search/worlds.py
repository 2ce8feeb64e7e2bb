"""Worlds: full deals that agree with what a seat has seen, drawn as likely as the others' plays make them.

The unseen cards lie somehow on the hidden places. A *hint* says "had this seat held one of these cards, it would hardly
have played as it did" and weighs a world in which it does by exp(weight). Worlds are drawn by Metropolis' method: swap
two unseen cards between seats and keep the swap with the chance of the ratio of the weights.
"""

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

import numpy as np

from owntrumps_bots.search.chance import below
from owntrumps_bots.search.compiled import compiled
from owntrumps_bots.search.layout import MAX_SEATS, Words
from owntrumps_bots.search.workspace import WorldRows

UNSEEN, HINTS, FREE = 0, 1, 2
"""Members of `WorldRows.sizes`."""

BURN_IN = 64
"""Tried swaps per unseen card before the first world counts."""

_UNIT = 1 << 30


class Hint(NamedTuple):
    """Holding any of ``cards`` (a mask) makes the seat's past plays exp(``weight``) times as likely, weight <= 0."""

    seat: int
    cards: int
    weight: float


@compiled
def against_hints(world: WorldRows, seat: int, hand: int) -> float:
    """Sum of the weights of the seat's hints that the hidden cards ``hand`` go against."""
    total = 0
    for i in range(world.sizes[HINTS]):
        if world.hint_seats[i] == seat and world.hint_cards[i] & hand != 0:
            total += world.hint_weights[i]
    return total / 1024.0


@compiled
def shuffle_world(world: WorldRows, swaps: int, random: Words) -> None:
    """Tries that many swaps: ``cards[i]`` is held by ``holders[i]``, and ``hidden`` are the same by seat as masks."""
    unseen = world.sizes[UNSEEN]
    for _ in range(swaps):
        i, j = below(random, unseen), below(random, unseen)
        a, b = world.holders[i], world.holders[j]
        if a == b:
            continue
        change = (1 << world.cards[i]) | (1 << world.cards[j])
        if world.sizes[HINTS] > 0:
            gain = against_hints(world, a, world.hidden[a] ^ change) + against_hints(world, b, world.hidden[b] ^ change)
            gain -= against_hints(world, a, world.hidden[a]) + against_hints(world, b, world.hidden[b])
            if gain < 0 and below(random, _UNIT) >= exp(gain) * _UNIT:
                continue
        world.holders[i], world.holders[j] = b, a
        world.hidden[a] ^= change
        world.hidden[b] ^= change


def new_world(unseen: Sequence[int], hidden: Sequence[int], hints: Sequence[Hint], random: Words) -> WorldRows:
    """A first world for the ``unseen`` cards on the ``hidden`` places (by seat), well mixed."""
    holders = np.repeat(np.arange(len(hidden)), hidden).astype(np.int64)
    held = np.zeros(MAX_SEATS, dtype=np.int64)
    for card, seat in zip(unseen, holders, strict=True):
        held[seat] |= 1 << card
    free = sum(1 for count in hidden if count) > 1
    world = WorldRows(
        np.array(unseen, dtype=np.int64),
        holders,
        held,
        np.array([hint.seat for hint in hints], dtype=np.int64),
        np.array([hint.cards for hint in hints], dtype=np.int64),
        np.array([round(hint.weight * 1024) for hint in hints], dtype=np.int64),
        np.array([len(unseen), len(hints), free], dtype=np.int64),
    )
    if free:
        shuffle_world(world, BURN_IN * len(unseen), random)
    return world
