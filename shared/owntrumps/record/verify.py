"""Checking a record without trust in the server that made it.

Everything is decided again: for each entry the command that must have led to it is inferred, and `handle` must give the
very same events from the state before. So one mechanism covers the legality of plays, deals and turned-up trumps (which
follow from the revealed seed and nonces), exchanges, results and the end of the match.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from owntrumps.game.chance import chain_key, commitment_of
from owntrumps.game.commands import (
    AbortMatch,
    Command,
    CreateMatch,
    DeclareTrump,
    MakeMove,
    Resign,
    TakeSeat,
)
from owntrumps.game.events import (
    CardLed,
    CardsExchanged,
    ClockSet,
    DealDealt,
    DealDrawn,
    DealLost,
    Event,
    MatchAborted,
    MatchCreated,
    MatchDrawn,
    MatchLost,
    MatchStarted,
    PileDiscarded,
    PileTaken,
    SeatLeft,
    SeatRegained,
    SeatTaken,
    TopBeaten,
    TrumpDeclared,
    TrumpsTurned,
    TurnWarned,
)
from owntrumps.game.evolve import CorruptLogError
from owntrumps.game.log import Entry, fold_entry, handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, Match, NoMatch, is_over
from owntrumps.game.terms import ByServer, Version
from owntrumps.record.build import FORMAT, record_of
from owntrumps.rules.plays import TAKE, Play
from owntrumps.store.codec import canonical_json, chain_hash, entry_of, event_json
from owntrumps.store.json_values import MalformedDataError
from owntrumps.store.upcasts import UnknownSchemaError


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a record. ``entry`` is the version of the entry at fault, None for the record as a whole."""

    code: str
    entry: int | None
    detail: str

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "entry": self.entry, "detail": self.detail}


_CODES: Final[dict[type, str]] = {
    MatchCreated: "wrong-creation",
    MatchStarted: "wrong-start",
    DealDealt: "wrong-deal",
    TrumpsTurned: "wrong-trumps",
    CardsExchanged: "wrong-exchange",
    CardLed: "illegal-play",
    TopBeaten: "illegal-play",
    PileTaken: "illegal-play",
    PileDiscarded: "wrong-discard",
    DealLost: "wrong-result",
    DealDrawn: "wrong-result",
    MatchLost: "wrong-result",
    MatchDrawn: "wrong-result",
    MatchAborted: "wrong-result",
}
"""What it is called when an event of this type is not the one that must stand there."""

_SUMMARY: Final = ("match", "ruleset", "games", "seats", "trumps", "deals", "losses", "result", "fairness", "chain")


def verify(record: object) -> list[Problem]:
    """What is wrong with a record's JSON; an empty list if it is whole, finished, fair and legal to the last play."""
    return list(_problems(record))


def _problems(record: object) -> Iterator[Problem]:
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        yield Problem("not-a-record", None, f"a record is an object whose format is {FORMAT!r}")
        return
    if not _is_writable(record):
        yield Problem("not-a-record", None, "it holds what no JSON can: half a character, or a number out of bounds")
        return
    written = record.get("entries")
    if not isinstance(written, list) or not written:
        yield Problem("no-entries", None, "a record has a list of entries, and the first one creates the match")
        return
    seed = _revealed_seed(written)
    if seed is None:
        yield Problem(
            "unfinished", None, "the last entry reveals no seed: the match is not over, or its end is missing"
        )
        return
    yield from _chain_problems(written, chain_key(seed))
    entries, problem = _read_entries(written)
    match, problems = _replay(entries, seed)
    yield from problems
    if problem is not None:
        yield problem
    elif match is not None:
        yield from _end_problems(record, match, entries)


def _is_writable(record: dict[str, Any]) -> bool:
    """Whether its canonical JSON exists: Python's own reader lets through lone surrogates."""
    try:
        canonical_json(record)
    except (ValueError, OverflowError, RecursionError):
        return False
    return True


def _revealed_seed(written: Sequence[Any]) -> str | None:
    """The seed that the last entry reveals."""
    last = written[-1]
    events = last.get("events") if isinstance(last, dict) else None
    event = events[-1] if isinstance(events, list) and events else None
    seed = event.get("seed") if isinstance(event, dict) else None
    is_hex = isinstance(seed, str) and len(seed) == 64 and not set(seed) - set("0123456789abcdef")
    return seed if is_hex else None


def _chain_problems(written: Sequence[Any], key: bytes) -> Iterator[Problem]:
    before = ""
    for index, entry in enumerate(written):
        if not isinstance(entry, dict) or not isinstance(entry.get("chain"), str):
            yield Problem("malformed-entry", index + 1, "an entry is an object with its chain hash")
            return
        payload = canonical_json({name: value for name, value in entry.items() if name != "chain"})
        if entry.get("version") != index + 1:
            yield Problem(
                "wrong-version", index + 1, f"version {entry.get('version')!r} stands where {index + 1} belongs"
            )
        if chain_hash(key, before, payload) != entry["chain"]:
            yield Problem("broken-chain", index + 1, "the hash does not follow from this entry and the hash before it")
        before = entry["chain"]


