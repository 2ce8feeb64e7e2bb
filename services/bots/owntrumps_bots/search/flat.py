"""Flat Monte Carlo: every legal play tried in the same drawn worlds, each followed by one greedy playout."""

from owntrumps_bots.search.compiled import compiled, lowest_bit
from owntrumps_bots.search.layout import MAX_SEATS, RESULT, TURN, Row, Words
from owntrumps_bots.search.playouts import greedy_playout
from owntrumps_bots.search.step import copy_row, legal_plays, limit_reached, play
from owntrumps_bots.search.workspace import Reals, Scratch, WorldRows
from owntrumps_bots.search.worlds import FREE, shuffle_world


@compiled
def try_plays(
    root: Row,
    r: Row,
    worlds: int,
    draw_value: float,
    swaps: int,
    sums: Reals,
    scratch: Scratch,
    world: WorldRows,
    random: Words,
) -> None:
    """Adds to ``sums`` (by play, 53 members) the mover's reward of each legal play in that many worlds."""
    s, mover = scratch.row, root[TURN]
    legal = legal_plays(root, r)
    for _ in range(worlds):
        if world.sizes[FREE] != 0:
            shuffle_world(world, swaps, random)
        rest = legal
        while rest != 0:
            a = lowest_bit(rest)
            rest &= rest - 1
            copy_row(s, root)
            for seat in range(MAX_SEATS):
                s[seat] |= world.hidden[seat]
            play(s, r, a)
            if s[RESULT] < 0 and not limit_reached(s, r):
                greedy_playout(s, r, scratch.seen)
            if s[RESULT] >= MAX_SEATS:
                sums[a] += draw_value
            elif s[RESULT] != mover:
                sums[a] += 1.0
