"""What the terminal needs of a match, be it in this process or on a server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from owntrumps.views.view import View


@dataclass(frozen=True, slots=True)
class Update:
    """The match now, and the events (JSON, as the viewer may see them) since the update before."""

    view: View
    happened: Sequence[Mapping[str, Any]]


class RefusedError(Exception):
    """A move that was not accepted, in words."""


class Game(Protocol):
    """One viewer's match."""

    def start(self) -> Update:
        """The match as it is."""

    def wait(self) -> Update:
        """The next news, blocking until there are some."""

    def play(self, view: View, plays: Sequence[str]) -> None:
        """Make a move that was chosen from this view; RefusedError if it is not accepted. Its events come with the
        next news."""
