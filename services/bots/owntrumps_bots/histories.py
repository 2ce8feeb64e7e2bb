"""What has been played in each match's present deal, as a seat may see it: read once, then only what is new."""

from collections import OrderedDict
from typing import Any, Final

from owntrumps.store.door import Look, MatchId, Seat, Version

KEPT: Final = frozenset({"card-led", "top-beaten", "pile-taken", "pile-discarded"})
"""The events that the levels think about (`owntrumps_bots.observation`)."""

MOST_EVENTS: Final = 50_000
"""Events kept in all, some 400 bytes each; the least recently used matches go first."""


class _Deal:
    """The events of one seat's present deal up to a version."""

    def __init__(self) -> None:
        self.version = Version(0)
        self.events: list[dict[str, Any]] = []

    def add(self, entry: dict[str, Any]) -> None:
        self.version = Version(entry["version"])
        for event in entry["events"]:
            if event["type"] == "deal-dealt":
                self.events.clear()
            elif event["type"] in KEPT:
                self.events.append(event)


class Histories:
    """One worker's memory of matches. Each seat has its own: nothing that one seat was told is ever told to another."""

    def __init__(self, *, most_events: int = MOST_EVENTS) -> None:
        self._most = most_events
        self._size = 0
        self._deals: OrderedDict[tuple[MatchId, Seat], _Deal] = OrderedDict()

    def events(self, match: MatchId, seat: Seat, look: Look) -> list[dict[str, Any]]:
        """The plays of the deal that the seat looks at, oldest first. The list is not the caller's to change."""
        deal = self._deals.pop((match, seat), None) or _Deal()
        self._size -= len(deal.events)
        if deal.version > look.view["version"]:
            deal = _Deal()
        for entry in look.entries(deal.version):
            deal.add(entry)
        self._deals[match, seat] = deal
        self._size += len(deal.events)
        while self._size > self._most and len(self._deals) > 1:
            _, oldest = self._deals.popitem(last=False)
            self._size -= len(oldest.events)
        return deal.events
