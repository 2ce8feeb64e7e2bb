"""A worker remembers what was played in a deal, reads only what is new, and forgets what is too much."""

from typing import Any

from owntrumps.game.terms import MatchId, Version
from owntrumps.rules.cards import Seat
from owntrumps.store.door import Look
from owntrumps_bots.histories import KEPT, Histories
from tests.services.bots.inside import World

FOUR = ("greedy", "greedy", "greedy", "greedy")


def look(world: World, match: MatchId, seat: int = 0) -> Look:
    found = world.door.look(match, Seat(seat))
    assert found is not None
    return found


def plays_of_the_deal(world: World, match: MatchId) -> list[dict[str, Any]]:
    """As the whole log tells them."""
    events = [event for entry in world.door.entries(match, Seat(0), Version(0)) for event in entry["events"]]
    last = max(index for index, event in enumerate(events) if event["type"] == "deal-dealt")
    return [event for event in events[last:] if event["type"] in KEPT]


def play_some(world: World, match: MatchId, turns: int) -> None:
    for _ in range(turns):
        if world.view(match)["status"] == "playing":
            world.play_for_bot(match)


def test_what_was_read_bit_by_bit_is_what_the_log_tells_at_once() -> None:
    world = World()
    match = world.match("bornyu", *FOUR)
    histories = Histories()
    for _ in range(5):
        play_some(world, match, 7)
        assert histories.events(match, Seat(0), look(world, match)) == plays_of_the_deal(world, match)


def test_only_what_is_new_is_read() -> None:
    world = World()
    match = world.match("bornyu", *FOUR)
    histories = Histories()
    play_some(world, match, 10)
    histories.events(match, Seat(0), look(world, match))
    play_some(world, match, 2)
    asked: list[int] = []
    entries = world.store.entries

    def noted(match: MatchId, *, after: Version, limit: int) -> Any:
        asked.append(limit)
        return entries(match, after=after, limit=limit)

    world.store.entries = noted  # type: ignore[method-assign]
    histories.events(match, Seat(0), look(world, match))
    assert asked == [2]


def test_a_new_deal_begins_a_new_history() -> None:
    world = World(turns_per_job=2000, seconds_per_job=60)
    match = world.match("dudak", *FOUR, games=2)
    histories = Histories()
    while world.view(match)["game"] == 1:
        histories.events(match, Seat(0), look(world, match))
        play_some(world, match, 1)
    assert histories.events(match, Seat(0), look(world, match)) == []
    play_some(world, match, 3)
    assert histories.events(match, Seat(0), look(world, match)) == plays_of_the_deal(world, match)


def test_an_older_look_gets_the_history_of_its_own_moment() -> None:
    world = World()
    match = world.match("bornyu", *FOUR)
    play_some(world, match, 5)
    older, expected = look(world, match), plays_of_the_deal(world, match)
    play_some(world, match, 5)
    histories = Histories()
    histories.events(match, Seat(0), look(world, match))
    assert histories.events(match, Seat(0), older) == expected


def test_the_least_recently_used_matches_are_forgotten_and_read_again() -> None:
    world = World()
    matches = [world.match("bornyu", *FOUR) for _ in range(3)]
    for match in matches:
        play_some(world, match, 10)
    histories = Histories(most_events=25)
    for match in matches:
        histories.events(match, Seat(0), look(world, match))
    assert [key[0] for key in histories._deals] == matches[1:]
    for match in matches:
        assert histories.events(match, Seat(0), look(world, match)) == plays_of_the_deal(world, match)
    assert histories._size == sum(len(deal.events) for deal in histories._deals.values()) <= 25
