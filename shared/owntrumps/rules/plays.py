"""Which plays are legal. One check serves the list of legal plays and the refusal of an illegal one."""

from typing import Final, Literal

from owntrumps.rules.cards import NO_CARDS, Card, CardSet, card_name, names_of
from owntrumps.rules.position import Position, Table, beaters

TAKE: Final = "take"
"""The play that picks up; every other play is a card."""

Play = Card | Literal["take"]

Reason = Literal["card-not-held", "does-not-beat", "must-beat", "nothing-to-take"]
"""Why a play is illegal."""


def legal_cards(table: Table, position: Position) -> CardSet:
    """The cards that the seat to move may put on the pile (of those the observer knows)."""
    hand = position.hands[position.turn].cards
    if position.phase == "lead":
        return hand
    return CardSet(hand & beaters(table.trumps[position.turn], position.pile[-1]))


def may_take(table: Table, position: Position) -> bool:
    """Whether the seat to move may pick up."""
    if position.phase == "lead":
        return False
    return not (table.ruleset.must_beat and legal_cards(table, position) != NO_CARDS)


def legal_plays(table: Table, position: Position) -> list[str]:
    """The legal plays' names: cards by suit c d h s then rank, ``take`` last."""
    plays = names_of(legal_cards(table, position))
    if may_take(table, position):
        plays.append(TAKE)
    return plays


def why_illegal(table: Table, position: Position, play: Play) -> Reason | None:
    """None for a legal play of the seat to move, else the reason against it."""
    if play == TAKE:
        if may_take(table, position):
            return None
        return "nothing-to-take" if position.phase == "lead" else "must-beat"
    bit = 1 << play
    if legal_cards(table, position) & bit:
        return None
    return "does-not-beat" if position.hands[position.turn].cards & bit else "card-not-held"


def explain(reason: Reason, position: Position, play: Play) -> str:
    """A sentence for people, quoting the play."""
    name = play if play == TAKE else card_name(play)
    match reason:
        case "card-not-held":
            return f"seat {position.turn} does not hold {name}"
        case "does-not-beat":
            return f"{name} does not beat {card_name(position.pile[-1])}"
        case "must-beat":
            return f"seat {position.turn} may not take while it can beat {card_name(position.pile[-1])}"
        case "nothing-to-take":
            return "in phase lead a card must be led; there is nothing to take"
