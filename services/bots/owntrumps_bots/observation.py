"""What a level is told: one seat's redacted view of a deal in which it is that seat's turn, as plain values.

Made from the view and the event entries that the server gives that seat over HTTP (docs: the view). Nothing here, and
nothing in the levels, ever holds more than that; a deal's engine could not leak a card through it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from owntrumps.rules.cards import (
    NO_CARDS,
    Card,
    CardSet,
    MalformedCardError,
    Seat,
    Suit,
    cards_of,
    mask_of,
    pack,
    parse_card,
    parse_suit,
)
from owntrumps.rules.plays import TAKE, Play
from owntrumps.rules.position import Phase, beaters
from owntrumps.rules.rulesets import Ruleset, RulesetError, ruleset_from

Deed = Literal["card-led", "top-beaten", "pile-taken", "pile-discarded"]
_DEEDS: Mapping[str, Deed] = {
    "card-led": "card-led",
    "top-beaten": "top-beaten",
    "pile-taken": "pile-taken",
    "pile-discarded": "pile-discarded",
}


class ObservationError(ValueError):
    """A view that no play can be chosen from. ``slug`` is stable, the message says what is wrong with it."""

    def __init__(self, slug: str, detail: str) -> None:
        super().__init__(detail)
        self.slug = slug
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened in this deal, as everybody saw it: a card put down, or cards (bottom to top) that left
    the pile. ``seat`` is who did it; nobody, -1, where a pile left play."""

    deed: Deed
    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """A deal as the seat to move sees it.

    By seat: ``trumps``, ``counts`` of cards, and ``known``, the cards that ``seat`` knows the others to hold (its own
    hand for itself). ``pile`` is bottom to top, ``discarded`` left play, ``plies`` counts the deal's plays so far.
    ``history`` is what happened in the deal, oldest first; it may be empty, and then nothing is inferred from it.
    """

    ruleset: Ruleset
    trumps: tuple[Suit, ...]
    seat: Seat
    phase: Phase
    counts: tuple[int, ...]
    known: tuple[CardSet, ...]
    pile: tuple[Card, ...]
    discarded: CardSet = NO_CARDS
    plies: int = 0
    history: tuple[Happening, ...] = ()

    @property
    def hand(self) -> CardSet:
        return self.known[self.seat]

    @property
    def hidden(self) -> tuple[int, ...]:
        """By seat: how many of its cards are unknown."""
        return tuple(count - known.bit_count() for count, known in zip(self.counts, self.known, strict=True))

    @property
    def unseen(self) -> CardSet:
        """The cards that somebody holds, nobody knows who."""
        seen = mask_of(self.pile) | self.discarded
        for known in self.known:
            seen |= known
        return CardSet(pack(self.ruleset.deck) & ~seen)

    def face_up(self) -> "Observation | None":
        """The same with every card known; None if the unseen cards can lie in more than one way."""
        if sum(1 for hidden in self.hidden if hidden) > 1:
            return None
        unseen = self.unseen
        known = (
            CardSet(cards | unseen) if hidden else cards for cards, hidden in zip(self.known, self.hidden, strict=True)
        )
        return replace(self, known=tuple(known))

    @property
    def knows_history(self) -> bool:
        """Whether every play of the deal is in ``history``."""
        return sum(1 for happening in self.history if happening.deed != "pile-discarded") == self.plies

    def legal(self) -> list[Play]:
        """The legal plays: cards ascending, `take` last."""
        if self.phase == "lead":
            return list(cards_of(self.hand))
        beating = CardSet(self.hand & beaters(self.trumps[self.seat], self.pile[-1]))
        plays: list[Play] = list(cards_of(beating))
        if not (plays and self.ruleset.must_beat):
            plays.append(TAKE)
        return plays

    def after_beat(self, card: Card) -> "Observation":
        """What the seat sees when it has beaten the top with this card and still holds cards: its lead is next."""
        bit = 1 << card
        hand = CardSet(self.hand & ~bit)
        return replace(
            self,
            phase="lead",
            counts=(*self.counts[: self.seat], self.counts[self.seat] - 1, *self.counts[self.seat + 1 :]),
            known=(*self.known[: self.seat], hand, *self.known[self.seat + 1 :]),
            pile=(*self.pile, card),
            plies=self.plies + 1,
            history=(*self.history, Happening("top-beaten", self.seat, (card,))) if self.knows_history else (),
        )


def observe(view: Mapping[str, Any], events: Iterable[Mapping[str, Any]] = ()) -> Observation:
    """The observation of a seat's view and of the match's (redacted) events as JSON values (all, or the last deal's).

    Raises:
        ObservationError: `match-over`, `not-your-turn`, or `malformed-view` with what is wrong.
    """
    try:
        if view["status"] != "playing":
            raise ObservationError("match-over", f"there is no play to choose in a match that is {view['status']}")
        you = view["you"]
        if you is None or view["turn"] != you:
            raise ObservationError("not-your-turn", f"seat {view['turn']} is to move, not {you!r}")
        observation = _read(view, you, events)
    except ObservationError:
        raise
    except RulesetError as error:
        raise ObservationError("malformed-view", error.detail) from None
    except MalformedCardError as error:
        raise ObservationError("malformed-view", str(error)) from None
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ObservationError("malformed-view", f"not a view of a seat: {error!r}") from None
    _check(observation)
    return observation


def _read(view: Mapping[str, Any], you: int, events: Iterable[Mapping[str, Any]]) -> Observation:
    ruleset, _ = ruleset_from(view["ruleset"])
    seats = view["seats"]
    hand = _set(view["hand"])
    return Observation(
        ruleset=ruleset,
        trumps=tuple(parse_suit(seat["trump"]) for seat in seats),
        seat=Seat(you),
        phase=view["phase"],
        counts=tuple(seat["cards"] for seat in seats),
        known=tuple(hand if index == you else _set(seat["known"]) for index, seat in enumerate(seats)),
        pile=tuple(map(parse_card, view["pile"])),
        discarded=_set(view.get("discarded", ())),
        plies=view.get("plies", 0),
        history=_history(events),
    )


def _set(names: Iterable[str]) -> CardSet:
    return mask_of(map(parse_card, names))


def _history(events: Iterable[Mapping[str, Any]]) -> tuple[Happening, ...]:
    """What happened since the last deal was dealt."""
    happened: list[Happening] = []
    for event in events:
        kind = event["type"]
        if kind == "deal-dealt":
            happened.clear()
        elif kind in _DEEDS:
            cards = event["cards"] if "cards" in event else (event["card"],)
            happened.append(Happening(_DEEDS[kind], event.get("seat", -1), tuple(map(parse_card, cards))))
    return tuple(happened)


def _check(observation: Observation) -> None:
    """ObservationError `malformed-view` if the parts contradict each other."""
    ruleset = observation.ruleset
    if not len(observation.trumps) == len(observation.counts) == ruleset.seats:
        raise ObservationError("malformed-view", f"{ruleset.seats} seats play, not {len(observation.counts)}")
    if observation.phase not in {"lead", "respond"} or (observation.phase == "respond" and not observation.pile):
        raise ObservationError(
            "malformed-view", f"phase {observation.phase!r} with {len(observation.pile)} cards on it"
        )
    if not observation.hand or observation.hidden[observation.seat]:
        raise ObservationError("malformed-view", "the seat to move does not know its own hand")
    if min(observation.hidden) < 0 or sum(observation.hidden) != observation.unseen.bit_count():
        raise ObservationError(
            "malformed-view",
            f"{sum(observation.hidden)} hidden cards are held, but {observation.unseen.bit_count()} are unseen",
        )
