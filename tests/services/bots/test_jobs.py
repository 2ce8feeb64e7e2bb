"""A job plays what its level owes in one match, through its seats' views alone, and never harms what has moved on."""

import pytest
from structlog.testing import capture_logs

from owntrumps.game.terms import MatchId, Version
from owntrumps.rules.cards import Seat
from owntrumps_bots.policies.levels import LEVELS
from owntrumps_bots.turns import Turn
from tests.services.bots.inside import World

FOUR = ("greedy", "greedy", "greedy", "greedy")


@pytest.fixture
def world() -> World:
    return World()


def played(world: World, turn: Turn) -> str:
    return world.player.play(turn, "a job")


def versions_of(world: World, match: MatchId) -> int:
    return world.view(match)["version"]


# Playing


def test_one_job_plays_a_match_of_one_level_to_its_end() -> None:
    world = World(turns_per_job=2000, seconds_per_job=60)
    match = world.match("bornyu", *FOUR)
    assert played(world, world.turn(match)) == "over"
    assert world.view(match)["status"] == "finished"
    assert world.leftovers() == []


def test_a_job_ends_where_a_person_is_to_move(world: World) -> None:
    match = world.match_whose_turn_it_is(1, "bornyu", None, *FOUR[1:])
    assert played(world, world.turn(match)) == "handed-over"
    assert world.view(match)["turn"] == 0
    assert world.leftovers() == []


def test_a_job_ends_where_another_level_is_to_move(world: World) -> None:
    match = world.match_whose_turn_it_is(0, "bornyu", "greedy", "greedy", "random", "greedy")
    assert played(world, world.turn(match)) == "handed-over"
    view = world.view(match)
    assert view["seats"][view["turn"] or 0]["level"] == "random"
    assert {level for level, _, _ in world.thoughts.seen} == {"greedy"}


def test_a_seat_whose_player_left_is_played_by_the_stand_in(world: World) -> None:
    match = world.match_whose_turn_it_is(0, "duel", None, "greedy")
    world.resign(match, seat=0)
    assert world.turn(match).level == "greedy"
    assert played(world, world.turn(match)) in ("over", "bound")


def test_after_so_many_turns_the_rest_goes_to_the_back_of_the_queue() -> None:
    world = World(turns_per_job=3)
    match = world.match("bornyu", *FOUR)
    other = world.match("bornyu", *FOUR)
    world.turns.enqueue(world.turn(other))
    assert played(world, world.turn(match)) == "bound"
    assert versions_of(world, match) == 4
    assert world.waiting("greedy") == [f"{other}-v1", f"{match}-v4"]


def test_after_so_long_the_rest_goes_to_the_back_of_the_queue() -> None:
    world = World(seconds_per_job=0)
    match = world.match("bornyu", *FOUR)
    assert played(world, world.turn(match)) == "bound"
    assert world.waiting("greedy") == [f"{match}-v2"]


def test_a_worker_that_stops_ends_its_job_after_the_turn_at_hand(world: World) -> None:
    match = world.match("bornyu", *FOUR)

    def stop() -> None:
        world.player.stopping = True

    world.thoughts.before = stop
    assert played(world, world.turn(match)) == "stopping"
    assert world.waiting("greedy") == [f"{match}-v2"]


def test_what_the_dispatcher_left_to_a_running_job_is_in_the_queue_when_the_job_ends() -> None:
    world = World(turns_per_job=2)
    match = world.match("bornyu", *FOUR)
    first = world.turn(match)
    world.thoughts.before = lambda: world.dispatcher.run_once(0)
    assert played(world, first) == "bound"
    assert world.dispatcher.run_once(0) <= 1
    assert world.waiting("greedy") == [f"{match}-v3"]


@pytest.mark.parametrize("level", ["random", "greedy", "club"])
@pytest.mark.parametrize("ruleset", ["bornyu", "duel", "svoi-kozyri", "challenge", "dudak"])
def test_every_move_of_every_level_is_accepted_in_every_preset(ruleset: str, level: str) -> None:
    world = World(turns_per_job=40, seconds_per_job=60)
    match = world.match(ruleset, *[level] * (2 if ruleset in ("duel", "challenge") else 4))
    with capture_logs() as logs:
        assert played(world, world.turn(match)) in ("over", "bound")
    assert [line for line in logs if line["log_level"] == "error"] == []
    assert versions_of(world, match) > 10


