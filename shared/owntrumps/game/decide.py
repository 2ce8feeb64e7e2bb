"""`decide(state, command) -> events or a refusal`. Nothing here has an effect; time, seed and ids come in commands."""

from typing import Final, assert_never

from owntrumps.game.chance import commitment_of
from owntrumps.game.commands import (
    AbortMatch,
    Command,
    CreateMatch,
    DeclareTrump,
    Expire,
    ExtendClock,
    MakeMove,
    Resign,
    TakeSeat,
)
from owntrumps.game.events import (
    ClockSet,
    Event,
    MatchAborted,
    MatchCreated,
    MatchLost,
    SeatLeft,
    SeatRegained,
    SeatTaken,
    TrumpDeclared,
    TurnWarned,
)
from owntrumps.game.evolve import evolve_all
from owntrumps.game.play import decide_move, held_cards
from owntrumps.game.progress import continue_match
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import Clock, CreatedMatch, Match, NoMatch, OpenMatch, PlayingMatch, State, is_over
from owntrumps.game.terms import STAND_IN_LEVEL, ByPlayer, ByServer, LeaveReason, MatchTerms, Millis, PlayerId
from owntrumps.rules.cards import Seat, Suit, suit_name
from owntrumps.rules.rulesets import RulesetError, check_playable

MAX_GAMES: Final = 100
MAX_TURN_SECONDS: Final = 14 * 24 * 3600
WARNING_SHARE: Final = 0.25
"""A person is warned when this share of the turn's time is left."""
OPEN_MATCH_MILLIS: Final = 24 * 3600 * 1000
"""A match that has not filled its seats after this long is called off."""


def decide(match: Match, command: Command) -> list[Event] | Refusal:
    """The events that the command leads to, at least one, or why it is refused."""
    state = match.state
    if isinstance(command, CreateMatch):
        decided = _create(state, command)
    elif isinstance(state, NoMatch):
        return Refusal("not-found", "there is no such match")
    else:
        decided = _decide_created(match, state, command)
    if isinstance(decided, Refusal):
        return decided
    after = evolve_all(state, decided)
    following = continue_match(after)
    return decided + following + _clock(evolve_all(after, following), command.at)


def _decide_created(match: Match, state: CreatedMatch, command: Command) -> list[Event] | Refusal:
    match command:
        case CreateMatch():
            return Refusal("match-exists", f"match {state.terms.match} exists already")
        case TakeSeat():
            return _take_seat(state, command)
        case DeclareTrump():
            return _declare_trump(state, command)
        case MakeMove():
            return decide_move(match, state, command)
        case Resign():
            return _resign(state, command)
        case Expire():
            return _expire(match, state, command)
        case ExtendClock():
            return _extend_clock(state, command)
        case AbortMatch():
            return _abort(state, command)
        case _:
            assert_never(command)


def _create(state: State, command: CreateMatch) -> list[Event] | Refusal:
    if not isinstance(state, NoMatch):
        return Refusal("match-exists", f"match {command.match} exists already")
    refusal = _why_bad_terms(command) or _why_bad_seats(command)
    if refusal is not None:
        return refusal
    terms = MatchTerms(
        command.match,
        command.ruleset,
        command.ruleset_name,
        command.games,
        command.turn_seconds,
        command.on_timeout,
        command.private,
        command.creator,
        commitment_of(command.seed),
        command.seed,
    )
    return [MatchCreated(terms, command.seats)]


def _why_bad_terms(command: CreateMatch) -> Refusal | None:
    try:
        check_playable(command.ruleset)
    except RulesetError as error:
        return Refusal("impossible-ruleset", error.detail)
    if not 1 <= command.games <= MAX_GAMES:
        return Refusal("bad-terms", f"games is from 1 to {MAX_GAMES}, not {command.games}")
    if command.turn_seconds is not None and not 1 <= command.turn_seconds <= MAX_TURN_SECONDS:
        return Refusal("bad-terms", f"turn_seconds is from 1 to {MAX_TURN_SECONDS}, not {command.turn_seconds}")
    return None


def _why_bad_seats(command: CreateMatch) -> Refusal | None:
    seats, ruleset = command.seats, command.ruleset
    if len(seats) != ruleset.seats:
        return Refusal("bad-seats", f"{command.ruleset_name} has {ruleset.seats} seats, not {len(seats)}")
    players = [seat.player for seat in seats if seat.player is not None]
    if len(players) != len(set(players)):
        return Refusal("already-seated", "nobody may sit on two seats of a match")
    chosen: list[Suit] = []
    for terms in seats:
        if terms.trump is not None:
            refusal = _why_no_trump(ruleset.trump_choice == "turned", chosen, terms.trump)
            if refusal is not None:
                return refusal
            chosen.append(terms.trump)
    return None


def _why_no_trump(turned: bool, taken: list[Suit], trump: Suit) -> Refusal | None:
    if turned:
        return Refusal("trumps-are-turned", "in this ruleset trumps are turned up from the deal, nobody chooses one")
    if trump in taken:
        return Refusal("trump-not-free", f"{suit_name(trump)} is the trump of another seat")
    return None


def _seat_of(state: CreatedMatch, player: PlayerId) -> Seat | None:
    return next((Seat(seat) for seat, terms in enumerate(state.seats) if terms.player == player), None)


