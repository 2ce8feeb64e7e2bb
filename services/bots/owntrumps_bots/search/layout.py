"""How a deal lies in memory: one row of int64 for the position, one for the rules.

Position row: 0..3 the hands as bit masks, then the fields below, then the pile bottom to top from `PILE` on (cards
above `HEIGHT` are leftovers); `PILE_SET` is the pile as a bit mask. Rules row: the fields below, then each seat's trump
from `TRUMPS` on. A play is a card 0..51, or `TAKE`.
"""

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]


class Row(Protocol):
    """A row of int64 as the kernel reads it: its members are plain whole numbers."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


class Grid(Protocol):
    """A table of int64 with two indices."""

    def __getitem__(self, index: tuple[int, int], /) -> int: ...
    def __setitem__(self, index: tuple[int, int], value: int, /) -> None: ...


Words: TypeAlias = NDArray[np.uint64]
Rows: TypeAlias = Any
"""Rows below each other; one index gives a Row, two give a member."""

MAX_SEATS = 4
CARDS = 52
TAKE = 52
PLAYS = 53

HEIGHT, TURN, PHASE, RESULT, PLIES, HOLDERS, PILE_SET = 4, 5, 6, 7, 8, 9, 10
PILE = 12
ROW = PILE + CARDS

LEAD, RESPOND = 0, 1
RUNNING, ONE_CARD, REPETITION, PLY_LIMIT = -1, 4, 5, 6
"""Values of RESULT; 0..3 is the seat that lost."""

SEATS, STEP, MUST_BEAT, PICK_UP, AFTER_LAST_BEAT, TAKER_LEADS, ONE_CARD_DRAW, REPETITIONS, LIMIT = range(9)
TRUMPS = 12
RULES = TRUMPS + MAX_SEATS

PICK_PILE, PICK_GRADED, PICK_SAME_SUIT = 0, 1, 2
THEN_LEAD, THEN_BEAT, THEN_DISCARD = 0, 1, 2

RANKS = 13
ACE = 12
SUIT: Row = np.array([0x1FFF << (13 * suit) for suit in range(4)], dtype=np.int64)
"""All cards of a suit."""
HIGHER: Row = np.array([(0x1FFF << (13 * (c // 13))) & (-2 << c) for c in range(52)], dtype=np.int64)
"""The cards of the same suit above a card."""
BEATS: Grid = np.array(
    [[int(HIGHER[c]) | (0 if c // 13 == t else int(SUIT[t])) for c in range(52)] for t in range(4)], dtype=np.int64
)
"""The cards that beat a card when a seat with that trump plays them, by [trump, card]."""
RANK_COLUMN = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four deuces: shifted by a rank, the four cards of that rank."""
