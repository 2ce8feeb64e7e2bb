"""The tables. Moments are milliseconds since 1970-01-01 UTC; a match's ``seq`` is the archive's own order, from 1."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

SCHEMA: Final = 1
"""Raised, with a step that changes older databases, whenever the tables change."""

metadata = MetaData()


def _ordered(length: int) -> String:
    """A text that sorts by its bytes, as the store's lists do, whatever the database's language."""
    text: String = String(length).with_variant(String(length, collation="C"), "postgresql")
    return text


_SEQ: Final = BigInteger().with_variant(Integer, "sqlite")

archive = Table(
    "archive",
    metadata,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("schema", Integer, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
)
"""One row. Whoever writes matches or ratings locks it first: so there is one order."""

matches = Table(
    "matches",
    metadata,
    Column("seq", _SEQ, primary_key=True, autoincrement=False),
    Column("id", _ordered(15), nullable=False, unique=True),
    Column("ruleset_name", String(40), nullable=False),
    Column("status", String(8), nullable=False),
    Column("private", Boolean, nullable=False),
    Column("imported", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("chain", String(64), nullable=False),
    Column("draw", String(16)),
    Column("forfeit", Boolean, nullable=False),
    Column("aborted", Text),
    Column("state", LargeBinary, nullable=False),
    Column("log", LargeBinary, nullable=False),
)
"""``draw`` is the reason of a drawn match, ``aborted`` that of one called off; ``imported`` matches were not played
here: they are read by id, but neither listed nor counted nor rated."""
Index("matches_listed", matches.c.private, matches.c.imported, matches.c.created_at, matches.c.id)
Index(
    "matches_of_ruleset",
    matches.c.ruleset_name,
    matches.c.private,
    matches.c.imported,
    matches.c.created_at,
    matches.c.id,
)

match_seats = Table(
    "match_seats",
    metadata,
    Column("match_seq", _SEQ, ForeignKey("matches.seq"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", _ordered(64)),
    Column("name", Text),
    Column("level", String(64)),
    Column("losses", Integer, nullable=False),
    Column("loser", Boolean, nullable=False),
    Column("forfeit", Boolean, nullable=False),
    Column("stand_in", Boolean, nullable=False),
)
Index("seats_of_player", match_seats.c.player, match_seats.c.match_seq)

ratings = Table(
    "ratings",
    metadata,
    Column("ruleset_name", String(40), primary_key=True),
    Column("entity", _ordered(80), primary_key=True),
    Column("name", Text),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("low", Double, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("last_seq", _SEQ, nullable=False),
)
"""Of players (by id) and bots (``bot:LEVEL``). ``low`` is ``mu - 3 sigma``, which leaderboards are ordered by."""
Index("ratings_ranked", ratings.c.ruleset_name, ratings.c.low, ratings.c.entity)

rating_changes = Table(
    "rating_changes",
    metadata,
    Column("match_seq", _SEQ, ForeignKey("matches.seq"), primary_key=True),
    Column("entity", _ordered(80), primary_key=True),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
)
"""One change for each match and entity: the key makes sure of it."""
