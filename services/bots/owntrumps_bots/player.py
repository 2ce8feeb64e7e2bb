"""Playing the turns that a level owes in one match, as the match's client: look, think, submit, wait for the answer.

What a bot knows comes through the seat's door; the feed only says that something happened. A late or double answer is
refused by the engine as stale and harms nothing, which is why nothing here is locked.
"""

from collections.abc import Callable
from datetime import datetime
from time import monotonic
from typing import Final, Literal, Protocol

import structlog
from structlog.typing import FilteringBoundLogger

from owntrumps.store.door import (
    CommandId,
    DoorStore,
    Look,
    MalformedCardError,
    Seat,
    SeatDoor,
    Version,
    View,
)
from owntrumps.store.ids import shard_of
from owntrumps.store.port import Accepted, Feed, Notice, Shard, StoreUnavailableError
from owntrumps_bots.answers import MOST_PLAYS, Think, dice_of, think, thinking_time
from owntrumps_bots.budgets import LevelError, level_named
from owntrumps_bots.claims import Claims
from owntrumps_bots.config import BotsConfig
from owntrumps_bots.histories import Histories
from owntrumps_bots.observation import ObservationError
from owntrumps_bots.reports import Ending, Report
from owntrumps_bots.turns import Turn, TurnQueues

CLAIM_MS: Final = 1500
"""A claim is taken for the thought and this much more. It is renewed when it might end before the engine has answered.
Who was killed holds it no longer, so that the engine's first or second call finds the turn free."""

ANSWER_MS: Final = 500
"""Within this the engine nearly always answers; if it does not, two jobs may play the same turn, and one is refused."""

PATIENT_MS: Final = 10
"""After so long without an answer a worker looks up: does anybody else wait? Then every `LOOK_UP_MS`."""

LOOK_UP_MS: Final = 100

SENT_MS: Final = 4000
"""For so long an engine that is slow is not sent the same move again."""

SETTLING_MS: Final = 500
"""Time kept between the end of the longest thought and the moment when the engine plays for the bot."""

_log: FilteringBoundLogger = structlog.get_logger()


class BotStore(DoorStore, Feed, Protocol):
    """What playing needs of a store."""


class Player:
    """Plays for the bots of one process, one job at a time."""

    def __init__(
        self,
        store: BotStore,
        turns: TurnQueues,
        claims: Claims,
        config: BotsConfig,
        *,
        thinking: Think = think,
        report: Callable[[Report], None] = lambda _: None,
    ) -> None:
        self.store = store
        self.door = SeatDoor(store)
        self.turns = turns
        self.claims = claims
        self.config = config
        self.thinking = thinking
        self.histories = Histories()
        self.stopping = False
        """Set it, also from a signal's handler, and a running job ends after the turn it is at."""
        self._report = report

    def play(self, turn: Turn, holder: str) -> Ending:
        """Play this turn and what follows from it; ``holder`` is a name that no other running job has."""
        report = Report(turn.level)
        began = monotonic()
        try:
            report.ending = _Sitting(self, turn, holder, report).play()
        except StoreUnavailableError as error:
            _log.warning("store-unavailable", job=turn.job_id, error=str(error))
            report.ending = "store-unavailable"
        finally:
            report.busy = monotonic() - began
            self._report(report)
        return report.ending


