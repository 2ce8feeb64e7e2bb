"""Which failures are worth another try, and when.

5xx, 429 and lost connections are tried again for up to a minute, as long as `Retry-After` says or ever longer; no other
4xx is. Trying again is safe: every POST carries an idempotency key that is made once. 202 means that the answer is not
there yet: the same request asks for it.
"""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpx

from owntrumps.client.errors import ProblemError, UnreachableError

RETRY_FOR_SECONDS: Final = 60.0
FIRST_WAIT_SECONDS: Final = 0.25
LONGEST_WAIT_SECONDS: Final = 8.0

Failure = httpx.Response | httpx.TransportError

_PROBLEM_MEMBERS: Final = ("type", "title", "status", "detail", "code")


def is_answer(response: httpx.Response) -> bool:
    """Whether asking again would not change it."""
    return response.status_code not in {202, 429} and response.status_code < 500


class Attempts:
    """The tries of one call, for ``retry_for`` seconds. ``clock`` counts seconds; ``dice`` spreads clients out after an
    outage."""

    def __init__(self, clock: Callable[[], float], retry_for: float, dice: Callable[[], float] = random.random) -> None:
        self._clock = clock
        self._retry_for = retry_for
        self._dice = dice
        self.succeeded()

    def succeeded(self) -> None:
        """Something came through: the next failure has all the time again."""
        self._until: float | None = None
        self._wait = FIRST_WAIT_SECONDS

    def wait_after(self, failure: Failure) -> float:
        """Seconds until the next try; raises what the failure stands for once the time is up.

        Raises:
            ProblemError: the server's last word.
            UnreachableError: there was none.
        """
        if isinstance(failure, httpx.UnsupportedProtocol) or (
            isinstance(failure, httpx.Response) and is_answer(failure)
        ):
            raise error_of(failure)
        now = self._clock()
        if self._until is None:
            self._until = now + self._retry_for
        wait = self._wait * (0.5 + self._dice() / 2)
        self._wait = min(self._wait * 2, LONGEST_WAIT_SECONDS)
        if isinstance(failure, httpx.Response):
            wait = max(wait, _retry_after(failure.headers.get("Retry-After", "")))
        if now + wait > self._until:
            raise error_of(failure)
        return wait


def _retry_after(text: str) -> float:
    """Seconds that the header asks for, given as a number or as a date; 0 if it says neither."""
    if text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - datetime.now(UTC)).total_seconds()


def ended_early(response: httpx.Response) -> httpx.TransportError:
    """What it means that a stream ended without saying so."""
    return httpx.RemoteProtocolError("the stream ended early", request=response.request)


def error_of(failure: Failure) -> ProblemError | UnreachableError:
    """The exception for a failure that is final."""
    if isinstance(failure, httpx.TransportError):
        return UnreachableError(f"{failure.request.url}: {str(failure) or type(failure).__name__}")
    body = _json_object(failure)
    status = failure.status_code
    if status == 202:
        return UnreachableError(f"{failure.request.url}: the server has no answer yet")
    extra = {name: member for name, member in body.items() if name not in _PROBLEM_MEMBERS}
    slug, detail = body.get("code"), body.get("detail")
    return ProblemError(
        slug if isinstance(slug, str) else f"http-{status}",
        status,
        detail if isinstance(detail, str) else f"{failure.request.url} answered {status}",
        extra,
    )


def _json_object(response: httpx.Response) -> dict[str, Any]:
    """The body's members; none if it is something else, such as the page of a proxy."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
