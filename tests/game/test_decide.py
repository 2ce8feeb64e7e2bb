"""What each command leads to, and why it is refused. Given a match, when a command, then events or a slug."""

from dataclasses import replace
from typing import Any, Literal

import pytest

from owntrumps.game.commands import AbortMatch, DeclareTrump, Expire, ExtendClock, MakeMove, Resign, TakeSeat
from owntrumps.game.decide import OPEN_MATCH_MILLIS, warn_at
from owntrumps.game.events import (
    CardLed,
    ClockSet,
    DealDealt,
    DealLost,
    MatchAborted,
    MatchDrawn,
    MatchLost,
    MatchStarted,
    PileTaken,
    SeatLeft,
    SeatRegained,
    TopBeaten,
    TurnWarned,
)
from owntrumps.game.log import fold_entry
from owntrumps.game.state import EMPTY, Clock, FinishedMatch, Match, OpenMatch, PlayingMatch
from owntrumps.game.terms import ByBot, ByPlayer, ByServer, Millis, PlayerId, SeatTerms, Version
from owntrumps.rules.cards import Card, Seat, Suit, cards_of, parse_card, suit_of
from owntrumps.rules.plays import TAKE, Play, legal_cards
from owntrumps.rules.rulesets import PRESETS, Ruleset
from tests.matches import accepted, bots, create, move, refused

ANNA, BELA, CILI = PlayerId("anna"), PlayerId("bela"), PlayerId("cili")
DUEL = PRESETS["duel"]
OPEN = SeatTerms("open")


def person(player: PlayerId, **terms: Any) -> SeatTerms:
    return replace(SeatTerms("player", player=player, name=str(player)), **terms)


def open_duel(**terms: Any) -> Match:
    """A duel in which Anna sits and one seat is open."""
    return accepted(EMPTY, create(DUEL, seats=(person(ANNA), OPEN), creator=ANNA, **terms))[0]


def duel(**terms: Any) -> Match:
    """A duel of Anna and Béla, under way."""
    return accepted(open_duel(**terms), TakeSeat(Millis(5), BELA, "bela"))[0]


def playing(match: Match) -> PlayingMatch:
    assert isinstance(match.state, PlayingMatch)
    return match.state


def to_move(match: Match) -> tuple[PlayerId, PlayerId]:
    """The player to move and the other one."""
    state = playing(match)
    turn = state.board.deal.position.turn
    first, second = (state.seats[seat].player for seat in (turn, 1 - turn))
    assert first is not None
    assert second is not None
    return first, second


def led(match: Match) -> Match:
    """The match after its leader led the lowest card."""
    state = playing(match)
    card = cards_of(legal_cards(state.board.table, state.board.deal.position))[0]
    return accepted(match, MakeMove(match.at, ByPlayer(to_move(match)[0]), (card,)))[0]


class TestCreating:
    def test_a_match_of_bots_starts_at_once(self) -> None:
        match, entry = accepted(EMPTY, create(PRESETS["bornyu"]))
        assert [type(event).__name__ for event in entry.events] == [
            "MatchCreated",
            "MatchStarted",
            "DealDealt",
            "TrumpsTurned",
        ]
        assert isinstance(match.state, PlayingMatch)

    def test_a_match_with_an_open_seat_waits(self) -> None:
        assert isinstance(open_duel().state, OpenMatch)

    @pytest.mark.parametrize(
        ("terms", "slug"),
        [
            ({"seats": bots(3)}, "bad-seats"),
            ({"seats": (person(ANNA), person(ANNA))}, "already-seated"),
            ({"seats": (person(ANNA, trump=Suit(1)), person(BELA, trump=Suit(1)))}, "trump-not-free"),
            ({"games": 0}, "bad-terms"),
            ({"games": 101}, "bad-terms"),
            ({"turn_seconds": 0}, "bad-terms"),
        ],
    )
    def test_impossible_terms_are_refused(self, terms: dict[str, Any], slug: str) -> None:
        assert refused(EMPTY, create(DUEL, **terms)).slug == slug

    def test_a_ruleset_that_contradicts_itself_is_refused(self) -> None:
        assert refused(EMPTY, create(replace(DUEL, repetition_limit=2))).slug == "impossible-ruleset"

    def test_nobody_chooses_a_trump_where_trumps_are_turned(self) -> None:
        seats = (person(ANNA, trump=Suit(0)), *bots(3))
        assert refused(EMPTY, create(PRESETS["bornyu"], seats=seats)).slug == "trumps-are-turned"

    def test_a_match_is_created_once(self) -> None:
        assert refused(open_duel(), create(DUEL)).slug == "match-exists"

    def test_declared_trumps_hold_and_the_others_are_free_suits(self) -> None:
        seats = (person(ANNA, trump=Suit(2)), *bots(3))
        _, entry = accepted(EMPTY, create(PRESETS["dudak"], seats=seats))
        started = entry.events[1]
        assert isinstance(started, MatchStarted)
        assert started.trumps is not None
        assert started.trumps[0] == Suit(2)
        assert sorted(started.trumps) == [0, 1, 2, 3]


