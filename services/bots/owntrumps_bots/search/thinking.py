"""From an observation to searched plays: sets the kernel up, feeds it rounds within the budget, reads the tree."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from owntrumps_bots.observation import Observation
from owntrumps_bots.search.chance import seeded
from owntrumps_bots.search.flat import try_plays
from owntrumps_bots.search.history import past_keys, read_plays, unseen_cards
from owntrumps_bots.search.layout import HOLDERS, PLAYS, Numbers
from owntrumps_bots.search.line import POSITIONS, find_line, new_maze
from owntrumps_bots.search.packing import position_row, rules_row
from owntrumps_bots.search.tree import grow, new_node
from owntrumps_bots.search.workspace import (
    DIALS,
    DOUBT,
    DRAW_VALUE,
    EXACT,
    EXPLORE,
    GREEDY,
    LONGEST,
    OPEN,
    PROVEN,
    SHARP,
    SLIPS,
    SWAPS,
    TRUST,
    VISITS,
    Reals,
    Tree,
    new_scratch,
    new_tree,
)
from owntrumps_bots.search.worlds import FREE, new_world

NODES = 1 << 16
"""Room of a process's tree; a full one is searched on without growing."""

CHUNK = 512
"""Rounds between two looks at the clock."""

LOST_TRUST = 0.9
"""How far the opponent is trusted to play greedily once the position is proven lost."""

OTHERS_VARIETY = 3.0
"""The others' playouts vary as much as the mover's once they are trusted by less than one less a third."""

FLAT_SWAPS = 24
"""Tried swaps between two worlds of the flat search."""

Expired = Callable[[], bool]
"""Whether the time is up."""


@dataclass(frozen=True, slots=True)
class Dials:
    """How to search: see `workspace`. ``slips`` and ``sharp`` are the mover's own; the others' are scaled by how little
    they are trusted to be greedy. ``trust``: a fixed trust instead of the one read from their plays. ``infer``: whether
    their plays hint at their cards. ``swindle``: whether a position that is proven lost is searched again for what a
    weaker opponent may miss. ``lines``: how often to look for a line against opponents who play as greedy.
    ``dare``: how much of the mean reward to give up for such a line, for each choice of theirs that was like that."""

    explore: float = 0.8
    greedy: float = 0.4
    doubt: float = 0.1
    slips: int = 60
    sharp: int = 400
    longest: int = 400
    swaps: int = 12
    trust: float | None = None
    infer: bool = True
    swindle: bool = True
    lines: int = 8
    dare: float = 0.05


@dataclass(frozen=True, slots=True)
class Searched:
    """A legal play of the root: in how many rounds it was followed, the mover's mean reward (0..1), and whether that is
    proven."""

    play: int
    visits: int
    reward: float
    proven: bool


class Thinker:
    """The memory of one process's searches (about 25 MB). Not for several threads at once."""

    def __init__(self, nodes: int = NODES) -> None:
        self._tree = new_tree(nodes)
        self._scratch = new_scratch()
        self._maze = new_maze()

    def flat(self, observation: Observation, worlds: int, seed: int) -> Reals:
        """The mean reward by play (53 members, 0 where illegal) over that many worlds; see `flat`."""
        random = seeded(seed)
        root, rules = _rows(observation)
        world = new_world(unseen_cards(observation), observation.hidden, [], random)
        sums = np.zeros(PLAYS, dtype=np.float64)
        draw = 1 - 1 / observation.ruleset.seats
        try_plays(root, rules, worlds, draw, FLAT_SWAPS, sums, self._scratch, world, random)
        return sums / worlds

    def search(
        self, observation: Observation, rounds: int, expired: Expired, seed: int, dials: Dials
    ) -> list[Searched]:
        """The root's plays after at most that many rounds, in canonical order."""
        random = seeded(seed)
        root, rules = _rows(observation)
        reading = read_plays(observation)
        world = new_world(unseen_cards(observation), observation.hidden, reading.hints if dials.infer else [], random)
        tree, past = self._tree, past_keys(observation)
        row = _dial_row(dials, observation, reading.trust)
        row[EXACT] = world.sizes[FREE] == 0
        _clear(tree)
        left = rounds
        while left > 0:
            asked = min(left, CHUNK)
            if grow(root, rules, asked, tree, self._scratch, world, past, row, random) < asked:
                if not dials.swindle or not row[EXACT] or tree.stats[0, PROVEN] != observation.seat:
                    break
                row[EXACT], row[TRUST : TRUST + 4] = 0, LOST_TRUST
                _clear(tree)
                continue
            left -= asked
            if expired() or _settled(tree, left):
                break
        return _read(tree, int(observation.seat), float(row[DRAW_VALUE]))

    def line(self, face_up: Observation, attempts: int, expired: Expired, seed: int) -> int | None:
        """The first play of a line on which the mover does not lose if the others play as `greedy`, None if none was
        found. All cards must be known. See `search.line`."""
        random = seeded(seed)
        past = past_keys(face_up)[:POSITIONS]  # the newest: all of a very long deal would fill the table
        root, rules = _rows(face_up)
        for _ in range(attempts):
            play = find_line(root, rules, self._maze, past, self._scratch.row, random)
            if play >= 0:
                return play
            if expired():
                break
        return None


def _rows(observation: Observation) -> tuple[Numbers, Numbers]:
    """The root row (known cards only) and the rules row."""
    rules = rules_row(observation.ruleset, observation.trumps)
    root = position_row(observation.known, observation.pile, observation.seat, observation.phase, observation.plies)
    root[HOLDERS] = sum(1 for count in observation.counts if count)
    return root, rules


def _dial_row(dials: Dials, observation: Observation, trust: Sequence[float]) -> Reals:
    row = np.zeros(DIALS, dtype=np.float64)
    row[EXPLORE], row[GREEDY], row[DOUBT] = dials.explore, dials.greedy, dials.doubt
    row[DRAW_VALUE] = 1 - 1 / observation.ruleset.seats
    row[LONGEST], row[SWAPS] = dials.longest, dials.swaps
    for seat, read in enumerate(trust):
        trusted = read if dials.trust is None else dials.trust
        row[TRUST + seat] = trusted
        variety = 1.0 if seat == observation.seat else min(1.0, OTHERS_VARIETY * (1 - trusted))
        row[SLIPS + seat], row[SHARP + seat] = dials.slips * variety, dials.sharp * variety
    return row


def _clear(tree: Tree) -> None:
    tree.used[0] = 0
    new_node(tree)


def _settled(tree: Tree, left: int) -> bool:
    """Whether the most visited play stays so, whatever the rounds left bring."""
    visits = sorted(int(tree.stats[kid, VISITS]) for kid in tree.kids[0] if kid >= 0)
    return len(visits) == 1 or (len(visits) > 1 and visits[-1] - visits[-2] > left)


def _read(tree: Tree, mover: int, draw_value: float) -> list[Searched]:
    plays = []
    for play, kid in enumerate(tree.kids[0]):
        if kid < 0:
            continue
        visits, proven = int(tree.stats[kid, VISITS]), int(tree.stats[kid, PROVEN])
        reward = float(tree.sums[kid, mover]) / max(1, visits)
        if proven != OPEN:
            reward = 0.0 if proven == mover else draw_value if proven >= 4 else 1.0
        plays.append(Searched(play, visits, reward, proven != OPEN))
    return plays
