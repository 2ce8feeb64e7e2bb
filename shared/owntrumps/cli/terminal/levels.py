"""Bots without a server: levels that other distributions plug in, by the entry-point group ``owntrumps.levels``.

An entry point's name is the level; it names a `Choose`.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Protocol

from owntrumps.views.view import View

LEVELS: Final = "owntrumps.levels"


class Choose(Protocol):
    """Chooses the plays of a turn, such as ``["9c", "Jh"]`` or ``["take"]``, from what one seat may see."""

    def __call__(self, view: View, events: Iterable[Mapping[str, Any]], level: str) -> list[str]: ...


class LevelUnavailableError(LookupError):
    """No installed distribution plays this level, in words."""


def levels() -> list[str]:
    """The names of the levels that can be played here."""
    return sorted(_points())


def level_named(name: str) -> Choose:
    """The level's choice; LevelUnavailableError if nobody provides it."""
    points = _points()
    if name not in points:
        if not points:
            raise LevelUnavailableError("no bots are installed here: install owntrumps-bots, or play with --server URL")
        raise LevelUnavailableError(f"{name!r} is not a level: there are {', '.join(sorted(points))}")
    try:
        chosen: Choose = points[name].load()
    except ImportError as error:
        raise LevelUnavailableError(f"the level {name} cannot be loaded: {error}") from None
    return chosen


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=LEVELS)}
