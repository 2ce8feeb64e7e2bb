"""Chance that anybody can recompute: everything random in a match follows from its seed and the players' nonces.

The derivation uses HMAC-SHA-256 and nothing else. It is described for other implementations in docs/fairness.md:

    commitment = SHA-256(seed)                                           seed: 32 bytes
    key        = HMAC(seed, "owntrumps/1/mix" NL match NL "0:nonce" NL "1:nonce" …)   seats without a nonce: "0:"
    block i    = HMAC(key, label "/" i)            i = 0, 1, …; eight big-endian 32-bit words each
    below(n)   = the first word w < floor(2^32 / n) * n, modulo n        (so every value is equally likely)
    shuffle    = Fisher-Yates from the last index down: swap i with below(i + 1)

The chain of a log is keyed with HMAC(seed, "owntrumps/1/chain"), and a private match's link is
HMAC(seed, "owntrumps/1/link").
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Final, TypeVar

from owntrumps.rules.cards import Card, Suit, card_at, cards_of, pack
from owntrumps.rules.rulesets import Ruleset

T = TypeVar("T")

SEED_BYTES: Final = 32
_WORD: Final = 1 << 32
_DOMAIN: Final = "owntrumps/1"


def _hmac(key: bytes, message: str) -> bytes:
    return hmac.digest(key, message.encode(), "sha256")


def commitment_of(seed: str) -> str:
    """SHA-256 of the seed's bytes, as 64 hex digits; the seed is 64 hex digits."""
    return sha256(bytes.fromhex(seed)).hexdigest()


def mixed_key(seed: str, match: str, nonces: Sequence[str | None]) -> bytes:
    """The key of every draw in the match: the seed mixed with one nonce a seat (None: none given)."""
    lines = [f"{_DOMAIN}/mix", match, *(f"{seat}:{nonce or ''}" for seat, nonce in enumerate(nonces))]
    return _hmac(bytes.fromhex(seed), "\n".join(lines))


def chain_key(seed: str) -> bytes:
    """The key of the log's hash chain. It stays secret until the seed is revealed, since an unkeyed hash of a deal
    could be searched for the hidden hands."""
    return _hmac(bytes.fromhex(seed), f"{_DOMAIN}/chain")


def link_key(seed: str) -> str:
    """The secret part of a private match's link, 32 hex digits."""
    return _hmac(bytes.fromhex(seed), f"{_DOMAIN}/link").hex()[:32]


class Draws:
    """The unbiased draws under one label, in order."""

    def __init__(self, key: bytes, label: str) -> None:
        self._words = _words(key, label)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        limit = _WORD // bound * bound
        return next(word for word in self._words if word < limit) % bound

    def shuffled(self, items: Sequence[T]) -> list[T]:
        result = list(items)
        for index in range(len(result) - 1, 0, -1):
            other = self.below(index + 1)
            result[index], result[other] = result[other], result[index]
        return result


def _words(key: bytes, label: str) -> Iterator[int]:
    for index in count():
        block = _hmac(key, f"{label}/{index}")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")


def first_dealer(key: bytes, seats: int) -> int:
    return Draws(key, "dealer").below(seats)


def trumps_for_all(key: bytes, chosen: Sequence[Suit | None]) -> tuple[Suit, ...]:
    """The chosen trumps, and for each seat without one, in seat order, a free suit drawn from the key."""
    draws = Draws(key, "trumps")
    free = [Suit(suit) for suit in range(4) if suit not in chosen]
    return tuple(free.pop(draws.below(len(free))) if trump is None else trump for trump in chosen)


def shuffled_pack(key: bytes, game: int, ruleset: Ruleset) -> list[Card]:
    """The pack in the order of dealing for deal number ``game`` (from 1)."""
    return Draws(key, f"deal/{game}").shuffled(cards_of(pack(ruleset.deck)))


def mirrored_hands(
    key: bytes, game: int, ruleset: Ruleset, trumps: tuple[Suit, ...], dealer: int
) -> tuple[list[Card], list[Card]]:
    """Challenge's deal, by seat, each hand in canonical order.

    The draws under ``mirror/<game>``: below(2) pairs the lower free suit with the dealer's trump (0) or with the
    opponent's (1); then below(2) for every rank, low to high, of the dealer's trump and after that of its partner
    says whether the dealer gets that card (1) or the same rank of the opponent's suit (0).
    """
    draws = Draws(key, f"mirror/{game}")
    mine, other = trumps[dealer], trumps[1 - dealer]
    free = [Suit(suit) for suit in range(4) if suit not in trumps]
    partner, other_partner = free if draws.below(2) == 0 else reversed(free)
    low = 13 - ruleset.deck // 4
    dealt: tuple[list[Card], list[Card]] = ([], [])
    for own_suit, opposite in ((mine, other), (partner, other_partner)):
        for rank in range(low, 13):
            own = draws.below(2) == 1
            dealt[dealer].append(card_at(own_suit if own else opposite, rank))
            dealt[1 - dealer].append(card_at(opposite if own else own_suit, rank))
    return sorted(dealt[0]), sorted(dealt[1])