class TestSeats:
    def test_the_match_starts_when_the_last_seat_is_taken(self) -> None:
        match, entry = accepted(open_duel(), TakeSeat(Millis(5), BELA, "bela", nonce="luck"))
        assert [type(event).__name__ for event in entry.events] == ["SeatTaken", "MatchStarted", "DealDealt"]
        assert playing(match).seats[1].nonce == "luck"

    def test_nobody_sits_twice(self) -> None:
        assert refused(open_duel(), TakeSeat(Millis(5), ANNA, "anna")).slug == "already-seated"
        assert refused(duel(), TakeSeat(Millis(6), ANNA, "anna")).slug == "already-seated"

    def test_a_full_match_takes_nobody(self) -> None:
        assert refused(duel(), TakeSeat(Millis(6), CILI, "cili")).slug == "match-full"

    def test_a_trump_can_be_chosen_on_sitting_down_or_later_but_only_a_free_one(self) -> None:
        match, _ = accepted(open_duel(), DeclareTrump(Millis(1), ANNA, Suit(3)))
        assert refused(match, TakeSeat(Millis(2), BELA, "bela", Suit(3))).slug == "trump-not-free"
        assert refused(match, DeclareTrump(Millis(2), BELA, Suit(1))).slug == "not-your-seat"
        match, _ = accepted(match, DeclareTrump(Millis(2), ANNA, Suit(3)))
        match, _ = accepted(match, TakeSeat(Millis(2), BELA, "bela", Suit(0)))
        assert playing(match).board.table.trumps == (3, 0)
        assert refused(match, DeclareTrump(Millis(3), ANNA, Suit(1))).slug == "match-started"

    def test_an_open_match_is_called_off_by_its_creator_or_after_a_day(self) -> None:
        match = open_duel()
        assert refused(match, AbortMatch(Millis(1), ByPlayer(BELA), "x")).slug == "not-your-match"
        _, entry = accepted(match, AbortMatch(Millis(1), ByPlayer(ANNA), "changed my mind"))
        assert isinstance(entry.events[-1], MatchAborted)
        assert refused(match, Expire(Millis(OPEN_MATCH_MILLIS - 1))).slug == "not-due"
        aborted, entry = accepted(match, Expire(Millis(OPEN_MATCH_MILLIS)))
        assert isinstance(entry.events[-1], MatchAborted)
        assert refused(aborted, TakeSeat(Millis(OPEN_MATCH_MILLIS), BELA, "bela")).slug == "match-over"

    def test_a_match_under_way_is_called_off_by_an_operator_only(self) -> None:
        assert refused(duel(), AbortMatch(Millis(9), ByPlayer(ANNA), "x")).slug == "match-started"
        _, entry = accepted(duel(), AbortMatch(Millis(9), ByServer(), "maintenance"))
        aborted = entry.events[-1]
        assert isinstance(aborted, MatchAborted)
        assert [len(hand) for hand in aborted.hands] == [18, 18]