class _Sitting:
    """One job's time at a match."""

    def __init__(self, player: Player, turn: Turn, holder: str, report: Report) -> None:
        self._player = player
        self._turn = turn
        self._match, self._level = turn.match, turn.level
        self._seat = turn.seat
        self._holder = holder
        self._report = report
        self._began = monotonic()
        self._clock_at_began = 0
        self._claimed_until = 0
        self._shard = Shard(0)
        self._cursor = ""
        self._sent = Version(0)

    def play(self) -> Ending:
        player, turn = self._player, self._turn
        try:
            level_named(turn.level)
            self._shard = shard_of(turn.match)
            look = player.door.look(turn.match, turn.seat)
        except ValueError as error:
            # No such level or seat, or no match's id.
            return self._refuse(error)
        if look is None or look.view["version"] != turn.version or _owing(look.view, turn.level) != turn.seat:
            return "moved-on"
        self._clock_at_began = player.store.now() - self._elapsed_ms()
        self._report.waited = max(0, self._now() - _moment(look.view)) / 1000
        if not player.claims.take(turn.match, turn.level, self._holder, for_ms=CLAIM_MS):
            return "claimed"
        self._claimed_until = self._elapsed_ms() + CLAIM_MS
        try:
            ending = self._play_on(look)
            if ending in ("others-wait", "unanswered"):
                player.claims.mark_sent(turn.match, self._sent, for_ms=SENT_MS)
        finally:
            player.claims.give_up(turn.match, turn.level, self._holder)
        if ending in ("handed-over", "bound", "stopping", "others-wait"):
            self._pass_on()
        return ending

    def _play_on(self, look: Look) -> Ending:
        player = self._player
        self._cursor = player.store.tail()[self._shard]
        for _ in range(player.config.turns_per_job):
            ending = self._play_turn(look)
            if ending is not None:
                return ending
            found = self._look()
            if found is None:
                return "handed-over"
            look = found
            if player.stopping:
                return "stopping"
            if self._elapsed_ms() >= player.config.seconds_per_job * 1000:
                break
        return "bound"

    def _play_turn(self, look: Look) -> Ending | None:
        """Think and submit; None once the match has moved, by whomever."""
        player, view = self._player, look.view
        version = Version(view["version"])
        try:
            budget_ms = thinking_time(view, self._level, self._left_ms(view))
            self._keep_claim(budget_ms * MOST_PLAYS)
            events = player.histories.events(self._match, self._seat, look)
            began = monotonic()
            plays = player.thinking(view, events, self._level, budget_ms, dice_of(view))
            self._report.thoughts.append(monotonic() - began)
            key = CommandId(f"bot-{self._match}-v{version}")
            player.door.submit_bot_move(self._match, self._seat, plays, version, key)
            self._sent = version
        except (LevelError, ObservationError, MalformedCardError) as error:
            return self._refuse(error)
        return self._await_answer(key, version)

    def _keep_claim(self, thinking_ms: int) -> None:
        """Make the claim outlast the thought and the engine's answer; after most thoughts it does anyway."""
        needed = self._elapsed_ms() + thinking_ms + ANSWER_MS
        if needed > self._claimed_until:
            for_ms = thinking_ms + CLAIM_MS
            self._player.claims.keep(self._match, self._level, self._holder, for_ms=for_ms)
            self._claimed_until = self._elapsed_ms() + for_ms

    def _await_answer(self, key: CommandId, version: Version) -> Ending | None:
        """None once the match is past ``version``; an ending if it is not, or if that says who moves next."""
        notice = self._next_notice(key, version)
        if notice is None:
            return "unanswered"
        if notice == "others-wait":
            return notice
        if notice.version is None:
            return self._why_refused(key, version)
        if notice.status in ("finished", "aborted"):
            return "over"
        if notice.status is not None and (notice.bot_turn is None or notice.bot_turn.level != self._level):
            return "handed-over"
        if notice.bot_turn is not None:
            self._seat = notice.bot_turn.seat
        return None

    def _next_notice(self, key: CommandId, version: Version) -> Notice | Literal["others-wait"] | None:
        """The first notice of the match's next entry, or of this command's refusal; None if none came in time.

        Where the engine is slow and other turns wait, they come first: the move is on its way without us.
        """
        player = self._player
        now = monotonic()
        ends, look_up = now + player.config.answer_ms / 1000, now + PATIENT_MS / 1000
        while now < ends:
            block_ms = max(1, int((min(ends, look_up) - now) * 1000))
            for notice in player.store.notices({self._shard: self._cursor}, block_ms=block_ms):
                self._cursor = notice.cursor
                if notice.match == self._match and (
                    notice.command == key or (notice.version is not None and notice.version > version)
                ):
                    return notice
            now = monotonic()
            if now >= look_up:
                if player.turns.any_wait(self._level):
                    return "others-wait"
                look_up = now + LOOK_UP_MS / 1000
        return None

    def _why_refused(self, key: CommandId, version: Version) -> Ending | None:
        """None if somebody else had moved before, as may happen; else this bot cannot move here, which is a fault."""
        view = self._player.door.view(self._match, self._seat)
        if view is None or view["version"] > version:
            return None
        outcome = self._player.store.outcome(self._match, key)
        if outcome is not None and not isinstance(outcome.answer, Accepted):
            _log.error("bot-move-refused", job=self._turn.job_id, level=self._level, slug=outcome.answer.slug)
        return "refused"

    def _look(self) -> Look | None:
        """What the seat to move sees, if that is a bot of this level."""
        while True:
            look = self._player.door.look(self._match, self._seat)
            owing = None if look is None else _owing(look.view, self._level)
            if owing is None or owing == self._seat:
                return look if owing is not None else None
            self._seat = owing

    def _pass_on(self) -> None:
        """While the claim was held, the dispatcher left this level's turns here to be played: what is still owed goes
        back to the queue."""
        look = self._look()
        if look is not None and look.view["version"] > self._sent:
            self._player.turns.enqueue(Turn(self._match, Version(look.view["version"]), self._seat, self._level))

    def _refuse(self, error: ValueError) -> Ending:
        slug = error.slug if isinstance(error, LevelError | ObservationError) else "bad-turn"
        _log.error("bot-turn-refused", job=self._turn.job_id, level=self._level, slug=slug)
        return "refused"

    def _elapsed_ms(self) -> int:
        return int((monotonic() - self._began) * 1000)

    def _now(self) -> int:
        """The store's clock, in ms."""
        return self._clock_at_began + self._elapsed_ms()

    def _left_ms(self, view: View) -> int:
        """How long until the engine plays for the bot."""
        return _moment(view) + self._player.config.fallback_ms - SETTLING_MS - self._now()


def _owing(view: View, level: str) -> Seat | None:
    """The seat to move, if a bot of this level sits there."""
    turn = view["turn"]
    if view["status"] != "playing" or turn is None:
        return None
    seat = view["seats"][turn]
    return Seat(turn) if seat["kind"] == "bot" and seat.get("level") == level else None


def _moment(view: View) -> int:
    """When the match came to the view's version, in ms."""
    return int(datetime.fromisoformat(view["updated_at"]).timestamp() * 1000)
