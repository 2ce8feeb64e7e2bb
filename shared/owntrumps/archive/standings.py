"""What players' matches came to, and how they rank."""

from dataclasses import dataclass

from sqlalchemy import Connection, case, func, select

from owntrumps.archive.rating import Rating
from owntrumps.archive.tables import match_seats, matches, ratings


@dataclass(frozen=True, slots=True)
class Results:
    """A player's finished public matches of one ruleset. ``calf`` counts lost deals: how often they were the calf."""

    ruleset_name: str
    matches: int
    lost: int
    drawn: int
    forfeited: int
    calf: int


@dataclass(frozen=True, slots=True)
class Standing:
    """An entity's rating in one ruleset. ``name`` is that of its last match."""

    ruleset_name: str
    entity: str
    name: str | None
    rating: Rating
    matches: int
    lost: int


def results_of(connection: Connection, player: str) -> list[Results]:
    def times(condition: object) -> object:
        return func.sum(case((condition, 1), else_=0))  # type: ignore[arg-type]

    query = (
        select(
            matches.c.ruleset_name,
            func.count(),
            times(match_seats.c.loser),
            times(matches.c.draw.is_not(None)),
            times(match_seats.c.forfeit),
            func.sum(match_seats.c.losses),
        )  # type: ignore[call-overload]
        .join(match_seats, match_seats.c.match_seq == matches.c.seq)
        .where(match_seats.c.player == player, matches.c.status == "finished")
        .where(~matches.c.private, ~matches.c.imported)
        .group_by(matches.c.ruleset_name)
        .order_by(matches.c.ruleset_name)
    )
    return [Results(name, *map(int, numbers)) for name, *numbers in connection.execute(query)]


def ratings_of(connection: Connection, entity: str) -> list[Standing]:
    query = select(ratings).where(ratings.c.entity == entity).order_by(ratings.c.ruleset_name)
    return [_standing(row) for row in connection.execute(query)]


def leaderboard(connection: Connection, ruleset: str, limit: int) -> list[Standing]:
    query = select(ratings).where(ratings.c.ruleset_name == ruleset)
    query = query.order_by(ratings.c.low.desc(), ratings.c.entity).limit(limit)
    return [_standing(row) for row in connection.execute(query)]


def _standing(row: object) -> Standing:
    return Standing(
        row.ruleset_name, row.entity, row.name, Rating(row.mu, row.sigma), row.matches, row.lost  # type: ignore[attr-defined]
    )  # fmt: skip
