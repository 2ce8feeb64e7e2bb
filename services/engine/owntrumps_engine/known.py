"""Matches as one engine knows them: folded once, kept, and caught up from the log."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from owntrumps.game.chance import chain_key
from owntrumps.game.log import Entry, fold
from owntrumps.game.state import EMPTY, Match, NoMatch
from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.store.matches import PAGE, load_match, read_entries
from owntrumps.store.port import MatchReader


@dataclass(frozen=True, slots=True)
class Known:
    """A match at a version that its log certainly had. ``created_at`` is its first entry's moment, ``key`` its chain
    key; both are empty before there is a match."""

    match: Match = EMPTY
    created_at: Millis = EMPTY.at
    key: bytes = b""


def after_entry(known: Known, entry: Entry, key: bytes) -> Known:
    """The match after one more entry, which follows it."""
    created_at = entry.at if entry.version == 1 else known.created_at
    return Known(fold([entry], known.match), created_at, key)


def load(reader: MatchReader, match: MatchId) -> Known:
    """The match as the store has it now, `EMPTY` if there is none."""
    loaded = load_match(reader, match, to_decide=True)
    if isinstance(loaded.state, NoMatch):
        return Known()
    first = read_entries(reader, match, after=Version(0), limit=1)
    return Known(loaded, first[0].at, chain_key_of(loaded))


def catch_up(reader: MatchReader, match: MatchId, known: Known) -> Known:
    """The match as the store has it now, from what was known of it."""
    if isinstance(known.match.state, NoMatch):
        return load(reader, match)
    while True:
        page = read_entries(reader, match, after=known.match.version, limit=PAGE)
        known = replace(known, match=fold(page, known.match)) if page else known
        if len(page) < PAGE:
            return known


def chain_key_of(match: Match) -> bytes:
    """The key of the match's hash chain; ValueError where the seed is not there."""
    state = match.state
    if isinstance(state, NoMatch) or state.terms.seed is None:
        raise ValueError("a log without a seed is a redacted one: nothing can be decided on it")
    return chain_key(state.terms.seed)


class Cache:
    """A bounded number of known matches, the least recently used dropped first. What it holds may be behind the log,
    never beside it: commits check the version, refusals catch up first."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: OrderedDict[MatchId, Known] = OrderedDict()

    def get(self, match: MatchId) -> Known | None:
        known = self._known.get(match)
        if known is not None:
            self._known.move_to_end(match)
        return known

    def put(self, match: MatchId, known: Known) -> None:
        self._known[match] = known
        self._known.move_to_end(match)
        while len(self._known) > self._size:
            self._known.popitem(last=False)

    def drop(self, matches: Sequence[MatchId]) -> None:
        for match in matches:
            self._known.pop(match, None)

    def clear(self) -> None:
        self._known.clear()

    def __len__(self) -> int:
        return len(self._known)
