"""Whole matches of random legal plays over all presets, each answer held against the rules.

    python -m benchmarks.strict_matches [--server URL] [--matches N] [--clients N] [--ply-limit N]

Clients hold every seat, so together they see every card and play the deal again beside the server
(tests/e2e/strict_match.py). A refusal, a 5xx, or a view that is not what the rules say ends the run with an error.
"""

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from time import monotonic

from benchmarks.header import header
from owntrumps.rules.rulesets import PRESETS
from tests.e2e.strict_match import play_strictly


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default="http://127.0.0.1:8000")
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--clients", type=int, default=4, help="matches played at a time")
    parser.add_argument("--ply-limit", type=int, default=0, help="draw a deal after so many plies; 0: the preset's")
    given = parser.parse_args()
    overrides = {"ply_limit": given.ply_limit} if given.ply_limit else None
    names = list(PRESETS)
    print(header())
    start, moves, played = monotonic(), 0, Counter[str]()
    with ProcessPoolExecutor(given.clients) as pool:
        matches = {
            pool.submit(play_strictly, given.server, names[index % len(names)], index, overrides): names[
                index % len(names)
            ]
            for index in range(given.matches)
        }
        for done in as_completed(matches):
            moves += done.result().moves
            played[matches[done]] += 1
    listed = ", ".join(f"{count} {name}" for name, count in sorted(played.items()))
    seconds = monotonic() - start
    print(f"{given.matches} matches ({listed}), {moves:,} moves, all as the rules say; {moves / seconds:,.0f} moves/s")


if __name__ == "__main__":
    main()
