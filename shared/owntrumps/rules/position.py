"""Positions and how a single play changes them.

A hand is *known cards + a count of hidden cards*: in the authority nothing is hidden, in a seat's redacted view the
others' unseen cards are only counted. Every transition here needs nothing but public facts (counts, the pile, the card
shown), so the same code moves both. Legality is in `owntrumps.rules.plays`, endings are in `owntrumps.rules.deal`.
"""

from dataclasses import dataclass, replace
from typing import Literal

from owntrumps.rules.cards import (
    ACE,
    NO_CARDS,
    Card,
    CardSet,
    Seat,
    Suit,
    higher_in_suit,
    mask_of,
    rank_of,
    suit_mask,
    suit_of,
)
from owntrumps.rules.rulesets import Ruleset

Phase = Literal["lead", "respond"]

GRADED_PLAIN = 3
"""Cards picked up under `graded` when the top is not of the taker's trump."""
GRADED_TRUMP = 5
"""Cards picked up under `graded` when the top is of the taker's trump, but not its ace."""


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same for a whole match: the ruleset and each seat's own trump, by seat."""

    ruleset: Ruleset
    trumps: tuple[Suit, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """One seat's cards as one observer knows them.

    ``cards`` are those the observer knows, ``hidden`` counts the rest, ``shown`` (a part of ``cards``) are those that
    everybody has seen.
    """

    cards: CardSet = NO_CARDS
    hidden: int = 0
    shown: CardSet = NO_CARDS

    @property
    def count(self) -> int:
        return self.cards.bit_count() + self.hidden

    def without(self, card: Card) -> "Hand":
        """The hand after that card was played: taken from the known cards, or else from the hidden ones."""
        bit = 1 << card
        if self.cards & bit:
            return Hand(CardSet(self.cards & ~bit), self.hidden, CardSet(self.shown & ~bit))
        return Hand(self.cards, self.hidden - 1, self.shown)

    def with_shown(self, cards: CardSet) -> "Hand":
        """The hand after cards came to it in everybody's sight."""
        return Hand(CardSet(self.cards | cards), self.hidden, CardSet(self.shown | cards))

    def showing(self, cards: CardSet) -> "Hand":
        """The hand after some of its own cards were turned up: hidden ones among them become known."""
        fresh = CardSet(cards & ~self.cards)
        return Hand(CardSet(self.cards | cards), self.hidden - fresh.bit_count(), CardSet(self.shown | cards))


@dataclass(frozen=True, slots=True)
class Position:
    """A deal at one moment. ``pile`` runs bottom to top, ``out`` is the order of going out."""

    hands: tuple[Hand, ...]
    pile: tuple[Card, ...]
    turn: Seat
    phase: Phase
    out: tuple[Seat, ...] = ()
    discarded: CardSet = NO_CARDS

    def counts(self) -> list[int]:
        return [hand.count for hand in self.hands]

    def holders(self) -> list[Seat]:
        """The seats that still hold cards, ascending."""
        return [Seat(seat) for seat, hand in enumerate(self.hands) if hand.count]


def beaters(trump: Suit, top: Card) -> CardSet:
    """Every card that beats ``top`` when a seat with this trump plays it: higher in suit, or any own trump on another
    suit."""
    higher = higher_in_suit(top)
    return higher if suit_of(top) == trump else CardSet(higher | suit_mask(trump))


def next_seat(table: Table, hands: tuple[Hand, ...], seat: Seat) -> Seat:
    """The next seat in `direction` that still holds cards (the same seat if it alone does)."""
    step, seats = table.ruleset.direction, len(hands)
    following = (seat + step) % seats
    while following != seat and not hands[following].count:
        following = (following + step) % seats
    return Seat(following)


def _with_hand(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _put(position: Position, card: Card) -> tuple[tuple[Hand, ...], tuple[Seat, ...], bool]:
    """Hands and order of going out once the seat to move has put the card on the pile, and whether it went out."""
    seat = position.turn
    hand = position.hands[seat].without(card)
    hands = _with_hand(position.hands, seat, hand)
    went_out = hand.count == 0
    return hands, ((*position.out, seat) if went_out else position.out), went_out


def lead(table: Table, position: Position, card: Card) -> Position:
    """The seat to move leads the card; the next seat must respond."""
    hands, out, _ = _put(position, card)
    return replace(
        position,
        hands=hands,
        pile=(*position.pile, card),
        out=out,
        turn=next_seat(table, hands, position.turn),
        phase="respond",
    )


def beat(table: Table, position: Position, card: Card) -> Position:
    """The seat to move beats the top. It leads next, unless that was its last card: then `after_last_beat` decides.

    Under `discard` the pile still lies there; `discard` clears it, unless the deal has ended.
    """
    hands, out, went_out = _put(position, card)
    turn = next_seat(table, hands, position.turn) if went_out else position.turn
    must_respond = went_out and table.ruleset.after_last_beat == "beat"
    return replace(
        position,
        hands=hands,
        pile=(*position.pile, card),
        out=out,
        turn=turn,
        phase="respond" if must_respond else "lead",
    )


def pick_up_size(table: Table, position: Position) -> int:
    """How many cards of the pile's top the seat to move would take."""
    pile, trump = position.pile, table.trumps[position.turn]
    if table.ruleset.pick_up == "pile":
        return len(pile)
    top = pile[-1]
    if table.ruleset.pick_up == "same_suit":
        run = 1
        while run < len(pile) and suit_of(pile[-run - 1]) == suit_of(top):
            run += 1
        return run
    if suit_of(top) != trump:
        return min(GRADED_PLAIN, len(pile))
    return len(pile) if rank_of(top) == ACE else min(GRADED_TRUMP, len(pile))


def take(table: Table, position: Position) -> Position:
    """The seat to move picks up from the top of the pile; everybody has seen those cards."""
    seat = position.turn
    size = pick_up_size(table, position)
    left, taken = position.pile[: len(position.pile) - size], position.pile[len(position.pile) - size :]
    hands = _with_hand(position.hands, seat, position.hands[seat].with_shown(mask_of(taken)))
    taker_leads = not left and table.ruleset.lead_after_pick_up == "taker"
    return replace(
        position,
        hands=hands,
        pile=left,
        turn=seat if taker_leads else next_seat(table, hands, seat),
        phase="respond" if left else "lead",
    )


def discard(position: Position) -> Position:
    """The whole pile leaves play."""
    return replace(position, pile=(), discarded=CardSet(position.discarded | mask_of(position.pile)))
