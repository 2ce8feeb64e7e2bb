"""What follows by itself: the start once all seats are filled, the next deal, the end of the match."""

from collections.abc import Sequence

from owntrumps.game.chance import first_dealer, mirrored_hands, mixed_key, shuffled_pack, trumps_for_all
from owntrumps.game.dealing import deal_out, leader_of, low_card_exchanges, turn_up_trumps
from owntrumps.game.events import (
    CardsExchanged,
    DealDealt,
    Event,
    MatchDrawn,
    MatchLost,
    MatchStarted,
    TrumpsTurned,
)
from owntrumps.game.play import held_cards
from owntrumps.game.state import OpenMatch, ScoredMatch, State
from owntrumps.game.terms import MatchTerms, SeatTerms
from owntrumps.rules.cards import Card, Seat, Suit, mask_of
from owntrumps.rules.deal import Draw, Loser
from owntrumps.rules.rulesets import Ruleset


def continue_match(state: State) -> list[Event]:
    """The events that follow from the state without anybody's doing; none while somebody is to move."""
    match state:
        case OpenMatch() if all(seat.kind != "open" for seat in state.seats):
            return _start(state)
        case ScoredMatch() if state.score.game < state.terms.games:
            dealer = state.score.last.seat if isinstance(state.score.last, Loser) else state.board.dealer
            key = match_key(state.terms, state.seats)
            return deal_events(state.terms, key, state.score.game + 1, dealer, state.board.table.trumps)
        case ScoredMatch():
            return [_end(state)]
        case _:
            return []


def match_key(terms: MatchTerms, seats: Sequence[SeatTerms]) -> bytes:
    """The key of every draw; needs the seed, so only the authority or a reader of a finished match has it."""
    if terms.seed is None:
        raise ValueError(f"the seed of match {terms.match} is not revealed")
    return mixed_key(terms.seed, terms.match, [seat.nonce for seat in seats])


def _start(state: OpenMatch) -> list[Event]:
    key = match_key(state.terms, state.seats)
    ruleset = state.terms.ruleset
    dealer = Seat(first_dealer(key, ruleset.seats))
    declared = ruleset.trump_choice == "declared"
    trumps = trumps_for_all(key, [seat.trump for seat in state.seats]) if declared else None
    return [MatchStarted(dealer, trumps), *deal_events(state.terms, key, 1, dealer, trumps)]


def deal_events(terms: MatchTerms, key: bytes, game: int, dealer: Seat, trumps: tuple[Suit, ...] | None) -> list[Event]:
    """A deal that follows from the key, up to its first lead. ``trumps`` is None where they are turned up now."""
    ruleset = terms.ruleset
    if ruleset.deal == "mirrored" and trumps is not None:
        return opening_events(ruleset, game, dealer, trumps, mirrored_hands(key, game, ruleset, trumps, dealer))
    return opening_events(ruleset, game, dealer, trumps, deal_out(shuffled_pack(key, game, ruleset), ruleset, dealer))


def opening_events(
    ruleset: Ruleset, game: int, dealer: Seat, trumps: tuple[Suit, ...] | None, hands: Sequence[Sequence[Card]]
) -> list[Event]:
    """What these hands, in the order of dealing, lead to before the first lead: trumps turned up, exchange."""
    leader = leader_of(ruleset, dealer)
    events: list[Event] = [DealDealt(game, dealer, leader, tuple(tuple(hand) for hand in hands))]
    if trumps is None:
        trumps, turned = turn_up_trumps(hands, leader, ruleset.direction)
        events.append(TrumpsTurned(trumps, turned))
    if ruleset.low_card_exchange:
        exchanges = low_card_exchanges(ruleset, trumps, [mask_of(hand) for hand in hands])
        if exchanges:
            events.append(CardsExchanged(exchanges))
    return events


def _end(state: ScoredMatch) -> Event:
    seed = state.terms.seed
    if seed is None:
        raise ValueError(f"match {state.terms.match} cannot be decided from a redacted log")
    hands = held_cards(state.board)
    losses = state.score.losses
    most = max(losses)
    if most:
        losers = tuple(Seat(seat) for seat, count in enumerate(losses) if count == most)
        return MatchLost(losers, False, seed, hands)
    last = state.score.last
    if state.terms.games == 1 and isinstance(last, Draw):
        return MatchDrawn(last.reason, seed, hands)
    return MatchDrawn("no_lost_deal", seed, hands)
