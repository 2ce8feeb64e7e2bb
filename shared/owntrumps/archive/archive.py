"""The archive: whole matches in, entries, states, lists and ratings out."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final, Literal

from sqlalchemy import Connection, Engine, Row, Select, func, insert, inspect, select, text, tuple_, update

from owntrumps.archive import standings
from owntrumps.archive.blob import unpack_log
from owntrumps.archive.connect import WRITES, open_engine
from owntrumps.archive.errors import ArchiveSchemaError, OtherLogError, errors_translated
from owntrumps.archive.kept import Kept
from owntrumps.archive.rating import Book, Rater, rated_keys, rewrite, seats_of
from owntrumps.archive.standings import Results, Standing
from owntrumps.archive.tables import SCHEMA, archive, match_seats, matches, metadata
from owntrumps.archive.whole import WholeMatch, unpack_state, whole_match
from owntrumps.game.terms import MatchId, Millis, PlayerId, Version
from owntrumps.store.ids import cursor_of, list_row, match_of_row, row_of
from owntrumps.store.port import MatchIndex, MatchSummary, Status, StoredEntry

LOGS_KEPT_BYTES: Final = 16 * 1024 * 1024
STATES_KEPT_BYTES: Final = 4 * 1024 * 1024
_ADVISORY_LOCK: Final = 0x6F776E74
"""PostgreSQL's, while tables are made: two processes may start at once."""

Saved = Literal["saved", "present", "other"]
"""`present`: this very log was there already. `other`: another log is there, and nothing was changed."""


