"""The deals of an arena: from a seed and a number to trumps, hands and leader, the same for all who play them."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from owntrumps.rules.cards import Card, CardSet, Seat, Suit, card_at, cards_of, mask_of, pack, suit_of
from owntrumps.rules.deal import Deal, begin
from owntrumps.rules.position import Hand, Position, Table
from owntrumps.rules.rulesets import Ruleset


@dataclass(frozen=True, slots=True)
class Start:
    """A deal before its first lead."""

    table: Table
    deal: Deal


def turned_up(
    hands: Sequence[Sequence[Card]], leader: int, direction: int
) -> tuple[tuple[Suit, ...], tuple[CardSet, ...]]:
    """By seat: the trump, and the cards turned up from the top of the dealt hand until one is of a free suit."""
    trumps: dict[int, Suit] = {}
    shown: dict[int, CardSet] = {}
    for i in range(len(hands)):
        seat = (leader + i * direction) % len(hands)
        free = [Suit(suit) for suit in range(4) if suit not in trumps.values()]
        turned: list[Card] = []
        trump = None
        for card in reversed(hands[seat]):
            turned.append(card)
            if suit_of(card) in free:
                trump = suit_of(card)
                break
        trumps[seat] = free[0] if trump is None else trump
        shown[seat] = mask_of(turned)
    return tuple(trumps[seat] for seat in range(len(hands))), tuple(shown[seat] for seat in range(len(hands)))


def _mirrored(ruleset: Ruleset, trumps: Sequence[Suit], dealer: int, chance: Random) -> list[CardSet]:
    """Challenge's deal: each gets a random set of ranks of the own two suits, and the rest of the other's."""
    free = [Suit(suit) for suit in range(4) if suit not in trumps]
    chance.shuffle(free)
    hands = [0, 0]
    for pair in ((trumps[dealer], trumps[1 - dealer]), (free[0], free[1])):
        for rank in range(13 - ruleset.deck // 4, 13):
            own = chance.random() < 0.5
            for seat, suit in ((dealer, pair[not own]), (1 - dealer, pair[own])):
                hands[seat] |= 1 << card_at(suit, rank)
    return [CardSet(hand) for hand in hands]


def start_of(ruleset: Ruleset, seed: int, number: int) -> Start:
    """Deal ``number`` of the seed's: dealer, cards and declared trumps by chance."""
    chance = Random(f"{seed}/{number}")
    seats = ruleset.seats
    dealer = chance.randrange(seats)
    leader = dealer if ruleset.first_leader == "dealer" else (dealer + ruleset.direction) % seats
    trumps = tuple(Suit(suit) for suit in chance.sample(range(4), seats))
    cards = cards_of(pack(ruleset.deck))
    chance.shuffle(cards)
    dealt: list[list[Card]] = [[] for _ in range(seats)]
    for i, card in enumerate(cards):
        dealt[(dealer + ruleset.direction * (i + 1)) % seats].append(card)
    hands = [mask_of(hand) for hand in dealt]
    shown = tuple(CardSet(0) for _ in hands)
    if ruleset.trump_choice == "turned":
        trumps, shown = turned_up(dealt, leader, ruleset.direction)
    if ruleset.deal == "mirrored":
        hands = _mirrored(ruleset, trumps, dealer, chance)
        shown = tuple(hands)
    if ruleset.low_card_exchange:
        hands, shown = _exchanged(ruleset, trumps, hands, shown)
    position = Position(
        tuple(Hand(hand, 0, seen) for hand, seen in zip(hands, shown, strict=True)), (), Seat(leader), "lead"
    )
    return Start(Table(ruleset, trumps), begin(position))


def _exchanged(
    ruleset: Ruleset, trumps: Sequence[Suit], hands: Sequence[CardSet], shown: Sequence[CardSet]
) -> tuple[list[CardSet], tuple[CardSet, ...]]:
    """Hands and seen cards after each trump suit's lowest card went, in everybody's sight, to its owner."""
    after, seen = [int(hand) for hand in hands], [int(cards) for cards in shown]
    for receiver, trump in enumerate(trumps):
        bit = 1 << card_at(trump, 13 - ruleset.deck // 4)
        giver = next(seat for seat, hand in enumerate(hands) if hand & bit)
        if giver != receiver:
            after[giver] ^= bit
            after[receiver] |= bit
            seen[giver] &= ~bit
            seen[receiver] |= bit
    return [CardSet(hand) for hand in after], tuple(CardSet(cards) for cards in seen)
