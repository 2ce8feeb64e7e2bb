"""`evolve(state, event) -> state`: the one fold, for the full log of the authority and for a seat's redacted log alike.

It decides nothing: what only the authority can know (who may play what, how a deal ended) stands in the events.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn, assert_never

from owntrumps.game.events import (
    CardLed,
    CardsExchanged,
    ClockSet,
    DealDealt,
    DealDrawn,
    DealLost,
    Event,
    MatchAborted,
    MatchCreated,
    MatchDrawn,
    MatchLost,
    MatchStarted,
    PileDiscarded,
    PileTaken,
    SeatLeft,
    SeatRegained,
    SeatTaken,
    TopBeaten,
    TrumpDeclared,
    TrumpsTurned,
    TurnWarned,
)
from owntrumps.game.state import (
    AbortedMatch,
    Board,
    Clock,
    DealtMatch,
    FinishedMatch,
    MatchResult,
    NoMatch,
    OpenMatch,
    PlayingMatch,
    ReadyMatch,
    Score,
    ScoredMatch,
    State,
)
from owntrumps.game.terms import MatchTerms, SeatTerms
from owntrumps.rules.cards import NO_CARDS, Card, Seat, Suit, mask_of
from owntrumps.rules.deal import NOT_COUNTED, Deal, Draw, Loser, Result, advance, begin, clear
from owntrumps.rules.plays import TAKE, Play
from owntrumps.rules.position import Hand, Position, Table


class CorruptLogError(Exception):
    """An event that cannot follow the state before it."""


def evolve(state: State, event: Event) -> State:
    """The state after the event; CorruptLogError if it cannot follow."""
    match event:
        case MatchCreated():
            return OpenMatch(event.terms, event.seats) if isinstance(state, NoMatch) else _corrupt(state, event)
        case SeatTaken() | TrumpDeclared():
            return _seated(state, event)
        case MatchStarted():
            return _started(state, event)
        case DealDealt():
            return _dealt(state, event)
        case TrumpsTurned():
            return _turned(state, event)
        case CardsExchanged():
            return _exchanged(state, event)
        case CardLed():
            return _played(state, event, event.card, "lead")
        case TopBeaten():
            return _played(state, event, event.card, "respond")
        case PileTaken():
            return _played(state, event, TAKE, "respond")
        case PileDiscarded():
            playing = _playing(state, event)
            return replace(playing, board=replace(playing.board, deal=clear(playing.board.deal)))
        case DealLost():
            return _scored(state, event, Loser(event.loser))
        case DealDrawn():
            return _scored(state, event, Draw(event.reason))
        case SeatLeft() | SeatRegained():
            return _absence(state, event)
        case ClockSet():
            return replace(_playing(state, event), clock=Clock(event.seat, event.deadline))
        case TurnWarned():
            return replace(_playing(state, event), clock=Clock(event.seat, event.deadline, warned=True))
        case MatchLost():
            return _finished(state, event, MatchResult(event.losers, event.forfeit))
        case MatchDrawn():
            return _finished(state, event, MatchResult(draw=event.reason))
        case MatchAborted():
            return _aborted(state, event)
        case _:
            assert_never(event)


def evolve_all(state: State, events: Iterable[Event]) -> State:
    """The state after all the events, in order."""
    for event in events:
        state = evolve(state, event)
    return state


def _corrupt(state: State, event: Event) -> NoReturn:
    raise CorruptLogError(f"{type(event).__name__} cannot follow {type(state).__name__}")


def _playing(state: State, event: Event) -> PlayingMatch:
    return state if isinstance(state, PlayingMatch) else _corrupt(state, event)


def _with_seat(seats: tuple[SeatTerms, ...], seat: Seat, terms: SeatTerms) -> tuple[SeatTerms, ...]:
    return (*seats[:seat], terms, *seats[seat + 1 :])


def _seated(state: State, event: SeatTaken | TrumpDeclared) -> State:
    if not isinstance(state, OpenMatch):
        _corrupt(state, event)
    before = state.seats[event.seat]
    if isinstance(event, SeatTaken):
        after = replace(
            before, kind="player", player=event.player, name=event.name, trump=event.trump, nonce=event.nonce
        )
    else:
        after = replace(before, trump=event.trump)
    return replace(state, seats=_with_seat(state.seats, event.seat, after))


def _started(state: State, event: MatchStarted) -> State:
    if not isinstance(state, OpenMatch):
        _corrupt(state, event)
    score = Score(0, (0,) * len(state.seats))
    return ReadyMatch(state.terms, _with_trumps(state.seats, event.trumps), event.trumps, event.dealer, score)


def _with_trumps(seats: tuple[SeatTerms, ...], trumps: tuple[Suit, ...] | None) -> tuple[SeatTerms, ...]:
    if trumps is None:
        return seats
    return tuple(replace(seat, trump=trump) for seat, trump in zip(seats, trumps, strict=True))


def _dealt(state: State, event: DealDealt) -> State:
    if not isinstance(state, ReadyMatch | ScoredMatch):
        _corrupt(state, event)
    score = replace(state.score, game=event.game)
    trumps = state.trumps if isinstance(state, ReadyMatch) else state.board.table.trumps
    if trumps is None:
        return DealtMatch(state.terms, state.seats, event.dealer, event.leader, event.hands, score)
    face_up = state.terms.ruleset.deal == "mirrored"
    hands = tuple(_hand(cards, face_up) for cards in event.hands)
    board = _board(state.terms, trumps, event.dealer, event.leader, hands)
    return PlayingMatch(state.terms, state.seats, board, score)


def _hand(cards: tuple[Card | None, ...], face_up: bool) -> Hand:
    known = mask_of(card for card in cards if card is not None)
    return Hand(known, len(cards) - known.bit_count(), known if face_up else NO_CARDS)


def _board(terms: MatchTerms, trumps: tuple[Suit, ...], dealer: Seat, leader: Seat, hands: tuple[Hand, ...]) -> Board:
    return Board(Table(terms.ruleset, trumps), dealer, leader, begin(Position(hands, (), leader, "lead")))


def _turned(state: State, event: TrumpsTurned) -> State:
    if not isinstance(state, DealtMatch):
        _corrupt(state, event)
    hands = tuple(
        _hand(cards, face_up=False).showing(mask_of(shown))
        for cards, shown in zip(state.hands, event.turned, strict=True)
    )
    board = _board(state.terms, event.trumps, state.dealer, state.leader, hands)
    return PlayingMatch(state.terms, _with_trumps(state.seats, event.trumps), board, state.score)


def _exchanged(state: State, event: CardsExchanged) -> State:
    playing = _playing(state, event)
    hands = list(playing.board.deal.position.hands)
    for exchange in event.exchanges:
        hands[exchange.giver] = hands[exchange.giver].without(exchange.card)
        hands[exchange.receiver] = hands[exchange.receiver].with_shown(mask_of([exchange.card]))
    deal = begin(replace(playing.board.deal.position, hands=tuple(hands)))
    return replace(playing, board=replace(playing.board, deal=deal))


def _played(state: State, event: CardLed | TopBeaten | PileTaken, play: Play, phase: str) -> State:
    playing = _playing(state, event)
    board = playing.board
    if board.deal.position.turn != event.seat or board.deal.position.phase != phase:
        _corrupt(state, event)
    return replace(playing, board=replace(board, deal=advance(board.table, board.deal, play)), clock=None)


def _scored(state: State, event: DealLost | DealDrawn, result: Result) -> State:
    playing = _playing(state, event)
    losses = playing.score.losses
    if isinstance(result, Loser):
        losses = tuple(count + (seat == result.seat) for seat, count in enumerate(losses))
    score = replace(playing.score, losses=losses, last=result)
    return ScoredMatch(playing.terms, playing.seats, playing.board, score)


def _absence(state: State, event: SeatLeft | SeatRegained) -> State:
    playing = _playing(state, event)
    before = playing.seats[event.seat]
    if isinstance(event, SeatRegained):
        after = replace(before, kind="player", level=None, stand_in=False)
    elif event.then == "bot":
        after = replace(before, kind="bot", level=event.level, stand_in=True)
    else:
        after = before
    clock = None if playing.clock is not None and playing.clock.seat == event.seat else playing.clock
    return replace(playing, seats=_with_seat(playing.seats, event.seat, after), clock=clock)


def _revealed(board: Board, hands: tuple[tuple[Card, ...], ...]) -> Board:
    """The board with every hand face up: what a redacted fold knows of it once the match is over."""
    shown = tuple(Hand(mask_of(cards), 0, mask_of(cards)) for cards in hands)
    position = replace(board.deal.position, hands=shown)
    return replace(board, deal=Deal(position, b"", board.deal.plies, position, NOT_COUNTED))


def _finished(state: State, event: MatchLost | MatchDrawn, result: MatchResult) -> State:
    if not isinstance(state, PlayingMatch | ScoredMatch):
        _corrupt(state, event)
    board = _revealed(state.board, event.hands)
    return FinishedMatch(replace(state.terms, seed=event.seed), state.seats, board, state.score, result)


def _aborted(state: State, event: MatchAborted) -> State:
    if not isinstance(state, OpenMatch | PlayingMatch):
        _corrupt(state, event)
    terms = replace(state.terms, seed=event.seed)
    if isinstance(state, OpenMatch):
        return AbortedMatch(terms, state.seats, None, None, event.reason)
    return AbortedMatch(terms, state.seats, _revealed(state.board, event.hands), state.score, event.reason)
