"""Moments as text: RFC 3339 in UTC with whole milliseconds, such as ``2026-03-01T12:00:00.250Z``."""

from datetime import UTC, datetime, timedelta

from owntrumps.game.terms import Millis

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def iso(moment: Millis) -> str:
    """
    >>> iso(Millis(1_250))
    '1970-01-01T00:00:01.250Z'
    """
    text = (_EPOCH + timedelta(milliseconds=moment)).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def millis_of(text: str) -> Millis:
    """The inverse of `iso`; ValueError for any other text."""
    refusal = f"{text!r} is not a moment such as 2026-03-01T12:00:00.250Z"
    if not text.endswith("Z"):
        raise ValueError(refusal)
    moment = Millis((datetime.fromisoformat(text) - _EPOCH) // timedelta(milliseconds=1))
    if iso(moment) != text:
        raise ValueError(refusal)
    return moment
