"""From a pairing to its match, whoever dies in between: the pairing is kept until the match is known to exist."""

import secrets
from collections.abc import Sequence
from threading import Event, Lock, Thread
from typing import Final

import structlog

from owntrumps.game.chance import SEED_BYTES
from owntrumps.game.commands import CreateMatch
from owntrumps.game.terms import MatchId, Millis, PlayerId, SeatTerms
from owntrumps.rules.cards import parse_suit
from owntrumps.store.ids import MATCH_ID_BYTES, new_match_id
from owntrumps.store.port import Accepted, CommandId, Store, StoreUnavailableError, Submission
from owntrumps.store.seeks import Pairing

SWEEP_SECONDS: Final = 0.5
"""How often seeks whose time for bots has come, and pairings left unmade, are looked for."""
LEFT_UNMADE_MS: Final = 2000
"""A pairing older than this was left by somebody who died, or is waiting for an engine: it is submitted again."""
TURN_SECONDS: Final = 120
"""The clock of a match between strangers: whoever walks away is played for."""
A_ROUND: Final = 50

_PAIRING: Final = "pair"

_log = structlog.get_logger("owntrumps_api.matchmaking")


def pairing_command(pairing: Pairing) -> CommandId:
    """The id of the command that creates the pairing's match: the same whoever sends it. It names the players, so that
    the notice of the new match reaches those who wait for it."""
    return CommandId("-".join((_PAIRING, pairing.match, *(seek.player for seek in pairing.seeks))))


def paired_players(command: CommandId) -> Sequence[PlayerId]:
    """The players whose match the command creates; none for any other command.

    >>> paired_players(CommandId("pair-07-aebagbafaydq-ann-bob"))
    ['ann', 'bob']
    """
    kind, _, rest = command.partition("-")
    return [PlayerId(player) for player in rest.split("-")[2:]] if kind == _PAIRING else []


def random_match_id() -> MatchId:
    return new_match_id(secrets.token_bytes(MATCH_ID_BYTES))


def submission_of(pairing: Pairing, now: Millis) -> Submission:
    """The command that creates the pairing's match. Of two players with the same wish, the earlier one's is granted."""
    first = pairing.seeks[0]
    seats: list[SeatTerms] = []
    granted: set[str] = set()
    for seek in pairing.seeks:
        wish = seek.trump if seek.trump not in granted else None
        granted |= {wish} if wish is not None else set()
        seats.append(SeatTerms("player", seek.player, seek.name, trump=None if wish is None else parse_suit(wish)))
    bot = SeatTerms("bot", name=first.level, level=first.level)
    seats += [bot] * (first.ruleset.seats - len(seats))
    seed = secrets.token_hex(SEED_BYTES)
    ruleset, name = first.ruleset, first.ruleset_name
    command = CreateMatch(now, pairing.match, ruleset, name, tuple(seats), seed, turn_seconds=TURN_SECONDS)
    return Submission(pairing_command(pairing), pairing.match, command)


class Matchmaker:
    """Fills up with bots and finishes what was left unmade, in a thread of its own. Every api process has one; what
    two of them do at once happens once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._starting = Lock()
        self._thread: Thread | None = None
        self._stop = Event()

    def start(self) -> None:
        """Begin, unless it has begun."""
        with self._starting:
            if self._thread is None:
                self._thread = Thread(target=self._run, name="matchmaker", daemon=True)
                self._thread.start()

    def close(self) -> None:
        self._stop.set()

    def join(self) -> None:
        """Wait for its end, after `close`."""
        if self._thread is not None:
            self._thread.join()

    def make(self, match: MatchId) -> None:
        """Have the match of a pairing created, unless it is known to exist."""
        pairing = self._store.seeks.pairing(match)
        if pairing is not None:
            self._store.submit([submission_of(pairing, self._store.now())])

    def sweep(self) -> None:
        """One round: StoreUnavailableError if the store is away."""
        now = self._store.now()
        for match in self._store.seeks.fill([random_match_id() for _ in range(A_ROUND)], now):
            self.make(match)
        for pairing in self._store.seeks.unmade(Millis(now - LEFT_UNMADE_MS), limit=A_ROUND):
            if not self.settled(pairing):
                self._store.submit([submission_of(pairing, now)])

    def settled(self, pairing: Pairing) -> bool:
        """Whether the pairing has its answer: then it is forgotten."""
        outcome = self._store.outcome(pairing.match, pairing_command(pairing))
        if outcome is None or (not isinstance(outcome.answer, Accepted) and outcome.answer.slug == "busy"):
            return False
        if not isinstance(outcome.answer, Accepted):
            _log.error("a pairing was refused", match=pairing.match, slug=outcome.answer.slug)
        self._store.seeks.made(pairing.match)
        return True

    def _run(self) -> None:
        while not self._stop.wait(SWEEP_SECONDS):
            try:
                self.sweep()
            except StoreUnavailableError as error:
                _log.warning("seeks cannot be reached", error=str(error))
