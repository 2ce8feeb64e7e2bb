"""Seeks in this process's memory: the plainest reading of `Seeks`."""

from collections.abc import Callable, Sequence
from threading import Lock

from owntrumps.game.terms import MatchId, Millis, PlayerId
from owntrumps.store.seeks import KEPT_AFTER_PAIRING_MS, AlreadySeekingError, Pairing, Seek, SeekId, Sought


class MemorySeeks:
    """Thread-safe. ``clock`` is the moment by which seeks expire."""

    def __init__(self, clock: Callable[[], Millis]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._known: dict[SeekId, Sought] = {}
        """In the order of their coming."""
        self._cancelled: dict[SeekId, Sought] = {}
        """Until they would have expired."""
        self._unmade: dict[MatchId, tuple[Millis, Pairing]] = {}

    def seek(self, seek: Seek, match: MatchId) -> Sought:
        with self._lock:
            self._forget()
            known = self._known.get(seek.id) or self._cancelled.get(seek.id)
            if known is not None:
                return known
            waiting = self._waiting_of(seek.player)
            if waiting is not None:
                raise AlreadySeekingError(waiting)
            self._known[seek.id] = Sought(seek, None)
            others = self._pool(seek)[: seek.ruleset.seats - 1]
            if len(others) == seek.ruleset.seats - 1:
                self._pair([*others, seek], match, self._clock())
            return self._known[seek.id]

    def sought(self, seek: SeekId) -> Sought | None:
        with self._lock:
            self._forget()
            return self._known.get(seek)

    def seeks_of(self, player: PlayerId) -> Sought | None:
        with self._lock:
            self._forget()
            return self._waiting_of(player)

    def cancel(self, seek: SeekId) -> MatchId | None:
        with self._lock:
            self._forget()
            sought = self._known.get(seek)
            if sought is not None and sought.match is None:
                self._cancelled[seek] = self._known.pop(seek)
            return None if sought is None else sought.match

    def fill(self, matches: Sequence[MatchId], now: Millis) -> list[MatchId]:
        with self._lock:
            self._forget()
            used: list[MatchId] = []
            for sought in [*self._known.values()]:
                seek = self._known[sought.seek.id].seek
                due = seek.bots_at is not None and seek.bots_at <= now
                if len(used) == len(matches) or not due or self._known[seek.id].match is not None:
                    continue
                others = [other for other in self._pool(seek) if other.bots_at is not None]
                self._pair([seek, *others[: seek.ruleset.seats - 1]], matches[len(used)], now)
                used.append(matches[len(used)])

            return used

    def pairing(self, match: MatchId) -> Pairing | None:
        with self._lock:
            found = self._unmade.get(match)
            return None if found is None else found[1]

    def unmade(self, before: Millis, *, limit: int) -> list[Pairing]:
        with self._lock:
            return [pairing for at, pairing in self._unmade.values() if at <= before][:limit]

    def made(self, match: MatchId) -> None:
        with self._lock:
            self._unmade.pop(match, None)

    # Inside, with the lock held

    def _forget(self) -> None:
        now = self._clock()
        for id_, sought in [*self._known.items()]:
            grace = 0 if sought.match is None else KEPT_AFTER_PAIRING_MS
            if sought.seek.expires_at + grace <= now:
                del self._known[id_]
        for id_, sought in [*self._cancelled.items()]:
            if sought.seek.expires_at <= now:
                del self._cancelled[id_]

    def _waiting_of(self, player: PlayerId) -> Sought | None:
        waiting = (sought for sought in self._known.values() if sought.match is None)
        return next((sought for sought in waiting if sought.seek.player == player), None)

    def _pool(self, seek: Seek) -> list[Seek]:
        """The others who wait in the seek's pool, whoever came first first."""
        waiting = [sought.seek for sought in self._known.values() if sought.match is None]
        return [other for other in waiting if other.pool == seek.pool and other.id != seek.id]

    def _pair(self, seeks: Sequence[Seek], match: MatchId, now: Millis) -> None:
        for seek in seeks:
            self._known[seek.id] = Sought(seek, match)
        self._unmade[match] = (now, Pairing(match, tuple(seeks)))
