"""From a known match and a submission to the one step that makes the decision durable, or to its refusal."""

import traceback
from dataclasses import dataclass, replace
from typing import Final

from owntrumps.game.chance import chain_key
from owntrumps.game.commands import Command, CreateMatch
from owntrumps.game.evolve import CorruptLogError
from owntrumps.game.log import handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import AbortedMatch, FinishedMatch, Match, NoMatch, OpenMatch, PlayingMatch
from owntrumps.game.terms import MatchId, Millis, PlayerId, Version
from owntrumps.store.codec import write_entry
from owntrumps.store.ids import is_command_id, is_match_id, shard_of
from owntrumps.store.port import (
    Accepted,
    CommandId,
    Commit,
    Delivery,
    MatchIndex,
    Outcome,
    Status,
    StoredEntry,
    Submission,
)
from owntrumps.store.state_codec import write_state
from owntrumps_engine.config import EngineConfig
from owntrumps_engine.deadlines import bot_turn_of, due_of
from owntrumps_engine.known import Known, after_entry

FAULTS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    CorruptLogError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What a bug in pure code, or data that it cannot have written, raises. Everything else (memory, signals, the store) is
no fault of the command's."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An accepted command: what to commit, and the match once that is done."""

    commit: Commit
    after: Known

    @property
    def match(self) -> MatchId:
        return self.commit.outcome.match


class UndecidableError(Exception):
    """A command that deciding chokes on. The message says where, never what: a log line shows no card."""


def decide_on(
    known: Known, submission: Submission, delivery: Delivery | None, now: Millis, config: EngineConfig
) -> Decision | Refusal:
    """The decision on a submission in the match as it is known.

    Raises:
        UndecidableError: the core, or the codec, failed on it.
    """
    try:
        return _decide_on(known, submission, delivery, now, config)
    except FAULTS as error:
        raise UndecidableError(where(error)) from error


def _decide_on(
    known: Known, submission: Submission, delivery: Delivery | None, now: Millis, config: EngineConfig
) -> Decision | Refusal:
    command = _not_before(known.match, submission.command)
    if isinstance(command, CreateMatch) and command.match != submission.match:
        raise ValueError("a match is created under the id that the submission names")
    events = handle(known.match, command)
    if isinstance(events, Refusal):
        return events
    key = chain_key(command.seed) if isinstance(command, CreateMatch) else known.key
    version = Version(known.match.version + 1)
    payload, entry = write_entry(key, known.match.chain, version, command.at, events)
    after = after_entry(known, entry, key)
    commit = Commit(
        delivery=delivery,
        outcome=Outcome(submission.id, submission.match, submission.fingerprint, Accepted(version)),
        entry=StoredEntry(version, payload, entry.chain),
        state=write_state(after.match),
        index=index_of(after),
        due=due_of(after.match, now, config),
        bot_turn=bot_turn_of(after.match),
    )
    return Decision(commit, after)


def _not_before(match: Match, command: Command) -> Command:
    """The command at its own moment or, so that time never runs backwards in a match, at that of the last entry."""
    return command if command.at >= match.at else replace(command, at=match.at)


def refusal_outcome(submission: Submission, refusal: Refusal) -> Outcome:
    return Outcome(submission.id, submission.match, submission.fingerprint, refusal)


def parked_outcome(delivery: Delivery, detail: str) -> Outcome | None:
    """The answer to a command that is put aside; None where nobody can be answered."""
    if delivery.submission is not None:
        return refusal_outcome(delivery.submission, Refusal("undecidable", detail))
    command, match = delivery.raw.get("id", ""), delivery.raw.get("match", "")
    if not is_command_id(command) or not is_match_id(match) or shard_of(MatchId(match)) != delivery.shard:
        return None
    fingerprint = delivery.raw.get("fingerprint", "")
    return Outcome(CommandId(command), MatchId(match), fingerprint, Refusal("undecidable", detail))


def index_of(known: Known) -> MatchIndex:
    """What lists show of the match; ValueError if there is none."""
    state = known.match.state
    if isinstance(state, NoMatch):
        raise ValueError("a match that does not exist is in no list")
    to_move: PlayerId | None = None
    if isinstance(state, PlayingMatch):
        terms = state.seats[state.board.deal.position.turn]
        to_move = terms.player if terms.kind == "player" else None
    return MatchIndex(
        status=status_of(known.match),
        ruleset_name=state.terms.ruleset_name,
        private=state.terms.private,
        created_at=known.created_at,
        players=tuple(seat.player for seat in state.seats if seat.player is not None),
        to_move=to_move,
    )


def status_of(match: Match) -> Status:
    match match.state:
        case OpenMatch():
            return "open"
        case FinishedMatch():
            return "finished"
        case AbortedMatch():
            return "aborted"
        case _:
            return "playing"


def where(error: BaseException) -> str:
    """The kind of an error and the line it came from. Its message may quote what a log must not show."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