class Archive:
    """An archive in a database. Also a `MatchReader` and, for matches that are over, the `matches` of `Lists`.

    All methods raise ArchiveUnavailableError where the database cannot be reached. With a ``rater``, saved matches
    change ratings. Thread-safe.
    """

    def __init__(self, engine: Engine, rater: Rater | None = None) -> None:
        self._engine = engine
        self._writer = engine.execution_options(**{WRITES: True})
        self._rater = rater
        self._prepared = False
        self._lock = Lock()
        self._logs: Kept[MatchId, list[StoredEntry]] = Kept(LOGS_KEPT_BYTES, _weight)
        self._states: Kept[MatchId, bytes] = Kept(STATES_KEPT_BYTES, len)

    # Writing

    def save(self, match: MatchId, entries: Sequence[StoredEntry], *, imported: bool = False) -> bool:
        """Archive a whole log; whether it was new.

        Raises:
            UnfitLogError: the log is not that of a match that is over, or not in order.
            OtherLogError: another log is archived under this id.
        """
        (saved,) = self.save_all([whole_match(match, entries, imported=imported)])
        if saved == "other":
            raise OtherLogError(f"another log of match {match} is archived already")
        return saved == "saved"

    def save_all(self, whole: Sequence[WholeMatch]) -> list[Saved]:
        """Archive the matches, with their rating changes, in one transaction; what became of each, in order."""
        with self._writing() as connection:
            seq = connection.execute(select(archive.c.last_seq).with_for_update()).scalar_one()
            known = self._chains_of(connection, [match.id for match in whole])
            results: list[Saved] = []
            fresh: list[tuple[int, WholeMatch]] = []
            for match in whole:
                chain = known.get(match.id)
                if chain is None:
                    seq += 1
                    fresh.append((seq, match))
                    known[match.id] = match.match["chain"]
                    results.append("saved")
                else:
                    results.append("present" if chain == match.match["chain"] else "other")
            if fresh:
                self._insert(connection, fresh)
                connection.execute(update(archive).values(last_seq=seq))
        return results

    def _insert(self, connection: Connection, fresh: Sequence[tuple[int, WholeMatch]]) -> None:
        connection.execute(insert(matches), [{"seq": seq, **match.match} for seq, match in fresh])
        connection.execute(
            insert(match_seats), [{"match_seq": seq, **seat} for seq, match in fresh for seat in match.seats]
        )
        if self._rater is not None:
            book = Book(self._rater)
            book.read(connection, [key for _, match in fresh for key in rated_keys(match.match, match.seats)])
            for seq, match in fresh:
                book.enter(seq, match.match, match.seats)
            book.write(connection)

    @staticmethod
    def _chains_of(connection: Connection, ids: Sequence[MatchId]) -> dict[str, str]:
        found = connection.execute(select(matches.c.id, matches.c.chain).where(matches.c.id.in_(ids)))
        return {row.id: row.chain for row in found}

    def rebuild_ratings(self, rater: Rater) -> Iterator[int]:
        """Write all ratings anew from the archived matches, in one transaction; how many were read, page by page.

        Nothing has changed if the iterator is given up before its end. Saving waits meanwhile.
        """
        with self._writing() as connection:
            connection.execute(select(archive.c.last_seq).with_for_update())
            yield from rewrite(connection, rater)

    # Reading

    def has(self, match: MatchId) -> bool:
        """Whether the match is archived."""
        return self.state(match) is not None

    def is_imported(self, match: MatchId) -> bool:
        """Whether the match is archived as a record from elsewhere: nobody vouches for who played it."""
        with self._reading() as connection:
            return bool(connection.execute(select(matches.c.imported).where(matches.c.id == match)).scalar())

    def state(self, match: MatchId) -> bytes | None:
        """The bytes of the state it ended in; None for a match that is not archived."""
        kept = self._states.get(match)
        if kept is None:
            with self._reading() as connection:
                packed = connection.execute(select(matches.c.state).where(matches.c.id == match)).scalar()
            if packed is None:
                return None
            kept = unpack_state(packed)
            self._states.put(match, kept)
        return kept

    def entries(self, match: MatchId, *, after: Version, limit: int) -> list[StoredEntry]:
        """As `MatchReader.entries`; DamagedLogError for a log that is not what was written."""
        log = self._logs.get(match)
        if log is None:
            log = self.logs([match]).get(match)
            if log is None:
                return []
            self._logs.put(match, log)
        return log[after : after + limit]

    def logs(self, ids: Sequence[MatchId]) -> dict[MatchId, list[StoredEntry]]:
        """The whole logs of those that are archived, straight from the database."""
        with self._reading() as connection:
            query = select(matches.c.id, matches.c.log, matches.c.chain).where(matches.c.id.in_(ids))
            found = connection.execute(query).all()
        return {MatchId(row.id): unpack_log(row.log, row.chain) for row in found}

    def count(self, *, after: int = 0, since: Millis | None = None) -> int:
        """How many matches there are with a greater ``seq``, ended at that moment or later."""
        with self._reading() as connection:
            query = select(func.count()).select_from(matches)
            return int(connection.execute(_selected(query, after, since)).scalar_one())

    def page(self, *, after: int, limit: int, since: Millis | None = None) -> list[tuple[int, WholeMatch]]:
        """Whole matches with their ``seq``, in its order, from the first one above ``after``."""
        with self._reading() as connection:
            query = _selected(select(matches), after, since).order_by(matches.c.seq).limit(limit)
            rows = [dict(row) for row in connection.execute(query).mappings()]
            found = [row.pop("seq") for row in rows]
            seats = seats_of(connection, found)
        return [(seq, WholeMatch(MatchId(row["id"]), row, seats[seq])) for seq, row in zip(found, rows, strict=True)]

    def matches(
        self,
        *,
        status: Status | None,
        ruleset: str | None,
        player: PlayerId | None,
        cursor: str | None,
        limit: int,
    ) -> tuple[list[MatchSummary], str | None]:
        """As `Lists.matches`, with the same cursors: newest first, private ones only for their ``player``."""
        query = select(
            matches.c.seq, matches.c.id, matches.c.ruleset_name, matches.c.status, matches.c.private,
            matches.c.created_at, matches.c.state,
        ).where(~matches.c.imported)  # fmt: skip
        if player is None:
            query = query.where(~matches.c.private)
        else:
            query = query.join(match_seats, match_seats.c.match_seq == matches.c.seq)
            query = query.where(match_seats.c.player == player)
        if status is not None:
            query = query.where(matches.c.status == status)
        if ruleset is not None:
            query = query.where(matches.c.ruleset_name == ruleset)
        if cursor is not None:
            before = row_of(cursor)
            place = tuple_(matches.c.created_at, matches.c.id)
            query = query.where(place < tuple_(int(before[:13]), match_of_row(before)))
        query = query.order_by(matches.c.created_at.desc(), matches.c.id.desc()).limit(limit + 1)
        with self._reading() as connection:
            found = connection.execute(query).all()
            players = self._players_of(connection, [row.seq for row in found])
        for row in found:
            self._states.put(MatchId(row.id), unpack_state(row.state))
        summaries = [_summary(row, tuple(players.get(row.seq, ()))) for row in found[:limit]]
        return summaries, cursor_of(_list_row(found[limit - 1])) if len(found) > limit else None

    @staticmethod
    def _players_of(connection: Connection, seqs: Sequence[int]) -> dict[int, list[PlayerId]]:
        query = select(match_seats.c.match_seq, match_seats.c.player)
        query = query.where(match_seats.c.match_seq.in_(seqs), match_seats.c.player.is_not(None))
        players: dict[int, list[PlayerId]] = {}
        for row in connection.execute(query.order_by(match_seats.c.match_seq, match_seats.c.seat)):
            players.setdefault(row.match_seq, []).append(PlayerId(row.player))
        return players

    # Players

    def results_of(self, player: PlayerId) -> list[Results]:
        """What a player's public matches came to, by ruleset."""
        with self._reading() as connection:
            return standings.results_of(connection, player)

    def ratings_of(self, entity: str) -> list[Standing]:
        """An entity's ratings, by ruleset."""
        with self._reading() as connection:
            return standings.ratings_of(connection, entity)

    def leaderboard(self, ruleset: str, *, limit: int) -> list[Standing]:
        """The entities of a ruleset, those that are surely the strongest first."""
        with self._reading() as connection:
            return standings.leaderboard(connection, ruleset, limit)

    # The database

    def ping(self) -> None:
        """Return if the database answers and its tables are there."""
        with self._reading() as connection:
            connection.execute(select(archive.c.schema))

    def close(self) -> None:
        """Give up the connections."""
        self._engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with errors_translated():
            self._prepare()
            with self._engine.begin() as connection:
                yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with errors_translated():
            self._prepare()
            with self._writer.begin() as connection:
                yield connection

    def _prepare(self) -> None:
        """Make the tables where there are none, the first time; ArchiveSchemaError if they are not for us."""
        with self._lock:
            if self._prepared:
                return
            with self._engine.begin() as connection:
                schema = _schema_of(connection)
            if schema is None:
                with self._writer.begin() as connection:
                    schema = _make_tables(connection)
            if schema != SCHEMA:
                raise ArchiveSchemaError(f"the archive has schema {schema}; this program knows {SCHEMA}")
            self._prepared = True


