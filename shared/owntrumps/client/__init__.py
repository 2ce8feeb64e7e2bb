"""The HTTP client: `Client` and its asyncio twin `AsyncClient`. See docs/client.md."""

from owntrumps.client.asynchronous import AsyncClient
from owntrumps.client.calls import Entry, Moved, MoveOfMany, Registered, Seek, Turn
from owntrumps.client.errors import ClientError, ClosedError, ProblemError, UnreachableError
from owntrumps.client.sync import Client
from owntrumps.views.view import View

__all__ = [
    "AsyncClient",
    "Client",
    "ClientError",
    "ClosedError",
    "Entry",
    "MoveOfMany",
    "Moved",
    "ProblemError",
    "Registered",
    "Seek",
    "Turn",
    "UnreachableError",
    "View",
]
