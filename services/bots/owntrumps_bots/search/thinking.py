"""From an observation to searched plays: sets the kernel up, feeds it rounds within the budget, reads the tree."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from owntrumps_bots.observation import Observation
from owntrumps_bots.search.chance import seeded
from owntrumps_bots.search.flat import try_plays
from owntrumps_bots.search.history import hints, past_keys, unseen_cards
from owntrumps_bots.search.layout import HOLDERS, PLAYS, Numbers, Words
from owntrumps_bots.search.packing import position_row, rules_row
from owntrumps_bots.search.tree import grow, new_node
from owntrumps_bots.search.workspace import (
    DIALS,
    EXACT,
    OPEN,
    PROVEN,
    TRUST,
    VISITS,
    Reals,
    Tree,
    WorldRows,
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

FLAT_SWAPS = 24
"""Tried swaps between two worlds of the flat search."""

Expired = Callable[[], bool]
"""Whether the time is up."""


@dataclass(frozen=True, slots=True)
class Dials:
    """How to search: see `workspace`. ``infer``: whether the others' plays hint at their cards. ``swindle``: whether a
    position that is proven lost is searched again for what a weaker opponent may miss."""

    explore: float = 0.5
    greedy: float = 0.5
    doubt: float = 0.1
    trust: float = 0.7
    slips: int = 60
    sharp: int = 0
    sharp_prior: float = 0.0
    longest: int = 400
    swaps: int = 12
    infer: bool = True
    swindle: bool = True


@dataclass(frozen=True, slots=True)
class Searched:
    """A legal play of the root: in how many rounds it was followed, the mover's mean reward (0..1), and whether that is
    proven."""

    play: int
    visits: int
    reward: float
    proven: bool


class Thinker:
    """The memory of one process's searches (about 20 MB). Not for several threads at once."""

    def __init__(self, nodes: int = NODES) -> None:
        self._tree = new_tree(nodes)
        self._scratch = new_scratch()

    def flat(self, observation: Observation, worlds: int, seed: int) -> Reals:
        """The mean reward by play (53 members, 0 where illegal) over that many worlds; see `flat`."""
        random = seeded(seed)
        root, rules, world = _set_up(observation, random, infer=False)
        sums = np.zeros(PLAYS, dtype=np.float64)
        draw = 1 - 1 / observation.ruleset.seats
        try_plays(root, rules, worlds, draw, FLAT_SWAPS, sums, self._scratch, world, random)
        return sums / worlds

    def search(
        self, observation: Observation, rounds: int, expired: Expired, seed: int, dials: Dials
    ) -> list[Searched]:
        """The root's plays after at most that many rounds, in canonical order."""
        random = seeded(seed)
        root, rules, world = _set_up(observation, random, infer=dials.infer)
        tree = self._tree
        tree.used[0] = 0
        new_node(tree)
        row = np.zeros(DIALS, dtype=np.float64)
        sure = world.sizes[FREE] == 0
        row[:] = (
            dials.explore,
            1 - 1 / observation.ruleset.seats,
            dials.slips,
            dials.longest,
            sure,
            dials.swaps,
            dials.greedy,
            dials.doubt,
            dials.trust,
            dials.sharp,
            dials.sharp_prior,
        )
        past = past_keys(observation)
        left = rounds
        while left > 0:
            asked = min(left, CHUNK)
            if grow(root, rules, asked, tree, self._scratch, world, past, row, random) < asked:
                if not dials.swindle or not row[EXACT] or tree.stats[0, PROVEN] != observation.seat:
                    break
                row[EXACT], row[TRUST] = 0, LOST_TRUST
                tree.used[0] = 0
                new_node(tree)
                continue
            left -= asked
            if expired() or _settled(tree, left):
                break
        return _read(tree, int(observation.seat), row[1])


def _set_up(observation: Observation, random: Words, *, infer: bool) -> tuple[Numbers, Numbers, WorldRows]:
    """The root row (known cards only), the rules row and a first world."""
    rules = rules_row(observation.ruleset, observation.trumps)
    root = position_row(observation.known, observation.pile, observation.seat, observation.phase, observation.plies)
    root[HOLDERS] = sum(1 for count in observation.counts if count)
    world = new_world(unseen_cards(observation), observation.hidden, hints(observation) if infer else [], random)
    return root, rules, world


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
