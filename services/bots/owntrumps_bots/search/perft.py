"""Counting lines of play, to prove the kernel equal to the rules."""

import numpy as np

from owntrumps_bots.search.compiled import compiled, lowest_bit
from owntrumps_bots.search.hashing import position_key
from owntrumps_bots.search.layout import REPETITION, REPETITIONS, RESULT, ROW, Numbers, Row, Rows
from owntrumps_bots.search.step import copy_row, legal_plays, limit_reached, play


@compiled
def repeated(keys: Row, first: int, last: int) -> int:
    """How often the key at ``last`` occurs in ``keys[first:last + 1]``."""
    times = 0
    for i in range(first, last + 1):
        if keys[i] == keys[last]:
            times += 1
    return times


@compiled
def _leaves(rows: Rows, keys: Row, r: Row, ply: int, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    plays = legal_plays(rows[ply], r)
    after = rows[ply + 1]
    while plays != 0:
        a = lowest_bit(plays)
        plays &= plays - 1
        copy_row(after, rows[ply])
        play(after, r, a)
        if after[RESULT] < 0 and r[REPETITIONS] > 0:
            keys[ply + 1] = position_key(after)
            if repeated(keys, 0, ply + 1) >= r[REPETITIONS]:
                after[RESULT] = REPETITION
        if after[RESULT] >= 0 or limit_reached(after, r):
            total += 1
        else:
            total += _leaves(rows, keys, r, ply + 1, depth - 1)
    return total


def perft(s: Numbers, r: Row, depth: int) -> int:
    """Leaf lines of ``depth`` plies from a running position; a deal that ends sooner counts as one leaf."""
    rows = np.zeros((depth + 1, ROW), dtype=np.int64)
    keys = np.zeros(depth + 1, dtype=np.int64)
    rows[0] = s
    keys[0] = position_key(s)
    return _leaves(rows, keys, r, 0, depth)
