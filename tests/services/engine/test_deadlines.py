"""Nothing can stall a match: not a silent bot, not a person who is gone, not a dead engine."""

from dataclasses import replace

import pytest

from owntrumps.game.commands import TakeSeat
from owntrumps.game.decide import OPEN_MATCH_MILLIS
from owntrumps.game.events import CardLed, ClockSet, MatchLost, SeatLeft, TurnWarned
from owntrumps.game.state import AbortedMatch, Clock, FinishedMatch, PlayingMatch
from owntrumps.game.terms import MatchId, Millis, Version
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import Accepted, BotTurn, CommandId, Outcome, Shard
from owntrumps_engine.deadlines import fallback_plays
from owntrumps_engine.engine import Engine
from tests.services.engine.given import (
    ANN,
    BOB,
    MATCH,
    OPEN_SEAT,
    START,
    SetClock,
    ask,
    bot,
    create,
    engine_over,
    log_of,
    memory,
    next_move,
    now_in,
    person,
    playing,
)

SECOND = 1000


def calm(engine: Engine) -> Engine:
    """The engine after the beats that it waits for before it acts on deadlines."""
    engine.run_once(0)
    engine.run_once(0)
    return engine


def after(engine: Engine, clock: SetClock, milliseconds: int) -> None:
    """Time passes with the engine alive."""
    end = clock.now + milliseconds
    while clock.now < end:
        clock.now = min(end, clock.now + 4 * SECOND)
        engine.run_once(0)


def clock_of(store: MemoryStore, match: MatchId = MATCH) -> Clock:
    clock = playing(store, match).clock
    assert clock is not None
    return clock


def told(store: MemoryStore) -> list[tuple[Version | None, BotTurn | None]]:
    """The match's bot turns in the feed, oldest first."""
    notices = store.notices({Shard(7): "0-0"}, block_ms=0)
    return [(notice.version, notice.bot_turn) for notice in notices if notice.bot_turn is not None]


@pytest.fixture
def clock():
    return SetClock()


@pytest.fixture
def store(clock):
    return memory(clock)


@pytest.fixture
def engine(store):
    return calm(engine_over(store))


def test_a_bot_that_does_not_move_is_called_again(store, engine, clock):
    # Given
    ask(store, engine, create(seats=(bot(), bot())))
    turn = playing(store).board.deal.position.turn
    assert told(store) == [(Version(1), BotTurn(turn, "greedy"))]
    # When
    after(engine, clock, 2 * SECOND)
    # Then
    assert told(store) == [(Version(1), BotTurn(turn, "greedy"))] * 2


def test_a_bot_that_never_moves_is_played_for_by_legal_plays_to_the_end_of_the_match(store, engine, clock):
    ask(store, engine, create(ruleset="bornyu", seats=(bot(),) * 4))
    after(engine, clock, 10 * SECOND)
    [_, entry] = log_of(store)
    assert isinstance(entry.events[0], CardLed)
    for _ in range(1000):
        if not isinstance(now_in(store).state, PlayingMatch):
            break
        after(engine, clock, 10 * SECOND)
    assert isinstance(now_in(store).state, FinishedMatch)


def test_a_bot_that_moves_in_time_is_left_alone(store, engine, clock):
    ask(store, engine, create(seats=(bot(), bot())))
    for _ in range(5):
        after(engine, clock, SECOND)
        assert isinstance(ask(store, engine, next_move(store, at=clock.now)), Accepted)
    assert len(told(store)) == 6
    assert len(log_of(store)) == 6


def test_the_fallback_beats_with_its_lowest_card_and_leads_on_before_it_takes():
    # Given every turn of a match in which the fallback plays for all
    clock = SetClock()
    store = memory(clock)
    engine = calm(engine_over(store))
    ask(store, engine, create(ruleset="bornyu", seats=(bot(),) * 4))
    lengths = set()
    while isinstance(state := now_in(store).state, PlayingMatch):
        plays = fallback_plays(state)
        lengths.add((state.board.deal.position.phase, len(plays)))
        after(engine, clock, 10 * SECOND)
    assert lengths == {("lead", 1), ("respond", 1), ("respond", 2)}


def test_a_person_is_warned_and_then_a_bot_plays_on(store, engine, clock):
    ask(store, engine, create(turn_seconds=20, on_timeout="bot"))
    turn = playing(store).board.deal.position.turn
    after(engine, clock, 15 * SECOND)
    assert [type(event) for entry in log_of(store)[1:] for event in entry.events] == [TurnWarned]
    after(engine, clock, 5 * SECOND)
    assert log_of(store)[-1].events == (SeatLeft(turn, "timeout", "bot", "greedy"),)
    assert told(store) == [(Version(3), BotTurn(turn, "greedy"))]


def test_a_person_out_of_time_forfeits_where_the_match_says_so(store, engine, clock):
    ask(store, engine, create(turn_seconds=20, on_timeout="forfeit"))
    after(engine, clock, 20 * SECOND)
    assert isinstance(log_of(store)[-1].events[-1], MatchLost)
    assert store.due(Millis(2**50), limit=10) == []


def test_a_person_who_moves_in_time_gets_a_clock_anew_for_the_next_turn(store, engine, clock):
    ask(store, engine, create(turn_seconds=20))
    after(engine, clock, 14 * SECOND)
    ask(store, engine, next_move(store, at=clock.now))
    after(engine, clock, 14 * SECOND)
    assert [type(entry.events[-1]) for entry in log_of(store)] == [ClockSet, ClockSet]


def test_a_match_without_a_clock_waits_for_its_people_for_ever(store, engine, clock):
    ask(store, engine, create())
    assert store.due(Millis(2**50), limit=10) == []


