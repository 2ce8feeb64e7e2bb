"""The level `master`: tree search over worlds that fit what everybody saw and how everybody played; see `search.tree`.

Where nothing is hidden, as always in the two-player games, the search is over the very deal, and proves endings.
"""

from owntrumps.rules.plays import Play
from owntrumps_bots.observation import Observation
from owntrumps_bots.policies.club import play_of
from owntrumps_bots.policies.greedy import greedy_order
from owntrumps_bots.search.thinking import Dials, Expired, Searched, Thinker

DIALS = Dials()


def master(
    observation: Observation, thinker: Thinker, rounds: int, expired: Expired, seed: int, dials: Dials = DIALS
) -> Play:
    """The play followed most, a proven win before all, a proven loss after all."""
    legal = observation.legal()
    if len(legal) == 1:
        return legal[0]
    searched = thinker.search(observation, rounds, expired, seed, dials)
    trump = observation.trumps[observation.seat]

    def rank(found: Searched) -> tuple[int, int, tuple[int, int, int, int]]:
        standing = 1
        if found.proven and found.reward in {0.0, 1.0}:
            standing = 0 if found.reward == 1.0 else 2
        return (standing, -found.visits, greedy_order(play_of(found.play), trump))

    return play_of(min(searched, key=rank).play)
