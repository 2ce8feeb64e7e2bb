"""Finding strangers to play with: seeks, and the pairings they come to. Atomic: nobody is paired twice or lost.

A seek waits in the pool of its ruleset. The one that completes a pool's number takes those who came first with it, in
one step, and the pairing is kept until its match is known to exist; so whoever paired them may die at any point.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NewType, Protocol

from owntrumps.game.terms import MatchId, Millis, PlayerId
from owntrumps.rules.rulesets import Ruleset
from owntrumps.store.codec import canonical_json

SeekId = NewType("SeekId", str)

KEPT_AFTER_PAIRING_MS: Final = 3_600_000
"""For so long whoever sought can find out which match it became."""


@dataclass(frozen=True, slots=True)
class Seek:
    """One player's wish for a match of ``ruleset``, until ``expires_at``.

    From ``bots_at`` on (None: never) bots of ``level`` take the seats still empty. ``trump`` is a wish, which the
    earlier seek of two gets. ``fingerprint`` stands for the request, as in a submission.
    """

    id: SeekId
    player: PlayerId
    name: str
    ruleset: Ruleset
    ruleset_name: str
    trump: str | None
    level: str
    created_at: Millis
    expires_at: Millis
    bots_at: Millis | None
    fingerprint: str = ""

    @property
    def pool(self) -> str:
        """Seeks of one pool can be paired: the ruleset's parameters, its number of seats among them."""
        return canonical_json(self.ruleset.as_dict()).decode()


@dataclass(frozen=True, slots=True)
class Sought:
    """A seek, and the match that it became (None: not yet)."""

    seek: Seek
    match: MatchId | None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who plays the match, in the order of their coming; the seats beyond are bots'."""

    match: MatchId
    seeks: tuple[Seek, ...]


class AlreadySeekingError(Exception):
    """The player waits with another seek, ``sought``."""

    def __init__(self, sought: Sought) -> None:
        super().__init__(f"player {sought.seek.player} waits with the seek {sought.seek.id}")
        self.sought = sought


class Seeks(Protocol):
    """Where seeks wait. A player waits with one seek at a time."""

    def seek(self, seek: Seek, match: MatchId) -> Sought:
        """Begin to wait; or become ``match``, if with this seek there are enough. An id that is known is the same seek,
        also one that was cancelled: that does not begin to wait again.

        Raises:
            AlreadySeekingError: the player waits with another one.
        """

    def sought(self, seek: SeekId) -> Sought | None:
        """How the seek stands; None for one that was cancelled, has expired or never was."""

    def seeks_of(self, player: PlayerId) -> Sought | None:
        """What the player waits with, if anything."""

    def cancel(self, seek: SeekId) -> MatchId | None:
        """Stop waiting. The match, if the seek has become one already: then nothing changes."""

    def fill(self, matches: Sequence[MatchId], now: Millis) -> list[MatchId]:
        """Let seeks whose ``bots_at`` has come become matches with those of their pool that would also play with bots:
        the ids that were used, at most all of them."""

    def pairing(self, match: MatchId) -> Pairing | None:
        """Who was paired for a match that is not known to exist."""

    def unmade(self, before: Millis, *, limit: int) -> list[Pairing]:
        """Pairings from before a moment whose match is not known to exist."""

    def made(self, match: MatchId) -> None:
        """The match exists."""
