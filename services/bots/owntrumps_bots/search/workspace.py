"""The memory of a search, made once per process and used for every decision: the kernel itself allocates nothing."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from owntrumps_bots.search.layout import PLAYS, ROW, Numbers

Reals: TypeAlias = NDArray[np.float64]

VISITS, AVAILABLE, MOVER, LEGAL, PROVEN, LEFT = range(6)
COLUMNS = 6
"""Columns of `Tree.stats`. AVAILABLE: in how many rounds the play was legal when its parent chose. LEFT: seats
that hold cards."""

OPEN, PROVEN_DRAW = -1, 4
"""Values of PROVEN; 0..3 is the seat that surely loses."""

EXPLORE, DRAW_VALUE, LONGEST, EXACT, SWAPS, GREEDY, DOUBT = range(7)
TRUST, SLIPS, SHARP = 8, 12, 16
"""Members of the dials: EXPLORE, GREEDY and DOUBT as in `tree.pick`; everybody's reward in a draw; a playout's longest
length in plies; whether to prove results; tried swaps from one round's world to the next's. By seat, from the given
member on: TRUST, the chance that another seat's play in the tree is greedy's whatever would be best for it; of 1024
plays in a playout, how many are uniform (SLIPS) and how many see the next hand (SHARP).

Trust is there since a search that grants the others nothing but the best replies takes a hard position for lost and
stops caring; real opponents err, and mostly in greedy's ways."""
DIALS = 20

DEEPEST = 256
"""Plies of a path after which the tree grows no deeper."""


class Tree(NamedTuple):
    """Node n's child by play a is ``kids[n, a]`` (-1: none); node 0 is the root."""

    kids: NDArray[np.int32]
    stats: Numbers
    sums: Reals
    used: Numbers


class Scratch(NamedTuple):
    row: Numbers
    seen: Numbers
    path: Numbers
    keys: Numbers
    rewards: Reals


class WorldRows(NamedTuple):
    """See `worlds.shuffle_world`; ``sizes`` are the unseen cards, the hints, and whether they can lie otherwise."""

    cards: Numbers
    holders: Numbers
    hidden: Numbers
    hint_seats: Numbers
    hint_cards: Numbers
    hint_weights: Numbers
    sizes: Numbers


def new_tree(nodes: int) -> Tree:
    """Room for that many nodes, 292 bytes each."""
    return Tree(
        np.full((nodes, PLAYS), -1, dtype=np.int32),
        np.zeros((nodes, COLUMNS), dtype=np.int64),
        np.zeros((nodes, 4), dtype=np.float64),
        np.zeros(1, dtype=np.int64),
    )


def new_scratch() -> Scratch:
    return Scratch(
        np.zeros(ROW, dtype=np.int64),
        np.zeros(ROW, dtype=np.int64),
        np.zeros(DEEPEST + 2, dtype=np.int64),
        np.zeros(DEEPEST + 2, dtype=np.int64),
        np.zeros(4, dtype=np.float64),
    )
