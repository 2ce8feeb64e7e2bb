"""From the feed to the queues: wherever a commit left the move to a bot, its level's queue gets the turn."""

from collections.abc import Sequence
from threading import Event
from time import monotonic
from typing import Final, Protocol

import structlog
from structlog.typing import FilteringBoundLogger

from owntrumps.store.port import Feed, Notice, StoreUnavailableError
from owntrumps_bots.budgets import LEVELS
from owntrumps_bots.claims import Claims
from owntrumps_bots.config import BotsConfig
from owntrumps_bots.turns import QUEUE_GONE, Turn, TurnQueues

GROUP: Final = "bots"

FIRST_RETRY_SECONDS: Final = 0.1
LAST_RETRY_SECONDS: Final = 5.0

_log: FilteringBoundLogger = structlog.get_logger()


class DispatchStore(Feed, Protocol):
    """What dispatching needs of a store."""


class Dispatcher:
    """One consumer of the group: any number share the feed. What one takes and does not settle, another takes over."""

    def __init__(self, store: DispatchStore, turns: TurnQueues, claims: Claims, config: BotsConfig) -> None:
        self._store = store
        self._turns = turns
        self._claims = claims
        self._config = config
        self._next_claim = 0.0

    def run(self, stop: Event) -> None:
        """Dispatch until told to stop; neither a store nor a queue that is away for a while ends it."""
        _log.info("dispatcher-ready", consumer=self._config.consumer)
        retry = FIRST_RETRY_SECONDS
        while not stop.is_set():
            try:
                self.run_once(self._config.block_ms)
                retry = FIRST_RETRY_SECONDS
            except (StoreUnavailableError, *QUEUE_GONE) as error:
                _log.warning("dispatch-interrupted", error=str(error), retry_seconds=retry)
                stop.wait(retry)
                retry = min(retry * 2, LAST_RETRY_SECONDS)
        _log.info("dispatcher-ended", consumer=self._config.consumer)

    def run_once(self, block_ms: int) -> int:
        """Handle what the feed tells within ``block_ms``; returns how many turns were queued.

        Notices are settled only when their turns are queued: after a crash in between they are told again, and a turn
        that waits already is not queued twice.
        """
        config = self._config
        notices = self._store.receive_notices(GROUP, config.consumer, limit=config.batch, block_ms=block_ms)
        if monotonic() >= self._next_claim:
            self._next_claim = monotonic() + config.claim_every_ms / 1000
            notices += self._store.claim_notices(
                GROUP, config.consumer, idle_ms=config.claim_idle_ms, limit=config.batch
            )
        queued = self._dispatch(notices)
        if notices:
            self._store.settle_notices(GROUP, notices)
        return queued

    def _dispatch(self, notices: Sequence[Notice]) -> int:
        turns = _owed(notices)
        queued = 0
        for turn, held in zip(turns, self._claims.held(turns), strict=True):
            # A job that plays this level in that match goes on by itself, and looks again after giving up its claim.
            if not held and self._turns.enqueue(turn) != "waiting":
                queued += 1
        return queued


def _owed(notices: Sequence[Notice]) -> list[Turn]:
    """The turns that the notices tell of, oldest first, only the last of each match: what came before is played."""
    turns: dict[str, Turn] = {}
    for notice in sorted(notices, key=_age):
        known = turns.get(notice.match)
        if notice.version is None or (known is not None and known.version >= notice.version):
            # A refusal, or told once more.
            continue
        turns.pop(notice.match, None)
        if notice.bot_turn is None:
            continue
        if notice.bot_turn.level not in LEVELS:
            _log.error("bot-turn-refused", match=notice.match, version=notice.version, slug="unknown-level")
            continue
        turns[notice.match] = Turn(notice.match, notice.version, notice.bot_turn.seat, notice.bot_turn.level)
    return list(turns.values())


def _age(notice: Notice) -> tuple[int, int]:
    """A cursor begins with the moment of its notice, so the shards' notices can be put into one order."""
    moment, _, sequence = notice.cursor.partition("-")
    return int(moment), int(sequence)
