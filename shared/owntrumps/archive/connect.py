"""Opening the database of an archive by its URL. Nothing connects before it is asked to."""

import sqlite3
import time
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

POOL_SIZE: Final = 4
MORE_CONNECTIONS: Final = 12
POOL_SECONDS: Final = 5
CONNECT_SECONDS: Final = 3
STATEMENT_SECONDS: Final = 30
BUSY_SECONDS: Final = 10
"""How long SQLite waits for another process's write."""
WRITES: Final = "owntrumps_writes"
"""The option of a connection whose transactions write."""


def open_engine(url: str) -> Engine:
    """``postgresql://user@host/name`` or ``sqlite:////path``; ValueError for a URL of no known kind."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ValueError("this is not the URL of a database") from None
    match parsed.get_backend_name():
        case "sqlite":
            return _sqlite(parsed)
        case "postgresql":
            return _postgresql(parsed)
        case other:
            raise ValueError(f"an archive is in postgresql or sqlite, not in {other}")


def _postgresql(url: URL) -> Engine:
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=POOL_SIZE,
        max_overflow=MORE_CONNECTIONS,
        pool_timeout=POOL_SECONDS,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": CONNECT_SECONDS,
            "options": f"-c statement_timeout={STATEMENT_SECONDS}s",
            "tcp_user_timeout": STATEMENT_SECONDS * 1000,
        },
    )


def _sqlite(url: URL) -> Engine:
    engine = create_engine(
        url, pool_size=POOL_SIZE, max_overflow=MORE_CONNECTIONS, connect_args={"timeout": BUSY_SECONDS}
    )
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Readers and the one writer at the same time, and commits that outlive a power cut: Redis forgets after them."""
    connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
    _keep_a_write_ahead_log(connection)
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _keep_a_write_ahead_log(connection: Any) -> None:
    """Ask until it is so: of two who make a new database at once SQLite refuses one on the spot, whatever the timeout
    of the connection."""
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            _await_writer(connection)


def _await_writer(connection: Any) -> None:
    """Return when nobody writes: for this lock SQLite does wait."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")


def _begin_sqlite(connection: Connection) -> None:
    """A transaction that will write takes the lock at once: one that took it later could fail half-way."""
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
