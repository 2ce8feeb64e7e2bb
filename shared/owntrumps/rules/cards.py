"""Cards and sets of cards.

A card is an integer ``suit * 13 + rank`` (0..51); suits ``c d h s`` are 0..3, ranks ``2..A`` are 0..12.
A set of cards is a bit mask with bit ``card`` set, so ascending bits are the canonical order: c d h s, then rank.
"""

from collections.abc import Iterable
from typing import NewType

Card = NewType("Card", int)
CardSet = NewType("CardSet", int)
Suit = NewType("Suit", int)
Seat = NewType("Seat", int)

SUITS = "cdhs"
RANKS = "23456789TJQKA"
RANKS_PER_SUIT = len(RANKS)
ACE = RANKS.index("A")
NO_CARDS = CardSet(0)

_NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS = {name: Card(index) for index, name in enumerate(_NAMES)}
_SUITS = {name: Suit(index) for index, name in enumerate(SUITS)}
_SUIT_MASKS = tuple(CardSet(((1 << RANKS_PER_SUIT) - 1) << (suit * RANKS_PER_SUIT)) for suit in range(len(SUITS)))


class MalformedCardError(ValueError):
    """A text that names no card or no suit; the message quotes it."""


def parse_card(text: object) -> Card:
    """The card named by rank then suit.

    >>> parse_card("Th") == Card(2 * 13 + 8)
    True

    Raises:
        MalformedCardError: the text names no card.
    """
    card = _CARDS.get(text) if isinstance(text, str) else None
    if card is None:
        raise MalformedCardError(f"{text!r} is not a card: write rank then suit, such as '7c' or 'Th'")
    return card


def parse_suit(text: object) -> Suit:
    """The suit named by one letter of ``cdhs``; raises MalformedCardError otherwise."""
    suit = _SUITS.get(text) if isinstance(text, str) else None
    if suit is None:
        raise MalformedCardError(f"{text!r} is not a suit: write one of c, d, h, s")
    return suit


def card_name(card: Card) -> str:
    """Rank then suit, such as ``Th``."""
    return _NAMES[card]


def suit_name(suit: Suit) -> str:
    """One letter of ``cdhs``."""
    return SUITS[suit]


def suit_of(card: Card) -> Suit:
    return Suit(card // RANKS_PER_SUIT)


def rank_of(card: Card) -> int:
    """0 for a two up to 12 for an ace."""
    return card % RANKS_PER_SUIT


def card_at(suit: Suit, rank: int) -> Card:
    return Card(suit * RANKS_PER_SUIT + rank)


def suit_mask(suit: Suit) -> CardSet:
    """Every card of the suit, 2 to ace, whatever the pack."""
    return _SUIT_MASKS[suit]


def higher_in_suit(card: Card) -> CardSet:
    """The cards of the same suit with a higher rank."""
    return CardSet(_SUIT_MASKS[card // RANKS_PER_SUIT] & -(2 << card))


def cards_of(cards: CardSet) -> list[Card]:
    """The members in canonical order: c d h s, then rank."""
    members = []
    rest = int(cards)
    while rest:
        low = rest & -rest
        members.append(Card(low.bit_length() - 1))
        rest ^= low
    return members


def mask_of(cards: Iterable[Card]) -> CardSet:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return CardSet(mask)


def names_of(cards: CardSet) -> list[str]:
    """The members' names in canonical order."""
    return [_NAMES[card] for card in cards_of(cards)]


def pack(size: int) -> CardSet:
    """The cards of a pack of 24 (9-A), 32 (7-A), 36 (6-A) or 52 (2-A)."""
    ranks = size // len(SUITS)
    low = RANKS_PER_SUIT - ranks
    return mask_of(card_at(Suit(suit), rank) for suit in range(len(SUITS)) for rank in range(low, RANKS_PER_SUIT))
