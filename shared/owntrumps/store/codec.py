"""How entries and commands are written, and the hash chain over what was written.

An entry is written as canonical JSON: UTF-8, keys sorted, no white space,
``{"at": RFC3339, "events": […], "schema": n, "version": n}``. Its chain hash is
``HMAC-SHA-256(chain key, hash of the entry before (hex, "" before the first) + the entry's canonical JSON)``, hex;
the key follows from the match's seed (`owntrumps.game.chance.chain_key`). Stored names are the literals below.
"""

import hmac
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from owntrumps.game import commands, events, terms
from owntrumps.game.log import Entry
from owntrumps.game.moments import iso, millis_of
from owntrumps.game.terms import Millis, Version
from owntrumps.store.json_values import MalformedDataError, from_json, register_union, to_json
from owntrumps.store.upcasts import LATEST_SCHEMA, UnknownSchemaError, upcast

EVENT_TYPES: Final[Mapping[str, type]] = {
    "match-created": events.MatchCreated,
    "seat-taken": events.SeatTaken,
    "trump-declared": events.TrumpDeclared,
    "match-started": events.MatchStarted,
    "deal-dealt": events.DealDealt,
    "trumps-turned": events.TrumpsTurned,
    "cards-exchanged": events.CardsExchanged,
    "card-led": events.CardLed,
    "top-beaten": events.TopBeaten,
    "pile-taken": events.PileTaken,
    "pile-discarded": events.PileDiscarded,
    "deal-lost": events.DealLost,
    "deal-drawn": events.DealDrawn,
    "seat-left": events.SeatLeft,
    "seat-regained": events.SeatRegained,
    "clock-set": events.ClockSet,
    "turn-warned": events.TurnWarned,
    "match-lost": events.MatchLost,
    "match-drawn": events.MatchDrawn,
    "match-aborted": events.MatchAborted,
}
COMMAND_TYPES: Final[Mapping[str, type]] = {
    "create-match": commands.CreateMatch,
    "take-seat": commands.TakeSeat,
    "declare-trump": commands.DeclareTrump,
    "make-move": commands.MakeMove,
    "resign": commands.Resign,
    "expire": commands.Expire,
    "extend-clock": commands.ExtendClock,
    "abort-match": commands.AbortMatch,
}
ACTOR_TYPES: Final[Mapping[str, type]] = {"player": terms.ByPlayer, "bot": terms.ByBot, "server": terms.ByServer}

register_union(events.Event, EVENT_TYPES)
register_union(commands.Command, COMMAND_TYPES)
register_union(terms.Actor, ACTOR_TYPES)

_canonical = msgspec.json.Encoder(order="sorted")


def event_json(event: events.Event) -> dict[str, Any]:
    """``{"type": NAME, fields…}``."""
    written: dict[str, Any] = to_json(event, events.Event)
    return written


def entry_json(entry: Entry) -> dict[str, Any]:
    """The entry as clients see it: in the latest schema, its chain hash included."""
    return {**_written(entry.version, entry.at, entry.events), "chain": entry.chain}


def recorded_json(entry: Entry) -> dict[str, Any]:
    """The entry as records keep it: as it was written, so that its hash can be checked."""
    return entry_json(entry) if entry.older is None else {**entry.older, "chain": entry.chain}


def _written(version: Version, at: Millis, happened: Sequence[events.Event]) -> dict[str, Any]:
    return {
        "version": version,
        "at": iso(at),
        "schema": LATEST_SCHEMA,
        "events": [event_json(event) for event in happened],
    }


def canonical_json(value: object) -> bytes:
    """UTF-8, keys sorted, no white space."""
    return _canonical.encode(value)


def chain_hash(key: bytes, before: str, payload: bytes) -> str:
    """The chain hash (64 hex digits) of an entry's canonical JSON after the entry whose hash is ``before``."""
    return hmac.digest(key, before.encode() + payload, "sha256").hex()


def write_entry(
    key: bytes, before: str, version: Version, at: Millis, happened: Sequence[events.Event]
) -> tuple[bytes, Entry]:
    """The canonical JSON to store and the entry it stands for. ``key`` is the match's chain key."""
    payload = canonical_json(_written(version, at, happened))
    return payload, Entry(version, at, tuple(happened), chain_hash(key, before, payload))


def read_entry(payload: bytes | str, chain: str) -> Entry:
    """The entry of a stored payload; MalformedDataError or UnknownSchemaError if it is none of ours."""
    try:
        written = msgspec.json.decode(payload)
    except msgspec.DecodeError as error:
        raise MalformedDataError(f"an entry is not JSON: {error}") from None
    return entry_of(written, chain)


def entry_of(written: object, chain: str) -> Entry:
    """The entry of its JSON value (without ``chain``)."""
    if not isinstance(written, dict) or written.keys() != {"version", "at", "schema", "events"}:
        raise MalformedDataError("an entry has exactly the fields version, at, schema, events")
    version, schema, happened = written["version"], written["schema"], written["events"]
    if type(version) is not int or type(schema) is not int or not isinstance(happened, list):
        raise MalformedDataError("an entry's version and schema are whole numbers, its events a list")
    try:
        at = millis_of(written["at"])
    except (ValueError, TypeError, AttributeError):
        raise MalformedDataError(f"{written['at']!r} is not a moment") from None
    told = tuple(from_json(event, events.Event) for event in upcast(schema, happened))
    return Entry(Version(version), at, told, chain, None if schema == LATEST_SCHEMA else written)


def write_command(command: commands.Command) -> bytes:
    """A command as JSON, for the inbox."""
    return canonical_json(to_json(command, commands.Command))


def read_command(payload: bytes | str) -> commands.Command:
    """The command of its JSON; MalformedDataError if it is none."""
    try:
        written = msgspec.json.decode(payload)
    except msgspec.DecodeError as error:
        raise MalformedDataError(f"a command is not JSON: {error}") from None
    command: commands.Command = from_json(written, commands.Command)
    return command


__all__ = [
    "MalformedDataError",
    "UnknownSchemaError",
    "canonical_json",
    "chain_hash",
    "entry_json",
    "entry_of",
    "event_json",
    "read_command",
    "read_entry",
    "recorded_json",
    "write_command",
    "write_entry",
]
