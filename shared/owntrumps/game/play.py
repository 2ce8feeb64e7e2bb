"""Deciding a move: one play, or a beat together with the lead on it."""

from collections.abc import Sequence

from owntrumps.game.commands import MakeMove
from owntrumps.game.events import CardLed, DealDrawn, DealLost, Event, PileDiscarded, PileTaken, TopBeaten
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import Board, CreatedMatch, Match, PlayingMatch, is_over
from owntrumps.game.terms import ByBot, ByPlayer, ByServer
from owntrumps.rules.cards import Card, Seat, cards_of
from owntrumps.rules.deal import Deal, Loser, Result, step
from owntrumps.rules.plays import TAKE, Play, explain, legal_plays, why_illegal
from owntrumps.rules.position import Table, pick_up_size


def held_cards(board: Board) -> tuple[tuple[Card, ...], ...]:
    """What every seat holds, by seat, in canonical order (the authority's board: nothing is hidden from it)."""
    return tuple(tuple(cards_of(hand.cards)) for hand in board.deal.position.hands)


def decide_move(match: Match, state: CreatedMatch, command: MakeMove) -> list[Event] | Refusal:
    """The events of the plays up to the end of the deal, or the refusal of the whole move.

    ``state`` is the match's own.
    """
    refusal = _why_not_yours(state, command)
    if refusal is not None:
        return refusal
    if command.if_version is not None and command.if_version != match.version:
        return Refusal(
            "stale-version",
            f"the match is at version {match.version}, not {command.if_version}",
            {"version": match.version},
        )
    if is_over(state):
        return Refusal("match-over", f"match {state.terms.match} is over")
    if not isinstance(state, PlayingMatch):
        return Refusal("match-not-started", "the match waits for players")
    return _decide_plays(match, state, command)


def _why_not_yours(state: CreatedMatch, command: MakeMove) -> Refusal | None:
    match command.actor:
        case ByPlayer(player):
            own = next((terms for terms in state.seats if terms.player == player), None)
            if own is None:
                return Refusal("not-your-seat", "you have no seat in this match")
            if own.stand_in and not is_over(state):
                return Refusal("not-your-seat", "a bot plays on for you: take your seat again first")
        case ByBot(seat):
            if state.seats[seat].kind != "bot":
                return Refusal("not-your-seat", f"seat {seat} is not a bot's")
        case ByServer():
            pass
    return None


def _decide_plays(match: Match, state: PlayingMatch, command: MakeMove) -> list[Event] | Refusal:
    table, deal = state.board.table, state.board.deal
    turn = deal.position.turn
    acting = _acting_seat(state, command)
    if acting != turn:
        return Refusal(
            "not-your-turn", f"seat {turn} is to move, not seat {acting}", {"version": match.version, "turn": turn}
        )
    refusal = _why_wrong_shape(match, table, deal, command.plays)
    if refusal is not None:
        return refusal
    events: list[Event] = []
    for index, play in enumerate(command.plays):
        reason = why_illegal(table, deal.position, play)
        if reason is not None:
            return _illegal(match, state, reason, explain(reason, deal.position, play))
        more = index + 1 < len(command.plays)
        after, result = step(table, deal, play)
        if more and (result is not None or after.position.turn != turn):
            return _illegal(match, state, "no-second-card", "nothing can be led after the first card of this move")
        events += _events_of(table, state.score.game, deal, after, play, result)
        deal = after
    return events


def _acting_seat(state: PlayingMatch, command: MakeMove) -> Seat:
    match command.actor:
        case ByPlayer(player):
            return next(Seat(seat) for seat, terms in enumerate(state.seats) if terms.player == player)
        case ByBot(seat):
            return seat
        case ByServer():
            return state.board.deal.position.turn


def _why_wrong_shape(match: Match, table: Table, deal: Deal, plays: Sequence[Play]) -> Refusal | None:
    """Two cards are for a beat and the lead on it; a take stands alone."""
    if len(plays) == 1 or (len(plays) == 2 and TAKE not in plays and deal.position.phase == "respond"):
        return None
    detail = (
        "in phase lead a move is one card" if deal.position.phase == "lead" else "a move is take, or one or two cards"
    )
    return Refusal(
        "illegal-play",
        detail,
        {"reason": "too-many-cards", "version": match.version, "legal": legal_plays(table, deal.position)},
    )


def _illegal(match: Match, state: PlayingMatch, reason: str, detail: str) -> Refusal:
    legal = legal_plays(state.board.table, state.board.deal.position)
    return Refusal("illegal-play", detail, {"reason": reason, "version": match.version, "legal": legal})


def _events_of(table: Table, game: int, before: Deal, after: Deal, play: Play, result: Result | None) -> list[Event]:
    """What one legal play made happen."""
    position = before.position
    seat = position.turn
    events: list[Event] = []
    if play == TAKE:
        size = pick_up_size(table, position)
        events.append(PileTaken(seat, position.pile[len(position.pile) - size :]))
    elif position.phase == "lead":
        events.append(CardLed(seat, play))
    else:
        events.append(TopBeaten(seat, play))
        if after.position.discarded != position.discarded:
            events.append(PileDiscarded((*position.pile, play)))
    if isinstance(result, Loser):
        events.append(DealLost(game, result.seat))
    elif result is not None:
        events.append(DealDrawn(game, result.reason))
    return events
