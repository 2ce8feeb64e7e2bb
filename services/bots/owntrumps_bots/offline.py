"""The levels for `owntrumps play` without a server: what the entry points of the group ``owntrumps.levels`` name."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from owntrumps.store.door import View
from owntrumps_bots.answers import dice_of, think, thinking_time

PATIENCE_MS: Final = 10_000
"""Nobody else waits for this bot: it may take its level's own time."""


def choose(view: View, events: Iterable[Mapping[str, Any]], level: str) -> list[str]:
    """The plays of the seat's turn, by name, from its view and the events that it may see.

    Raises LevelError or ObservationError for what nothing can be chosen from.
    """
    return think(view, events, level, thinking_time(view, level, PATIENCE_MS), dice_of(view))
