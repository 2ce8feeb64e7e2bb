"""How well could a level do against `greedy` at all?

Master's search with every hand face up, told that the others play exactly as greedy does, so that each line it finds is
sure to come true. What it still loses is not explained by hidden cards. With `lines` it first looks for a line that
wins, as often as master does in a duel (`search.line`), and searches where it finds none.

    python benchmarks/arena/face_up.py RULESET DEALS SEED ROUNDS [lines]
"""

import sys
from dataclasses import replace

from owntrumps.rules.deal import Loser, step
from owntrumps.rules.plays import Play
from owntrumps.rules.rulesets import PRESETS
from owntrumps_bots.arena.deals import Start, start_of
from owntrumps_bots.arena.table import observed
from owntrumps_bots.arena.tally import wilson
from owntrumps_bots.observation import Observation
from owntrumps_bots.policies.club import play_of
from owntrumps_bots.policies.greedy import greedy
from owntrumps_bots.policies.master import master
from owntrumps_bots.search.thinking import Dials, Thinker

DIALS = Dials(trust=1.0, lines=0)


def never() -> bool:
    return False


def chosen(face_up: Observation, thinker: Thinker, rounds: int, seed: int, tries: int) -> Play:
    """A line's first play if one is found in so many tries, else what the search finds best."""
    line = thinker.line(face_up, tries, never, seed)
    return master(face_up, thinker, rounds, never, seed, DIALS) if line is None else play_of(line)


def loser_of(start: Start, seat: int, thinker: Thinker, rounds: int, seed: int, tries: int) -> int | None:
    """Who loses the deal, None for a draw, when ``seat`` plays with all hands in sight and the others are greedy."""
    table, deal, result = start.table, start.deal, None
    while result is None:
        seen: Observation = observed(table, deal, [])
        play: Play
        if deal.position.turn == seat:
            hands = tuple(hand.cards for hand in deal.position.hands)
            play = chosen(replace(seen, known=hands), thinker, rounds, seed + deal.plies, tries)
        else:
            play = greedy(seen)
        deal, result = step(table, deal, play)
    return int(result.seat) if isinstance(result, Loser) else None


def main() -> None:
    name, deals, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    tries = Dials().lines if sys.argv[5:] == ["lines"] else 0
    ruleset, thinker = PRESETS[name], Thinker()
    lost = drawn = 0
    for number in range(deals):
        seat = number % ruleset.seats
        loser = loser_of(start_of(ruleset, seed, number // ruleset.seats), seat, thinker, rounds, seed + number, tries)
        lost += loser == seat
        drawn += loser is None
    low, high = wilson(lost, deals)
    print(f"{name}: {deals} deals, lost {lost} ({lost / deals:.1%}, 95% {low:.1%} to {high:.1%}), drawn {drawn}")


if __name__ == "__main__":
    main()
