"""Ratings: which matches count, whom they rate, and the book in which each change stands once.

How a result changes ratings is a `Rater`'s business. The book is kept in the archive's order, so that writing it again
from the first match gives the same numbers to the last bit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from owntrumps.archive.tables import match_seats, matches, rating_changes, ratings
from owntrumps.rules.rulesets import PRESETS

BOT: Final = "bot:"
"""Before the level, in a bot's name as a rated entity; players go by their ids, which have no colon."""
CAUTION: Final = 3.0
"""How many sigmas below its mu an entity ranks: someone new has to show first what they can do."""
_PAGE: Final = 500

Key = tuple[str, str]
"""Ruleset's name, entity."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A skill that is believed to be normally distributed: mean and standard deviation."""

    mu: float
    sigma: float

    @property
    def low(self) -> float:
        return self.mu - CAUTION * self.sigma


@dataclass(frozen=True, slots=True)
class RatedSeat:
    """Who played on a seat, and whether that seat was a loser of the match."""

    entity: str
    lost: bool


class Rater(Protocol):
    """What a result says about skills."""

    def start(self) -> Rating:
        """The rating of somebody of whom nothing is known."""

    def rate(self, seats: Sequence[RatedSeat], before: Mapping[str, Rating]) -> Mapping[str, Rating]:
        """The ratings after a match, by entity, of all of ``before``, which holds everybody on the seats."""


def entity_of(seat: Mapping[str, Any]) -> str | None:
    """Who is rated for a seat: its player, also where a bot stood in, or else the bot's level."""
    player: str | None = seat["player"]
    if player is not None:
        return player
    return None if seat["level"] is None else f"{BOT}{seat['level']}"


def rated_seats(match: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> list[RatedSeat]:
    """The seats of a match that counts; [] for one that does not.

    What counts is what anybody can look up: a finished, public match of a preset, played here, by more than one entity.
    """
    counts = match["status"] == "finished" and not match["private"] and not match["imported"]
    rated = [RatedSeat(entity, seat["loser"]) for seat in seats if (entity := entity_of(seat)) is not None]
    if not counts or match["ruleset_name"] not in PRESETS or len(rated) < len(seats):
        return []
    return rated if len({seat.entity for seat in rated}) > 1 else []


@dataclass(slots=True)
class _Line:
    """One entity's line of the book."""

    rating: Rating
    name: str | None
    matches: int = 0
    lost: int = 0
    last_seq: int = 0
    is_new: bool = True


class Book:
    """The ratings while matches are entered, in order of ``seq``; nothing is written before `write`."""

    def __init__(self, rater: Rater) -> None:
        self._rater = rater
        self._lines: dict[Key, _Line] = {}
        self._touched: set[Key] = set()
        self._changes: list[dict[str, Any]] = []

    def read(self, connection: Connection, keys: Iterable[Key]) -> None:
        """Take over what is known of these."""
        wanted = set(keys)
        query = select(ratings).where(
            ratings.c.ruleset_name.in_({ruleset for ruleset, _ in wanted}),
            ratings.c.entity.in_({entity for _, entity in wanted}),
        )
        for row in connection.execute(query):
            self._lines[row.ruleset_name, row.entity] = _Line(
                Rating(row.mu, row.sigma), row.name, row.matches, row.lost, row.last_seq, is_new=False
            )

    def enter(self, seq: int, match: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> None:
        """Enter a match, if it counts."""
        rated = rated_seats(match, seats)
        if not rated:
            return
        ruleset = match["ruleset_name"]
        before = {seat.entity: self._line(ruleset, seat.entity).rating for seat in rated}
        after = self._rater.rate(rated, before)
        for entity in before:
            self._change(seq, ruleset, entity, after[entity], lost=RatedSeat(entity, lost=True) in rated)
        for seat in seats:
            known_as = seat["name"] if seat["player"] is not None else seat["level"]
            self._lines[ruleset, str(entity_of(seat))].name = known_as

    def _line(self, ruleset: str, entity: str) -> _Line:
        return self._lines.setdefault((ruleset, entity), _Line(self._rater.start(), None))

    def _change(self, seq: int, ruleset: str, entity: str, after: Rating, *, lost: bool) -> None:
        line = self._lines[ruleset, entity]
        self._changes.append(
            {
                "match_seq": seq,
                "entity": entity,
                "mu_before": line.rating.mu,
                "sigma_before": line.rating.sigma,
                "mu": after.mu,
                "sigma": after.sigma,
            }
        )
        line.rating = after
        line.matches += 1
        line.lost += lost
        line.last_seq = seq
        self._touched.add((ruleset, entity))

    def write(self, connection: Connection) -> None:
        """Write what was entered since the last time."""
        if self._changes:
            connection.execute(insert(rating_changes), self._changes)
            self._changes = []
        fresh, known = list[dict[str, Any]](), list[dict[str, Any]]()
        for key in sorted(self._touched):
            line = self._lines[key]
            row = {
                "of_ruleset": key[0],
                "of_entity": key[1],
                "name": line.name,
                "mu": line.rating.mu,
                "sigma": line.rating.sigma,
                "low": line.rating.low,
                "matches": line.matches,
                "lost": line.lost,
                "last_seq": line.last_seq,
            }
            (fresh if line.is_new else known).append(row)
            line.is_new = False
        if fresh:
            connection.execute(_INSERT, fresh)
        if known:
            connection.execute(_UPDATE, known)
        self._touched.clear()


_KEY: Final[Mapping[str, Any]] = {"ruleset_name": bindparam("of_ruleset"), "entity": bindparam("of_entity")}
_INSERT: Final = insert(ratings).values(
    **_KEY, **{name: bindparam(name) for name in ("name", "mu", "sigma", "low", "matches", "lost", "last_seq")}
)
_UPDATE: Final = update(ratings).where(*(ratings.c[name] == value for name, value in _KEY.items()))


def rated_keys(match: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> list[Key]:
    """The lines that a match changes."""
    return [(match["ruleset_name"], seat.entity) for seat in rated_seats(match, seats)]


def rewrite(connection: Connection, rater: Rater) -> Iterable[int]:
    """Write the book anew from the archived matches; yields how many were read, page by page."""
    connection.execute(delete(rating_changes))
    connection.execute(delete(ratings))
    book, after = Book(rater), 0
    columns = [matches.c[name] for name in ("seq", "ruleset_name", "status", "private", "imported")]
    while True:
        page = (
            connection.execute(select(*columns).where(matches.c.seq > after).order_by(matches.c.seq).limit(_PAGE))
            .mappings()
            .all()
        )
        if not page:
            return
        seats = seats_of(connection, [row["seq"] for row in page])
        for row in page:
            book.enter(row["seq"], {**row}, seats[row["seq"]])
        book.write(connection)
        after = page[-1]["seq"]
        yield len(page)


def seats_of(connection: Connection, seqs: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """The rows of the seats of these matches, by ``seq`` and in order."""
    seats: dict[int, list[dict[str, Any]]] = {seq: [] for seq in seqs}
    query = select(match_seats).where(match_seats.c.match_seq.in_(seqs))
    for row in connection.execute(query.order_by(match_seats.c.match_seq, match_seats.c.seat)).mappings():
        seat = dict(row)
        seats[seat.pop("match_seq")].append(seat)
    return seats
