"""Random plies and greedy playouts a second and core: the kernel, the rules in Python, and OpenSpiel as a peer.

    python -m benchmarks.kernel [--runs N]

OpenSpiel plays two of its own card games in C++, driven from Python as its users do, and ours through the adapter of
`owntrumps.rl`. Other games have other plies, so a peer's row says how fast such a simulator is, not how fast it would
play bornyú. Processor time of one process; a row is the median of the runs with the lowest and the highest.
"""

import argparse
import random
import statistics
from collections.abc import Callable
from functools import partial
from time import process_time

from benchmarks.arena.kernel_speed import playouts, plies
from benchmarks.header import header
from benchmarks.peers.openspiel import random_plies
from owntrumps.rules.deal import step
from owntrumps.rules.perft import moves
from owntrumps.rules.rulesets import PRESETS
from owntrumps_bots.arena.deals import start_of


def rules_plies(seconds: float, seed: int) -> float:
    """Random plies a second by `owntrumps.rules`."""
    dice, played, start = random.Random(seed), 0, process_time()
    while process_time() - start < seconds:
        start_of_deal = start_of(PRESETS["bornyu"], seed, played)
        table, deal, result = start_of_deal.table, start_of_deal.deal, None
        while result is None:
            deal, result = step(table, deal, dice.choice(moves(table, deal)))
        played += deal.plies
    return played / (process_time() - start)


def kernel_rate(play: Callable[[str, int], int], amount: int, seed: int) -> float:
    """What ``play`` counts a second of the kernel on bornyú; ``seed`` only numbers the runs, the deal is one."""
    if seed == 0:
        play("bornyu", 100)
    start = process_time()
    counted = play("bornyu", amount)
    return counted / (process_time() - start)


def spread(name: str, unit: str, measure: Callable[[int], float], runs: int) -> None:
    rates = [measure(run) for run in range(runs)]
    print(f"{name:52} {statistics.median(rates):>14,.0f} {unit} ({min(rates):,.0f} to {max(rates):,.0f})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs: int = parser.parse_args().runs
    print(header())
    spread("kernel, bornyu, random", "plies/s", partial(kernel_rate, plies, 20_000_000), runs)
    spread("kernel, bornyu, greedy", "playouts/s", partial(kernel_rate, playouts, 30_000), runs)
    spread("owntrumps.rules, bornyu, random", "plies/s", lambda seed: rules_plies(1.0, seed), runs)
    for game in ("python_own_trumps(ruleset=bornyu)", "crazy_eights", "gin_rummy"):
        spread(f"OpenSpiel, {game}, random", "plies/s", partial(random_plies, game, 1.0), runs)


if __name__ == "__main__":
    main()
