"""How results change ratings: openskill's Plackett-Luce model, see docs/decisions/2026-11-30-rating-model.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from openskill.models import PlackettLuce

from owntrumps.archive.rating import RatedSeat, Rating


class OpenSkillRater:
    """A `Rater`. Losers share the last place, everybody else ties for the first; in a draw all tie.

    The same bot level on several seats counts once: the model rates each seat for itself, and the entity's rating
    becomes the mean of what its seats' would be.
    """

    def __init__(self, model: Any = None) -> None:
        self._model = PlackettLuce() if model is None else model

    def start(self) -> Rating:
        fresh = self._model.rating()
        return Rating(fresh.mu, fresh.sigma)

    def rate(self, seats: Sequence[RatedSeat], before: Mapping[str, Rating]) -> dict[str, Rating]:
        teams = [[self._model.rating(before[seat.entity].mu, before[seat.entity].sigma)] for seat in seats]
        rated = self._model.rate(teams, ranks=[int(seat.lost) for seat in seats])
        after: dict[str, list[Rating]] = {}
        for seat, (changed,) in zip(seats, rated, strict=True):
            after.setdefault(seat.entity, []).append(Rating(changed.mu, changed.sigma))
        return {entity: _mean(of_seats) for entity, of_seats in after.items()}


def _mean(ratings: Sequence[Rating]) -> Rating:
    count = len(ratings)
    return Rating(sum(each.mu for each in ratings) / count, sum(each.sigma for each in ratings) / count)
