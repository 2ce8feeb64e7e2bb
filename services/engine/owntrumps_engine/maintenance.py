"""`rebuild` and `check`: the materialised states against the logs they follow from, also beside living engines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from owntrumps.game.log import Entry, fold_entry
from owntrumps.game.state import EMPTY, Match
from owntrumps.game.terms import MatchId, Version
from owntrumps.store.codec import chain_hash, read_entry
from owntrumps.store.matches import PAGE
from owntrumps.store.port import MatchReader
from owntrumps.store.state_codec import write_state
from owntrumps_engine.decisions import FAULTS, where
from owntrumps_engine.known import chain_key_of

Finding = Literal["good", "missing", "different", "moving", "unreadable"]
"""``missing``: no state is there, which harms nothing. ``moving``: the match went on whenever it was looked at."""

_ATTEMPTS: Final = 5


class MaintainedStore(MatchReader, Protocol):
    """What maintenance needs of a store."""

    def put_state(self, match: MatchId, state: bytes, *, at_version: Version) -> bool: ...

    def drop_state(self, match: MatchId) -> None: ...


@dataclass(frozen=True, slots=True)
class Report:
    """What became of one match, and how many entries its log has. ``detail`` is for people."""

    match: MatchId
    finding: Finding
    entries: int
    detail: str = ""

    @property
    def bad(self) -> bool:
        """Whether somebody must look at it."""
        return self.finding in {"different", "unreadable"}


class BrokenChainError(ValueError):
    """An entry whose hash does not follow from the one before."""


def refold_verified(store: MatchReader, match: MatchId) -> Match:
    """The match as its log alone tells it; BrokenChainError where the hash chain does not hold."""
    folded, key = EMPTY, b""
    while True:
        page = store.entries(match, after=folded.version, limit=PAGE)
        for stored in page:
            entry: Entry = read_entry(stored.payload, stored.chain)
            before, folded = folded, fold_entry(folded, entry)
            key = key or chain_key_of(folded)
            if chain_hash(key, before.chain, stored.payload) != stored.chain:
                raise BrokenChainError(f"the hash of entry {entry.version} does not follow from the one before")
        if len(page) < PAGE:
            return folded


def rebuild(store: MaintainedStore, matches: Sequence[MatchId]) -> Iterator[Report]:
    """Drop each match's state and write it anew from the log alone."""
    return (_reported(match, store, _rebuild) for match in matches)


def check(store: MaintainedStore, matches: Sequence[MatchId]) -> Iterator[Report]:
    """Compare each match's state with what its log alone tells, and verify the log's chain. Changes nothing."""
    return (_reported(match, store, _check) for match in matches)


def _reported(match: MatchId, store: MaintainedStore, work: Callable[[MaintainedStore, MatchId], Report]) -> Report:
    try:
        return work(store, match)
    except BrokenChainError as error:
        return Report(match, "unreadable", 0, str(error))
    except FAULTS as error:
        return Report(match, "unreadable", 0, where(error))


def _rebuild(store: MaintainedStore, match: MatchId) -> Report:
    folded = EMPTY
    for _ in range(_ATTEMPTS):
        store.drop_state(match)
        folded = refold_verified(store, match)
        if not folded.version:
            return Report(match, "missing", 0, "it has left the store")
        if store.put_state(match, write_state(folded), at_version=folded.version):
            return Report(match, "good", folded.version)
    return Report(match, "moving", folded.version, "its next decision writes the state")


def _check(store: MaintainedStore, match: MatchId) -> Report:
    folded = EMPTY
    for _ in range(_ATTEMPTS):
        state = store.state(match)
        folded = refold_verified(store, match)
        if not folded.version:
            return Report(match, "missing", 0, "it has left the store")
        if state == write_state(folded):
            return Report(match, "good", folded.version)
        # State and log change in one step: the same state before and after means that no entry came in between.
        if state == store.state(match):
            if state is None:
                return Report(match, "missing", folded.version, "no state; it is refolded when it is needed")
            return Report(match, "different", folded.version, "the state does not follow from the log: rebuild it")
    return Report(match, "moving", folded.version, "it goes on too quickly to be compared")
