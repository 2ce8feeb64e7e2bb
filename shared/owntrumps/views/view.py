"""The view: a match as one viewer may see it, as JSON values.

Built only from public facts and the viewer's own hand, by naming every field that passes; a full state and the fold
of the viewer's redacted log give the same view.
"""

from typing import Any, Literal, NotRequired, TypedDict

from owntrumps.game.chance import link_key
from owntrumps.game.moments import iso
from owntrumps.game.state import (
    AbortedMatch,
    Board,
    CreatedMatch,
    FinishedMatch,
    Match,
    MatchResult,
    NoMatch,
    PlayingMatch,
    Score,
    is_over,
)
from owntrumps.game.terms import MatchTerms, SeatTerms
from owntrumps.rules.cards import Seat, card_name, names_of, suit_name
from owntrumps.rules.deal import Loser, Result
from owntrumps.rules.plays import legal_plays
from owntrumps.rules.position import Hand
from owntrumps.views.redaction import Viewer


class SeatView(TypedDict):
    """One seat in public. ``known``: cards everybody has seen it pick up or turn up and not play since (all of its
    cards once the match is over); ``stand_in``: a bot plays on for its player; ``budget_ms``: how long a bot was asked
    to think for each play, where that was asked."""

    seat: int
    kind: Literal["open", "player", "bot"]
    name: str | None
    player: str | None
    level: NotRequired[str]
    budget_ms: NotRequired[int]
    stand_in: bool
    trump: str | None
    cards: int
    out: bool
    known: list[str]


class Fairness(TypedDict):
    """``commitment`` is SHA-256 of ``seed``, which is None until the match is over; ``nonces`` by seat."""

    commitment: str
    seed: str | None
    nonces: list[str | None]


class View(TypedDict):
    """A match for one viewer. ``deal_result`` is how the last finished deal ended, ``result`` how the match did.

    Card lists are in the order c d h s, then rank; the pile is bottom to top. What a match that has not started
    cannot have is None or empty. ``link`` is there for those who sit in a private match.
    """

    id: str
    status: Literal["open", "playing", "finished", "aborted"]
    version: int
    updated_at: str
    ruleset: dict[str, Any]
    seats: list[SeatView]
    you: int | None
    game: int
    games: int
    dealer: int | None
    leader: int | None
    turn: int | None
    phase: Literal["lead", "respond"] | None
    pile: list[str]
    discarded: list[str]
    out: list[int]
    hand: list[str]
    legal: list[str]
    plies: int
    turn_seconds: int | None
    on_timeout: Literal["bot", "forfeit"]
    private: bool
    creator: str | None
    deadline: str | None
    losses: list[int]
    deal_result: dict[str, Any] | None
    result: dict[str, Any] | None
    fairness: Fairness
    link: NotRequired[str]


def viewer_of(state: CreatedMatch, player: str | None) -> Viewer:
    """The seat that the player sits on, or None for everybody else."""
    if player is None:
        return None
    return next((Seat(seat) for seat, terms in enumerate(state.seats) if terms.player == player), None)


def view_of(match: Match, viewer: Viewer) -> View:
    """The match as the viewer may see it; ValueError for a match that does not exist."""
    state = match.state
    if isinstance(state, NoMatch):
        raise ValueError("there is nothing to view before a match is created")
    board = state.board if isinstance(state, PlayingMatch | FinishedMatch | AbortedMatch) else None
    score = state.score if isinstance(state, PlayingMatch | FinishedMatch | AbortedMatch) else None
    view = _terms_part(match, state, viewer)
    if board is not None and score is not None:
        _add_board(view, board, score)
        if isinstance(state, PlayingMatch):
            _add_turn(view, state, viewer)
        if viewer is not None:
            view["hand"] = names_of(board.deal.position.hands[viewer].cards)
    if isinstance(state, FinishedMatch):
        view["result"] = match_result_json(state.result)
    elif isinstance(state, AbortedMatch):
        view["result"] = {"aborted": state.reason}
    return view


