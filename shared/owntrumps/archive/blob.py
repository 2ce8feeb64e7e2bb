"""A whole log as one value: a byte that says the format (1), and the zlib-compressed payloads, one a line.

Canonical JSON holds no line feed. The chain hashes are not kept, since they are two thirds of what does not compress:
a log that is over reveals its seed, so each hash follows from the payloads. The last one stands in a column of its own,
and a log that does not lead to it was damaged.
"""

import zlib
from collections.abc import Sequence
from typing import Final

from owntrumps.archive.errors import DamagedLogError, UnfitLogError
from owntrumps.game.chance import chain_key
from owntrumps.game.events import MatchCreated
from owntrumps.game.terms import Version
from owntrumps.store.codec import MalformedDataError, UnknownSchemaError, chain_hash, read_entry
from owntrumps.store.port import StoredEntry

FORMAT: Final = b"\x01"
_LEVEL: Final = 9
"""A tenth smaller than level 6; it still costs less than folding the log does."""


def pack_log(entries: Sequence[StoredEntry]) -> bytes:
    """The value; UnfitLogError unless the versions run from 1 and every hash follows from the log itself."""
    payloads = [entry.payload for entry in entries]
    if [entry.version for entry in entries] != [*range(1, len(entries) + 1)]:
        raise UnfitLogError("the versions of its entries do not run from 1 without a gap")
    if any(b"\n" in payload for payload in payloads):
        raise UnfitLogError("a payload is not canonical JSON")
    for entry, chain in zip(entries, _chains(payloads), strict=True):
        if entry.chain != chain:
            raise UnfitLogError(f"the hash of entry {entry.version} does not follow from the one before")
    return FORMAT + zlib.compress(b"\n".join(payloads), _LEVEL)


def unpack_log(packed: bytes, chain: str) -> list[StoredEntry]:
    """The entries; DamagedLogError if this is no value of `pack_log`, or its chain does not end with ``chain``."""
    if not packed.startswith(FORMAT):
        raise DamagedLogError(f"format {packed[:1].hex()} is not {FORMAT.hex()}")
    try:
        payloads = zlib.decompress(packed[len(FORMAT) :]).split(b"\n")
        chains = _chains(payloads)
    except (zlib.error, UnfitLogError) as error:
        raise DamagedLogError(str(error)) from error
    if chains[-1] != chain:
        raise DamagedLogError("its hash chain does not end as it did")
    return [
        StoredEntry(Version(version), payload, its_chain)
        for version, (payload, its_chain) in enumerate(zip(payloads, chains, strict=True), start=1)
    ]


def _chains(payloads: Sequence[bytes]) -> list[str]:
    """Every entry's hash, which follows from the seed that the first entry tells."""
    key, before, chains = _key_of(payloads), "", []
    for payload in payloads:
        before = chain_hash(key, before, payload)
        chains.append(before)
    return chains


def _key_of(payloads: Sequence[bytes]) -> bytes:
    try:
        first = read_entry(payloads[0], "").events[0] if payloads else None
    except (MalformedDataError, UnknownSchemaError, IndexError) as error:
        raise UnfitLogError(f"its first entry cannot be read: {error}") from error
    seed = first.terms.seed if isinstance(first, MatchCreated) else None
    if seed is None:
        raise UnfitLogError("its first entry does not create a match and tell its seed")
    return chain_key(seed)
