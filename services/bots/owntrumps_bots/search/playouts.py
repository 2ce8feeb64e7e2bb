"""Playing a deal to its end, quickly: at random, greedily, or greedily with variations."""

from owntrumps_bots.search.chance import below
from owntrumps_bots.search.compiled import compiled, nth_bit, popcount
from owntrumps_bots.search.layout import (
    HEIGHT,
    HOLDERS,
    LIMIT,
    MAX_SEATS,
    PHASE,
    PILE,
    PILE_SET,
    PLIES,
    PLY_LIMIT,
    REPETITION,
    RESULT,
    TURN,
    Row,
    Words,
)
from owntrumps_bots.search.step import advance, copy_row, greedy_for, legal_for, play, sharp_for
from owntrumps_bots.search.workspace import SHARP, SLIPS, Reals

CYCLE_WATCH = 64
"""Plies after which a greedy playout begins to look for a cycle."""


@compiled
def random_for(s: Row, r: Row, turn: int, phase: int, height: int, random: Words) -> int:
    """A uniformly drawn legal play."""
    legal = legal_for(s, r, turn, phase, height)
    return nth_bit(legal, below(random, popcount(legal)))


@compiled
def random_playout(s: Row, r: Row, random: Words) -> int:
    """Plays to the end with uniform legal plays, in place, and returns RESULT.

    Repetition is not watched: a deal that cycles ends at the ply limit, a draw either way.
    """
    turn, phase, height, pile_set, holders = s[TURN], s[PHASE], s[HEIGHT], s[PILE_SET], s[HOLDERS]
    plies, limit, result = s[PLIES], r[LIMIT], s[RESULT]
    while result < 0:
        a = random_for(s, r, turn, phase, height, random)
        turn, phase, height, pile_set, holders, result = advance(s, r, turn, phase, height, pile_set, holders, a)
        plies += 1
        if result < 0 and plies >= limit:
            result = PLY_LIMIT
    s[TURN], s[PHASE], s[HEIGHT], s[PILE_SET], s[HOLDERS] = turn, phase, height, pile_set, holders
    s[PLIES], s[RESULT] = plies, result
    return result


@compiled
def same_cards(s: Row, seen: Row, height: int) -> bool:
    """Whether the hands, and the pile in order, are those remembered."""
    for seat in range(MAX_SEATS):
        if s[seat] != seen[seat]:
            return False
    if height != seen[HEIGHT]:
        return False
    for i in range(height):
        if s[PILE + i] != seen[PILE + i]:
            return False
    return True


@compiled
def greedy_playout(s: Row, r: Row, seen: Row) -> int:
    """Plays to the end with `greedy` in every seat, in place, and returns RESULT. ``seen`` is scratch of one row.

    Greedy has no memory, so a position that comes back comes back for ever: such a deal is a draw, by repetition or
    by length. Brent's algorithm finds the cycle by comparing with one remembered position.
    """
    turn, phase, height, pile_set, holders = s[TURN], s[PHASE], s[HEIGHT], s[PILE_SET], s[HOLDERS]
    plies, limit, result = s[PLIES], r[LIMIT], s[RESULT]
    steps, renew = 0, CYCLE_WATCH
    while result < 0:
        a = greedy_for(s, r, turn, phase, height)
        turn, phase, height, pile_set, holders, result = advance(s, r, turn, phase, height, pile_set, holders, a)
        plies += 1
        if result >= 0:
            break
        if plies >= limit:
            result = PLY_LIMIT
            break
        steps += 1
        if steps >= CYCLE_WATCH:
            if steps > CYCLE_WATCH and turn == seen[TURN] and phase == seen[PHASE] and same_cards(s, seen, height):
                result = REPETITION
                break
            if steps == renew:
                s[TURN], s[PHASE], s[HEIGHT] = turn, phase, height
                copy_row(seen, s)
                renew *= 2
    s[TURN], s[PHASE], s[HEIGHT], s[PILE_SET], s[HOLDERS] = turn, phase, height, pile_set, holders
    s[PLIES], s[RESULT] = plies, result
    return result


@compiled
def varied_playout(s: Row, r: Row, random: Words, dials: Reals, last: int) -> int:
    """Greedy in every seat, but of its 1024 plays ``dials[SLIPS + seat]`` are uniform and ``dials[SHARP + seat]`` are
    `sharp_for`'s instead. In place; returns RESULT. After ply ``last`` of the deal it is called a draw by length.
    """
    turn, phase, height, pile_set, holders = s[TURN], s[PHASE], s[HEIGHT], s[PILE_SET], s[HOLDERS]
    plies, result = s[PLIES], s[RESULT]
    last = min(last, r[LIMIT])
    while result < 0:
        dice = below(random, 1024) - dials[SLIPS + turn]
        if dice < 0:
            a = random_for(s, r, turn, phase, height, random)
        elif dice < dials[SHARP + turn]:
            a = sharp_for(s, r, turn, phase, height)
        else:
            a = greedy_for(s, r, turn, phase, height)
        turn, phase, height, pile_set, holders, result = advance(s, r, turn, phase, height, pile_set, holders, a)
        plies += 1
        if result < 0 and plies >= last:
            result = PLY_LIMIT
    s[TURN], s[PHASE], s[HEIGHT], s[PILE_SET], s[HOLDERS] = turn, phase, height, pile_set, holders
    s[PLIES], s[RESULT] = plies, result
    return result


@compiled
def random_plies(start: Row, r: Row, random: Words, plies: int, s: Row) -> int:
    """Random deals from the same start until ``plies`` are played; returns the plies played. For measuring.
    ``s`` is scratch of one row."""
    played = 0
    while played < plies:
        copy_row(s, start)
        random_playout(s, r, random)
        played += s[PLIES] - start[PLIES]
    return played


@compiled
def greedy_plies(start: Row, r: Row, random: Words, playouts: int, openings: int, s: Row, seen: Row) -> int:
    """That many greedy playouts, each after ``openings`` random plies; returns the plies played. For measuring.
    ``s`` and ``seen`` are scratch of one row each."""
    played = 0
    for _ in range(playouts):
        copy_row(s, start)
        for _ in range(openings):
            if s[RESULT] < 0:
                play(s, r, random_for(s, r, s[TURN], s[PHASE], s[HEIGHT], random))
        greedy_playout(s, r, seen)
        played += s[PLIES] - start[PLIES]
    return played
