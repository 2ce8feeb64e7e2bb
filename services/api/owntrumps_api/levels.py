"""The levels of bots that may be asked for. The bots service plays them; a test holds its own table against this."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from owntrumps_api.problems import Problem


@dataclass(frozen=True, slots=True)
class Level:
    """Thinking time per play in milliseconds: by default, and the bounds of what may be asked for."""

    about: str
    default_ms: int
    least_ms: int
    most_ms: int


LEVELS: Final[Mapping[str, Level]] = {
    "random": Level("Any legal play.", 1, 1, 2000),
    "greedy": Level("Beats with the lowest card, keeps its trumps, takes only when it must.", 1, 1, 2000),
    "club": Level("Thinks ahead a little: a good evening's opponent.", 5, 1, 2000),
    "master": Level("Searches as deep as its time allows.", 60, 5, 2000),
}


def check_level(name: str, budget_ms: int | None = None) -> None:
    """Problem ``unknown-level`` or ``bad-budget`` for what no bot plays."""
    level = LEVELS.get(name)
    if level is None:
        raise Problem("unknown-level", f"{name!r} is not a level: there are {', '.join(LEVELS)}")
    if budget_ms is not None and not level.least_ms <= budget_ms <= level.most_ms:
        raise Problem("bad-budget", f"{name} thinks for {level.least_ms} to {level.most_ms} ms a play, not {budget_ms}")
