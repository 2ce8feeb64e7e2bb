"""Positions given from outside: a deal's start or any moment of one, checked before anything is played on it.

A study need not hold the whole pack. What cannot be a position is refused with a `StudyError` (or, for the ruleset, a
`RulesetError`): both have a stable ``slug`` and a message that quotes the offending value.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from owntrumps.rules.cards import (
    Card,
    CardSet,
    MalformedCardError,
    Seat,
    Suit,
    card_name,
    mask_of,
    pack,
    parse_card,
    parse_suit,
)
from owntrumps.rules.deal import Deal, begin
from owntrumps.rules.plays import TAKE, Play
from owntrumps.rules.position import Hand, Position, Table
from owntrumps.rules.rulesets import Ruleset, ruleset_from


class StudyError(ValueError):
    """Data that is no position, or no play. ``slug`` is stable, the message quotes the offending value."""

    def __init__(self, slug: str, detail: str) -> None:
        super().__init__(detail)
        self.slug = slug
        self.detail = detail


def table_from(study: Mapping[str, Any]) -> Table:
    """The table of a study's ``ruleset`` and ``trumps``.

    Raises:
        RulesetError: see `ruleset_from`.
        StudyError: ``missing-field``, ``bad-trumps``, ``duplicate-trump``.
    """
    ruleset, _ = ruleset_from(field_of(study, "ruleset"))
    trumps = field_of(study, "trumps")
    if not isinstance(trumps, list) or len(trumps) != ruleset.seats:
        raise StudyError("bad-trumps", f"trumps is a list of {ruleset.seats} suits, not {trumps!r}")
    parsed: list[Suit] = []
    for seat, name in enumerate(trumps):
        try:
            suit = parse_suit(name)
        except MalformedCardError as error:
            raise StudyError("bad-trumps", f"the trump of seat {seat}: {error}") from None
        if suit in parsed:
            raise StudyError("duplicate-trump", f"seat {seat} cannot have trump {name}: seat {parsed.index(suit)} has")
        parsed.append(suit)
    return Table(ruleset, tuple(parsed))


def start_from(study: Mapping[str, Any]) -> tuple[Table, Deal]:
    """The table and the deal that begins with the ``leader``'s lead from these ``hands``.

    Raises:
        RulesetError, StudyError: as `position_from`; ``bad-leader`` instead of ``bad-turn``.
    """
    table = table_from(study)
    hands, _ = _hands_and_pile(table.ruleset, field_of(study, "hands"), [])
    leader = _seat(study, "leader", table.ruleset)
    return table, begin(_checked(Position(hands, (), leader, "lead", _holding_nothing(hands))))


def position_from(study: Mapping[str, Any]) -> tuple[Table, Deal]:
    """The table and the deal whose first position is given by ``hands``, ``pile``, ``turn``, ``phase`` and, if it is
    there, ``out``.

    Raises:
        RulesetError: see `ruleset_from`.
        StudyError: ``missing-field``, ``bad-trumps``, ``duplicate-trump``, ``bad-hands``, ``bad-pile``,
            ``malformed-card``, ``card-not-in-pack``, ``duplicate-card``, ``bad-turn``, ``bad-phase``, ``empty-pile``,
            ``empty-hand``, ``out-at-odds``.
    """
    table = table_from(study)
    hands, pile = _hands_and_pile(table.ruleset, field_of(study, "hands"), field_of(study, "pile"))
    turn = _seat(study, "turn", table.ruleset)
    phase = field_of(study, "phase")
    if phase not in ("lead", "respond"):
        raise StudyError("bad-phase", f"phase is lead or respond, not {phase!r}")
    if phase == "respond" and not pile:
        raise StudyError("empty-pile", "there is nothing to respond to: the pile is empty")
    out = _out(study["out"], hands) if "out" in study else _holding_nothing(hands)
    return table, begin(_checked(Position(hands, pile, turn, phase, out)))


def play_from(value: object) -> Play:
    """The play named by a card or ``take``; StudyError ``unknown-play`` for anything else."""
    if value == TAKE:
        return TAKE
    try:
        return parse_card(value)
    except MalformedCardError:
        raise StudyError("unknown-play", f"a play is a card such as 'Th', or 'take', not {value!r}") from None


def field_of(study: Mapping[str, Any], name: str) -> Any:
    """The value of the field; StudyError ``missing-field`` without one."""
    if name not in study:
        raise StudyError("missing-field", f"{name} is missing")
    return study[name]


def _hands_and_pile(ruleset: Ruleset, hands: object, pile: object) -> tuple[tuple[Hand, ...], tuple[Card, ...]]:
    """By seat what it holds, and the pile; every card is of the pack and lies in one place."""
    if not isinstance(hands, list) or len(hands) != ruleset.seats:
        given = f"{len(hands)} hands" if isinstance(hands, list) else repr(hands)
        raise StudyError("bad-hands", f"hands is a list of {ruleset.seats} hands, not {given}")
    whole = pack(ruleset.deck)
    places: dict[Card, str] = {}
    held = []
    for seat, names in enumerate(hands):
        if not isinstance(names, list):
            raise StudyError("bad-hands", f"the hand of seat {seat} is a list of cards, not {names!r}")
        held.append(Hand(mask_of(_placed(names, f"the hand of seat {seat}", whole, places))))
    if not isinstance(pile, list):
        raise StudyError("bad-pile", f"the pile is a list of cards, not {pile!r}")
    return tuple(held), tuple(_placed(pile, "the pile", whole, places))


def _placed(names: Iterable[object], place: str, whole: CardSet, places: dict[Card, str]) -> list[Card]:
    cards = []
    for name in names:
        try:
            card = parse_card(name)
        except MalformedCardError as error:
            raise StudyError("malformed-card", f"{place}: {error}") from None
        if not whole & 1 << card:
            raise StudyError("card-not-in-pack", f"{place}: {card_name(card)} is not in a pack of {whole.bit_count()}")
        if card in places:
            raise StudyError("duplicate-card", f"{card_name(card)} is in {places[card]} and again in {place}")
        places[card] = place
        cards.append(card)
    return cards


def _seat(study: Mapping[str, Any], name: str, ruleset: Ruleset) -> Seat:
    seat = field_of(study, name)
    if type(seat) is not int or not 0 <= seat < ruleset.seats:
        raise StudyError(f"bad-{name}", f"{name} is a seat from 0 to {ruleset.seats - 1}, not {seat!r}")
    return Seat(seat)


def _holding_nothing(hands: tuple[Hand, ...]) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat, hand in enumerate(hands) if not hand.count)


def _out(given: object, hands: tuple[Hand, ...]) -> tuple[Seat, ...]:
    """The order of going out: each seat without cards exactly once."""
    empty = _holding_nothing(hands)
    if not isinstance(given, list) or not all(type(seat) is int for seat in given) or sorted(given) != list(empty):
        raise StudyError("out-at-odds", f"out is {given!r}, but the seats without cards are {list(empty)}")
    return tuple(Seat(seat) for seat in given)


def _checked(position: Position) -> Position:
    """The position, if the seat to move holds a card. Where it alone does, the deal is over."""
    if not position.hands[position.turn].count:
        raise StudyError("empty-hand", f"seat {position.turn} is to move, but holds no cards")
    return position
