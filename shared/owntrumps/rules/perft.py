"""Counting lines of play, to check one move generator against another."""

from owntrumps.rules.cards import cards_of
from owntrumps.rules.deal import Deal, step
from owntrumps.rules.plays import TAKE, Play, legal_cards, may_take
from owntrumps.rules.position import Table


def moves(table: Table, deal: Deal) -> list[Play]:
    """The legal plays of the seat to move: cards ascending, `take` last."""
    plays: list[Play] = list(cards_of(legal_cards(table, deal.position)))
    if may_take(table, deal.position):
        plays.append(TAKE)
    return plays


def perft(table: Table, deal: Deal, depth: int) -> int:
    """Leaf lines of that many plies; a deal that ends sooner, or is over already, counts as one leaf."""
    if len(deal.position.holders()) == 1:
        return 1
    return _leaves(table, deal, depth)


def _leaves(table: Table, deal: Deal, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:  # every play is one leaf, whether it ends the deal or not
        return legal_cards(table, deal.position).bit_count() + may_take(table, deal.position)
    leaves = 0
    for play in moves(table, deal):
        after, result = step(table, deal, play)
        leaves += 1 if result is not None else _leaves(table, after, depth - 1)
    return leaves
