"""A match in this process: the game's own rules and log, bots that see their seat's view and nothing else."""

import secrets
import time
from collections.abc import Sequence
from typing import Any, Final

from owntrumps.cli.terminal.game import RefusedError, Update
from owntrumps.cli.terminal.levels import Choose
from owntrumps.game.chance import SEED_BYTES, chain_key
from owntrumps.game.commands import Command, CreateMatch, MakeMove
from owntrumps.game.log import Entry, fold_entry, handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, NoMatch, PlayingMatch
from owntrumps.game.terms import ByBot, ByPlayer, MatchId, Millis, PlayerId, SeatTerms, Version
from owntrumps.rules.cards import Seat, Suit, parse_card
from owntrumps.rules.plays import TAKE, Play
from owntrumps.rules.rulesets import Ruleset
from owntrumps.store.codec import entry_json, write_entry
from owntrumps.views.redaction import visible_entry
from owntrumps.views.view import View, view_of

YOU: Final = Seat(0)
_PLAYER: Final = PlayerId("you")


class OfflineGame:
    """You on seat 0, a bot on every other. ``levels`` has each bot's level by name with what chooses for it."""

    def __init__(
        self,
        ruleset: Ruleset,
        ruleset_name: str,
        levels: Sequence[tuple[str, Choose]],
        *,
        name: str = "You",
        trump: Suit | None = None,
        games: int = 1,
        seed: str | None = None,
    ) -> None:
        """Raises RefusedError if there can be no such match."""
        self._levels = levels
        self._seed = seed or secrets.token_hex(SEED_BYTES)
        self._match = EMPTY
        self._entries: list[Entry] = []
        self._told = [0] * ruleset.seats
        self._heard: list[list[dict[str, Any]]] = [[] for _ in range(ruleset.seats)]
        bots = tuple(SeatTerms("bot", name=level, level=level) for level, _ in levels)
        seats = (SeatTerms("player", _PLAYER, name, trump=trump), *bots)
        self._decide(
            CreateMatch(_now(), MatchId("offline"), ruleset, ruleset_name, seats, self._seed, games, creator=_PLAYER)
        )

    def start(self) -> Update:
        return self._update()

    def wait(self) -> Update:
        """At once if there is news already, else after a bot's turn."""
        state = self._match.state
        if self._told[YOU] == len(self._entries) and isinstance(state, PlayingMatch):
            turn = state.board.deal.position.turn
            if turn != YOU:
                self._play_bot(turn)
        return self._update()

    def play(self, view: View, plays: Sequence[str]) -> None:
        named = tuple(_play(play) for play in plays)
        self._decide(MakeMove(_now(), ByPlayer(_PLAYER), named, Version(view["version"])))

    def _update(self) -> Update:
        return Update(view_of(self._match, YOU), self._news(YOU))

    def _news(self, seat: Seat) -> list[dict[str, Any]]:
        """What happened since this seat was told last, as it may see it."""
        state = self._match.state
        if isinstance(state, NoMatch):
            return []
        fresh = self._entries[self._told[seat] :]
        self._told[seat] = len(self._entries)
        return [event for entry in fresh for event in entry_json(visible_entry(entry, state, seat))["events"]]

    def _play_bot(self, seat: Seat) -> None:
        level, choose = self._levels[seat - 1]
        self._heard[seat] += self._news(seat)
        plays = [_play(play) for play in choose(view_of(self._match, seat), self._heard[seat], level)]
        try:
            self._decide(MakeMove(_now(), ByBot(seat), tuple(plays)))
        except RefusedError:
            # A beat may end the deal by repetition, which a bot need not see coming; then nothing is led on it.
            self._decide(MakeMove(_now(), ByBot(seat), tuple(plays[:1])))

    def _decide(self, command: Command) -> None:
        decided = handle(self._match, command)
        if isinstance(decided, Refusal):
            raise RefusedError(decided.detail)
        version = Version(self._match.version + 1)
        _, entry = write_entry(chain_key(self._seed), self._match.chain, version, command.at, decided)
        self._match = fold_entry(self._match, entry)
        self._entries.append(entry)


def _play(name: str) -> Play:
    return TAKE if name == TAKE else parse_card(name)


def _now() -> Millis:
    return Millis(time.time_ns() // 1_000_000)
