"""The newest entries of the matches that are watched, read from the log once for all watchers of this process.

A watcher has its own cursor. What is newer than it comes from here while it keeps up, and from the log where it does
not; so a slow one costs the others nothing and misses nothing.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Final

import msgspec

from owntrumps.game.events import MatchAborted, MatchDrawn, MatchLost
from owntrumps.game.log import Entry
from owntrumps.game.state import CreatedMatch, is_over
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.codec import entry_json
from owntrumps.store.matches import read_entries
from owntrumps.store.port import MatchReader
from owntrumps.views.redaction import Viewer, visible_entry

KEPT: Final = 64
"""Entries of a match that are kept."""
PAGE: Final = 200
"""Entries read at a time."""


class Shown:
    """An entry, and its JSON for each kind of viewer that has asked for it."""

    __slots__ = ("_texts", "entry")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self._texts: dict[tuple[Viewer, bool], bytes] = {}

    def text(self, state: CreatedMatch, viewer: Viewer) -> bytes:
        """The JSON of what the viewer may see of it while the match is in ``state``."""
        kind = (viewer, is_over(state))
        text = self._texts.get(kind)
        if text is None:
            text = msgspec.json.encode(entry_json(visible_entry(self.entry, state, viewer)))
            self._texts[kind] = text
        return text

    def ends_match(self) -> bool:
        return isinstance(self.entry.events[-1], MatchLost | MatchDrawn | MatchAborted)


class Tail:
    """The end of one match's log, from ``start`` on: what newcomers missed of it, they share too."""

    def __init__(self, reader: MatchReader, match: MatchId, start: Version) -> None:
        self._reader = reader
        self._match = match
        self._lock = Lock()
        self._last = start
        self._kept: deque[Shown] = deque(maxlen=KEPT)
        self.watchers = 0

    def after(self, cursor: Version, noticed: int | None) -> Sequence[Shown]:
        """Some entries after the cursor, in order; none if there are none.

        ``noticed`` is the version that the feed spoke of; None: look whether there is news.
        """
        with self._lock:
            if noticed is None or noticed > self._last:
                self._read_on()
            if cursor >= self._last:
                return ()
            if self._kept and self._kept[0].entry.version <= cursor + 1:
                return [shown for shown in self._kept if shown.entry.version > cursor]
        return [Shown(entry) for entry in read_entries(self._reader, self._match, after=cursor, limit=PAGE)]

    def _read_on(self) -> None:
        while True:
            page = read_entries(self._reader, self._match, after=self._last, limit=PAGE)
            self._kept.extend(map(Shown, page))
            if page:
                self._last = page[-1].version
            if len(page) < PAGE:
                return


class Tails:
    """Those of the matches that are watched here now."""

    def __init__(self, reader: MatchReader) -> None:
        self._reader = reader
        self._lock = Lock()
        self._tails: dict[MatchId, Tail] = {}

    @contextmanager
    def of(self, match: MatchId, now: Version) -> Iterator[Tail]:
        """The match's tail, for as long as somebody watches. ``now`` is a version that the match has reached."""
        with self._lock:
            start = Version(max(0, now - KEPT))
            tail = self._tails.setdefault(match, Tail(self._reader, match, start))
            tail.watchers += 1
        try:
            yield tail
        finally:
            with self._lock:
                tail.watchers -= 1
                if not tail.watchers:
                    del self._tails[match]
