"""A line of play against opponents who play as `greedy`: where every card is known and the others are foreseeable, one
seat alone decides how the deal goes, and looking for a good end becomes a search for a way through a maze.

Best-first search: of all positions found so far the one that looks nearest to the goal is followed next. What looks
near is told by cards and trumps held, with some chance added: the first good line is usually a short one that a strict
order passes by, so a few hurried searches with other dice find more than one patient search.
"""

from typing import Final, NamedTuple

import numpy as np

from owntrumps_bots.search.chance import below
from owntrumps_bots.search.compiled import compiled, lowest_bit, popcount
from owntrumps_bots.search.hashing import position_key
from owntrumps_bots.search.layout import (
    MAX_SEATS,
    RESULT,
    ROW,
    SUIT,
    TRUMPS,
    TURN,
    Numbers,
    Row,
    Rows,
    Words,
)
from owntrumps_bots.search.step import copy_row, greedy_play, legal_plays, limit_reached, play

POSITIONS: Final = 1 << 13
"""Positions of one search, after which it gives up."""
SLOTS: Final = 4 * POSITIONS
"""Of the hash table: with the deal's past in it, it stays half empty at least."""
DISTANCES: Final = 1 << 9
"""Distances from the goal that are told apart; half of it is the distance of hands that are as good as each other."""

OWN_CARD, OTHERS_CARD, TRUMP, CHANCE = 2, 1, 4, 16
"""What makes a position look far: a card in the own hand, and one less in the others'; a trump that they hold more.
CHANCE: how many values the added chance may have. Chosen on duel deals of two seeds, see the decision note."""

NONE: Final = -1


class Maze(NamedTuple):
    """Positions found, by number: ``rows``; ``first``, the play that led there from the root; ``below``, the position
    found before it at the same distance. ``newest`` is by distance, ``seen`` an open hash table of keys, 0: free."""

    rows: Rows
    first: Row
    below: Row
    newest: Row
    seen: Row


def new_maze() -> Maze:
    """About 4.5 MB."""
    return Maze(
        np.zeros((POSITIONS, ROW), dtype=np.int64),
        np.zeros(POSITIONS, dtype=np.int64),
        np.zeros(POSITIONS, dtype=np.int64),
        np.zeros(DISTANCES, dtype=np.int64),
        np.zeros(SLOTS, dtype=np.int64),
    )


@compiled
def is_new(seen: Row, key: int) -> bool:
    """Whether the key was not there yet; now it is."""
    key |= 1
    at = (key >> 20) & (SLOTS - 1)
    while seen[at] != 0:
        if seen[at] == key:
            return False
        at = (at + 1) & (SLOTS - 1)
    seen[at] = key
    return True


@compiled
def until_turn(s: Row, r: Row, me: int) -> None:
    """The others' plays, until it is the seat's turn or it holds no card or the deal is over."""
    while s[RESULT] < 0 and s[TURN] != me and s[me] != 0:
        play(s, r, greedy_play(s, r))
        limit_reached(s, r)


@compiled
def distance(s: Row, r: Row, me: int) -> int:
    """How far the seat looks from the goal."""
    far = DISTANCES // 2
    for seat in range(MAX_SEATS):
        cards, trumps = popcount(s[seat]), popcount(s[seat] & SUIT[r[TRUMPS + seat]])
        if seat == me:
            far += OWN_CARD * cards - TRUMP * trumps
        else:
            far += TRUMP * trumps - OTHERS_CARD * cards
    return max(0, min(DISTANCES - CHANCE, far))


@compiled
def find_line(root: Row, r: Row, maze: Maze, past: Numbers, s: Row, random: Words) -> int:
    """The first play of a line after which the mover does not lose, -1 if none was found.

    ``root`` holds every card; ``past`` are the keys of the deal's earlier positions relative to it, to which no line
    leads back, so it does not end as a draw by repetition either. ``s`` is scratch of one row.
    """
    me = root[TURN]
    rows, first, under, newest, seen = maze.rows, maze.first, maze.below, maze.newest, maze.seen
    for i in range(SLOTS):
        seen[i] = 0
    for i in range(DISTANCES):
        newest[i] = NONE
    here = position_key(root)
    is_new(seen, here)
    for i in range(past.shape[0]):
        is_new(seen, here ^ past[i])
    copy_row(rows[0], root)
    first[0], under[0], newest[0] = NONE, NONE, 0
    nearest, found = 0, 1
    while nearest < DISTANCES:
        at = newest[nearest]
        if at == NONE:
            nearest += 1
            continue
        newest[nearest] = under[at]
        rest = legal_plays(rows[at], r)
        while rest != 0:
            a = lowest_bit(rest)
            rest &= rest - 1
            copy_row(s, rows[at])
            play(s, r, a)
            limit_reached(s, r)
            until_turn(s, r, me)
            begins = a if at == 0 else first[at]
            if s[RESULT] >= 0 or s[me] == 0:
                if s[RESULT] < MAX_SEATS and s[RESULT] != me:
                    return begins
                continue
            if not is_new(seen, position_key(s)):
                continue
            copy_row(rows[found], s)
            far = distance(s, r, me) + below(random, CHANCE)
            first[found], under[found], newest[far] = begins, newest[far], found
            nearest = min(nearest, far)
            found += 1
            if found == POSITIONS:
                return NONE
    return NONE
