"""Who plays in an arena: a level, with its own thinking time if it is given one."""

from dataclasses import dataclass

from owntrumps.rules.plays import Play
from owntrumps_bots.arena.table import Player
from owntrumps_bots.observation import Observation
from owntrumps_bots.policies.levels import LevelError, budget_of, choose, level_named


@dataclass(frozen=True, slots=True)
class Entry:
    """``name`` as it was asked for, the level, its time per decision in ms, and the rounds that bound a search."""

    name: str
    level: str
    budget_ms: int
    rounds: int | None

    def player(self) -> Player:
        def chosen(observation: Observation, seed: int) -> list[Play]:
            return choose(observation, self.level, self.budget_ms, seed, rounds=self.rounds)

        return chosen


def entry_of(text: str, budget_ms: int | None, rounds: int | None) -> Entry:
    """The entry of ``LEVEL`` or ``LEVEL@MS``; LevelError for an unknown level or a budget beyond its bounds."""
    name, _, asked = text.strip().partition("@")
    level = level_named(name)
    if asked and not asked.isdecimal():
        raise LevelError("bad-budget", f"{text!r} is no level: write LEVEL or LEVEL@MILLISECONDS")
    return Entry(text.strip(), name, budget_of(level, int(asked) if asked else budget_ms), rounds)
