"""A match on a server, followed by asking it for news."""

from collections.abc import Sequence
from typing import Any, Final

from owntrumps.cli.terminal.game import RefusedError, Update
from owntrumps.client import Client, ProblemError
from owntrumps.views.view import View

ASK_SECONDS: Final = 20
"""How long one request waits for news."""
JUST_BEGUN: Final = 20
"""Up to this version one who comes to the table is told everything; later, only how it stands."""


class OnlineGame:
    """The client's seat in the match or, without one, a spectator's chair. ``link``: see `Client`."""

    def __init__(self, client: Client, match: str, link: str | None = None) -> None:
        self._client = client
        self._match = match
        self._link = link
        self._version = 0

    def start(self) -> Update:
        """The match as it is, and if it has just begun, how."""
        view = self._client.view(self._match, link=self._link)
        if view["version"] > JUST_BEGUN:
            self._version = view["version"]
        return self._up_to(view)

    def wait(self) -> Update:
        """What has happened may be more than one decision; the view is the one after the last of them."""
        view: View | None = None
        while view is None:
            view = self._client.news(self._match, self._version, seconds=ASK_SECONDS, link=self._link)
        return self._up_to(view)

    def _up_to(self, view: View) -> Update:
        happened: list[dict[str, Any]] = []
        while self._version < view["version"]:
            for entry in self._client.entries(self._match, after=self._version, link=self._link):
                if self._version < entry["version"] <= view["version"]:
                    happened += entry["events"]
                    self._version = entry["version"]
        return Update(view, happened)

    def play(self, view: View, plays: Sequence[str]) -> None:
        try:
            self._client.move(self._match, *plays, if_version=view["version"])
        except ProblemError as problem:
            if problem.slug == "stale-version":  # the clock ran out, or the same seat plays elsewhere: look again
                return
            raise RefusedError(problem.detail) from None
