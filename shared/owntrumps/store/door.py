"""The doors of the store for those who may not see everything: what passes went through `owntrumps.views`."""

from typing import Any, Protocol

from owntrumps.game.commands import MakeMove
from owntrumps.game.state import CreatedMatch, NoMatch
from owntrumps.game.terms import ByBot, MatchId, Millis, Version
from owntrumps.rules.cards import MalformedCardError, Seat, parse_card
from owntrumps.rules.plays import TAKE, Play
from owntrumps.store.codec import entry_json
from owntrumps.store.matches import PAGE, load_match, read_entries
from owntrumps.store.port import CommandId, Inbox, MatchReader, Submission
from owntrumps.views.redaction import Viewer, visible_entry
from owntrumps.views.view import View, view_of


class DoorStore(MatchReader, Inbox, Protocol):
    """What a door needs of a store."""

    def now(self) -> Millis: ...


class Look:
    """A match as a seat saw it at one moment, in one reading of its state."""

    def __init__(self, store: DoorStore, state: CreatedMatch, view: View, seat: Seat) -> None:
        self.view = view
        self._store = store
        self._state = state
        self._seat = seat

    def entries(self, after: Version) -> list[dict[str, Any]]:
        """The JSON of the entries after a version up to the view's, as the seat may see them."""
        return _all_entries(self._store, self._state, self._seat, after, up_to=Version(self.view["version"]))


class SeatDoor:
    """What a bot may do: look at a match from one seat, and move there.

    Seats are checked: ValueError for a seat that the match does not have.
    """

    def __init__(self, store: DoorStore) -> None:
        self._store = store

    def look(self, match: MatchId, seat: Seat) -> Look | None:
        """The match as the seat may see it now, None if there is no such match."""
        loaded = load_match(self._store, match, to_decide=False)
        if isinstance(loaded.state, NoMatch):
            return None
        _check_seat(loaded.state, match, seat)
        return Look(self._store, loaded.state, view_of(loaded, seat), seat)

    def view(self, match: MatchId, seat: Seat) -> View | None:
        """The view of a look, None if there is no such match."""
        look = self.look(match, seat)
        return None if look is None else look.view

    def entries(self, match: MatchId, seat: Seat, after: Version) -> list[dict[str, Any]]:
        """The JSON of every entry after a version, as the seat may see it; [] if there is no such match."""
        state = load_match(self._store, match, to_decide=False).state
        if isinstance(state, NoMatch):
            return []
        _check_seat(state, match, seat)
        return _all_entries(self._store, state, seat, after, up_to=None)

    def submit_bot_move(
        self, match: MatchId, seat: Seat, plays: list[str], at_version: Version, key: CommandId
    ) -> None:
        """Ask for a move of the bot on the seat, as decided from the view of ``at_version``.

        A late answer is refused as `stale-version`, a second one with the same key changes nothing: neither harms.
        Raises MalformedCardError for a play that is no card's name and not ``take``.
        """
        named = tuple(parse_play(play) for play in plays)
        command = MakeMove(self._store.now(), ByBot(seat), named, at_version)
        self._store.submit([Submission(key, match, command)])


def visible_entries(
    reader: MatchReader, match: MatchId, state: CreatedMatch, viewer: Viewer, *, after: Version, limit: int
) -> list[dict[str, Any]]:
    """The JSON of at most ``limit`` entries after a version, as the viewer may see them while the match is in
    ``state``. A state older than the entries hides more than it must, never less."""
    read = read_entries(reader, match, after=after, limit=limit)
    return [entry_json(visible_entry(entry, state, viewer)) for entry in read]


def _all_entries(
    store: DoorStore, state: CreatedMatch, seat: Seat, after: Version, up_to: Version | None
) -> list[dict[str, Any]]:
    """Every entry after a version, up to another or to the end."""
    found: list[dict[str, Any]] = []
    while True:
        reached = Version(after + len(found))
        limit = PAGE if up_to is None else min(PAGE, up_to - reached)
        if limit <= 0:
            return found
        page = visible_entries(store, state.terms.match, state, seat, after=reached, limit=limit)
        found += page
        if len(page) < limit:
            return found


def parse_play(name: str) -> Play:
    """The play of its name (``"Th"``, ``"take"``); MalformedCardError for any other text."""
    return TAKE if name == TAKE else parse_card(name)


def _check_seat(state: CreatedMatch, match: MatchId, seat: Seat) -> None:
    if not 0 <= seat < len(state.seats):
        raise ValueError(f"match {match} has {len(state.seats)} seats, not a seat {seat}")


__all__ = [
    "CommandId",
    "DoorStore",
    "Look",
    "MalformedCardError",
    "MatchId",
    "Millis",
    "Seat",
    "SeatDoor",
    "Version",
    "View",
    "parse_play",
    "visible_entries",
]