class TestMoves:
    def test_the_leader_leads_any_card(self) -> None:
        match = duel()
        state = playing(match)
        card = cards_of(state.board.deal.position.hands[state.board.deal.position.turn].cards)[-1]
        _, entry = accepted(match, MakeMove(Millis(9), ByPlayer(to_move(match)[0]), (card,)))
        assert entry.events == (CardLed(state.board.deal.position.turn, card),)

    def test_a_beat_and_the_lead_on_it_are_one_move(self) -> None:
        match = led(duel())
        state = playing(match)
        beating = cards_of(legal_cards(state.board.table, state.board.deal.position))[0]
        turn = state.board.deal.position.turn
        on_top = next(card for card in cards_of(state.board.deal.position.hands[turn].cards) if card != beating)
        _, entry = accepted(match, MakeMove(Millis(9), ByPlayer(to_move(match)[0]), (beating, on_top)))
        assert entry.events == (TopBeaten(turn, beating), CardLed(turn, on_top))

    def test_the_whole_move_is_refused_if_one_of_its_plays_is_illegal(self) -> None:
        match = led(duel())
        state = playing(match)
        beating = cards_of(legal_cards(state.board.table, state.board.deal.position))[0]
        refusal = refused(match, MakeMove(Millis(9), ByPlayer(to_move(match)[0]), (beating, beating)))
        assert (refusal.slug, refusal.extra["reason"]) == ("illegal-play", "card-not-held")
        assert "take" not in str(refusal.extra["legal"])

    @pytest.mark.parametrize(("plays", "reason"), [((TAKE,), "nothing-to-take"), ((TAKE, TAKE), "too-many-cards")])
    def test_nothing_is_taken_in_phase_lead(self, plays: tuple[Play, ...], reason: str) -> None:
        match = duel()
        refusal = refused(match, MakeMove(Millis(9), ByPlayer(to_move(match)[0]), plays))
        assert (refusal.slug, refusal.extra["reason"]) == ("illegal-play", reason)

    def test_two_cards_are_too_many_in_phase_lead(self) -> None:
        match = duel()
        position = playing(match).board.deal.position
        cards = tuple(cards_of(position.hands[position.turn].cards)[:2])
        refusal = refused(match, MakeMove(Millis(9), ByPlayer(to_move(match)[0]), cards))
        assert (refusal.slug, refusal.extra["reason"]) == ("illegal-play", "too-many-cards")

    def test_only_the_seat_to_move_moves_and_only_its_own_player(self) -> None:
        match = duel()
        _, waiting = to_move(match)
        assert refused(match, MakeMove(Millis(9), ByPlayer(waiting), (Card(10),))).slug == "not-your-turn"
        assert refused(match, MakeMove(Millis(9), ByPlayer(CILI), (Card(10),))).slug == "not-your-seat"
        assert refused(match, MakeMove(Millis(9), ByBot(Seat(0)), (Card(10),))).slug == "not-your-seat"

    def test_a_move_for_another_version_is_stale(self) -> None:
        refusal = refused(duel(), MakeMove(Millis(9), ByPlayer(ANNA), (Card(10),), Version(1)))
        assert (refusal.slug, refusal.extra) == ("stale-version", {"version": 2})

    def test_nothing_is_played_before_the_start(self) -> None:
        assert refused(open_duel(), MakeMove(Millis(9), ByPlayer(ANNA), (Card(10),))).slug == "match-not-started"

    def test_a_match_that_does_not_exist_takes_no_commands(self) -> None:
        for command in (
            MakeMove(Millis(9), ByPlayer(ANNA), (TAKE,)),
            TakeSeat(Millis(9), ANNA, "anna"),
            Resign(Millis(9), ANNA),
            Expire(Millis(9)),
        ):
            assert refused(EMPTY, command).slug == "not-found"

    def test_the_last_card_cannot_carry_a_lead_with_it(self) -> None:
        match = study(hands=[["7c", "8d"], ["Kc"]], trumps=(Suit(0), Suit(1)), leader=0)
        match, _ = accepted(match, move(match, parse_card("7c")))
        refusal = refused(match, move(match, parse_card("Kc"), parse_card("8d")))
        assert (refusal.slug, refusal.extra["reason"]) == ("illegal-play", "no-second-card")


def study(hands: list[list[str]], trumps: tuple[Suit, ...], leader: int, games: int = 1) -> Match:
    """A challenge match in which these cards have just been dealt."""
    ruleset = replace(PRESETS["challenge"], deal="shuffled")
    _, entry = accepted(EMPTY, create(ruleset, games=games))
    created, *_ = entry.events
    dealt = DealDealt(
        1, Seat(1 - leader), Seat(leader), tuple(tuple(parse_card(card) for card in hand) for hand in hands)
    )
    return fold_entry(EMPTY, replace(entry, events=(created, MatchStarted(Seat(1 - leader), trumps), dealt)))


