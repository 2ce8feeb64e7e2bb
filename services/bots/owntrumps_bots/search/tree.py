"""Information-set Monte Carlo tree search over drawn worlds, with greedy playouts; where no card is hidden and two
seats are left, an exact solver as well.

One tree for all worlds: a node stands for the plays that led to it. In each round a world is drawn, the tree is
followed by plays that are legal in that world, a node is added, the deal is played out greedily, and every seat's
reward is added along the path. Where seats choose, each goes by its own reward (max^n).

Repetition: a node knows its whole path, and with the positions before the search every occurrence is counted, so a draw
by `repetition_limit` is exact. A position that comes back *within the path* before the limit ends the round as a draw,
but proves nothing. Rewards lie in 0..1: 0 for the loser, 1 for the others, ``dials[DRAW_VALUE]`` for all in a draw.
"""

from math import sqrt

from owntrumps_bots.search.chance import below
from owntrumps_bots.search.compiled import compiled, lowest_bit, popcount
from owntrumps_bots.search.hashing import key_change
from owntrumps_bots.search.layout import (
    HEIGHT,
    HOLDERS,
    MAX_SEATS,
    PHASE,
    PLAYS,
    PLIES,
    REPETITION,
    REPETITIONS,
    RESULT,
    TURN,
    Numbers,
    Row,
    Words,
)
from owntrumps_bots.search.playouts import varied_playout
from owntrumps_bots.search.step import copy_row, greedy_play, legal_plays, limit_reached, play
from owntrumps_bots.search.workspace import (
    AVAILABLE,
    DEEPEST,
    DOUBT,
    DRAW_VALUE,
    EXACT,
    EXPLORE,
    GREEDY,
    LEFT,
    LEGAL,
    LONGEST,
    MOVER,
    OPEN,
    PROVEN,
    PROVEN_DRAW,
    SWAPS,
    TRUST,
    VISITS,
    Reals,
    Scratch,
    Tree,
    WorldRows,
)
from owntrumps_bots.search.worlds import FREE, shuffle_world


@compiled
def new_node(tree: Tree) -> int:
    """Index of a fresh node, -1 if there is no room."""
    node: int = tree.used[0]
    if node >= tree.stats.shape[0]:
        return -1
    tree.used[0] = node + 1
    for a in range(PLAYS):
        tree.kids[node, a] = -1
    for seat in range(MAX_SEATS):
        tree.sums[node, seat] = 0.0
    tree.stats[node, VISITS] = 0
    tree.stats[node, AVAILABLE] = 0
    tree.stats[node, PROVEN] = OPEN
    return node


@compiled
def pick(tree: Tree, node: int, s: Row, r: Row, dials: Reals) -> int:
    """The play to follow from a node: the best by its mean reward plus a bonus for what is little explored and likely.

    The bonus is PUCT's (Rosin 2011), with the rounds in which the play was legal in place of the parent's visits.
    Greedy's play is thought likely with ``dials[GREEDY]``, the others share the rest. An untried play is expected to do
    as well as its node, less ``dials[DOUBT]``.
    """
    legal, mover = tree.stats[node, LEGAL], tree.stats[node, MOVER]
    likely = greedy_play(s, r)
    share = (1.0 - dials[GREEDY]) / popcount(legal)
    visits_here = tree.stats[node, VISITS]
    expected = 0.5
    if visits_here > 0:
        expected = tree.sums[node, mover] / visits_here - dials[DOUBT]
    best, best_score = -1, -1e9
    rest = legal
    while rest != 0:
        a = lowest_bit(rest)
        rest &= rest - 1
        kid = tree.kids[node, a]
        weight = share
        if a == likely:
            weight += dials[GREEDY]
        weight *= dials[EXPLORE]
        if kid < 0:
            score = expected + weight * sqrt(visits_here)
        else:
            tree.stats[kid, AVAILABLE] += 1
            proven = tree.stats[kid, PROVEN]
            if proven == mover:
                score = -1e6
            elif proven == PROVEN_DRAW:
                score = dials[DRAW_VALUE]
            elif proven != OPEN:
                score = 1e6
            else:
                visits = tree.stats[kid, VISITS]
                score = tree.sums[kid, mover] / visits
                score += weight * sqrt(float(tree.stats[kid, AVAILABLE])) / (1 + visits)
        if score > best_score:
            best, best_score = a, score
    return best


@compiled
def occurrences(keys: Row, depth: int, past: Numbers) -> tuple[int, int]:
    """How often the path's last position (at ``depth``) occurred: in all, and within the path."""
    key = keys[depth]
    within = 0
    for i in range(depth + 1):
        if keys[i] == key:
            within += 1
    before = 0
    for i in range(past.shape[0]):
        if past[i] == key:
            before += 1
    return within + before, within


