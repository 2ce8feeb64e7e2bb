"""Reading a match from a store: the materialised state where it is current, else the log."""

from owntrumps.game.log import Entry, fold
from owntrumps.game.state import EMPTY, Match, NoMatch
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.codec import read_entry
from owntrumps.store.port import MatchReader, UnknownMatchError
from owntrumps.store.state_codec import OtherFormatError, read_state

PAGE = 500
"""Entries read at a time."""


def load_match(reader: MatchReader, match: MatchId, *, to_decide: bool) -> Match:
    """The match as it is now, `EMPTY` if there is none.

    The state is written with every entry, so it is current whenever it is there; it is refolded where it is missing or
    of another format. ``to_decide=False`` is quicker and enough for a view.
    """
    payload = reader.state(match)
    if payload is not None:
        try:
            return read_state(payload, to_decide=to_decide)
        except OtherFormatError:
            pass
    return refold(reader, match)


def refold(reader: MatchReader, match: MatchId, *, until: Version | None = None) -> Match:
    """The match as its log alone tells it, up to version ``until`` (None: to the end)."""
    folded = EMPTY
    while until is None or folded.version < until:
        limit = PAGE if until is None else min(PAGE, until - folded.version)
        page = read_entries(reader, match, after=folded.version, limit=limit)
        folded = fold(page, folded)
        if len(page) < limit:
            break
    return folded


def read_entries(reader: MatchReader, match: MatchId, *, after: Version, limit: int) -> list[Entry]:
    """The entries after a version, at most ``limit``."""
    return [read_entry(entry.payload, entry.chain) for entry in reader.entries(match, after=after, limit=limit)]


def existing_match(reader: MatchReader, match: MatchId, *, to_decide: bool = False) -> Match:
    """As `load_match`; UnknownMatchError if there is none."""
    loaded = load_match(reader, match, to_decide=to_decide)
    if isinstance(loaded.state, NoMatch):
        raise UnknownMatchError(match)
    return loaded
