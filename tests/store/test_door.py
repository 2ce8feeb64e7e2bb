"""A bot's door: one seat's view and entries out, moves of that seat in, nothing else."""

import json
import random
from dataclasses import replace

import pytest

from owntrumps.game.commands import MakeMove
from owntrumps.game.state import Match, NoMatch, PlayingMatch, is_over
from owntrumps.game.terms import ByBot, Version
from owntrumps.rules.cards import MalformedCardError, Seat, parse_card
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.door import SeatDoor
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import CommandId
from owntrumps.views.view import view_of
from tests.store.given import M, match_id, played


def begun(store: MemoryStore, *, preset: str = "bornyu", plies: int = 5) -> Match:
    """A match in the middle of its deal."""
    steps = played(store, PRESETS[preset], random.Random(8))
    return [next(steps) for _ in range(1 + plies)][-1]


def test_a_seat_sees_the_view_of_that_seat():
    store = MemoryStore()
    match = begun(store)

    views = [SeatDoor(store).view(M, Seat(seat)) for seat in range(4)]

    assert views == [view_of(match, Seat(seat)) for seat in range(4)]
    assert [view["you"] for view in views if view is not None] == [0, 1, 2, 3]


def test_no_entry_shows_another_seats_hand_or_the_seed():
    store = MemoryStore()
    match = begun(store)
    assert isinstance(match.state, PlayingMatch)

    entries = SeatDoor(store).entries(M, Seat(1), Version(0))

    [dealt] = [event for entry in entries for event in entry["events"] if event["type"] == "deal-dealt"]
    assert [set(hand) == {None} for hand in dealt["hands"]] == [True, False, True, True]
    assert match.state.terms.seed is not None
    assert match.state.terms.seed not in json.dumps(entries)
    assert [entry["version"] for entry in entries] == list(range(1, match.version + 1))


def test_entries_are_read_after_a_version_over_all_pages(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("owntrumps.store.door.PAGE", 3)
    store = MemoryStore()
    match = begun(store, plies=11)

    entries = SeatDoor(store).entries(M, Seat(0), Version(2))

    assert [entry["version"] for entry in entries] == list(range(3, match.version + 1))


def test_when_the_match_is_over_nothing_is_hidden():
    store = MemoryStore()
    *_, last = played(store, replace(PRESETS["bornyu"], ply_limit=4), random.Random(8))
    assert is_over(last.state)
    assert not isinstance(last.state, NoMatch)

    created, *_ = SeatDoor(store).entries(M, Seat(2), Version(0))

    [event] = [event for event in created["events"] if event["type"] == "match-created"]
    assert event["terms"]["seed"] == last.state.terms.seed


def test_of_an_unknown_match_there_is_no_view_and_no_entry():
    door = SeatDoor(MemoryStore())

    assert door.view(match_id(3), Seat(0)) is None
    assert door.entries(match_id(3), Seat(0), Version(0)) == []


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_seat_that_the_match_does_not_have_is_refused(seat: int):
    store = MemoryStore()
    begun(store)
    door = SeatDoor(store)

    with pytest.raises(ValueError, match="has 4 seats"):
        door.view(M, Seat(seat))
    with pytest.raises(ValueError, match="has 4 seats"):
        door.entries(M, Seat(seat), Version(0))


def test_a_move_is_submitted_as_the_bot_of_its_seat_at_its_version():
    store = MemoryStore()

    SeatDoor(store).submit_bot_move(M, Seat(2), ["Th", "9c"], Version(17), CommandId("bot-17"))
    SeatDoor(store).submit_bot_move(M, Seat(3), ["take"], Version(18), CommandId("bot-18"))

    plays = (parse_card("Th"), parse_card("9c"))
    first, second = store.receive("e1", limit=10, block_ms=0)
    assert first.submission is not None
    assert second.submission is not None
    assert (first.submission.id, first.submission.match) == ("bot-17", M)
    assert isinstance(first.submission.command, MakeMove)
    assert isinstance(second.submission.command, MakeMove)
    assert first.submission.command == MakeMove(first.submission.command.at, ByBot(Seat(2)), plays, Version(17))
    assert second.submission.command.plays == ("take",)


@pytest.mark.parametrize("play", ["", "1h", "th", "pass", "TAKE", "Th "])
def test_a_play_of_no_name_is_not_submitted(play: str):
    store = MemoryStore()

    with pytest.raises(MalformedCardError):
        SeatDoor(store).submit_bot_move(M, Seat(2), [play], Version(17), CommandId("bot-17"))

    assert store.receive("e1", limit=10, block_ms=0) == []
