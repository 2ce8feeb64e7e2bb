"""From a shuffled pack to the first lead: dealing, turning trumps up, the exchange of low cards."""

from collections.abc import Sequence

from owntrumps.game.events import Exchange
from owntrumps.rules.cards import RANKS_PER_SUIT, Card, CardSet, Seat, Suit, card_at, suit_of
from owntrumps.rules.rulesets import Ruleset


def leader_of(ruleset: Ruleset, dealer: Seat) -> Seat:
    """Who leads a deal: the seat after the dealer in `direction`, or the dealer."""
    if ruleset.first_leader == "dealer":
        return dealer
    return Seat((dealer + ruleset.direction) % ruleset.seats)


def deal_out(cards: Sequence[Card], ruleset: Ruleset, dealer: Seat) -> list[list[Card]]:
    """Every seat's cards in the order of dealing: one at a time in `direction`, beginning after the dealer."""
    hands: list[list[Card]] = [[] for _ in range(ruleset.seats)]
    for index, card in enumerate(cards):
        hands[(dealer + ruleset.direction * (index + 1)) % ruleset.seats].append(card)
    return hands


def turn_up_trumps(
    hands: Sequence[Sequence[Card]], leader: Seat, direction: int
) -> tuple[tuple[Suit, ...], tuple[tuple[Card, ...], ...]]:
    """By seat: the trump, and the cards turned up for it.

    From the leader on, cards are turned from the top of each hand (the last dealt) until one is of a free suit; a hand
    without one gets the first free suit in the order c d h s.
    """
    seats = len(hands)
    trumps: dict[int, Suit] = {}
    turned: dict[int, tuple[Card, ...]] = {}
    for offset in range(seats):
        seat = (leader + direction * offset) % seats
        taken = set(trumps.values())
        shown: list[Card] = []
        for card in reversed(hands[seat]):
            shown.append(card)
            if suit_of(card) not in taken:
                trumps[seat] = suit_of(card)
                break
        else:
            trumps[seat] = next(Suit(suit) for suit in range(4) if suit not in taken)
        turned[seat] = tuple(shown)
    return tuple(trumps[seat] for seat in range(seats)), tuple(turned[seat] for seat in range(seats))


def low_card_exchanges(ruleset: Ruleset, trumps: Sequence[Suit], hands: Sequence[CardSet]) -> tuple[Exchange, ...]:
    """What must change hands, by receiving seat, for everybody to hold the pack's lowest card of the own trump."""
    lowest = RANKS_PER_SUIT - ruleset.deck // 4
    exchanges = []
    for receiver, trump in enumerate(trumps):
        card = card_at(trump, lowest)
        giver = next(seat for seat, hand in enumerate(hands) if hand & 1 << card)
        if giver != receiver:
            exchanges.append(Exchange(card, Seat(giver), Seat(receiver)))
    return tuple(exchanges)