class TestTheEnd:
    def test_the_one_who_still_holds_cards_loses_and_everything_is_revealed(self) -> None:
        match = study(hands=[["7c"], ["8d", "9d"]], trumps=(Suit(0), Suit(1)), leader=0)
        match, entry = accepted(match, move(match, parse_card("7c")))
        lost, over = entry.events[1:]
        assert lost == DealLost(1, Seat(1))
        assert isinstance(over, MatchLost)
        assert over.losers == (1,)
        assert over.hands == ((), (parse_card("8d"), parse_card("9d")))
        assert isinstance(match.state, FinishedMatch)
        assert match.state.terms.seed == over.seed

    def test_the_loser_deals_the_next_deal_of_a_series(self) -> None:
        match = study(hands=[["7c"], ["8d", "9d"]], trumps=(Suit(0), Suit(1)), leader=0, games=2)
        match, entry = accepted(match, move(match, parse_card("7c")))
        dealt = entry.events[-1]
        assert isinstance(dealt, DealDealt)
        assert (dealt.game, dealt.dealer, dealt.leader) == (2, 1, 0)
        assert playing(match).score.losses == (0, 1)
        assert playing(match).board.table.trumps == (0, 1)

    def test_after_a_draw_the_same_dealer_deals_again_and_no_lost_deal_is_a_draw(self) -> None:
        match, _ = accepted(EMPTY, create(replace(PRESETS["dudak"], ply_limit=1), games=2))
        dealer = playing(match).board.dealer
        match, _ = accepted(match, move(match, any_card(match)))
        assert playing(match).board.dealer == dealer
        _, entry = accepted(match, move(match, any_card(match)))
        drawn = entry.events[-1]
        assert isinstance(drawn, MatchDrawn)
        assert drawn.reason == "no_lost_deal"

    def test_a_single_deal_passes_its_reason_on(self) -> None:
        match, _ = accepted(EMPTY, create(replace(PRESETS["dudak"], ply_limit=1)))
        _, entry = accepted(match, move(match, any_card(match)))
        drawn = entry.events[-1]
        assert isinstance(drawn, MatchDrawn)
        assert drawn.reason == "ply_limit"

    def test_equal_losses_make_several_losers(self) -> None:
        match = study(hands=[["7c"], ["8d", "9d"]], trumps=(Suit(0), Suit(1)), leader=0, games=2)
        match, _ = accepted(match, move(match, parse_card("7c")))
        state = playing(match)
        # Given the second deal is about to be lost by seat 0.
        dealt = study(hands=[["8c", "9c"], ["7d"]], trumps=(Suit(0), Suit(1)), leader=1)
        board = replace(playing(dealt).board)
        match = replace(match, state=replace(state, board=board))
        match, entry = accepted(match, move(match, parse_card("7d")))
        over = entry.events[-1]
        assert isinstance(over, MatchLost)
        assert over.losers == (0, 1)


def any_card(match: Match) -> Card:
    position = playing(match).board.deal.position
    return cards_of(position.hands[position.turn].cards)[0]


