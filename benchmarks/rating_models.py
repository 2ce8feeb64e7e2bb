"""Which openskill model finds hidden skills best where a match has one loser and the others tie?

    python -m benchmarks.rating_models [--players N] [--worlds N]

A world is a set of players with hidden skills; each match seats four (or two) at random and has one loser. Two ways of
losing: `choice` (Plackett-Luce turned round: somebody is the loser with a chance proportional to exp(-skill)) and
`performance` (everybody's skill plus Gaussian noise, the least loses). A twentieth of the matches are draws. Figures,
over worlds: Spearman's correlation of mu with the skill after so many matches a player, and the log loss (nats) of
naming the loser of matches not used for rating, by a softmax of -mu whose one parameter is fitted to them; ln 4 (ln 2)
is no knowledge.
"""

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

from owntrumps.archive.rating import RatedSeat, Rater, Rating
from owntrumps_history.rating import OpenSkillRater

Result = tuple[list[int], int | None]
"""Players, and the index of the loser among them (None: a draw)."""

CHECKPOINTS = (10, 30, 100, 300)
"""Matches a player."""


class Turned:
    """A rater asked who loses rather than who wins: the loser comes first, on a scale turned about its middle."""

    def __init__(self, rater: Rater) -> None:
        self._rater = rater

    def start(self) -> Rating:
        return self._rater.start()

    def rate(self, seats: Sequence[RatedSeat], before: Mapping[str, Rating]) -> dict[str, Rating]:
        decided = any(seat.lost for seat in seats)
        turned = [RatedSeat(seat.entity, decided and not seat.lost) for seat in seats]
        after = self._rater.rate(turned, self._turned(before))
        return self._turned(after)

    def _turned(self, ratings: Mapping[str, Rating]) -> dict[str, Rating]:
        middle = self.start().mu
        return {entity: Rating(2 * middle - each.mu, each.sigma) for entity, each in ratings.items()}


RATERS: Mapping[str, Callable[[], Rater]] = {
    "PlackettLuce": lambda: OpenSkillRater(PlackettLuce()),
    "PlackettLuce, turned": lambda: Turned(OpenSkillRater(PlackettLuce())),
    "BradleyTerryFull": lambda: OpenSkillRater(BradleyTerryFull()),
    "BradleyTerryPart": lambda: OpenSkillRater(BradleyTerryPart()),
    "ThurstoneMostellerFull": lambda: OpenSkillRater(ThurstoneMostellerFull()),
    "ThurstoneMostellerPart": lambda: OpenSkillRater(ThurstoneMostellerPart()),
}


def loser_of(skills: Sequence[float], way: str, dice: random.Random) -> int | None:
    if dice.random() < 0.05:
        return None
    if way == "choice":
        weights = [math.exp(-skill) for skill in skills]
        return dice.choices(range(len(skills)), weights)[0]
    performances = [skill + dice.gauss(0, 1.3) for skill in skills]
    return performances.index(min(performances))


def results(skills: Sequence[float], seats: int, matches: int, way: str, dice: random.Random) -> list[Result]:
    played = []
    for _ in range(matches):
        players = dice.sample(range(len(skills)), seats)
        played.append((players, loser_of([skills[player] for player in players], way, dice)))
    return played


def rank(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    return [place for _, place in sorted(zip(order, range(len(order)), strict=True))]


def log_loss(mus: Sequence[float], unseen: Sequence[Result]) -> float:
    """Of the best single parameter."""

    def loss(scale: float) -> float:
        total, counted = 0.0, 0
        for players, loser in unseen:
            if loser is not None:
                weights = [math.exp(-scale * mus[player]) for player in players]
                total -= math.log(weights[loser] / sum(weights))
                counted += 1
        return total / counted

    return min(loss(scale / 100) for scale in range(0, 60, 2))


def measured(
    rater: Rater, skills: Sequence[float], played: Sequence[Result], unseen: Sequence[Result], seats: int
) -> tuple[list[float], float, float]:
    """Correlations at the checkpoints, log loss at the end, microseconds a match."""
    ratings = {str(player): rater.start() for player in range(len(skills))}
    marks = {point * len(skills) // seats: point for point in CHECKPOINTS}
    correlations, spent = [], 0.0
    for number, (players, loser) in enumerate(played, start=1):
        rated = [RatedSeat(str(player), place == loser) for place, player in enumerate(players)]
        before = {str(player): ratings[str(player)] for player in players}
        began = time.perf_counter()
        ratings.update(rater.rate(rated, before))
        spent += time.perf_counter() - began
        if number in marks:
            correlations.append(statistics.correlation(rank(_mus(ratings)), rank(skills)))
    return correlations, log_loss(_mus(ratings), unseen), spent / len(played) * 1e6


def _mus(ratings: Mapping[str, Rating]) -> list[float]:
    return [ratings[str(player)].mu for player in range(len(ratings))]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--players", type=int, default=48)
    arguments.add_argument("--worlds", type=int, default=10)
    given = arguments.parse_args()
    for seats in (4, 2):
        for way in ("choice", "performance"):
            print(f"\n{seats} seats, {way}; {given.players} players, {given.worlds} worlds")
            print(f"{'model':26}" + "".join(f"{point:>12}" for point in CHECKPOINTS) + f"{'log loss':>12}{'us':>8}")
            for name, make in RATERS.items():
                rows = [_in_world(make(), seats, way, given.players, world) for world in range(given.worlds)]
                at = [[row[0][index] for row in rows] for index in range(len(CHECKPOINTS))]
                cells = [f"{statistics.mean(each):.3f}±{statistics.stdev(each) / len(rows) ** 0.5:.3f}" for each in at]
                loss, micros = (statistics.mean(row[index] for row in rows) for index in (1, 2))
                print(f"{name:26}" + "".join(f"{cell:>12}" for cell in cells) + f"{loss:>12.4f}{micros:>8.0f}")


def _in_world(rater: Rater, seats: int, way: str, players: int, world: int) -> tuple[list[float], float, float]:
    dice = random.Random(f"{seats} {way} {world}")
    skills = [dice.gauss(0, 1) for _ in range(players)]
    played = results(skills, seats, CHECKPOINTS[-1] * players // seats, way, dice)
    return measured(rater, skills, played, results(skills, seats, 2000, way, dice), seats)


if __name__ == "__main__":
    main()
