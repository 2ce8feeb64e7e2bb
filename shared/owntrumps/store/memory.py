"""The store in this process's memory: for tests, for play without a server, and as the port's plainest reading.

Thread-safe; blocking reads wait on one condition. Nothing is copied or encoded: all values are immutable.
"""

import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from threading import Condition
from typing import Final, TypeVar

from owntrumps.game.terms import MatchId, Millis, PlayerId, Version
from owntrumps.store.ids import row_of, shard_of
from owntrumps.store.memory_groups import Group
from owntrumps.store.memory_lists import MemoryLists
from owntrumps.store.outcomes import OUTCOME_TTL_SECONDS, seconds_kept
from owntrumps.store.port import (
    SHARDS,
    Accepted,
    Answered,
    BotTurn,
    CommandId,
    Commit,
    CommitResult,
    Delivery,
    MatchSummary,
    Notice,
    Outcome,
    Player,
    Shard,
    Status,
    StoredEntry,
    StoreUnavailableError,
    Submission,
)
from owntrumps.store.seeks_memory import MemorySeeks

T = TypeVar("T")

FEED_LENGTH: Final = 10_000
"""Notices kept for each shard."""


def wall_clock() -> Millis:
    return Millis(time.time_ns() // 1_000_000)


class MemoryStore:
    """``clock`` gives the moment, also that by which outcomes expire and deliveries count as idle."""

    def __init__(
        self, clock: Callable[[], Millis] = wall_clock, *, outcome_ttl_seconds: int = OUTCOME_TTL_SECONDS
    ) -> None:
        self._clock = clock
        self._ttl_seconds = outcome_ttl_seconds
        self._changed = Condition()
        self._closed = False
        self._last_id = 0
        self._inbox: dict[tuple[Shard, int], tuple[Submission | None, Mapping[str, str]]] = {}
        self._engines = Group()
        self._dead: list[tuple[Delivery, str]] = []
        self._logs: dict[MatchId, list[StoredEntry]] = {}
        self._states: dict[MatchId, bytes] = {}
        self._outcomes: dict[tuple[Shard, CommandId], tuple[Millis, Outcome]] = {}
        self._feeds: dict[Shard, deque[tuple[int, Notice]]] = {
            Shard(shard): deque(maxlen=FEED_LENGTH) for shard in range(SHARDS)
        }
        self._groups: defaultdict[str, Group] = defaultdict(Group)
        self._due: dict[MatchId, Millis] = {}
        self._lists = MemoryLists()
        self._beat: Millis | None = None
        self._beat_before: Millis | None = None
        self._players: dict[PlayerId, Player] = {}
        self.seeks = MemorySeeks(clock)

    # The way in

    def submit(self, submissions: Sequence[Submission]) -> None:
        with self._held():
            for submission in submissions:
                raw = {"id": submission.id, "match": submission.match, "fingerprint": submission.fingerprint}
                self._inbox[shard_of(submission.match), self._next_id()] = (submission, raw)
            self._changed.notify_all()

    def append_raw(self, shard: Shard, raw: Mapping[str, str]) -> None:
        """Put something that is no submission into an inbox, as a broken client could."""
        with self._changed:
            self._inbox[shard, self._next_id()] = (None, dict(raw))
            self._changed.notify_all()

    def outcome(self, match: MatchId, command: CommandId) -> Outcome | None:
        with self._held():
            return self._outcome(shard_of(match), command)

    def answers(self, asked: Sequence[tuple[MatchId, CommandId, Version | None]]) -> list[Answered]:
        with self._held():
            return [self._answered(*ask) for ask in asked]

    # The engine

    def receive(self, consumer: str, *, limit: int, block_ms: int) -> list[Delivery]:
        def take() -> list[Delivery]:
            taken = self._engines.take(self._inbox, consumer, self._clock(), limit)
            return [self._delivery(shard, id_, 1) for shard, id_ in taken]

        return self._wait(take, block_ms)

    def claim(self, consumer: str, *, idle_ms: int, limit: int) -> list[Delivery]:
        with self._held():
            claimed = self._engines.claim(consumer, self._clock(), idle_ms, limit)
            return [self._delivery(shard, id_, times) for shard, id_, times in claimed]

    def commit(self, commits: Sequence[Commit]) -> list[CommitResult]:
        with self._held():
            results = [self._commit(commit) for commit in commits]
            self._changed.notify_all()
            return results

    def refuse(self, delivery: Delivery, outcome: Outcome) -> None:
        with self._held():
            self._record(outcome)
            self._settle_delivery(delivery)
            self._changed.notify_all()

    def park(self, delivery: Delivery, reason: str, outcome: Outcome | None) -> None:
        with self._held():
            self._dead.append((delivery, reason))
            if outcome is not None:
                self._record(outcome)
            self._settle_delivery(delivery)
            self._changed.notify_all()

    def parked(self) -> list[tuple[Delivery, str]]:
        """What was put aside, with the reasons."""
        with self._changed:
            return list(self._dead)

    def due(self, now: Millis, *, limit: int) -> list[MatchId]:
        with self._held():
            ripe = sorted((when, match) for match, when in self._due.items() if when <= now)
            return [match for _, match in ripe[:limit]]

    def postpone(self, match: MatchId, when: Millis | None, *, at_version: Version) -> None:
        with self._held():
            if self._version(match) <= at_version:
                self._set_due(match, when)

    def notify_bot(self, match: MatchId, version: Version, bot_turn: BotTurn) -> None:
        with self._held():
            self._tell(match, CommandId(""), version, "playing", bot_turn)
            self._changed.notify_all()

    def heartbeat(self, now: Millis) -> Millis | None:
        with self._held():
            if now != self._beat:
                self._beat_before, self._beat = self._beat, now
            return self._beat_before

    def put_state(self, match: MatchId, state: bytes, *, at_version: Version) -> bool:
        with self._held():
            current = self._version(match) == at_version
            if current:
                self._states[match] = state
            return current

    def drop_state(self, match: MatchId) -> None:
        with self._held():
            self._states.pop(match, None)

    def match_ids(self) -> Sequence[MatchId]:
        with self._held():
            return sorted(self._logs)

    # The data

    def state(self, match: MatchId) -> bytes | None:
        with self._held():
            return self._states.get(match)

    def entries(self, match: MatchId, *, after: Version, limit: int) -> list[StoredEntry]:
        with self._held():
            return self._logs.get(match, [])[after : after + limit]

    # The feed

    def tail(self) -> Mapping[Shard, str]:
        with self._held():
            return {shard: notices[-1][1].cursor if notices else "0-0" for shard, notices in self._feeds.items()}

    def notices(self, cursors: Mapping[Shard, str], *, block_ms: int) -> list[Notice]:
        def read() -> list[Notice]:
            return [
                notice
                for shard, cursor in cursors.items()
                for id_, notice in self._feeds[shard]
                if id_ > _number(cursor)
            ]

        return self._wait(read, block_ms)

    def receive_notices(self, group: str, consumer: str, *, limit: int, block_ms: int) -> list[Notice]:
        def take() -> list[Notice]:
            kept = self._kept_notices()
            return [kept[key] for key in self._groups[group].take(kept, consumer, self._clock(), limit)]

        return self._wait(take, block_ms)

    def claim_notices(self, group: str, consumer: str, *, idle_ms: int, limit: int) -> list[Notice]:
        with self._held():
            claimed = self._groups[group].claim(consumer, self._clock(), idle_ms, limit)
            kept = self._kept_notices()
            return [kept[shard, id_] for shard, id_, _ in claimed if (shard, id_) in kept]

    def settle_notices(self, group: str, notices: Sequence[Notice]) -> None:
        with self._held():
            for notice in notices:
                self._groups[group].settle((notice.shard, _number(notice.cursor)))

    # Lists

    def matches(
        self,
        *,
        status: Status | None,
        ruleset: str | None,
        player: PlayerId | None,
        cursor: str | None,
        limit: int,
    ) -> tuple[list[MatchSummary], str | None]:
        before = None if cursor is None else row_of(cursor)
        with self._held():
            return self._lists.page(status, ruleset, player, before, limit)

    def turns_of(self, player: PlayerId) -> list[MatchId]:
        with self._held():
            return self._lists.turns_of(player)

    def ended(self, until: Millis, *, limit: int) -> list[MatchId]:
        with self._held():
            return self._lists.ended(until, limit)

    def forget(self, match: MatchId, *, at_version: Version) -> bool:
        with self._held():
            if match not in self._lists.ended_at or self._version(match) != at_version:
                return False
            self._lists.remove(match)
            for held in (self._logs, self._states, self._due):
                held.pop(match, None)
            return True

    # Players

    def add_player(self, player: Player) -> None:
        with self._held():
            if player.id in self._players:
                raise ValueError(f"there is a player {player.id!r} already")
            self._players[player.id] = player

    def player(self, player: PlayerId) -> Player | None:
        with self._held():
            return self._players.get(player)

    def revoke(self, player: PlayerId) -> None:
        with self._held():
            if player in self._players:
                self._players[player] = replace(self._players[player], token_hash="")

    def ping(self) -> None:
        with self._held():
            return

    def now(self) -> Millis:
        return self._clock()

    def close(self) -> None:
        """Every later call, and every reader that waits now, raises StoreUnavailableError."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # Inside; what has no lock of its own is called with the lock held

    @contextmanager
    def _held(self) -> Iterator[None]:
        with self._changed:
            self._check_open()
            yield

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailableError("the memory store is closed")

    def _wait(self, take: Callable[[], list[T]], block_ms: int) -> list[T]:
        """What ``take`` finds, as soon as it finds anything."""
        ends = time.monotonic() + block_ms / 1000
        with self._changed:
            while True:
                self._check_open()
                found = take()
                left = ends - time.monotonic()
                if found or left <= 0:
                    return found
                self._changed.wait(left)

    def _next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def _delivery(self, shard: Shard, id_: int, times: int) -> Delivery:
        submission, raw = self._inbox[shard, id_]
        return Delivery(shard, f"{id_}-0", submission, raw, times)

    def _settle_delivery(self, delivery: Delivery | None) -> None:
        if delivery is not None:
            key = (delivery.shard, _number(delivery.delivery_id))
            self._engines.settle(key)
            self._inbox.pop(key, None)

    def _outcome(self, shard: Shard, command: CommandId) -> Outcome | None:
        expires, outcome = self._outcomes.get((shard, command), (Millis(0), None))
        return outcome if expires > self._clock() else None

    def _answered(self, match: MatchId, command: CommandId, version: Version | None) -> Answered:
        outcome = self._outcome(shard_of(match), command)
        if version is None:
            return Answered(outcome, None, None)
        entries = self._logs.get(match, [])[version - 1 : version]
        return Answered(outcome, entries[0] if entries else None, self._states.get(match))

    def _record(self, outcome: Outcome) -> bool:
        """Keep the outcome unless its id has one, and tell the feed of the one that counts."""
        shard = shard_of(outcome.match)
        known = self._outcome(shard, outcome.id)
        if known is None:
            self._keep(shard, outcome)
        answer = (known or outcome).answer
        self._tell(outcome.match, outcome.id, answer.version if isinstance(answer, Accepted) else None, None, None)
        return known is None

    def _keep(self, shard: Shard, outcome: Outcome) -> None:
        """Keep the outcome, and let go of two that have expired: so there are never many of those."""
        now = self._clock()
        for key in [*islice(self._outcomes, 2)]:
            if self._outcomes[key][0] <= now:
                del self._outcomes[key]
        expires = Millis(now + seconds_kept(outcome, self._ttl_seconds) * 1000)
        self._outcomes[shard, outcome.id] = (expires, outcome)

    def _tell(
        self,
        match: MatchId,
        command: CommandId,
        version: Version | None,
        status: Status | None,
        bot_turn: BotTurn | None,
        to_move: PlayerId | None = None,
    ) -> None:
        shard, id_ = shard_of(match), self._next_id()
        notice = Notice(shard, f"{id_}-0", match, command, version, status, bot_turn, to_move)
        self._feeds[shard].append((id_, notice))

    def _kept_notices(self) -> dict[tuple[Shard, int], Notice]:
        return {(shard, id_): notice for shard, notices in self._feeds.items() for id_, notice in notices}

    def _version(self, match: MatchId) -> int:
        return len(self._logs.get(match, ()))

    def _commit(self, commit: Commit) -> CommitResult:
        outcome, match = commit.outcome, commit.outcome.match
        shard = shard_of(match)
        if self._outcome(shard, outcome.id) is not None:
            self._record(outcome)
            self._settle_delivery(commit.delivery)
            return "duplicate"
        if self._version(match) != commit.entry.version - 1:
            return "conflict"
        self._logs.setdefault(match, []).append(commit.entry)
        self._states[match] = commit.state
        self._keep(shard, outcome)
        self._tell(match, outcome.id, commit.entry.version, commit.index.status, commit.bot_turn, commit.index.to_move)
        self._set_due(match, commit.due)
        self._lists.put(match, commit.index, self._clock())
        self._settle_delivery(commit.delivery)
        return "committed"

    def _set_due(self, match: MatchId, when: Millis | None) -> None:
        if when is None:
            self._due.pop(match, None)
        else:
            self._due[match] = when


def _number(cursor: str) -> int:
    """The counter in a cursor or delivery id of this store."""
    return int(cursor.partition("-")[0])
