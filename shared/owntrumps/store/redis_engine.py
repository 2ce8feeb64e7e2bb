"""The way into Redis and what the engine does there: submissions, deliveries, commits, deadlines."""

from collections.abc import Mapping, Sequence
from typing import Final

from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.store import keys, scripts, wire
from owntrumps.store.ids import list_row, shard_of
from owntrumps.store.outcomes import seconds_kept
from owntrumps.store.port import (
    Answered,
    BotTurn,
    CommandId,
    Commit,
    CommitResult,
    Delivery,
    Outcome,
    Shard,
    Submission,
)
from owntrumps.store.redis_link import Command, Run, Word
from owntrumps.store.redis_part import RedisPart, earliest
from owntrumps.store.wire import Fields

_RESULTS: Final[Mapping[bytes, CommitResult]] = {
    b"committed": "committed",
    b"conflict": "conflict",
    b"duplicate": "duplicate",
}
_INBOXES: Final = {keys.inbox(shard): shard for shard in keys.ALL_SHARDS}


class RedisEngine(RedisPart):
    """The parts `Inbox` and `EngineStore` of the port."""

    def submit(self, submissions: Sequence[Submission]) -> None:
        commands: list[Command] = []
        for submission in submissions:
            fields: list[Word] = []
            for name, value in wire.submission_fields(submission).items():
                fields += (name, value)
            commands.append(("XADD", keys.inbox(shard_of(submission.match)), "*", *fields))
        self._link.pipeline(commands)
        if self._link.is_cluster and submissions:
            self._link.call("PUBLISH", keys.INBOX_BELL, "")

    def outcome(self, match: MatchId, command: CommandId) -> Outcome | None:
        value = self._link.call("GET", keys.outcome(match, command))
        return None if value is None else wire.outcome_of(command, value)

    def answers(self, asked: Sequence[tuple[MatchId, CommandId, Version | None]]) -> list[Answered]:
        commands: list[Command] = []
        for match, command, version in asked:
            commands.append(("GET", keys.outcome(match, command)))
            if version is not None:
                commands.append(("XRANGE", keys.log(match), f"{version}-0", f"{version}-0"))
                commands.append(("GET", keys.state(match)))
        found = iter(self._link.pipeline(commands))
        answers = []
        for _, command, version in asked:
            value = next(found)
            outcome = None if value is None else wire.outcome_of(command, value)
            entries, state = (next(found), next(found)) if version is not None else ([], None)
            answers.append(Answered(outcome, wire.entry_of(*entries[0]) if entries else None, state))
        return answers

    def receive(self, consumer: str, *, limit: int, block_ms: int) -> list[Delivery]:
        found = self._groups.read(
            _INBOXES, keys.ENGINE_GROUP, consumer, limit=limit, block_ms=block_ms, bell=keys.INBOX_BELL
        )
        return [_delivery(_INBOXES[stream], id_, fields, 1) for stream, id_, fields in found]

    def claim(self, consumer: str, *, idle_ms: int, limit: int) -> list[Delivery]:
        found = self._groups.claim(_INBOXES, keys.ENGINE_GROUP, consumer, idle_ms=idle_ms, limit=limit)
        return [_delivery(_INBOXES[stream], id_, fields, times) for stream, id_, fields, times in found]

    def commit(self, commits: Sequence[Commit]) -> list[CommitResult]:
        answers = self._link.run_many(scripts.COMMIT, [self._commit_run(commit) for commit in commits])
        return [_RESULTS[answer] for answer in answers]

    def _commit_run(self, commit: Commit) -> Run:
        outcome, entry, index = commit.outcome, commit.entry, commit.index
        match = outcome.match
        shard = shard_of(match)
        script_keys = (
            keys.log(match),
            keys.state(match),
            keys.outcome(match, outcome.id),
            keys.feed(shard),
            keys.due(shard),
            keys.index(shard),
            keys.inbox(shard),
        )
        args: tuple[Word, ...] = (
            keys.prefix(shard),
            self._bell(keys.FEED_BELL),
            match,
            list_row(index.created_at, match),
            entry.version,
            *wire.entry_fields(entry),
            commit.state,
            outcome.id,
            wire.outcome_value(outcome),
            seconds_kept(outcome, self._outcome_ttl_seconds),
            index.status,
            wire.bot_turn_text(commit.bot_turn),
            index.to_move or "",
            "" if commit.due is None else commit.due,
            wire.index_value(index),
            "" if commit.delivery is None else commit.delivery.delivery_id,
        )
        return script_keys, args

    def refuse(self, delivery: Delivery, outcome: Outcome) -> None:
        self._settle(delivery, outcome, ())

    def park(self, delivery: Delivery, reason: str, outcome: Outcome | None) -> None:
        poison: list[Word] = [reason]
        for name, value in delivery.raw.items():
            poison += (name, value)
        self._settle(delivery, outcome, poison)

    def _settle(self, delivery: Delivery, outcome: Outcome | None, poison: Sequence[Word]) -> None:
        shard = delivery.shard
        match, command = (MatchId(""), CommandId("")) if outcome is None else (outcome.match, outcome.id)
        script_keys = (
            f"{keys.prefix(shard)}outcome:{command}",
            keys.feed(shard),
            keys.inbox(shard),
            keys.dead(shard),
        )
        args: tuple[Word, ...] = (
            self._bell(keys.FEED_BELL),
            match,
            command,
            "" if outcome is None else wire.outcome_value(outcome),
            0 if outcome is None else seconds_kept(outcome, self._outcome_ttl_seconds),
            delivery.delivery_id,
            *poison,
        )
        self._link.run(scripts.SETTLE, script_keys, args)

    def due(self, now: Millis, *, limit: int) -> list[MatchId]:
        return earliest(self._link, keys.due, now, limit)

    def postpone(self, match: MatchId, when: Millis | None, *, at_version: Version) -> None:
        script_keys = (keys.log(match), keys.due(shard_of(match)))
        self._link.run(scripts.POSTPONE, script_keys, (at_version, match, "" if when is None else when))

    def notify_bot(self, match: MatchId, version: Version, bot_turn: BotTurn) -> None:
        args = (self._bell(keys.FEED_BELL), match, version, wire.bot_turn_text(bot_turn))
        self._link.run(scripts.NOTIFY, (keys.feed(shard_of(match)),), args)

    def heartbeat(self, now: Millis) -> Millis | None:
        before = self._link.run(scripts.HEARTBEAT, (keys.HEARTBEAT,), (now,))
        return None if before is None else Millis(int(before))

    def put_state(self, match: MatchId, state: bytes, *, at_version: Version) -> bool:
        script_keys = (keys.log(match), keys.state(match))
        return bool(self._link.run(scripts.PUT_STATE, script_keys, (at_version, state)))

    def drop_state(self, match: MatchId) -> None:
        self._link.call("UNLINK", keys.state(match))

    def match_ids(self) -> Sequence[MatchId]:
        answers = self._link.pipeline([("HKEYS", keys.index(shard)) for shard in keys.ALL_SHARDS])
        return sorted(MatchId(member.decode()) for answer in answers for member in answer)


def _delivery(shard: Shard, id_: bytes, fields: Fields, times: int) -> Delivery:
    raw = wire.raw_fields(fields)
    return Delivery(shard, id_.decode(), wire.submission_of(shard, raw), raw, times)
