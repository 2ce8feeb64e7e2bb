"""Playing what is past again at a chosen pace."""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, Final

from owntrumps.game.log import Entry
from owntrumps.game.terms import Millis
from owntrumps_api.hub import Wakeup
from owntrumps_api.live import HEARTBEAT, Message

LONGEST_PAUSE: Final = 5.0
"""Seconds: nobody watches somebody think for an hour."""


class Pace:
    """The pauses before the entries of one stream, up to a version; what is newer comes as it happens.

    ``speed`` is how many times quicker than it was played, None for no pauses. ``closing`` ends a pause early.
    """

    def __init__(
        self, speed: float | None, until: int, bell: Wakeup[Any], heartbeat: float, closing: Callable[[], bool]
    ) -> None:
        self._speed = speed
        self._until = until
        self._bell = bell
        self._heartbeat = heartbeat
        self._closing = closing
        self._last: Millis | None = None
        self.stopped = False
        """Whether a pause ended early: the entry's turn has not come."""
        self.overheard = False
        """Whether the bell rang during a pause: there is news to look for after the replay."""

    def before(self, entry: Entry) -> Iterator[Message]:
        """Wait until it is the entry's turn; heartbeats meanwhile."""
        last, self._last = self._last, entry.at
        if self._speed is None or last is None or entry.version > self._until:
            return
        ends = monotonic() + min((entry.at - last) / 1000 / self._speed, LONGEST_PAUSE)
        beat = monotonic() + self._heartbeat
        while (left := ends - monotonic()) > 0 and not self.stopped:
            if self._bell.wait(min(left, self._heartbeat)).rang:
                self.overheard = True
            self.stopped = self._closing()
            if monotonic() >= beat:
                beat = monotonic() + self._heartbeat
                yield HEARTBEAT
