"""What can be wrong with an archive, or with what is to go into it."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from owntrumps.store.port import StoreUnavailableError


class ArchiveUnavailableError(StoreUnavailableError):
    """The database cannot be reached, or did not answer in time. Whether a write happened is unknown; retrying is
    safe."""


class ArchiveSchemaError(Exception):
    """The database holds an archive of a later version of this library."""


class UnfitLogError(ValueError):
    """A log that cannot be archived: not over, not whole, or its hash chain does not hold."""


class OtherLogError(ValueError):
    """The archive has another log under this match's id."""


class UnfitRowsError(ValueError):
    """The database does not take these rows (a text with a NUL, say); nothing was changed."""


class DamagedLogError(Exception):
    """An archived log that is not what was once written: its hash chain does not end as it did."""


@contextmanager
def errors_translated() -> Iterator[None]:
    """Our errors in place of the driver's that mean them; others are mistakes of ours and pass."""
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, PoolTimeoutError) as error:
        raise ArchiveUnavailableError(_told(error)) from error
    except (DataError, IntegrityError) as error:
        raise UnfitRowsError(_told(error)) from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise ArchiveUnavailableError(_told(error)) from error
        raise


def _told(error: Exception) -> str:
    """The driver's words: SQLAlchemy's own would quote the statement and its values."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return f"{type(cause).__name__}: {str(cause).strip()}"
