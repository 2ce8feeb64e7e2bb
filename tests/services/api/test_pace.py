"""A stream with `speed` plays what is past at that pace, and goes on live where there is more."""

from time import monotonic

import pytest

from owntrumps_api import pace
from owntrumps_api.service import KEY
from tests.archive.given import commit, played
from tests.services.api.listening import NDJSON, Listener
from tests.services.api.world import World, code_of, running


@pytest.mark.parametrize("accept", ["text/event-stream", NDJSON])
def test_a_match_is_replayed_as_many_times_quicker_as_asked(world: World, accept: str) -> None:
    # Given a match of 64 entries, a quarter of a second between them
    match = played(3)
    commit(world.store, match)
    began = monotonic()
    # When
    heard = Listener(world.nobody, f"/v1/matches/{match.id}/events?speed=25", accept=accept).rest()
    # Then all came, in order, one every ten milliseconds
    assert monotonic() - began >= 0.01 * (len(match.entries) - 1)
    versions = [one.data["version"] for one in heard if one.data and "version" in one.data and one.name is None]
    assert versions == [*range(1, len(match.entries) + 1)]


def test_without_speed_what_is_past_comes_at_once(world: World) -> None:
    match = played(3, step_ms=60_000)
    commit(world.store, match)
    assert len(Listener(world.nobody, f"/v1/matches/{match.id}/events").rest()) == len(match.entries) + 1


def test_nobody_waits_long_for_a_player_who_thought_for_long(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "LONGEST_PAUSE", 0.002)
    match = played(3, step_ms=3_600_000)
    commit(world.store, match)
    assert len(Listener(world.nobody, f"/v1/matches/{match.id}/events?speed=0.01").rest()) == len(match.entries) + 1


def test_a_long_pause_has_heartbeats() -> None:
    with running(heartbeat=0.02) as world:
        match = played(3, step_ms=60_000)
        commit(world.store, match)
        stream = Listener(world.nobody, f"/v1/matches/{match.id}/events?speed=1")
        assert stream.next().id == "1"
        assert stream.next().data is None
        stream.close()


def test_what_happens_during_a_replay_comes_right_after_it(world: World) -> None:
    # Given a replay of a match that goes on
    match, ann, bob = world.duel()
    first = world.to_move(match, ann, bob)
    stream = Listener(ann, f"/v1/matches/{match}/events?speed=0.01")
    assert stream.next().id == "1"
    # When somebody plays during its first pause
    assert first.move(match, first.view(match)["legal"][0]).status_code == 201
    # Then
    assert [stream.next().id, stream.next().id] == ["2", "3"]
    stream.close()


def test_a_stopping_server_cuts_a_replay_with_the_id_to_go_on_from(world: World) -> None:
    match = played(3, step_ms=60_000)
    commit(world.store, match)
    stream = Listener(world.nobody, f"/v1/matches/{match.id}/events?speed=1")
    assert stream.next().id == "1"
    world.app.extensions[KEY].hub.close()
    (last,) = stream.rest()
    assert (last.name, last.data["reason"], last.data["after"]) == ("cut", "shutdown", "1")


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "1001", "fast"])
def test_a_pace_that_is_none_is_refused(world: World, speed: str) -> None:
    match = played(3)
    commit(world.store, match)
    answer = world.nobody.get(f"/v1/matches/{match.id}/events?speed={speed}", {"Accept": "text/event-stream"})
    assert (answer.status_code, code_of(answer)) == (422, "malformed")
