"""The levels by name and what they may think for. Light: it knows nothing of how they think."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """A level's thinking time per decision in milliseconds: the default, and the bounds of what may be asked for."""

    name: str
    budget_ms: int
    least_ms: int
    most_ms: int


LEVELS: Final = {
    level.name: level
    for level in (
        Level("random", 1, 1, 2000),
        Level("greedy", 1, 1, 2000),
        Level("club", 5, 1, 2000),
        Level("master", 60, 5, 2000),
    )
}


class LevelError(ValueError):
    """``slug`` is `unknown-level` or `bad-budget`; the message quotes the offending value."""

    def __init__(self, slug: str, detail: str) -> None:
        super().__init__(detail)
        self.slug = slug
        self.detail = detail


def level_named(name: object) -> Level:
    """The level of that name, or LevelError `unknown-level`."""
    level = LEVELS.get(name) if isinstance(name, str) else None
    if level is None:
        raise LevelError("unknown-level", f"{name!r} is not a level: there are {', '.join(LEVELS)}")
    return level


def budget_of(level: Level, budget_ms: object) -> int:
    """The thinking time in ms: the level's own for None; LevelError `bad-budget` beyond its bounds."""
    if budget_ms is None:
        return level.budget_ms
    if type(budget_ms) is not int or not level.least_ms <= budget_ms <= level.most_ms:
        raise LevelError(
            "bad-budget",
            f"{level.name} thinks for {level.least_ms} to {level.most_ms} ms a play, not {budget_ms!r}",
        )
    return budget_ms
