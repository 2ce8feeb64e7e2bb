"""The port: everything services may ask of the place where matches live.

One contract suite (tests/store) runs over every implementation. All of a match's data is in the shard its id begins
with; one `commit` is atomic. Moments are milliseconds since 1970-01-01 UTC.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NewType, Protocol

from owntrumps.game.commands import Command
from owntrumps.game.refusals import Refusal
from owntrumps.game.terms import MatchId, Millis, PlayerId, Version
from owntrumps.rules.cards import Seat
from owntrumps.store.seeks import Seeks

SHARDS: Final = 16
"""How many shards a new store has; a match id begins with its shard, two digits."""

Shard = NewType("Shard", int)
CommandId = NewType("CommandId", str)
"""An idempotency key, made unique to its caller: ``[A-Za-z0-9_-]{1,128}``."""
Status = Literal["open", "playing", "finished", "aborted"]


class StoreUnavailableError(Exception):
    """The store cannot be reached, or did not answer in time. Whether a write happened is unknown; retrying is safe."""


class UnknownMatchError(LookupError):
    """No match has this id."""


@dataclass(frozen=True, slots=True)
class Submission:
    """A command on its way to the engine. ``fingerprint`` stands for the caller's whole request: the same id with
    another fingerprint is a mistake of the caller's."""

    id: CommandId
    match: MatchId
    command: Command
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command became the entry of this version."""

    version: Version


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a submission, kept by its id: for a day where it has a fingerprint, else (bots, the engine) for
    minutes (`owntrumps.store.outcomes`)."""

    id: CommandId
    match: MatchId
    fingerprint: str
    answer: Accepted | Refusal


@dataclass(frozen=True, slots=True)
class Delivery:
    """A submission as the inbox handed it to one consumer, to be committed, refused or parked.

    ``submission`` is None for bytes that are no submission; ``raw`` are the bytes. ``times`` counts deliveries.
    """

    shard: Shard
    delivery_id: str
    submission: Submission | None
    raw: Mapping[str, str]
    times: int = 1


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as written: its canonical JSON and its chain hash (hex)."""

    version: Version
    payload: bytes
    chain: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A submission's outcome, and what shows it: the entry that it became and the match's state as it is now."""

    outcome: Outcome | None
    entry: StoredEntry | None
    state: bytes | None


@dataclass(frozen=True, slots=True)
class BotTurn:
    """Whose move a commit left to a bot."""

    seat: Seat
    level: str


@dataclass(frozen=True, slots=True)
class MatchIndex:
    """What lists of matches are filtered by."""

    status: Status
    ruleset_name: str
    private: bool
    created_at: Millis
    players: tuple[PlayerId, ...]
    to_move: PlayerId | None


@dataclass(frozen=True, slots=True)
class Commit:
    """One decision to make durable: refused as a whole unless the log ends at ``entry.version - 1``.

    ``due`` is when the engine must look at the match again (None: never). ``bot_turn`` goes into the notice.
    """

    delivery: Delivery | None
    outcome: Outcome
    entry: StoredEntry
    state: bytes
    index: MatchIndex
    due: Millis | None
    bot_turn: BotTurn | None


CommitResult = Literal["committed", "conflict", "duplicate"]
"""`conflict`: the log has moved on, reload and decide again. `duplicate`: the id has an outcome already."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One line of a shard's feed: a commit (``version``) or a refusal (``version`` None) of a submission.

    ``cursor`` is the feed's own position (a stream id); ``to_move`` is the person whom a commit left to move. What is
    told again because its submission came again has no ``status``, ``bot_turn`` and ``to_move``; a reminder of a bot's
    turn has the command ``""``.
    """

    shard: Shard
    cursor: str
    match: MatchId
    command: CommandId
    version: Version | None
    status: Status | None
    bot_turn: BotTurn | None
    to_move: PlayerId | None = None


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A line of a list of matches. ``version`` is not kept here: read the match for it."""

    match: MatchId
    index: MatchIndex


@dataclass(frozen=True, slots=True)
class Player:
    """A registered player. ``token_hash`` is SHA-256 (hex) of the secret part of the token."""

    id: PlayerId
    name: str
    token_hash: str
    created_at: Millis


class Inbox(Protocol):
    """The way in."""

    def submit(self, submissions: Sequence[Submission]) -> None:
        """Append the submissions to their shards' inboxes. Submitting one twice is harmless: it has one outcome."""

    def outcome(self, match: MatchId, command: CommandId) -> Outcome | None:
        """The answer to a submission, None while there is none (or no longer)."""

    def answers(self, asked: Sequence[tuple[MatchId, CommandId, Version | None]]) -> list[Answered]:
        """The outcomes of submissions, in one round trip with the entries of the versions that a notice said they
        became, and the states of their matches (None, None where no version is given)."""


