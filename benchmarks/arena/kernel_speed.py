"""Measures the search kernel on one core: random plies, greedy playouts, master's rounds, peak memory.

    python benchmarks/arena/kernel_speed.py [SECONDS]

Prints one line per preset; each figure is the best of five runs, per second of processor time (of one core).
"""

import resource
import sys
from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np

from owntrumps.rules.rulesets import PRESETS
from owntrumps_bots.arena.deals import start_of
from owntrumps_bots.arena.table import observed
from owntrumps_bots.policies.warmup import warm_up
from owntrumps_bots.search.chance import seeded
from owntrumps_bots.search.layout import Numbers
from owntrumps_bots.search.packing import position_row, rules_row
from owntrumps_bots.search.playouts import greedy_plies, random_plies
from owntrumps_bots.search.thinking import Dials, Thinker

RUNS = 5
OPENING = 12
"""Random plies before a greedy playout, so that playouts differ."""


def best_rate(run: Callable[[int], int], amount: int) -> float:
    """The highest of RUNS rates of what ``run(amount)`` returns, per second; ``run`` is called once before."""
    run(100)
    rates = []
    for _ in range(RUNS):
        begun = process_time()
        done = run(amount)
        rates.append(done / (process_time() - begun))
    return max(rates)


def rows(name: str) -> tuple[Numbers, Numbers]:
    start = start_of(PRESETS[name], 1, 0)
    position = start.deal.position
    hands = [hand.cards for hand in position.hands]
    return position_row(hands, [], position.turn, "lead"), rules_row(start.table.ruleset, start.table.trumps)


def plies(name: str, amount: int) -> int:
    """Plays that many random plies, from one deal again and again."""
    position, rules = rows(name)
    return random_plies(position, rules, seeded(1), amount, np.zeros_like(position))


def playout_plies(name: str, amount: int) -> int:
    """The plies of that many greedy playouts."""
    position, rules = rows(name)
    scratch, seen = np.zeros_like(position), np.zeros_like(position)
    return greedy_plies(position, rules, seeded(1), amount, OPENING, scratch, seen)


def playouts(name: str, amount: int) -> int:
    playout_plies(name, amount)
    return amount


def rounds(thinker: Thinker, name: str, amount: int) -> int:
    """Rounds of master's search on a first lead."""
    start = start_of(PRESETS[name], 1, 0)
    searched = thinker.search(observed(start.table, start.deal, []), amount, lambda: False, 1, Dials())
    return sum(found.visits for found in searched)


def main() -> None:
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    warm_up()
    thinker = Thinker()
    print(f"{'preset':12} {'random plies/s':>15} {'greedy playouts/s':>18} {'greedy plies/s':>15} {'rounds/s':>10}")
    for name in PRESETS:
        print(
            f"{name:12} {best_rate(partial(plies, name), int(20e6 * scale)):15,.0f}"
            f" {best_rate(partial(playouts, name), int(2e5 * scale)):18,.0f}"
            f" {best_rate(partial(playout_plies, name), int(2e5 * scale)):15,.0f}"
            f" {best_rate(partial(rounds, thinker, name), int(3e4 * scale)):10,.0f}"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