def _read_entries(written: Sequence[Any]) -> tuple[list[Entry], Problem | None]:
    """The entries up to the first that cannot be read, and what is wrong with that one."""
    entries: list[Entry] = []
    for index, entry in enumerate(written):
        try:
            if not isinstance(entry, dict):
                raise MalformedDataError(f"{entry!r} is not an object")
            plain = {name: value for name, value in entry.items() if name != "chain"}
            entries.append(entry_of(plain, str(entry.get("chain"))))
        except (MalformedDataError, UnknownSchemaError) as error:
            return entries, Problem("malformed-entry", index + 1, str(error))
    return entries, None


def _replay(entries: Sequence[Entry], seed: str) -> tuple[Match | None, list[Problem]]:
    """The match after the entries with what is wrong on the way; None if an entry cannot follow at all."""
    match, problems = EMPTY, list[Problem]()
    for number, entry in enumerate(entries, start=1):
        known = _with_seed(entry, seed)
        try:
            problem = _entry_problem(match, known)
            if problem is not None:
                problems.append(Problem(problem.code, number, problem.detail))
            match = fold_entry(match, replace(known, version=Version(match.version + 1)))
        except (CorruptLogError, LookupError, ValueError, StopIteration) as error:
            # A forged event may name seats and cards that are not there.
            problems.append(Problem("impossible-event", number, str(error)))
            return None, problems
    return match, problems


def _with_seed(entry: Entry, seed: str) -> Entry:
    """The entry as the authority wrote it: a log that is over shows the seed in event 1 as well."""
    return replace(
        entry,
        events=tuple(
            replace(event, terms=replace(event.terms, seed=seed)) if isinstance(event, MatchCreated) else event
            for event in entry.events
        ),
    )


def _entry_problem(match: Match, entry: Entry) -> Problem | None:
    """What is wrong with the entry, given the match before it."""
    if not entry.events:
        return Problem("malformed-entry", None, "an entry holds at least one event")
    first = entry.events[0]
    if isinstance(first, MatchCreated) and commitment_of(first.terms.seed or "") != first.terms.commitment:
        return Problem("wrong-seed", None, "the revealed seed is not the one committed to")
    command = _command_of(match, entry)
    if command is None:
        return None
    decided = handle(match, command)
    if isinstance(decided, Refusal):
        code = decided.slug if decided.slug == "match-over" else _CODES.get(type(first), "impossible-event")
        return Problem(code, None, decided.detail)
    expected, found = _timeless(decided), _timeless(entry.events)
    for index in range(max(len(expected), len(found))):
        must = expected[index] if index < len(expected) else None
        is_there = found[index] if index < len(found) else None
        if must != is_there:
            blamed = must if must is not None else is_there
            detail = f"{_told(is_there)} stands where {_told(must)} follows from the log, the seed and the rules"
            return Problem(_CODES.get(type(blamed), "impossible-event"), None, detail)
    return None


def _told(event: Event | None) -> str:
    return "nothing" if event is None else canonical_json(event_json(event)).decode()


def _timeless(events: Sequence[Event]) -> list[Event]:
    """The events without those that depend on how long a server lets people think."""
    return [event for event in events if not isinstance(event, ClockSet | TurnWarned)]


def _command_of(match: Match, entry: Entry) -> Command | None:
    """The command that must have led to the entry; None where it was the server's own clock or an operator, whose
    doings follow from nothing in the log and are only folded."""
    state, first = match.state, entry.events[0]
    match first:
        case MatchCreated():
            return CreateMatch(
                entry.at,
                first.terms.match,
                first.terms.ruleset,
                first.terms.ruleset_name,
                first.seats,
                first.terms.seed or "",
                first.terms.games,
                first.terms.turn_seconds,
                first.terms.on_timeout,
                first.terms.private,
                first.terms.creator,
            )
        case SeatTaken():
            return TakeSeat(entry.at, first.player, first.name, first.trump, first.nonce)
        case SeatRegained():
            return TakeSeat(entry.at, first.player, "")
        case TrumpDeclared():
            player = None if isinstance(state, NoMatch) else state.seats[first.seat].player
            return None if player is None else DeclareTrump(entry.at, player, first.trump)
        case SeatLeft() if first.reason == "resigned" and not isinstance(state, NoMatch):
            player = state.seats[first.seat].player
            return None if player is None else Resign(entry.at, player)
        case MatchAborted():
            return AbortMatch(entry.at, ByServer(), first.reason)
        case ClockSet() | TurnWarned() | SeatLeft():
            return None
        case _:
            plays = tuple(_plays_of(entry.events))
            return MakeMove(entry.at, ByServer(), plays or (TAKE,))


def _plays_of(events: Sequence[Event]) -> Iterator[Play]:
    for event in events:
        if isinstance(event, CardLed | TopBeaten):
            yield event.card
        elif isinstance(event, PileTaken):
            yield TAKE


def _end_problems(record: dict[str, Any], match: Match, entries: Sequence[Entry]) -> Iterator[Problem]:
    """Whether the match is over, and whether the record's summary says what its log says."""
    if not is_over(match.state):
        yield Problem("unfinished", None, "the log does not reach the end of the match")
        return
    try:
        summary = record_of(match, entries)
    except (LookupError, ValueError) as error:
        # Events that could be folded may still speak of seats and cards that do not fit together.
        yield Problem("wrong-summary", None, f"nothing can be told from this log ({error})")
        return
    for name in _SUMMARY:
        if record.get(name) != summary[name]:
            yield Problem("wrong-summary", None, f"{name} is not what the log says")
