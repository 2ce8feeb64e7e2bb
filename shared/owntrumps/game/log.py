"""Log entries: one decision each. Folding them, and handling one command against a match."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from owntrumps.game.commands import Command
from owntrumps.game.decide import decide
from owntrumps.game.events import Event
from owntrumps.game.evolve import CorruptLogError, evolve_all
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, Match
from owntrumps.game.terms import Millis, Version


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision: its version (from 1, without gaps), its moment, its events and its place in the hash chain (hex,
    see `owntrumps.store.codec.chain_hash`).

    ``older`` is its JSON where an earlier schema wrote it, full: what the hash was taken over.
    """

    version: Version
    at: Millis
    events: tuple[Event, ...]
    chain: str
    older: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)


def fold_entry(match: Match, entry: Entry) -> Match:
    """The match after the entry; CorruptLogError if the entry is not the next one or an event cannot follow."""
    if entry.version != match.version + 1:
        raise CorruptLogError(f"entry {entry.version} cannot follow version {match.version}")
    return Match(entry.version, entry.at, entry.chain, evolve_all(match.state, entry.events))


def fold(entries: Iterable[Entry], match: Match = EMPTY) -> Match:
    """The match that a whole log, or the rest of one, leads to."""
    for entry in entries:
        match = fold_entry(match, entry)
    return match


def handle(match: Match, command: Command) -> tuple[Event, ...] | Refusal:
    """The events of the next entry, or the refusal."""
    decided = decide(match, command)
    return decided if isinstance(decided, Refusal) else tuple(decided)
