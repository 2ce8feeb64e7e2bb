"""The hub: the process's one reader of the feed, for any number of waiting requests and open streams.

A notice is only a hint that there is news. Whoever waits reads the outcome or the log itself, so a notice that was
dropped, doubled or late costs time, never an entry.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic
from typing import Final, Generic, TypeVar

import structlog

from owntrumps.game.terms import MatchId, PlayerId, Version
from owntrumps.store.port import CommandId, Feed, Notice, Shard, StoreUnavailableError
from owntrumps_api.matchmaking import paired_players

K = TypeVar("K")
N = TypeVar("N")

BLOCK_MS: Final = 500
"""How long one read of the feed waits for notices; also how soon the reader sees that it is to stop."""
FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 2.0

_log = structlog.get_logger("owntrumps_api.hub")


@dataclass(frozen=True, slots=True)
class Heard(Generic[N]):
    """What a wait ended with: whether the bell rang, and what for. No news named: look at everything."""

    rang: bool
    news: Collection[N]


class Wakeup(Generic[N]):
    """One waiting client's bell. What it says is a hint: the client reads what is new from its own cursor."""

    __slots__ = ("_event", "_everything", "_news")

    def __init__(self) -> None:
        self._event = Event()
        self._everything = False
        self._news: set[N] = set()

    def ring(self, news: N | None = None) -> None:
        """``news`` None: everything may be new."""
        if news is None:
            self._everything = True
        else:
            self._news.add(news)
        self._event.set()

    def wait(self, seconds: float) -> Heard[N]:
        """What rang before the seconds were over. Then it is silent again.

        A word may slip away between two threads; the bell rings all the same, with no news named.
        """
        rang = self._event.wait(max(0.0, seconds))
        self._event.clear()
        news, self._news = self._news, set()
        everything, self._everything = self._everything, False
        return Heard(rang, () if everything else news)


class _Bells(Generic[K, N]):
    """Who waits for news (N) of what (K)."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._bells: dict[K, set[Wakeup[N]]] = {}

    def add(self, topic: K, bell: Wakeup[N]) -> None:
        with self._lock:
            self._bells.setdefault(topic, set()).add(bell)

    def remove(self, topic: K, bell: Wakeup[N]) -> None:
        with self._lock:
            bells = self._bells.get(topic, set())
            bells.discard(bell)
            if not bells:
                self._bells.pop(topic, None)

    def ring(self, topic: K, news: N | None) -> None:
        with self._lock:
            bells = [*self._bells.get(topic, ())]
        for bell in bells:
            bell.ring(news)

    def ring_all(self) -> None:
        with self._lock:
            bells = [bell for bells in self._bells.values() for bell in bells]
        for bell in bells:
            bell.ring()


class Hub:
    """Starts its reader with the first client that waits, so making one connects to nothing."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._starting = Lock()
        self._reader: Thread | None = None
        self._stop = Event()
        self._cursors: Mapping[Shard, str] = {}
        self._commands: _Bells[CommandId, Version] = _Bells()
        self._matches: _Bells[MatchId, Version] = _Bells()
        self._players: _Bells[PlayerId, MatchId] = _Bells()
        self._pairings: _Bells[PlayerId, MatchId] = _Bells()
        self._heard = 0.0

    @property
    def closing(self) -> bool:
        """Streams are to say good-bye."""
        return self._stop.is_set()

    def silence(self) -> float:
        """Seconds since the feed was last read; 0 while nobody has needed it."""
        return monotonic() - self._heard if self._reader is not None else 0.0

    @contextmanager
    def outcome_of(self, command: CommandId) -> Iterator[Wakeup[Version]]:
        """Rings when the command has an outcome, with its version if it has one. Enter before submitting it."""
        with self._waiting(self._commands, command) as bell:
            yield bell

    @contextmanager
    def news_of(self, match: MatchId) -> Iterator[Wakeup[Version]]:
        """Rings, with the version, when the match may have grown."""
        with self._waiting(self._matches, match) as bell:
            yield bell

    @contextmanager
    def turns_of(self, player: PlayerId) -> Iterator[Wakeup[MatchId]]:
        """Rings, with the match, when one may have begun to wait for the player."""
        with self._waiting(self._players, player) as bell:
            yield bell

    @contextmanager
    def pairing_of(self, player: PlayerId) -> Iterator[Wakeup[MatchId]]:
        """Rings when a match has come about that the player sought."""
        with self._waiting(self._pairings, player) as bell:
            yield bell

    def close(self) -> None:
        """Wake everybody to say good-bye, and stop reading."""
        self._stop.set()
        self._ring_all()

    def join(self) -> None:
        """Wait for the reader's end, after `close`."""
        if self._reader is not None:
            self._reader.join()

    @contextmanager
    def _waiting(self, bells: _Bells[K, N], topic: K) -> Iterator[Wakeup[N]]:
        self._start()
        bell = Wakeup[N]()
        bells.add(topic, bell)
        if self.closing:
            bell.ring()
        try:
            yield bell
        finally:
            bells.remove(topic, bell)

    def _start(self) -> None:
        """From now on every notice is heard; StoreUnavailableError if the feed cannot be reached."""
        if self._reader is not None:
            return
        with self._starting:
            if self._reader is None:
                self._cursors = self._feed.tail()
                self._heard = monotonic()
                self._reader = Thread(target=self._read, name="feed", daemon=True)
                self._reader.start()

    def _ring_all(self) -> None:
        self._commands.ring_all()
        self._matches.ring_all()
        self._players.ring_all()
        self._pairings.ring_all()

    def _read(self) -> None:
        cursors = dict(self._cursors)
        pause = FIRST_PAUSE_SECONDS
        while not self._stop.is_set():
            try:
                notices = self._feed.notices(cursors, block_ms=BLOCK_MS)
            except StoreUnavailableError as error:
                _log.warning("the feed cannot be read", error=str(error))
                self._stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
                continue
            if pause > FIRST_PAUSE_SECONDS:  # notices may have been dropped meanwhile: let everybody look
                pause = FIRST_PAUSE_SECONDS
                self._ring_all()
            self._heard = monotonic()
            for notice in notices:
                cursors[notice.shard] = notice.cursor
                self._tell(notice)

    def _tell(self, notice: Notice) -> None:
        self._commands.ring(notice.command, notice.version)
        if notice.version is not None:
            self._matches.ring(notice.match, notice.version)
            if notice.to_move is not None:
                self._players.ring(notice.to_move, notice.match)
        for player in paired_players(notice.command):
            self._pairings.ring(player, notice.match)