def test_a_match_that_nobody_joins_is_called_off(store, engine, clock):
    ask(store, engine, create(seats=(person(ANN), OPEN_SEAT)))
    clock.now += OPEN_MATCH_MILLIS - 1
    store.heartbeat(Millis(clock.now - SECOND))
    engine.run_once(0)
    assert len(log_of(store)) == 1
    clock.now += 1
    engine.run_once(0)
    state = now_in(store).state
    assert isinstance(state, AbortedMatch)
    assert state.reason == "nobody-joined"


def test_two_engines_that_see_the_same_deadline_do_it_once(store, clock):
    one, two = calm(engine_over(store)), calm(engine_over(store, consumer="two"))
    ask(store, one, create(turn_seconds=20, on_timeout="bot"))
    for _ in range(5):
        clock.now += 4 * SECOND
        one.run_once(0)
        two.run_once(0)
    kinds = [type(event) for entry in log_of(store)[1:] for event in entry.events]
    assert kinds == [TurnWarned, SeatLeft]
    outcome = store.outcome(MATCH, CommandId(f"due-{MATCH}-v1-warn"))
    assert isinstance(outcome, Outcome)
    assert outcome.answer == Accepted(Version(2))


def test_an_outage_does_not_run_clocks_down(store, engine, clock):
    # Given a person with 20 seconds, 5 of them gone when every engine dies
    ask(store, engine, create(turn_seconds=20))
    after(engine, clock, 5 * SECOND)
    assert clock_of(store).deadline == START + 20 * SECOND
    # When an engine comes back after an hour
    clock.now += 3600 * SECOND
    back = calm(engine_over(store, consumer="back"))
    # Then the person still has the 15 seconds
    assert clock_of(store).deadline == clock.now + 15 * SECOND
    assert log_of(store)[-1].events == (ClockSet(clock_of(store).seat, Millis(clock.now + 15 * SECOND)),)
    after(back, clock, 9 * SECOND)
    assert len(log_of(store)) == 2
    after(back, clock, SECOND)
    assert isinstance(log_of(store)[-1].events[0], TurnWarned)


def test_a_clock_that_started_during_the_outage_gets_back_only_what_it_lost(store, engine, clock):
    # Given a move that was submitted, and is decided, at a moment in the middle of the outage
    ask(store, engine, create(turn_seconds=20))
    clock.now += 100 * SECOND
    store.heartbeat(Millis(START))
    move = replace(next_move(store), at=Millis(START + 60 * SECOND))
    back = engine_over(store, consumer="back", due_every_ms=3_600_000)
    ask(store, back, move)
    # When
    calm(engine_over(store, consumer="mends"))
    # Then
    assert clock_of(store).deadline == START + 60 * SECOND + 20 * SECOND + 40 * SECOND


def test_an_engine_that_dies_while_it_mends_clocks_leaves_the_rest_to_the_next(store, engine, clock):
    # Given three matches with a clock and an outage
    matches = [MatchId(f"0{shard}-aaaaaaaaaaaa") for shard in range(3)]
    for match in matches:
        ask(store, engine, create(match, turn_seconds=60), match)
    clock.now += 600 * SECOND
    # When one engine mends a single clock and dies, and after ten seconds another comes
    engine_over(store, consumer="dies", due_limit=1).run_once(0)
    mended = [clock_of(store, match).deadline > START + 60 * SECOND for match in matches]
    assert sorted(mended) == [False, False, True]
    clock.now += 10 * SECOND
    calm(engine_over(store, consumer="next"))
    # Then every clock has its whole minute
    assert [clock_of(store, match).deadline - clock.now for match in matches] == [60 * SECOND] * 3


def test_nothing_expires_before_the_clocks_are_mended(store, engine, clock):
    ask(store, engine, create(turn_seconds=20, on_timeout="forfeit"))
    clock.now += 600 * SECOND
    engine_over(store, consumer="back").run_once(0)
    assert isinstance(now_in(store).state, PlayingMatch)


def test_bots_are_not_played_for_because_the_engines_were_dead(store, engine, clock):
    # Given a bot's turn and an outage of a minute
    ask(store, engine, create(seats=(bot(), bot())))
    clock.now += 60 * SECOND
    # When
    back = calm(engine_over(store, consumer="back"))
    back.run_once(0)
    # Then it is called, and played for only if it is silent for as long as ever
    assert len(log_of(store)) == 1
    assert len(told(store)) > 1
    after(back, clock, 8 * SECOND)
    assert len(log_of(store)) == 1
    after(back, clock, 2 * SECOND)
    assert len(log_of(store)) == 2


def test_a_quick_restart_is_no_outage(store, engine, clock):
    ask(store, engine, create(turn_seconds=20))
    clock.now += 3 * SECOND
    calm(engine_over(store, consumer="back"))
    assert len(log_of(store)) == 1


def test_a_match_that_has_left_the_store_is_not_looked_at_again(store, engine, clock):
    store.postpone(MATCH, Millis(START), at_version=Version(0))
    engine.run_once(0)
    assert store.due(Millis(2**50), limit=10) == []


def test_the_player_is_back_and_the_clock_runs_again(store, engine, clock):
    ask(store, engine, create(turn_seconds=20, on_timeout="bot"))
    turn = playing(store).board.deal.position.turn
    after(engine, clock, 20 * SECOND)
    player = (ANN, BOB)[turn]
    ask(store, engine, TakeSeat(Millis(clock.now), player, player))
    assert clock_of(store).deadline == clock.now + 20 * SECOND
