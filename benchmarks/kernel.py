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
from typing import Any

from benchmarks.header import header
from benchmarks.peers.openspiel import random_plies
from owntrumps.game.dealing import deal_out, turn_up_trumps
from owntrumps.rules.cards import Seat, cards_of, mask_of, pack
from owntrumps.rules.deal import begin, step
from owntrumps.rules.perft import moves
from owntrumps.rules.position import Hand, Position, Table
from owntrumps.rules.rulesets import PRESETS
from owntrumps_bots.search.chance import seeded
from owntrumps_bots.search.packing import position_row, rules_row
from owntrumps_bots.search.playouts import greedy_plies
from owntrumps_bots.search.playouts import random_plies as kernel_plies

BORNYU = PRESETS["bornyu"]


def first_position(dice: random.Random) -> tuple[Table, Position]:
    """A bornyú deal at its first lead."""
    cards = cards_of(pack(BORNYU.deck))
    dice.shuffle(cards)
    hands = deal_out(cards, BORNYU, Seat(3))
    trumps, _ = turn_up_trumps(hands, Seat(0), BORNYU.direction)
    return Table(BORNYU, trumps), Position(tuple(Hand(mask_of(hand)) for hand in hands), (), Seat(0), "lead")


def rules_plies(seconds: float, seed: int) -> float:
    """Random plies a second by `owntrumps.rules`."""
    dice, plies, start = random.Random(seed), 0, process_time()
    while process_time() - start < seconds:
        table, position = first_position(dice)
        deal, result = begin(position), None
        while result is None:
            deal, result = step(table, deal, dice.choice(moves(table, deal)))
        plies += deal.plies
    return plies / (process_time() - start)


def kernel_random(plies: int, seed: int) -> float:
    """Random plies a second by the kernel, in deals from one start."""
    rules, row = _rows(seed)
    start = process_time()
    played = kernel_plies(row, rules, seeded(seed), plies, row.copy())
    return played / (process_time() - start)


def kernel_greedy(playouts: int, seed: int) -> float:
    """Greedy playouts a second by the kernel, each after eight random plies."""
    rules, row = _rows(seed)
    start = process_time()
    greedy_plies(row, rules, seeded(seed), playouts, 8, row.copy(), row.copy())
    return playouts / (process_time() - start)


def _rows(seed: int) -> tuple[Any, Any]:
    """Rules and a deal in the kernel's layout, once everything is compiled."""
    table, position = first_position(random.Random(seed))
    rules = rules_row(BORNYU, table.trumps)
    row = position_row([hand.cards for hand in position.hands], [], 0, "lead")
    kernel_plies(row, rules, seeded(seed), 1, row.copy())
    greedy_plies(row, rules, seeded(seed), 1, 8, row.copy(), row.copy())
    return rules, row


def spread(name: str, unit: str, measure: Callable[[int], float], runs: int) -> None:
    rates = [measure(run) for run in range(runs)]
    print(f"{name:52} {statistics.median(rates):>14,.0f} {unit} ({min(rates):,.0f} to {max(rates):,.0f})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs: int = parser.parse_args().runs
    print(header())
    spread("kernel, bornyu, random", "plies/s", lambda seed: kernel_random(20_000_000, seed), runs)
    spread("kernel, bornyu, greedy", "playouts/s", lambda seed: kernel_greedy(30_000, seed), runs)
    spread("owntrumps.rules, bornyu, random", "plies/s", lambda seed: rules_plies(1.0, seed), runs)
    for game in ("python_own_trumps(ruleset=bornyu)", "crazy_eights", "gin_rummy"):
        spread(f"OpenSpiel, {game}, random", "plies/s", partial(random_plies, game, 1.0), runs)


if __name__ == "__main__":
    main()