def open_archive(url: str, rater: Rater | None = None) -> Archive:
    """The archive behind a URL (see `owntrumps.archive.connect`); ValueError for a URL of no known kind."""
    return Archive(open_engine(url), rater)


def _schema_of(connection: Connection) -> int | None:
    if not inspect(connection).has_table(archive.name):
        return None
    return connection.execute(select(archive.c.schema)).scalar()


def _make_tables(connection: Connection) -> int:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _ADVISORY_LOCK})
    metadata.create_all(connection)
    schema = connection.execute(select(archive.c.schema)).scalar()
    if schema is None:
        connection.execute(insert(archive).values(one=1, schema=SCHEMA, last_seq=0))
        return SCHEMA
    return int(schema)


def _selected(query: Select[*tuple[Any, ...]], after: int, since: Millis | None) -> Select[*tuple[Any, ...]]:
    query = query.where(matches.c.seq > after)
    return query if since is None else query.where(matches.c.ended_at >= since)


def _summary(row: Row[*tuple[Any, ...]], players: tuple[PlayerId, ...]) -> MatchSummary:
    index = MatchIndex(row.status, row.ruleset_name, row.private, Millis(row.created_at), players, None)
    return MatchSummary(MatchId(row.id), index)


def _list_row(row: Row[*tuple[Any, ...]]) -> str:
    return list_row(Millis(row.created_at), MatchId(row.id))


def _weight(log: Sequence[StoredEntry]) -> int:
    """Bytes in memory, about: each entry is three objects more."""
    return sum(len(entry.payload) + len(entry.chain) + 300 for entry in log)
