"""What can go wrong between a client and a server."""

from collections.abc import Mapping
from typing import Any


class ClientError(Exception):
    """Any of the below."""


class ProblemError(ClientError):
    """The server's refusal: ``slug`` is stable (such as ``illegal-play``), ``extra`` holds what else it said (such as
    ``legal``), see docs/api.md."""

    def __init__(self, slug: str, status: int, detail: str, extra: Mapping[str, Any]) -> None:
        super().__init__(f"{slug}: {detail}")
        self.slug = slug
        self.status = status
        self.detail = detail
        self.extra = extra


class UnreachableError(ClientError):
    """No answer, also when asked again for a minute."""


class ClosedError(ClientError):
    """The client was closed while this call waited."""
