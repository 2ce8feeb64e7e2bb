"""Adding deals up: how often each entry lost, and how sure that is."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from owntrumps_bots.arena.entries import Entry

Z95: Final = 1.959964
"""Standard normal quantile of a two-sided 95% interval."""


@dataclass(frozen=True, slots=True)
class Played:
    """One deal of the arena: its number, the entry that lost it (None: a draw), its plies, and by entry the decisions
    and the seconds they took."""

    number: int
    loser: int | None
    plies: int
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """Wilson's 95% interval of a rate; (0, 1) without trials. With halves (draws) it is a little too wide.

    >>> tuple(round(bound, 3) for bound in wilson(2, 100))
    (0.006, 0.07)
    """
    if trials == 0:
        return 0.0, 1.0
    rate, square = successes / trials, Z95 * Z95
    middle = (rate + square / (2 * trials)) / (1 + square / trials)
    half = Z95 * sqrt(rate * (1 - rate) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


def level_rows(entries: Sequence[Entry], seats: int, deals: Iterable[Played]) -> list[dict[str, Any]]:
    """One row per entry, in order: losses, their rate and interval, draws, points (a draw is half), ms a decision."""
    played = list(deals)
    total = len(played)
    drawn = sum(1 for deal in played if deal.loser is None)
    rows = []
    for index, entry in enumerate(entries):
        lost = sum(1 for deal in played if deal.loser == index)
        decisions = sum(deal.decisions[index] for deal in played)
        seconds = sum(deal.seconds[index] for deal in played)
        points = total - lost - drawn / 2
        rows.append(
            {
                "level": entry.name,
                "seats": sorted({seat_of(index, deal.number, seats) for deal in played}),
                "deals": total,
                "lost": lost,
                "drawn": drawn,
                "rate": lost / total if total else 0.0,
                "ci95": list(wilson(lost, total)),
                "points": points / total if total else 0.0,
                "points_ci95": list(wilson(points, total)),
                "decisions": decisions,
                "ms_per_decision": 1000 * seconds / decisions if decisions else 0.0,
            }
        )
    return rows


def seat_of(entry: int, number: int, seats: int) -> int:
    """Where the entry sits in deal ``number``: everybody moves one seat on from deal to deal."""
    return (entry + number) % seats
