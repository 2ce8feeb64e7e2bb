"""The clock of every match: bots that do not answer, people out of time, matches nobody joined, and outages.

Deadlines are acted on by the engine's own commands, whose ids follow from match, version and kind: two engines that
look at one match at once do no harm.

No engine alive means that nobody could move, so the players' clocks stood still: before anything expires, each running
clock gets back what the outage took. The beat that ends the outage is written only when that is done, so that an
engine that dies in between leaves the rest to the next one.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final, Protocol, assert_never

import structlog

from owntrumps.game.commands import Command
from owntrumps.game.decide import MAX_TURN_SECONDS
from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.store.port import Submission
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.deadlines import Act, CallBot, Kind, Outage, Wait, due_id, due_of, mended_clock, task_of
from owntrumps_engine.decisions import FAULTS, where
from owntrumps_engine.known import Known
from owntrumps_engine.metrics import Metrics
from owntrumps_engine.settling import Settler, SettlingStore

log = structlog.get_logger("owntrumps.engine")

CALM_BEATS: Final = 2
"""Beats in a row without an outage before this engine acts on deadlines: an engine that finds an outage hides the beat
by which it found it, and one that starts at the same moment may have seen that beat."""
_ALL: Final = 2**31 - 1
_ANY_VERSION: Final = Version(2**31 - 1)


class TimekeepingStore(SettlingStore, Protocol):
    """What keeping time needs of a store."""

    def now(self) -> Millis: ...


class Timekeeper:
    """One engine's share in keeping time. Not thread-safe."""

    def __init__(self, store: TimekeepingStore, settler: Settler, config: EngineConfig, metrics: Metrics) -> None:
        self._store = store
        self._settler = settler
        self._config = config
        self._metrics = metrics
        self._alive_since: Millis | None = None
        self._beaten: Millis | None = None
        self._calm_beats = 0
        self._outage: Outage | None = None
        self._unmended: deque[MatchId] = deque()

    def beat(self) -> None:
        """Tell that an engine is alive, and find out whether none was."""
        if self._outage is not None:
            return
        now = self._store.now()
        if now != self._beaten:  # the store answers the same moment with the same beat before it
            self._beaten = now
            before = self._store.heartbeat(now)
            if before is not None and now - before > self._config.outage_ms:
                self._store.heartbeat(before)
                self._begin_mending(Outage(before, now))
                return
        if self._alive_since is None:
            self._alive_since = now
        self._calm_beats += 1

    def round(self) -> int:
        """Do what is due, at most `EngineConfig.due_limit` matches of it; how many were looked at."""
        if self._outage is not None:
            return self._mend(self._outage)
        if self._alive_since is None or self._calm_beats < CALM_BEATS:
            return 0
        now = self._store.now()
        matches = self._store.due(now, limit=self._config.due_limit)
        own = [own for match in matches if (own := self._attend(match, now, self._alive_since))]
        self._submit(own, now)
        return len(matches)

    def _attend(self, match: MatchId, now: Millis, alive_since: Millis) -> Submission | None:
        """Look at one match; the engine's own command if one is called for."""
        known = self._look_up(match)
        if known is None:
            return None
        version = known.match.version
        task = task_of(known.match, now, self._config, alive_since=alive_since)
        match task:
            case Wait(until):
                self._store.postpone(match, until, at_version=version)
            case CallBot(bot_turn, then):
                self._store.notify_bot(match, version, bot_turn)
                self._store.postpone(match, then, at_version=version)
                self._metrics.deadlines.labels("call-bot").inc()
            case Act(kind, command):
                return self._own(match, version, kind, command)
            case _:
                assert_never(task)
        return None

    def _look_up(self, match: MatchId) -> Known | None:
        """The match as it is now; None, and no deadline any more, for one that cannot be read."""
        try:
            return self._settler.look_up(match)
        except FAULTS as error:
            log.critical("unreadable-match", match=match, at=where(error))
            self._store.postpone(match, None, at_version=_ANY_VERSION)
            return None

    def _own(self, match: MatchId, version: Version, kind: Kind, command: Command) -> Submission:
        self._metrics.deadlines.labels(kind).inc()
        log.info("deadline", match=match, version=version, kind=kind)
        return Submission(due_id(match, version, kind), match, command)

    def _submit(self, own: Sequence[Submission], now: Millis) -> None:
        """Commit them; where a match turned out to have moved on, see to it that it has a deadline still to come."""
        for pointless in self._settler.submit_own(own, now):
            known = self._look_up(pointless.match)
            if known is not None:
                due = due_of(known.match, now, self._config)
                later = None if due is None else Millis(max(due, now + self._config.bot_redispatch_ms))
                self._store.postpone(pointless.match, later, at_version=known.match.version)

    def _begin_mending(self, outage: Outage) -> None:
        self._outage = outage
        self._alive_since = outage.until
        self._calm_beats = 0
        latest = Millis(outage.until + MAX_TURN_SECONDS * 1000)
        self._unmended = deque(self._store.due(latest, limit=_ALL))
        log.warning("outage", milliseconds=outage.until - outage.since, matches=len(self._unmended))

    def _mend(self, outage: Outage) -> int:
        """Give back what the outage took, to some of the matches; the last of them ends it."""
        matches = [self._unmended.popleft() for _ in range(min(self._config.due_limit, len(self._unmended)))]
        own = []
        for match in matches:
            known = self._look_up(match)
            command = None if known is None else mended_clock(known.match, outage)
            if known is not None and command is not None:
                own.append(self._own(match, known.match.version, "extend", command))
        now = self._store.now()
        self._submit(own, now)
        if not self._unmended:
            self._store.heartbeat(now)
            self._beaten = now
            self._outage = None
        return len(matches)
