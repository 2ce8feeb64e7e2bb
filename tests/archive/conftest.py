"""The databases under contract, each with nothing in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from owntrumps.archive.archive import Archive, open_archive
from owntrumps_history.rating import OpenSkillRater
from tests.archive.postgres import PostgresServer, postgres

KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    with postgres() as server:
        yield server


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/history.sqlite3"
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return server.empty_database()


@pytest.fixture
def archive(database: str) -> Iterator[Archive]:
    opened = open_archive(database, OpenSkillRater())
    yield opened
    opened.close()