class EngineStore(Protocol):
    """What only the engine does."""

    def receive(self, consumer: str, *, limit: int, block_ms: int) -> list[Delivery]:
        """New submissions of any shard for this consumer of the engine's group; [] after ``block_ms`` without one.

        The shards share ``limit``, but each may hand out one: at most the greater of ``limit`` and `SHARDS`.
        """

    def claim(self, consumer: str, *, idle_ms: int, limit: int) -> list[Delivery]:
        """Submissions that any consumer received at least ``idle_ms`` ago and nobody settled."""

    def commit(self, commits: Sequence[Commit]) -> list[CommitResult]:
        """Each commit atomically, in order, in one round trip: log entry, state, outcome, feed, due, lists, ack.

        A `duplicate` acknowledges its delivery and tells the feed again; a `conflict` changes nothing.
        """

    def refuse(self, delivery: Delivery, outcome: Outcome) -> None:
        """Record the refusal (unless the id has an outcome), tell the feed, acknowledge: one atomic step."""

    def park(self, delivery: Delivery, reason: str, outcome: Outcome | None) -> None:
        """Put a poison command aside (`dead`), with an outcome where its id is known, and acknowledge it."""

    def due(self, now: Millis, *, limit: int) -> list[MatchId]:
        """Matches whose moment has come, earliest first."""

    def postpone(self, match: MatchId, when: Millis | None, *, at_version: Version) -> None:
        """Set or clear the match's due moment, unless the log has moved past ``at_version``."""

    def notify_bot(self, match: MatchId, version: Version, bot_turn: BotTurn) -> None:
        """Tell the feed once more that a bot is to move."""

    def heartbeat(self, now: Millis) -> Millis | None:
        """Record that an engine is alive; the moment of the last beat before, None if there was none."""

    def put_state(self, match: MatchId, state: bytes, *, at_version: Version) -> bool:
        """Write a refolded state, unless the log is at another version; whether it was written."""

    def drop_state(self, match: MatchId) -> None:
        """Delete the materialised state; the log stays."""

    def match_ids(self) -> Sequence[MatchId]:
        """Every match that lives here, for `rebuild` and `check`."""


class MatchReader(Protocol):
    """The authority's data. Nothing read here leaves a service but through `owntrumps.views`."""

    def state(self, match: MatchId) -> bytes | None:
        """The materialised state's bytes; None if there are none (the log may still exist)."""

    def entries(self, match: MatchId, *, after: Version, limit: int) -> list[StoredEntry]:
        """The log's entries with a version greater than ``after``, ascending; [] for an unknown match."""


class Feed(Protocol):
    """What just happened, for those who wait. A notice may repeat and old ones are dropped: the log is the truth."""

    def tail(self) -> Mapping[Shard, str]:
        """Each shard's newest cursor."""

    def notices(self, cursors: Mapping[Shard, str], *, block_ms: int) -> list[Notice]:
        """Notices after the cursors, in each shard's order; [] after ``block_ms`` without one."""

    def receive_notices(self, group: str, consumer: str, *, limit: int, block_ms: int) -> list[Notice]:
        """Notices for one consumer of a group (each goes to one of them), until `settle_notices`; ``limit`` as in
        `receive`. A new group begins with the oldest notices kept."""

    def claim_notices(self, group: str, consumer: str, *, idle_ms: int, limit: int) -> list[Notice]:
        """Notices that any consumer of the group received at least ``idle_ms`` ago and nobody settled."""

    def settle_notices(self, group: str, notices: Sequence[Notice]) -> None:
        """Acknowledge them."""


class Lists(Protocol):
    """Which matches there are."""

    def matches(
        self,
        *,
        status: Status | None,
        ruleset: str | None,
        player: PlayerId | None,
        cursor: str | None,
        limit: int,
    ) -> tuple[list[MatchSummary], str | None]:
        """Newest first, private ones only for their ``player``; the cursor of the next page, None at the end.

        Raises ValueError for a cursor that is none of ours.
        """

    def turns_of(self, player: PlayerId) -> list[MatchId]:
        """The matches that wait for this player's move, the longest waiting first."""


class Archiving(Protocol):
    """How matches that are over leave for the archive."""

    def ended(self, until: Millis, *, limit: int) -> list[MatchId]:
        """Matches that were over at that moment and are still here, private ones too, those that ended first first."""

    def forget(self, match: MatchId, *, at_version: Version) -> bool:
        """Remove everything of a match that is over, unless its log is at another version; whether it was removed.

        Outcomes stay until they expire.
        """


class Players(Protocol):
    """Registered players."""

    def add_player(self, player: Player) -> None:
        """Register; ValueError if the id is taken."""

    def player(self, player: PlayerId) -> Player | None: ...

    def revoke(self, player: PlayerId) -> None:
        """Make the player's token worthless: its hash becomes ``""``, which no token has."""


class Store(Inbox, EngineStore, MatchReader, Feed, Lists, Archiving, Players, Protocol):
    """Everything."""

    @property
    def seeks(self) -> Seeks:
        """Where players look for strangers to play with."""

    def ping(self) -> None:
        """Return if the store answers, else raise StoreUnavailableError."""

    def now(self) -> Millis:
        """The store's clock."""

    def close(self) -> None:
        """Give up the connections."""
