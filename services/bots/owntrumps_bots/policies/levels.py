"""The levels by name, their budgets, and `choose`: the one door from an observation to the plays of a turn."""

from functools import lru_cache
from time import monotonic
from typing import Final

from owntrumps.rules.plays import TAKE, Play
from owntrumps_bots.budgets import LEVELS, Level, LevelError, budget_of, level_named
from owntrumps_bots.observation import Observation
from owntrumps_bots.policies.club import club
from owntrumps_bots.policies.greedy import greedy
from owntrumps_bots.policies.master import master
from owntrumps_bots.policies.random import random_play
from owntrumps_bots.search.history import past_keys
from owntrumps_bots.search.thinking import Expired, Thinker

MOST_ROUNDS: Final = 200_000
"""Rounds of a search that only the clock bounds."""

__all__ = ["LEVELS", "MOST_ROUNDS", "Level", "LevelError", "budget_of", "choose", "level_named"]


def choose(
    observation: Observation, level: str, budget_ms: int | None = None, seed: int = 0, *, rounds: int | None = None
) -> list[Play]:
    """The plays of one move: a card, `take`, or a beat and the lead on it (each thought about for ``budget_ms``).

    The same observation, level and seed give the same plays if ``rounds`` bounds a search (the clock then only cuts it
    short); without it the clock alone does, and how far a search gets depends on the machine.

    Raises:
        LevelError: no such level, or a budget beyond its bounds.
    """
    chosen = level_named(level)
    budget = budget_of(chosen, budget_ms)
    first = _play(observation, chosen, budget, seed, rounds)
    if first == TAKE or observation.phase == "lead" or not _leads_on(observation, first):
        return [first]
    return [first, _play(observation.after_beat(first), chosen, budget, seed + 1, rounds)]


def _play(observation: Observation, level: Level, budget_ms: int, seed: int, rounds: int | None) -> Play:
    match level.name:
        case "random":
            return random_play(observation, seed)
        case "greedy":
            return greedy(observation)
        case "club":
            return club(observation, _thinker(), seed)
        case _:
            return master(observation, _thinker(), rounds or MOST_ROUNDS, _deadline(budget_ms), seed)


def _leads_on(observation: Observation, card: int) -> bool:
    """Whether the seat surely leads after this beat: it holds more cards, and no limit ends the deal on the beat.

    That a repetition ends it can only be seen with the whole history; without it the lead waits for the next view.
    """
    if observation.hand == 1 << card or not observation.knows_history:
        return False
    ruleset = observation.ruleset
    if observation.plies + 1 >= ruleset.ply_limit:
        return False
    if not ruleset.repetition_limit:
        return True
    after = observation.after_beat(card)  # type: ignore[arg-type]
    return sum(1 for key in past_keys(after) if key == 0) + 1 < ruleset.repetition_limit


def _deadline(budget_ms: int) -> Expired:
    end = monotonic() + budget_ms / 1000
    return lambda: monotonic() >= end


@lru_cache(maxsize=1)
def _thinker() -> Thinker:
    """The process's one thinker, made on first use."""
    return Thinker()