class TestClocks:
    def test_the_person_to_move_gets_a_clock_and_a_bot_does_not(self) -> None:
        match = duel(turn_seconds=60)
        state = playing(match)
        assert state.clock == Clock(state.board.deal.position.turn, Millis(60_005))
        assert playing(accepted(EMPTY, create(DUEL, turn_seconds=60))[0]).clock is None

    def test_every_move_sets_the_next_clock(self) -> None:
        match = duel(turn_seconds=60)
        card = any_card(match)
        match, entry = accepted(match, MakeMove(Millis(1000), ByPlayer(to_move(match)[0]), (card,)))
        assert entry.events[-1] == ClockSet(playing(match).board.deal.position.turn, Millis(61_000))

    def test_a_person_is_warned_once_and_then_runs_out_of_time(self) -> None:
        match = duel(turn_seconds=60)
        clock = playing(match).clock
        assert clock is not None
        warned_at = warn_at(clock, 60)
        assert refused(match, Expire(Millis(warned_at - 1))).slug == "not-due"
        match, entry = accepted(match, Expire(warned_at))
        assert entry.events == (TurnWarned(clock.seat, clock.deadline),)
        assert refused(match, Expire(Millis(clock.deadline - 1))).slug == "not-due"
        match, entry = accepted(match, Expire(clock.deadline))
        assert entry.events == (SeatLeft(clock.seat, "timeout", "bot", "greedy"),)
        assert playing(match).seats[clock.seat].stand_in

    def test_the_person_comes_back_and_gets_a_fresh_clock(self) -> None:
        match = duel(turn_seconds=60)
        player, _ = to_move(match)
        match, _ = accepted(match, Expire(Millis(60_005)))
        assert refused(match, MakeMove(Millis(61_000), ByPlayer(player), (any_card(match),))).slug == "not-your-seat"
        seat = playing(match).board.deal.position.turn
        match, entry = accepted(match, TakeSeat(Millis(61_000), player, "again"))
        assert entry.events == (SeatRegained(seat, player), ClockSet(seat, Millis(121_000)))
        assert not playing(match).seats[seat].stand_in

    def test_where_time_forfeits_the_match_is_lost(self) -> None:
        match = duel(turn_seconds=60, on_timeout="forfeit")
        seat = playing(match).board.deal.position.turn
        match, entry = accepted(match, Expire(Millis(60_005)))
        over = entry.events[-1]
        assert isinstance(over, MatchLost)
        assert (over.losers, over.forfeit) == ((seat,), True)

    def test_an_outage_extends_the_clock_but_never_shortens_it(self) -> None:
        match = duel(turn_seconds=60)
        seat = playing(match).board.deal.position.turn
        _, entry = accepted(match, ExtendClock(Millis(50_000), Millis(90_000)))
        assert entry.events == (ClockSet(seat, Millis(90_000)),)
        assert refused(match, ExtendClock(Millis(50_000), Millis(60_005))).slug == "not-due"


class TestResigning:
    def test_a_bot_plays_on_for_the_one_who_resigned(self) -> None:
        match, entry = accepted(duel(), Resign(Millis(9), ANNA))
        assert entry.events == (SeatLeft(Seat(0), "resigned", "bot", "greedy"),)
        assert refused(match, Resign(Millis(10), ANNA)).slug == "not-your-seat"
        assert refused(match, Resign(Millis(10), CILI)).slug == "not-your-seat"

    def test_another_ones_clock_runs_on(self) -> None:
        match = duel(turn_seconds=60)
        clock = playing(match).clock
        _, waiting = to_move(match)
        match, _ = accepted(match, Resign(Millis(9), waiting))
        assert playing(match).clock == clock

    def test_or_the_seat_forfeits(self) -> None:
        match, entry = accepted(duel(on_timeout="forfeit"), Resign(Millis(9), BELA))
        over = entry.events[-1]
        assert isinstance(over, MatchLost)
        assert (over.losers, over.forfeit) == ((1,), True)
        assert refused(match, Resign(Millis(10), ANNA)).slug == "match-over"

    def test_an_open_match_is_aborted_not_resigned(self) -> None:
        assert refused(open_duel(), Resign(Millis(9), ANNA)).slug == "match-not-started"


def test_a_taken_pile_is_named_bottom_to_top() -> None:
    match = study(hands=[["7c", "8c"], ["9s", "Ts"]], trumps=(Suit(0), Suit(1)), leader=0)
    match, _ = accepted(match, move(match, parse_card("7c")))
    _, entry = accepted(match, move(match, TAKE))
    assert entry.events == (PileTaken(Seat(1), (parse_card("7c"),)),)


def test_the_lowest_trumps_change_hands_before_the_first_lead() -> None:
    ruleset = PRESETS["svoi-kozyri"]
    match, _ = accepted(EMPTY, create(ruleset))
    state = playing(match)
    for hand, trump in zip(state.board.deal.position.hands, state.board.table.trumps, strict=True):
        lowest = cards_of(hand.cards)
        assert any(suit_of(card) == trump and card % 13 == 4 for card in lowest)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seats_after_the_dealer_get_the_extra_cards_of_an_uneven_deal(seats: Literal[2, 3, 4]) -> None:
    ruleset = Ruleset(deck=32, seats=seats, trump_choice="turned")
    match, _ = accepted(EMPTY, create(ruleset))
    board = playing(match).board
    sizes = [board.deal.position.hands[(board.dealer + 1 + offset) % seats].count for offset in range(seats)]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == 32
