"""The level `club`: how a sensible club player thinks. For each legal play: put the unseen cards somewhere, see how the
deal goes if everybody plays on greedily, and do that again and again.

It knows every card that has been seen, but draws no conclusion from how the others played, and looks one play ahead.
"""

from owntrumps.rules.cards import Card
from owntrumps.rules.plays import TAKE, Play
from owntrumps_bots.observation import Observation
from owntrumps_bots.policies.greedy import greedy_order
from owntrumps_bots.search.thinking import Thinker

WORLDS = 64
"""Worlds, and so playouts for each legal play, a decision. Where nothing is hidden there is only one world."""


def club(observation: Observation, thinker: Thinker, seed: int) -> Play:
    """The play that did best; among equals the one that greedy prefers."""
    legal = observation.legal()
    if len(legal) == 1:
        return legal[0]
    rewards = thinker.flat(observation, WORLDS if observation.unseen else 1, seed)
    trump = observation.trumps[observation.seat]

    def rank(play: Play) -> tuple[float, tuple[int, int, int, int]]:
        return (-float(rewards[52 if play == TAKE else play]), greedy_order(play, trump))

    return min(legal, key=rank)


def play_of(code: int) -> Play:
    """The play of a kernel's number."""
    return TAKE if code == 52 else Card(code)