@compiled
def settle(tree: Tree, node: int) -> None:
    """Proves a node with two seats left from its children, if they suffice: one that wins, or all of them.

    With more seats left nothing is proven: several children may save the mover, each with another loser.
    """
    if tree.stats[node, LEFT] != 2:
        return
    mover = tree.stats[node, MOVER]
    rest = tree.stats[node, LEGAL]
    verdict, undecided = mover, False
    while rest != 0:
        kid = tree.kids[node, lowest_bit(rest)]
        rest &= rest - 1
        if kid < 0 or tree.stats[kid, PROVEN] == OPEN:
            undecided = True
        elif tree.stats[kid, PROVEN] == PROVEN_DRAW:
            verdict = PROVEN_DRAW
        elif tree.stats[kid, PROVEN] != mover:
            tree.stats[node, PROVEN] = tree.stats[kid, PROVEN]
            return
    if not undecided:
        tree.stats[node, PROVEN] = verdict


@compiled
def descend(tree: Tree, scratch: Scratch, r: Row, past: Numbers, dials: Reals, random: Words) -> int:
    """Follows the tree from the root's position in ``scratch.row`` and adds a node; returns the depth reached.

    The row's RESULT is set if the deal ended on the way, or is known to end, with that loser or as a draw.
    """
    s = scratch.row
    me = s[TURN]
    node, depth, fresh = 0, 0, False
    scratch.path[0] = 0
    scratch.keys[0] = 0
    while s[RESULT] < 0 and depth < DEEPEST:
        if tree.stats[node, PROVEN] != OPEN:
            s[RESULT] = tree.stats[node, PROVEN]
            break
        legal = legal_plays(s, r)
        if fresh and legal & (legal - 1) != 0:
            break
        turn, phase, height = s[TURN], s[PHASE], s[HEIGHT]
        tree.stats[node, MOVER] = turn
        tree.stats[node, LEGAL] = legal
        tree.stats[node, LEFT] = s[HOLDERS]
        if turn != me and below(random, 1024) < dials[TRUST + turn] * 1024:
            a = greedy_play(s, r)
        else:
            a = pick(tree, node, s, r, dials)
        kid = tree.kids[node, a]
        if kid < 0:
            kid = new_node(tree)
            if kid < 0:
                break
            fresh = True
            tree.kids[node, a] = kid
            tree.stats[kid, AVAILABLE] = 1
        play(s, r, a)
        depth += 1
        scratch.path[depth] = kid
        scratch.keys[depth] = scratch.keys[depth - 1] ^ key_change(s, turn, phase, height, a)
        node = kid
        exact = dials[EXACT] != 0
        if s[RESULT] < 0:
            times, within = occurrences(scratch.keys, depth, past)
            if r[REPETITIONS] > 0 and times >= r[REPETITIONS]:
                s[RESULT] = REPETITION
            elif not limit_reached(s, r) and within > 1:
                s[RESULT] = REPETITION
                exact = False
        if s[RESULT] >= 0 and exact:
            tree.stats[kid, PROVEN] = min(s[RESULT], PROVEN_DRAW)
    return depth


@compiled
def record(tree: Tree, scratch: Scratch, depth: int, dials: Reals) -> None:
    """Adds the round's rewards along its path, and proves what follows from it."""
    result = scratch.row[RESULT]
    for seat in range(MAX_SEATS):
        scratch.rewards[seat] = dials[DRAW_VALUE] if result >= MAX_SEATS else 1.0
    if result < MAX_SEATS:
        scratch.rewards[result] = 0.0
    proving = dials[EXACT] != 0
    for i in range(depth, -1, -1):
        node = scratch.path[i]
        tree.stats[node, VISITS] += 1
        for seat in range(MAX_SEATS):
            tree.sums[node, seat] += scratch.rewards[seat]
        if proving and tree.stats[node, PROVEN] == OPEN:
            if i < depth:
                settle(tree, node)
            proving = tree.stats[node, PROVEN] != OPEN or i == depth


@compiled
def grow(
    root: Row,
    r: Row,
    rounds: int,
    tree: Tree,
    scratch: Scratch,
    world: WorldRows,
    past: Numbers,
    dials: Reals,
    random: Words,
) -> int:
    """Plays that many rounds from the root, fewer if the root gets proven; returns the rounds played.

    ``root`` holds the known cards only; the hidden ones of each round come from ``world``. ``past`` are the keys of the
    deal's earlier positions, relative to the root's (the root itself is not among them).
    """
    s = scratch.row
    for done in range(rounds):
        if tree.stats[0, PROVEN] != OPEN:
            return done
        if world.sizes[FREE] != 0:
            shuffle_world(world, int(dials[SWAPS]), random)
        copy_row(s, root)
        for seat in range(MAX_SEATS):
            s[seat] |= world.hidden[seat]
        depth = descend(tree, scratch, r, past, dials, random)
        if s[RESULT] < 0:
            varied_playout(s, r, random, dials, s[PLIES] + int(dials[LONGEST]))
        record(tree, scratch, depth, dials)
    return rounds
