"""Settling a batch: every submission ends as a committed entry, a recorded refusal, or put aside.

A batch goes in waves. A wave holds at most one decision for each match, and all its commits go out in one call; what
else the batch holds for a match is decided in the next wave, on top of what this one committed. Were two decisions on
one match sent together, the second could follow a stranger's entry where the first was beaten to it.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from owntrumps.game.refusals import Refusal
from owntrumps.game.terms import MatchId, Millis
from owntrumps.store.port import CommandId, CommitResult, Delivery, EngineStore, MatchReader, Submission
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.decisions import (
    FAULTS,
    Decision,
    UndecidableError,
    decide_on,
    parked_outcome,
    refusal_outcome,
    where,
)
from owntrumps_engine.known import Cache, Known, catch_up, load
from owntrumps_engine.metrics import Metrics

log = structlog.get_logger("owntrumps.engine")


class SettlingStore(EngineStore, MatchReader, Protocol):
    """What settling needs of a store."""


@dataclass(slots=True)
class _Line:
    """What a batch holds for one match, in order. ``known`` is None before it is looked up; ``current`` says that it
    was seen in the store after the batch was received."""

    waiting: deque[tuple[Submission, Delivery | None]] = field(default_factory=deque)
    known: Known | None = None
    current: bool = False


class Settler:
    """Decides and commits. Holds the cache of known matches; not thread-safe."""

    def __init__(self, store: SettlingStore, config: EngineConfig, metrics: Metrics) -> None:
        self._store = store
        self._config = config
        self._metrics = metrics
        self.cache = Cache(config.cached_matches)

    def settle(self, deliveries: Iterable[Delivery], now: Millis) -> None:
        """Settle what the inbox handed out."""
        readable: list[tuple[Submission, Delivery | None]] = []
        for delivery in deliveries:
            if delivery.submission is None:
                self._park(delivery, "these bytes are no submission")
            elif delivery.times > self._config.max_deliveries:
                self._park(delivery, f"delivered {delivery.times} times and never settled")
            else:
                readable.append((delivery.submission, delivery))
        self._settle(readable, now)

    def submit_own(self, submissions: Sequence[Submission], now: Millis) -> list[Submission]:
        """Decide and commit the engine's own commands; those that had become pointless are returned."""
        return self._settle([(submission, None) for submission in submissions], now)

    def look_up(self, match: MatchId) -> Known:
        """The match as the store has it now."""
        known = self._cached(match)
        known = load(self._store, match) if known is None else catch_up(self._store, match, known)
        self.cache.put(match, known)
        return known

    def _settle(self, work: Sequence[tuple[Submission, Delivery | None]], now: Millis) -> list[Submission]:
        lines: dict[MatchId, _Line] = {}
        for submission, delivery in work:
            lines.setdefault(submission.match, _Line()).waiting.append((submission, delivery))
        attempts: dict[CommandId, int] = {}
        pointless: list[Submission] = []
        while lines:
            wave = [decision for match, line in lines.items() if (decision := self._next(match, line, now, pointless))]
            results = self._store.commit([decision.commit for decision in wave]) if wave else []
            for decision, result in zip(wave, results, strict=True):
                self._learn(lines[decision.match], decision, result, attempts, pointless)
            lines = {match: line for match, line in lines.items() if line.waiting}
        self._metrics.cached.set(len(self.cache))
        return pointless

    def _next(self, match: MatchId, line: _Line, now: Millis, pointless: list[Submission]) -> Decision | None:
        """The next decision on a match that is to be committed; refusals before it are settled here."""
        while line.waiting:
            submission, delivery = line.waiting[0]
            try:
                answer = self._decide(match, line, submission, delivery, now)
            except UndecidableError as error:
                if delivery is not None:
                    self._park(delivery, str(error))
                else:
                    pointless.append(submission)
                    log.critical("own-command-undecidable", match=match, command=submission.id, at=str(error))
            else:
                if isinstance(answer, Decision):
                    return answer
                self._refuse(submission, delivery, answer, pointless)
            line.waiting.popleft()
        return None

    def _decide(
        self, match: MatchId, line: _Line, submission: Submission, delivery: Delivery | None, now: Millis
    ) -> Decision | Refusal:
        """The decision on the match as the cache has it; a refusal only on the match as the store has it."""
        try:
            if line.known is None:
                line.known = self._cached(match)
            if line.known is None:
                line.known, line.current = load(self._store, match), True
            answer = decide_on(line.known, submission, delivery, now, self._config)
            if isinstance(answer, Refusal) and not line.current:
                line.known, line.current = catch_up(self._store, match, line.known), True
                answer = decide_on(line.known, submission, delivery, now, self._config)
        except FAULTS as error:
            line.known = None
            self.cache.drop([match])
            raise UndecidableError(f"the match cannot be read: {where(error)}") from error
        return answer

    def _cached(self, match: MatchId) -> Known | None:
        known = self.cache.get(match)
        self._metrics.lookups.labels("yes" if known else "no").inc()
        return known

    def _learn(
        self,
        line: _Line,
        decision: Decision,
        result: CommitResult,
        attempts: dict[CommandId, int],
        pointless: list[Submission],
    ) -> None:
        """What a commit's result says about the match and about what is left to do."""
        submission, delivery = line.waiting[0]
        if result == "committed":
            line.known, line.current = decision.after, True
            self.cache.put(decision.match, decision.after)
            self._count(submission, "accepted")
            line.waiting.popleft()
            return
        self.cache.drop([decision.match])
        line.known, line.current = None, False
        if result == "duplicate":
            line.waiting.popleft()
            return
        self._metrics.conflicts.inc()
        tries = attempts[submission.id] = attempts.get(submission.id, 0) + 1
        if tries > self._config.conflict_retries:
            refusal = Refusal("busy", "other decisions on this match were quicker, again and again; try again")
            self._refuse(submission, delivery, refusal, pointless)
            line.waiting.popleft()

    def _refuse(
        self, submission: Submission, delivery: Delivery | None, refusal: Refusal, pointless: list[Submission]
    ) -> None:
        if delivery is None:
            pointless.append(submission)
            return
        self._store.refuse(delivery, refusal_outcome(submission, refusal))
        self._count(submission, refusal.slug)

    def _park(self, delivery: Delivery, reason: str) -> None:
        self._store.park(
            delivery, reason, parked_outcome(delivery, "the command could not be decided and was put aside")
        )
        self._metrics.parked.inc()
        log.error("parked", shard=delivery.shard, delivery=delivery.delivery_id, times=delivery.times, reason=reason)

    def _count(self, submission: Submission, answer: str) -> None:
        self._metrics.commands.labels(type(submission.command).__name__, answer).inc()
