"""Ratings of an arena's entries by openskill: a deal ranks its loser last and all others equal."""

from collections.abc import Iterable
from typing import Any

from openskill.models import PlackettLuce

from owntrumps_bots.arena.tally import Played


def ratings(entries: int, deals: Iterable[Played]) -> list[dict[str, float]]:
    """By entry: mu, sigma and the cautious ordinal (mu - 3 sigma), after all deals in their order."""
    model: Any = PlackettLuce()
    rated = [[model.rating()] for _ in range(entries)]
    for deal in sorted(deals, key=lambda played: played.number):
        ranks = [1 if deal.loser is not None and entry == deal.loser else 0 for entry in range(entries)]
        rated = model.rate(rated, ranks=ranks)
    return [{"mu": player.mu, "sigma": player.sigma, "ordinal": player.ordinal()} for [player] in rated]
