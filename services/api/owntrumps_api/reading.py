"""Matches as callers may read them. Everything that leaves went through `owntrumps.views`."""

import hmac
from contextlib import suppress
from typing import Any

from owntrumps.game.log import Entry
from owntrumps.game.state import CreatedMatch, Match, NoMatch
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.codec import entry_json, read_entry
from owntrumps.store.ids import is_match_id
from owntrumps.store.matches import existing_match, load_match, read_entries, refold
from owntrumps.store.port import Answered, MatchReader, Player, UnknownMatchError
from owntrumps.store.state_codec import OtherFormatError, read_state
from owntrumps.views.redaction import visible_entry
from owntrumps.views.view import View, private_link, view_of, viewer_of
from owntrumps_api.problems import Problem


def match_id_of(text: str) -> MatchId:
    """The text as a match's id; UnknownMatchError for anything that is none."""
    if not is_match_id(text):
        raise UnknownMatchError(text)
    return MatchId(text)


def created(match: Match) -> CreatedMatch:
    """The state of a match that exists."""
    if isinstance(match.state, NoMatch):
        raise ValueError("a match that was never created is nothing to read")
    return match.state


def is_member(state: CreatedMatch, player: Player | None) -> bool:
    """Whether the player sits here, or made the match."""
    return player is not None and (viewer_of(state, player.id) is not None or state.terms.creator == player.id)


def check_access(state: CreatedMatch, player: Player | None, key: str | None) -> None:
    """Problem ``private-match`` for who neither sits in a private match nor has its link."""
    if not state.terms.private or is_member(state, player):
        return
    if key is None or not hmac.compare_digest(key, private_link(state.terms)):
        raise Problem("private-match", f"match {state.terms.match} is private: its link ends in ?key=…")


def readable_match(reader: MatchReader, text: str, player: Player | None, key: str | None) -> Match:
    """The match as it is now, if the caller may see it."""
    match = existing_match(reader, match_id_of(text))
    check_access(created(match), player, key)
    return match


def view_for(match: Match, player: Player | None) -> View:
    """The caller's view."""
    state = created(match)
    view = view_of(match, viewer_of(state, player.id if player is not None else None))
    if view["you"] is not None and view["seats"][view["you"]]["stand_in"]:
        view["legal"] = []  # the bot is to play: its player first takes the seat back
    if state.terms.private and is_member(state, player):
        view["link"] = private_link(state.terms)
    return view


def match_at(reader: MatchReader, match: MatchId, version: Version) -> Match:
    """The match as it was at a version that it has reached; UnknownMatchError if it has not."""
    now = load_match(reader, match, to_decide=False)
    if now.version == version:
        return now
    then = refold(reader, match, until=version) if now.version > version else now
    if then.version != version:
        raise UnknownMatchError(match)
    return then


def decided(
    reader: MatchReader, match: MatchId, version: Version, player: Player | None, read: Answered | None = None
) -> dict[str, Any]:
    """``{"version", "events", "view"}`` as the caller saw them when that version was new: the same at every retry.

    ``read`` is what was read of it already.
    """
    then, entry = _already(read, version) if read is not None else (None, None)
    then = then or match_at(reader, match, version)
    entry = entry or _entry_at(reader, match, version)
    state = created(then)
    viewer = viewer_of(state, player.id if player is not None else None)
    visible = entry_json(visible_entry(entry, state, viewer))
    return {"version": version, "events": visible["events"], "view": view_for(then, player)}


def _already(read: Answered, version: Version) -> tuple[Match | None, Entry | None]:
    """The match and the entry at that version, if they were read."""
    entry = read.entry if read.entry is not None and read.entry.version == version else None
    match: Match | None = None
    if read.state is not None:
        with suppress(OtherFormatError):  # then it is refolded
            match = read_state(read.state, to_decide=False)
    return (
        match if match is not None and match.version == version else None,
        None if entry is None else read_entry(entry.payload, entry.chain),
    )


def _entry_at(reader: MatchReader, match: MatchId, version: Version) -> Entry:
    """One entry; UnknownMatchError if the log does not have it."""
    found = read_entries(reader, match, after=Version(version - 1), limit=1)
    if not found:
        raise UnknownMatchError(match)
    return found[0]