def _take_seat(state: CreatedMatch, command: TakeSeat) -> list[Event] | Refusal:
    own = _seat_of(state, command.player)
    if isinstance(state, PlayingMatch) and own is not None and state.seats[own].stand_in:
        return [SeatRegained(own, command.player)]
    if is_over(state):
        return _over(state)
    if own is not None:
        return Refusal("already-seated", f"you sit on seat {own} of this match", {"seat": own})
    if not isinstance(state, OpenMatch):
        return Refusal("match-full", "every seat of this match is taken")
    seat = next(Seat(seat) for seat, terms in enumerate(state.seats) if terms.kind == "open")
    if command.trump is not None:
        refusal = _why_trump_not_free(state, command.trump, but_for=None)
        if refusal is not None:
            return refusal
    return [SeatTaken(seat, command.player, command.name, command.trump, command.nonce)]


def _why_trump_not_free(state: OpenMatch, trump: Suit, but_for: Seat | None) -> Refusal | None:
    taken = [terms.trump for seat, terms in enumerate(state.seats) if terms.trump is not None and seat != but_for]
    return _why_no_trump(state.terms.ruleset.trump_choice == "turned", taken, trump)


def _declare_trump(state: CreatedMatch, command: DeclareTrump) -> list[Event] | Refusal:
    own = _seat_of(state, command.player)
    if own is None:
        return Refusal("not-your-seat", "you have no seat in this match")
    if not isinstance(state, OpenMatch):
        return Refusal("match-started", "trumps are settled once the match has started")
    refusal = _why_trump_not_free(state, command.trump, but_for=own)
    return refusal if refusal is not None else [TrumpDeclared(own, command.trump)]


def _over(state: CreatedMatch) -> Refusal:
    return Refusal("match-over", f"match {state.terms.match} is over")


def _resign(state: CreatedMatch, command: Resign) -> list[Event] | Refusal:
    own = _seat_of(state, command.player)
    if own is None:
        return Refusal("not-your-seat", "you have no seat in this match")
    if is_over(state):
        return _over(state)
    if not isinstance(state, PlayingMatch):
        return Refusal("match-not-started", "the match has not started; its creator may abort it")
    if state.seats[own].stand_in:
        return Refusal("not-your-seat", f"a bot plays on for you on seat {own}")
    return _leave(state, own, "resigned")


def _leave(state: PlayingMatch, seat: Seat, reason: LeaveReason) -> list[Event]:
    then = state.terms.on_timeout
    left = SeatLeft(seat, reason, then, STAND_IN_LEVEL if then == "bot" else None)
    return [left] if then == "bot" else [left, MatchLost((seat,), True, _seed(state.terms), held_cards(state.board))]


def _seed(terms: MatchTerms) -> str:
    """The seed; only the authority decides, and it always knows it."""
    if terms.seed is None:
        raise ValueError(f"match {terms.match} cannot be decided from a redacted log")
    return terms.seed


def warn_at(clock: Clock, turn_seconds: int) -> Millis:
    """When the person on the clock is warned."""
    return Millis(clock.deadline - int(turn_seconds * 1000 * WARNING_SHARE))


def _expire(match: Match, state: CreatedMatch, command: Expire) -> list[Event] | Refusal:
    if is_over(state):
        return _over(state)
    if isinstance(state, OpenMatch):
        if command.at >= match.at + OPEN_MATCH_MILLIS:
            return [MatchAborted("nobody-joined", _seed(state.terms), ())]
    elif isinstance(state, PlayingMatch) and state.clock is not None:
        clock, seconds = state.clock, state.terms.turn_seconds or 0
        if command.at >= clock.deadline:
            return _leave(state, clock.seat, "timeout")
        if not clock.warned and command.at >= warn_at(clock, seconds):
            return [TurnWarned(clock.seat, clock.deadline)]
    return Refusal("not-due", "nothing is due")


def _extend_clock(state: CreatedMatch, command: ExtendClock) -> list[Event] | Refusal:
    if not isinstance(state, PlayingMatch) or state.clock is None or command.deadline <= state.clock.deadline:
        return Refusal("not-due", "there is no clock to extend to that moment")
    return [ClockSet(state.clock.seat, command.deadline)]


def _abort(state: CreatedMatch, command: AbortMatch) -> list[Event] | Refusal:
    if is_over(state):
        return _over(state)
    match command.actor:
        case ByServer():
            pass
        case ByPlayer(player) if player == state.terms.creator:
            if not isinstance(state, OpenMatch):
                return Refusal("match-started", "a match that has started can be resigned, not aborted")
        case _:
            return Refusal("not-your-match", "only its creator may abort an open match")
    hands = held_cards(state.board) if isinstance(state, PlayingMatch) else ()
    return [MatchAborted(command.reason, _seed(state.terms), hands)]


def _clock(state: State, at: Millis) -> list[Event]:
    """A fresh turn clock where a person is to move and none is running."""
    if not isinstance(state, PlayingMatch) or state.terms.turn_seconds is None or state.clock is not None:
        return []
    turn = state.board.deal.position.turn
    if state.seats[turn].kind != "player":
        return []
    return [ClockSet(turn, Millis(at + state.terms.turn_seconds * 1000))]
