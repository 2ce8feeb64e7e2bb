"""`check`: every archived match against its own log."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from owntrumps.archive.archive import Archive
from owntrumps.archive.errors import DamagedLogError, UnfitLogError
from owntrumps.archive.whole import WholeMatch, unpack_state, whole_match
from owntrumps.game.terms import MatchId

Finding = Literal["good", "damaged", "different"]
"""``damaged``: the log itself. ``different``: the log is whole, but what stands beside it does not follow from it."""

_PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Report:
    """What became of one match; ``detail`` is for people."""

    match: MatchId
    finding: Finding
    detail: str = ""


def check(archive: Archive) -> Iterator[Report]:
    """Compare each match's rows with what its log alone tells. Changes nothing."""
    after = 0
    while True:
        page = archive.page(after=after, limit=_PAGE)
        if not page:
            return
        for seq, stored in page:
            yield _checked(stored)
            after = seq


def _checked(stored: WholeMatch) -> Report:
    try:
        told = whole_match(stored.id, stored.entries(), imported=stored.match["imported"])
    except (DamagedLogError, UnfitLogError) as error:
        return Report(stored.id, "damaged", str(error))
    wrong = [name for name in told.match if _plain(name, told.match[name]) != _plain(name, stored.match[name])]
    if list(told.seats) != list(stored.seats):
        wrong.append("seats")
    if wrong:
        return Report(stored.id, "different", f"{', '.join(wrong)}: not what the log tells")
    return Report(stored.id, "good")


def _plain(name: str, value: Any) -> Any:
    """A column's value; the same bytes may be compressed in more than one way."""
    return unpack_state(value) if name == "state" else None if name == "log" else value