def test_a_series_is_played_on_from_deal_to_deal() -> None:
    world = World(turns_per_job=2000, seconds_per_job=60)
    match = world.match("dudak", *FOUR, games=3)
    assert played(world, world.turn(match)) == "over"
    view = world.view(match)
    assert (view["status"], view["game"]) == ("finished", 3)


# Dropped before any thought


def test_a_turn_that_was_played_meanwhile_is_dropped_before_any_thought(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    late = world.turn(match)
    played(world, late)
    world.thoughts.seen.clear()
    before = versions_of(world, match)
    assert played(world, late) == "moved-on"
    assert world.thoughts.seen == []
    assert versions_of(world, match) == before


def test_a_finished_match_is_left_alone() -> None:
    world = World(turns_per_job=2000, seconds_per_job=60)
    match = world.match("bornyu", *FOUR)
    played(world, world.turn(match))
    version = Version(versions_of(world, match))
    world.thoughts.seen.clear()
    assert played(world, Turn(match, version, Seat(0), "greedy")) == "moved-on"
    assert world.thoughts.seen == []


def test_another_seats_turn_is_not_taken(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    owed = world.turn(match)
    wrong = Turn(match, owed.version, Seat((owed.seat + 1) % 4), "greedy")
    assert played(world, wrong) == "moved-on"
    assert versions_of(world, match) == 1


def test_a_persons_turn_is_not_taken(world: World) -> None:
    match = world.match_whose_turn_it_is(0, "duel", None, "greedy")
    assert played(world, Turn(match, Version(1), Seat(0), "greedy")) == "moved-on"
    assert versions_of(world, match) == 1


def test_another_levels_turn_is_not_taken(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    owed = world.turn(match)
    assert played(world, Turn(match, owed.version, owed.seat, "random")) == "moved-on"


def test_where_another_job_plays_this_one_steps_back(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    world.claims.take(match, "greedy", "another job", for_ms=60_000)
    assert played(world, world.turn(match)) == "claimed"
    assert world.thoughts.seen == []
    assert not world.claims.take(match, "greedy", "a third", for_ms=1), "the other job's claim is not given up"


# Refusals; each time the player lives on


@pytest.mark.parametrize(
    ("turn", "ending"),
    [
        (Turn(MatchId("07-aaaaaaaaaaaa"), Version(1), Seat(0), "greedy"), "moved-on"),
        (Turn(MatchId("07-{x}"), Version(1), Seat(0), "greedy"), "refused"),
        (Turn(MatchId("07-aaaaaaaaaaaa"), Version(1), Seat(0), "wizard"), "refused"),
    ],
)
def test_a_match_or_a_level_that_is_not_there_is_refused(world: World, turn: Turn, ending: str) -> None:
    assert played(world, turn) == ending
    assert_lives_on(world)


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_seat_that_is_not_there_is_refused(world: World, seat: int) -> None:
    match = world.match("bornyu", *FOUR)
    assert played(world, Turn(match, Version(1), Seat(seat), "greedy")) == "refused"
    assert_lives_on(world)


@pytest.mark.parametrize("budget_ms", [LEVELS["greedy"].least_ms - 1, -5, LEVELS["greedy"].most_ms + 1, 10**9])
def test_a_budget_beyond_the_levels_limits_is_refused(world: World, budget_ms: int) -> None:
    match = world.match("bornyu", *FOUR, budget_ms=budget_ms)
    with capture_logs() as logs:
        assert played(world, world.turn(match)) == "refused"
    assert [(line["event"], line["slug"]) for line in logs] == [("bot-turn-refused", "bad-budget")]
    assert world.thoughts.seen == []
    assert versions_of(world, match) == 1
    assert_lives_on(world)


@pytest.mark.parametrize("answer", [["As", "As"], ["2c"], ["take", "take"], []])
def test_a_move_that_the_engine_refuses_ends_the_job_and_is_logged(world: World, answer: list[str]) -> None:
    match = world.match("bornyu", *FOUR)
    world.thoughts.answer = answer
    with capture_logs() as logs:
        assert played(world, world.turn(match)) == "refused"
    assert [(line["event"], line["slug"]) for line in logs] == [("bot-move-refused", "illegal-play")]
    assert len(world.thoughts.seen) == 1
    assert versions_of(world, match) == 1
    world.thoughts.answer = None
    assert_lives_on(world)


def test_an_answer_that_names_no_card_is_refused(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    world.thoughts.answer = ["joker"]
    assert played(world, world.turn(match)) == "refused"
    world.thoughts.answer = None
    assert_lives_on(world)


def assert_lives_on(world: World) -> None:
    """The next job is played, and nothing of the last one is left."""
    assert world.leftovers() == []
    match = world.match("bornyu", *FOUR)
    before = versions_of(world, match)
    played(world, world.turn(match))
    assert versions_of(world, match) > before


# Races


def test_a_double_answer_to_one_turn_is_taken_once(world: World) -> None:
    match = world.match_whose_turn_it_is(1, "bornyu", None, *FOUR[1:])
    turn = world.turn(match)
    rival = world.another_player()

    def overtake() -> None:
        world.thoughts.before = None
        world.redis.flushall()  # the claim ran out
        assert rival.play(turn, "rival") == "handed-over"

    world.thoughts.before = overtake
    assert played(world, turn) == "handed-over"
    entries = world.door.entries(match, Seat(1), Version(0))
    assert [entry["version"] for entry in entries] == list(range(1, versions_of(world, match) + 1))
    assert [event["type"] for entry in entries for event in entry["events"]].count("match-started") == 1


def test_a_bot_that_was_overtaken_plays_on_where_its_level_still_owes(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    turn = world.turn(match)

    def overtake() -> None:
        world.thoughts.before = None
        world.play_for_bot(match)

    world.thoughts.before = overtake
    assert played(world, turn) in ("over", "bound")
    assert versions_of(world, match) > 3


def test_without_an_engine_the_job_gives_up_soon_and_leaves_no_claim(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    turn = world.turn(match)
    world.store.engine = None
    assert played(world, turn) == "unanswered"
    assert world.leftovers() == []


def test_an_engine_that_is_slow_keeps_no_worker_from_the_turns_that_wait() -> None:
    world = World(answer_ms=60_000)
    match, other = world.match("bornyu", *FOUR), world.match("bornyu", *FOUR)
    turn = world.turn(match)
    world.turns.enqueue(world.turn(other))
    engine, world.store.engine = world.store.engine, None
    assert played(world, turn) == "others-wait"
    assert world.waiting("greedy") == [f"{other}-v1"]
    # Then the engine wakes up, and what follows is dispatched as usual.
    assert engine is not None
    engine.run_once(0)
    world.dispatcher.run_once(0)
    assert world.waiting("greedy") == [f"{other}-v1", f"{match}-v2"]


def test_a_move_that_is_on_its_way_is_not_thought_out_again(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    turn = world.turn(match)
    world.store.engine = None
    played(world, turn)
    world.dispatcher.run_once(0)
    world.tell(turn)
    assert world.dispatcher.run_once(0) == 0


def test_a_store_that_is_gone_ends_the_job_and_leaves_no_claim(world: World) -> None:
    match = world.match("bornyu", *FOUR)
    turn = world.turn(match)
    world.thoughts.before = world.store.close
    assert played(world, turn) == "store-unavailable"
    assert world.leftovers() == []


def test_a_fault_in_the_thinking_is_the_jobs_failure_and_leaves_no_claim(world: World) -> None:
    match = world.match("bornyu", *FOUR)

    def stumble() -> None:
        raise ZeroDivisionError

    world.thoughts.before = stumble
    with pytest.raises(ZeroDivisionError):
        played(world, world.turn(match))
    assert [report.ending for report in world.reports] == ["failed"]
    assert world.leftovers() == []


# Time


def test_a_level_thinks_for_its_own_time_or_as_long_as_the_match_asks(world: World) -> None:
    for budget_ms, expected in ((None, 1), (40, 40)):
        match = world.match("bornyu", *FOUR, budget_ms=budget_ms)
        world.thoughts.seen.clear()
        played(world, world.turn(match))
        assert {budget for _, budget, _ in world.thoughts.seen} == {expected}


def test_no_thought_goes_on_until_the_engine_plays_for_the_bot(world: World) -> None:
    match = world.match("bornyu", *FOUR, budget_ms=1000)
    turn = world.turn(match)
    left_ms = 300
    world.store.time = type(world.store.time)(world.store.time + world.config.fallback_ms - 500 - left_ms)
    played(world, turn)
    first = world.thoughts.seen[0][1]
    assert left_ms // 2 - 50 <= first <= left_ms // 2


def test_a_turn_that_is_nearly_lost_is_still_answered_at_once(world: World) -> None:
    match = world.match("bornyu", *FOUR, budget_ms=1000)
    turn = world.turn(match)
    world.store.time = type(world.store.time)(world.store.time + world.config.fallback_ms)
    played(world, turn)
    assert world.thoughts.seen[0][1] == 1
    assert world.reports[0].waited == pytest.approx(world.config.fallback_ms / 1000, abs=0.5)