def _status(state: CreatedMatch) -> Literal["open", "playing", "finished", "aborted"]:
    if isinstance(state, FinishedMatch):
        return "finished"
    if isinstance(state, AbortedMatch):
        return "aborted"
    return "playing" if isinstance(state, PlayingMatch) else "open"


def _terms_part(match: Match, state: CreatedMatch, viewer: Viewer) -> View:
    """The view of a match in which nothing is dealt."""
    terms = state.terms
    view: View = {
        "id": terms.match,
        "status": _status(state),
        "version": match.version,
        "updated_at": iso(match.at),
        "ruleset": {**terms.ruleset.as_dict(), "name": terms.ruleset_name},
        "seats": [_seat_part(seat, seat_terms) for seat, seat_terms in enumerate(state.seats)],
        "you": viewer,
        "game": 0,
        "games": terms.games,
        "dealer": None,
        "leader": None,
        "turn": None,
        "phase": None,
        "pile": [],
        "discarded": [],
        "out": [],
        "hand": [],
        "legal": [],
        "plies": 0,
        "turn_seconds": terms.turn_seconds,
        "on_timeout": terms.on_timeout,
        "private": terms.private,
        "creator": terms.creator,
        "deadline": None,
        "losses": [0] * len(state.seats),
        "deal_result": None,
        "result": None,
        "fairness": _fairness(terms, state),
    }
    return view


def _fairness(terms: MatchTerms, state: CreatedMatch) -> Fairness:
    return {
        "commitment": terms.commitment,
        "seed": terms.seed if is_over(state) else None,
        "nonces": [seat.nonce for seat in state.seats],
    }


def _seat_part(seat: int, terms: SeatTerms) -> SeatView:
    view: SeatView = {
        "seat": seat,
        "kind": terms.kind,
        "name": terms.name,
        "player": terms.player,
        "stand_in": terms.stand_in,
        "trump": None if terms.trump is None else suit_name(terms.trump),
        "cards": 0,
        "out": False,
        "known": [],
    }
    if terms.level is not None:
        view["level"] = terms.level
    if terms.budget_ms is not None:
        view["budget_ms"] = terms.budget_ms
    return view


def _add_board(view: View, board: Board, score: Score) -> None:
    position = board.deal.position
    for seat_view, hand in zip(view["seats"], position.hands, strict=True):
        _add_hand(seat_view, hand)
    view["game"] = score.game
    view["dealer"], view["leader"] = board.dealer, board.leader
    view["pile"] = [card_name(card) for card in position.pile]
    view["discarded"] = names_of(position.discarded)
    view["out"] = list(position.out)
    view["plies"] = board.deal.plies
    view["losses"] = list(score.losses)
    view["deal_result"] = None if score.last is None else deal_result_json(score.last)


def _add_hand(view: SeatView, hand: Hand) -> None:
    view["cards"] = hand.count
    view["out"] = hand.count == 0
    view["known"] = names_of(hand.shown)


def _add_turn(view: View, state: PlayingMatch, viewer: Viewer) -> None:
    position = state.board.deal.position
    view["turn"], view["phase"] = position.turn, position.phase
    if state.clock is not None:
        view["deadline"] = iso(state.clock.deadline)
    if viewer == position.turn:
        view["legal"] = legal_plays(state.board.table, position)


def deal_result_json(result: Result) -> dict[str, Any]:
    """``{"loser": seat}`` or ``{"draw": reason}``."""
    return {"loser": result.seat} if isinstance(result, Loser) else {"draw": result.reason}


def match_result_json(result: MatchResult) -> dict[str, Any]:
    """``{"losers": [seat…]}``, with ``"forfeit": true`` where a seat forfeited, or ``{"draw": reason}``."""
    if result.draw is not None:
        return {"draw": result.draw}
    return {"losers": list(result.losers), **({"forfeit": True} if result.forfeit else {})}


def private_link(terms: MatchTerms) -> str:
    """The secret part of the match's link (32 hex digits); needs the seed, so only the authority knows it."""
    if terms.seed is None:
        raise ValueError(f"the seed of match {terms.match} is not known here")
    return link_key(terms.seed)
