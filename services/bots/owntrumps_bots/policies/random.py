"""The level `random`: any legal play, each as likely as the others."""

from random import Random

from owntrumps.rules.plays import Play
from owntrumps_bots.observation import Observation


def random_play(observation: Observation, seed: int) -> Play:
    """A uniformly drawn legal play; the same seed draws the same."""
    return Random(seed).choice(observation.legal())
