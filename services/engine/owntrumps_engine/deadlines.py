"""What time does to a match: when the engine must look at it again, and what it does then. Pure."""

from dataclasses import dataclass
from typing import Literal

from owntrumps.game.commands import Command, Expire, ExtendClock, MakeMove
from owntrumps.game.decide import OPEN_MATCH_MILLIS, warn_at
from owntrumps.game.state import Match, OpenMatch, PlayingMatch
from owntrumps.game.terms import ByServer, MatchId, Millis
from owntrumps.rules.cards import Card, CardSet, cards_of, rank_of, suit_of
from owntrumps.rules.deal import step
from owntrumps.rules.plays import TAKE, Play, legal_cards
from owntrumps.store.port import BotTurn, CommandId
from owntrumps_engine.config import EngineConfig

Kind = Literal["warn", "timeout", "unjoined", "fallback", "extend"]


@dataclass(frozen=True, slots=True)
class Outage:
    """No engine was alive from ``since`` to ``until``."""

    since: Millis
    until: Millis


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do before ``until`` (None: before the next move)."""

    until: Millis | None


@dataclass(frozen=True, slots=True)
class CallBot:
    """The bot to move is called again; look again at ``then``."""

    bot_turn: BotTurn
    then: Millis


@dataclass(frozen=True, slots=True)
class Act:
    """The engine itself submits a command."""

    kind: Kind
    command: Command


Task = Wait | CallBot | Act


def due_id(match: MatchId, version: int, kind: Kind) -> CommandId:
    """The id of the engine's own command: every engine gives it the same one, so it happens once."""
    return CommandId(f"due-{match}-v{version}-{kind}")


def bot_turn_of(match: Match) -> BotTurn | None:
    """Which bot is to move, if one is."""
    state = match.state
    if not isinstance(state, PlayingMatch):
        return None
    turn = state.board.deal.position.turn
    terms = state.seats[turn]
    return BotTurn(turn, terms.level) if terms.kind == "bot" and terms.level is not None else None


def due_of(match: Match, now: Millis, config: EngineConfig) -> Millis | None:
    """When to look at the match again if nothing happens to it before."""
    state = match.state
    if isinstance(state, OpenMatch):
        return Millis(match.at + OPEN_MATCH_MILLIS)
    if not isinstance(state, PlayingMatch):
        return None
    if bot_turn_of(match) is not None:
        return Millis(now + config.bot_redispatch_ms)
    if state.clock is None or state.terms.turn_seconds is None:
        return None
    return state.clock.deadline if state.clock.warned else warn_at(state.clock, state.terms.turn_seconds)


def task_of(match: Match, now: Millis, config: EngineConfig, *, alive_since: Millis) -> Task:
    """What is to be done at this moment. ``alive_since``: a bot cannot be blamed for the time before it."""
    state = match.state
    bot_turn = bot_turn_of(match)
    if isinstance(state, PlayingMatch) and bot_turn is not None:
        fallback_at = max(match.at, alive_since) + config.bot_fallback_ms
        if now >= fallback_at:
            return Act("fallback", MakeMove(now, ByServer(), fallback_plays(state), match.version))
        return CallBot(bot_turn, Millis(min(now + config.bot_redispatch_ms, fallback_at)))
    due = due_of(match, now, config)
    if due is None or now < due:
        return Wait(due)
    if isinstance(state, PlayingMatch) and state.clock is not None:
        return Act("timeout" if now >= state.clock.deadline else "warn", Expire(now))
    return Act("unjoined", Expire(now))


def mended_clock(match: Match, outage: Outage) -> ExtendClock | None:
    """The running clock longer by what the outage took of it; None if it took nothing."""
    state = match.state
    if not isinstance(state, PlayingMatch) or state.clock is None:
        return None
    lost = outage.until - max(outage.since, match.at)
    if lost <= 0:
        return None
    return ExtendClock(outage.until, Millis(state.clock.deadline + lost))


def fallback_plays(state: PlayingMatch) -> tuple[Play, ...]:
    """A whole legal turn for whoever is to move, much as the greedy level would play it: beat with the lowest card, own
    trumps last, and lead the lowest; take only where nothing beats."""
    table, deal = state.board.table, state.board.deal
    seat = deal.position.turn
    cards = legal_cards(table, deal.position)
    if not cards:
        return (TAKE,)
    first = _lowest(cards, table.trumps[seat])
    after, result = step(table, deal, first)
    if result is not None or after.position.turn != seat:
        return (first,)
    return first, _lowest(legal_cards(table, after.position), table.trumps[seat])


def _lowest(cards: CardSet, trump: int) -> Card:
    return min(cards_of(cards), key=lambda card: (suit_of(card) == trump, rank_of(card), card))
