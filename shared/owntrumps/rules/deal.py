"""A deal in progress: its position, what its limits count, and how it ends."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, Literal

from owntrumps.rules.cards import Card, Seat
from owntrumps.rules.plays import TAKE, Play
from owntrumps.rules.position import Position, Table, beat, beaters, discard, lead, take

DrawReason = Literal["one_card", "repetition", "ply_limit"]

_TAKE_BYTE: Final = 52
"""How a take is written in `Deal.plays`, one byte a play; 0..51 are cards."""


@dataclass(frozen=True, slots=True)
class Loser:
    """The seat that alone still held cards."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    reason: DrawReason


Result = Loser | Draw


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How often each position key occurred. Immutable; adding copies at most `_RECENT` counts, save for one in that
    many times, so that a deal of 100,000 plies stays cheap."""

    settled: Mapping[bytes, int]
    recent: Mapping[bytes, int]

    def count(self, key: bytes) -> int:
        return self.settled.get(key, 0) + self.recent.get(key, 0)

    def plus(self, key: bytes) -> "Occurrences":
        recent = {**self.recent, key: self.recent.get(key, 0) + 1}
        if len(recent) < _RECENT:
            return Occurrences(self.settled, recent)
        settled = dict(self.settled)
        for each, times in recent.items():
            settled[each] = settled.get(each, 0) + times
        return Occurrences(settled, {})


_RECENT: Final = 128
NOT_COUNTED: Final = Occurrences({}, {})
"""For a fold that does not see every card: only the authority decides repetitions."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal at one moment, with what its limits need.

    ``root`` is the last position that cannot come back (the first lead, or after a seat went out or a pile left play)
    and ``plays`` what was played since, one byte a play; ``plies`` counts the whole deal. ``occurrences`` counts each
    position since the root; it follows from the two, so it is neither stored nor compared.
    """

    root: Position
    plays: bytes
    plies: int
    position: Position
    occurrences: "Occurrences" = field(compare=False, repr=False)


def position_key(position: Position) -> bytes:
    """16 bytes that stand for what `repetition_limit` compares: hands, pile in order, turn and phase.

    BLAKE2b-128 of a fixed layout; two different positions of one deal meet with a chance below 2**-100.
    """
    hands = b"".join(hand.cards.to_bytes(7, "little") for hand in position.hands)
    turn = bytes((position.turn, position.phase == "lead"))
    return blake2b(hands + turn + bytes(position.pile), digest_size=16).digest()


def begin(position: Position) -> Deal:
    """A deal at its first position, which counts as that position's first occurrence."""
    return Deal(position, b"", 0, position, _first_occurrence(position))


def resume(table: Table, root: Position, plays: bytes, plies: int) -> Deal:
    """The deal that `Deal.root`, `Deal.plays` and `Deal.plies` stand for."""
    deal = replace(begin(root), plies=plies - len(plays))
    for byte in plays:
        deal = advance(table, deal, TAKE if byte == _TAKE_BYTE else Card(byte))
    return deal


def advance(table: Table, deal: Deal, play: Play) -> Deal:
    """The deal after a play of the seat to move, which is taken to be legal. A pile that now leaves play still lies:
    see `clear`."""
    position = deal.position
    if play == TAKE:
        after = take(table, position)
    elif position.phase == "lead":
        after = lead(table, position, play)
    else:
        after = beat(table, position, play)
    plies = deal.plies + 1
    if len(after.out) > len(position.out):
        return Deal(after, b"", plies, after, _first_occurrence(after))
    byte = _TAKE_BYTE if play == TAKE else play
    occurrences = deal.occurrences
    if table.ruleset.repetition_limit and occurrences is not NOT_COUNTED:
        occurrences = occurrences.plus(position_key(after))
    return Deal(deal.root, deal.plays + bytes((byte,)), plies, after, occurrences)


def clear(deal: Deal) -> Deal:
    """The deal after its pile left play."""
    after = discard(deal.position)
    return Deal(after, b"", deal.plies, after, _first_occurrence(after))


def pile_leaves_play(table: Table, before: Position, after: Position) -> bool:
    """Whether the play between the two was a last beat after which the pile is discarded (if the deal goes on)."""
    return table.ruleset.after_last_beat == "discard" and before.phase == "respond" and len(after.out) > len(before.out)


def ending_by_play(table: Table, position: Position) -> Result | None:
    """The end after a card was played: one seat alone holds cards. Needs that seat's cards where `one_card_draw`."""
    holders = position.holders()
    if len(holders) != 1:
        return None
    last = holders[0]
    hand = position.hands[last]
    if table.ruleset.one_card_draw and hand.count == 1 and hand.cards & beaters(table.trumps[last], position.pile[-1]):
        return Draw("one_card")
    return Loser(last)


def ending_by_limits(table: Table, deal: Deal) -> Result | None:
    """The draw by repetition or, after that, by length."""
    limit = table.ruleset.repetition_limit
    if limit and deal.occurrences.count(position_key(deal.position)) >= limit:
        return Draw("repetition")
    if deal.plies >= table.ruleset.ply_limit:
        return Draw("ply_limit")
    return None


def step(table: Table, deal: Deal, play: Play) -> tuple[Deal, Result | None]:
    """One legal play with all that follows from it: the deal after it and, if it ended, how.

    When several endings meet, the end by play comes first, then repetition, then the ply limit.
    """
    after = advance(table, deal, play)
    if play != TAKE:
        result = ending_by_play(table, after.position)
        if result is not None:
            return after, result
        if pile_leaves_play(table, deal.position, after.position):
            after = clear(after)
    return after, ending_by_limits(table, after)


def _first_occurrence(position: Position) -> Occurrences:
    """The count of a new root, where every card is seen."""
    if any(hand.hidden for hand in position.hands):
        return NOT_COUNTED
    return NOT_COUNTED.plus(position_key(position))
