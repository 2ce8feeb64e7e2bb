"""The databases under contract, as in tests/archive."""

from tests.archive.conftest import archive, database, postgres_server

__all__ = ["archive", "database", "postgres_server"]
