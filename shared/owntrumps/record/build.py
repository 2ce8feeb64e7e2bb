"""The JSON record of a match, made from the entries that its reader may see.

Its fields: format, match, ruleset, games, seats, trumps, deals, losses, result, fairness, chain, entries. ``entries``
is the whole log; everything before it follows from the log and is there to be read. A deal has game, dealer, leader,
trumps, dealt, hands, plays, result, out: with ``ruleset`` it is a line for ``owntrumps referee``. ``dealt`` is in
the order of dealing, ``hands`` are those of the first lead, in canonical order, with None for each card the reader may
not see.
"""

from collections.abc import Sequence
from typing import Any, Final

from owntrumps.game.events import (
    CardLed,
    CardsExchanged,
    DealDealt,
    DealDrawn,
    DealLost,
    MatchStarted,
    PileTaken,
    TopBeaten,
    TrumpsTurned,
)
from owntrumps.game.log import Entry, fold
from owntrumps.game.state import Match, NoMatch
from owntrumps.rules.cards import Card, Seat, Suit, card_name, suit_name
from owntrumps.rules.plays import TAKE
from owntrumps.store.codec import recorded_json
from owntrumps.views.view import view_of

FORMAT: Final = "owntrumps-record/1"


class _DealRecord:
    """One deal while its events are read. Hidden cards are None."""

    def __init__(self, dealt: DealDealt, trumps: tuple[Suit, ...] | None) -> None:
        self.dealt = dealt
        self.trumps = trumps
        self.hands = [list(hand) for hand in dealt.hands]
        self.counts = [len(hand) for hand in dealt.hands]
        self.plays: list[str] = []
        self.out: list[Seat] = []
        self.result: dict[str, Any] | None = None

    def turn_up(self, event: TrumpsTurned) -> None:
        self.trumps = event.trumps
        for hand, cards in zip(self.hands, event.turned, strict=True):
            for card in cards:
                if card not in hand:
                    hand[hand.index(None)] = card

    def exchange(self, event: CardsExchanged) -> None:
        for exchange in event.exchanges:
            giver = self.hands[exchange.giver]
            giver.remove(exchange.card if exchange.card in giver else None)
            self.hands[exchange.receiver].append(exchange.card)
        self.counts = [len(hand) for hand in self.hands]

    def play(self, event: CardLed | TopBeaten | PileTaken) -> None:
        if isinstance(event, PileTaken):
            self.plays.append(TAKE)
            self.counts[event.seat] += len(event.cards)
            return
        self.plays.append(card_name(event.card))
        self.counts[event.seat] -= 1
        if not self.counts[event.seat]:
            self.out.append(event.seat)

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.dealt.game,
            "dealer": self.dealt.dealer,
            "leader": self.dealt.leader,
            "trumps": None if self.trumps is None else [suit_name(trump) for trump in self.trumps],
            "dealt": [[_name(card) for card in hand] for hand in self.dealt.hands],
            "hands": [[_name(card) for card in sorted(hand, key=_hidden_last)] for hand in self.hands],
            "plays": self.plays,
            "result": self.result,
            "out": self.out,
        }


def _name(card: Card | None) -> str | None:
    return None if card is None else card_name(card)


def _hidden_last(card: Card | None) -> int:
    return 52 if card is None else card


def record_json(entries: Sequence[Entry]) -> dict[str, Any]:
    """The record of a log, full or redacted; ValueError for an empty one. The log must fold."""
    match = fold(entries)
    if isinstance(match.state, NoMatch):
        raise ValueError("a record needs at least the entry that created the match")
    return record_of(match, entries)


def record_of(match: Match, entries: Sequence[Entry]) -> dict[str, Any]:
    """The record of a log that folds to ``match``."""
    view = view_of(match, None)
    trumps = [seat["trump"] for seat in view["seats"]]
    return {
        "format": FORMAT,
        "match": view["id"],
        "ruleset": view["ruleset"],
        "games": view["games"],
        "seats": [
            {key: seat.get(key) for key in ("seat", "kind", "name", "player", "level", "stand_in", "trump")}
            for seat in view["seats"]
        ],
        "trumps": trumps if all(trumps) else None,
        "deals": _deals(entries),
        "losses": view["losses"],
        "result": view["result"],
        "fairness": view["fairness"],
        "chain": match.chain,
        "entries": [recorded_json(entry) for entry in entries],
    }


def _deals(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    deals: list[_DealRecord] = []
    trumps: tuple[Suit, ...] | None = None
    for event in (event for entry in entries for event in entry.events):
        match event:
            case MatchStarted():
                trumps = event.trumps
            case DealDealt():
                deals.append(_DealRecord(event, trumps))
            case TrumpsTurned():
                trumps = event.trumps
                deals[-1].turn_up(event)
            case CardsExchanged():
                deals[-1].exchange(event)
            case CardLed() | TopBeaten() | PileTaken():
                deals[-1].play(event)
            case DealLost():
                deals[-1].result = {"loser": event.loser}
            case DealDrawn():
                deals[-1].result = {"draw": event.reason}
            case _:
                pass
    return [deal.as_json() for deal in deals]
