"""Live news: in order, complete, redacted, resumable, and no burden to others."""

import json
import random
from socket import socketpair
from threading import Thread
from typing import Any

import pytest

from owntrumps_api.service import KEY, Service
from tests.services.api.listening import NDJSON, SSE, Heard, Listener
from tests.services.api.world import Caller, World, code_of, running

SHORT = {"base": "duel", "deck": 24, "ply_limit": 40}


def play(world: World, match: str, *players: Caller, times: int = 1, dice: random.Random | None = None) -> None:
    """So many legal plays by whoever is to move; fewer if the match ends."""
    for _ in range(times):
        mover = next((player for player in players if player.view(match)["legal"]), None)
        if mover is None:
            return
        legal = mover.view(match)["legal"]
        assert mover.move(match, (dice or random.Random(1)).choice(legal)).status_code == 201


def entries(caller: Caller, match: str) -> list[dict[str, Any]]:
    page = caller.get(f"/v1/matches/{match}/events?limit=1000").json
    assert page is not None
    return list(page["entries"])


def test_a_stream_brings_the_log_and_then_each_entry_as_it_comes(world: World) -> None:
    match, ann, bob = world.duel()
    stream = Listener(world.nobody, f"/v1/matches/{match}/events")
    assert stream.opening == b"retry: 1000\n\n"
    assert [stream.next().id for _ in range(2)] == ["1", "2"]
    for version in ("3", "4", "5"):
        play(world, match, ann, bob)
        heard = stream.next()
        assert (heard.id, heard.name, heard.data) == (version, None, entries(world.nobody, match)[-1])
    stream.close()


def test_lines_of_json_are_the_same_as_lines(world: World) -> None:
    match, ann, bob = world.duel(ruleset=SHORT)
    stream = Listener(ann, f"/v1/matches/{match}/events", accept=NDJSON)
    assert stream.opening == b"\n"
    assert [stream.next().data for _ in range(2)] == entries(ann, match)
    play(world, match, ann, bob, times=60)
    *news, end = stream.rest()
    assert [heard.data["version"] for heard in news] == list(range(3, 3 + len(news)))
    assert end.data == {"end": {"reason": "match-over", "version": 2 + len(news)}}


def test_a_stream_bounds_its_socket_and_leaves_it_as_it_was(world: World) -> None:
    match, _, _ = world.duel()
    ours, theirs = socketpair()
    with ours, theirs:
        stream = world.nobody.send(
            "GET",
            f"/v1/matches/{match}/events",
            headers={"Accept": SSE},
            environ_overrides={"gunicorn.socket": ours},
            buffered=False,
        )
        assert ours.gettimeout() == world.app.extensions[KEY].config.slow_client
        stream.close()
        assert ours.gettimeout() is None


def test_a_stream_ends_with_its_match_and_shows_everything_then(world: World) -> None:
    match, ann, bob = world.duel(ruleset=SHORT)
    stream = Listener(world.nobody, f"/v1/matches/{match}/events?after=2")
    play(world, match, ann, bob, times=60)
    *news, end = stream.rest()
    assert news[-1].data["events"][-1]["type"] in ("match-lost", "match-drawn")
    assert news[-1].data["events"][-1]["seed"] == "2a" * 32
    assert end == Heard({"reason": "match-over", "version": int(news[-1].id or 0)}, None, "end")


def test_a_stream_of_a_match_that_is_over_ends_at_once(world: World) -> None:
    match, ann, _ = world.duel(on_timeout="forfeit")
    ann.post(f"/v1/matches/{match}/resignation")
    assert [heard.name for heard in Listener(ann, f"/v1/matches/{match}/events?after=3").rest()] == ["end"]
    whole = Listener(world.nobody, f"/v1/matches/{match}/events").rest()
    dealt = whole[1].data["events"][-1]
    assert None not in [card for hand in dealt["hands"] for card in hand]


def test_each_caller_hears_only_what_they_may_see(world: World) -> None:
    match, ann, bob = world.duel()
    for caller, seen in ((ann, [18, 0]), (bob, [0, 18]), (world.nobody, [0, 0])):
        stream = Listener(caller, f"/v1/matches/{match}/events?after=1")
        dealt = next(event for event in stream.next().data["events"] if event["type"] == "deal-dealt")
        assert [sum(card is not None for card in hand) for hand in dealt["hands"]] == seen
        stream.close()


def test_who_sits_down_while_watching_sees_their_hand(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    made = ann.post("/v1/matches", {"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}).json
    assert made is not None
    stream = Listener(bob, f"/v1/matches/{made['id']}/events")
    assert stream.next().id == "1"
    bob.post(f"/v1/matches/{made['id']}/seats")
    assert stream.next().data == entries(bob, made["id"])[-1]
    stream.close()


def test_a_reader_whose_connection_drops_at_random_misses_nothing_and_hears_nothing_twice(world: World) -> None:
    match, ann, bob = world.duel(ruleset={**SHORT, "ply_limit": 80})
    dice = random.Random(5)
    playing = Thread(target=play, args=(world, match, ann, bob), kwargs={"times": 100, "dice": random.Random(2)})
    playing.start()
    heard: list[Heard] = []
    drops = 0
    while not heard or heard[-1].name != "end":
        last = next((message.id for message in reversed(heard) if message.id), None)
        stream = Listener(ann, f"/v1/matches/{match}/events", last_event_id=last)
        for _ in range(dice.randint(1, 6)):
            message = stream.next()
            heard.append(message)
            if message.name == "end":
                break
        stream.close()
        drops += 1
    playing.join()
    news = [message.data["version"] for message in heard if message.id]
    assert news == list(range(1, len(entries(ann, match)) + 1))
    assert drops > 5
    shared: Service = world.app.extensions[KEY]
    assert shared.places.taken == 0
    assert shared.tails._tails == {}


@pytest.mark.parametrize("bad", ["3", "99", "-1", "x", "1.0", "07-aaaaaaaaaaaa:1", "9999999999"])
def test_an_id_that_is_no_version_of_the_match_is_a_bad_cursor(world: World, bad: str) -> None:
    match, _, _ = world.duel()
    refused = world.nobody.get(f"/v1/matches/{match}/events", {"Accept": SSE, "Last-Event-ID": bad})
    assert (refused.status_code, code_of(refused)) == (422, "bad-cursor")


def test_the_last_event_id_wins_over_after(world: World) -> None:
    match, _, _ = world.duel()
    stream = Listener(world.nobody, f"/v1/matches/{match}/events?after=0", last_event_id="1")
    assert stream.next().id == "2"
    stream.close()


def test_streams_refuse_who_may_not_see_and_what_is_not_there(world: World) -> None:
    match, _, _ = world.duel(private=True)
    for path, status, slug in (
        (f"/v1/matches/{match}/events", 403, "private-match"),
        ("/v1/matches/07-aaaaaaaaaaaa/events", 404, "not-found"),
        ("/v1/me/turns", 401, "unauthorized"),
    ):
        refused = world.nobody.get(path, {"Accept": SSE})
        assert (refused.status_code, code_of(refused)) == (status, slug)


def test_a_token_that_is_given_up_ends_what_it_had_opened(world: World) -> None:
    # Given streams and a long poll of somebody who is not to move
    match, *players = world.duel()
    mover = world.to_move(match, *players)
    leaver = next(player for player in players if player is not mover)
    stream = Listener(leaver, f"/v1/matches/{match}/events?after=2")
    turns = Listener(leaver, "/v1/me/turns")
    answers: list[Any] = []
    asking = Caller(world.app, leaver.token)
    poll = Thread(target=lambda: answers.append(asking.get(f"/v1/matches/{match}?wait=60&after=2")))
    poll.start()
    while world.app.extensions[KEY].places.taken < 3:
        pass
    # When the token is given up, and then the match goes on
    assert leaver.delete("/v1/me/token").status_code == 204
    assert mover.move(match, mover.view(match)["legal"][0]).status_code == 201
    # Then its holder hears no more
    poll.join()
    assert code_of(answers[0]) == "unauthorized"
    for opened in (stream, turns):
        (last,) = opened.rest()
        assert (last.name, last.data["reason"]) == ("cut", "token-given-up")


def test_a_quiet_stream_has_a_heartbeat() -> None:
    with running(heartbeat=0.05) as world:
        match, ann, bob = world.duel()
        stream = Listener(world.nobody, f"/v1/matches/{match}/events?after=2")
        lines = Listener(world.nobody, f"/v1/matches/{match}/events?after=2", accept=NDJSON)
        assert stream.next() == Heard()
        assert lines.next() == Heard()
        play(world, match, ann, bob)
        assert [message.id for message in (stream.next(), stream.next()) if message.id] == ["3"]
        stream.close()
        lines.close()


def test_a_notice_that_was_lost_costs_time_and_no_entry() -> None:
    """The feed is only a hint: at a heartbeat the log itself is asked."""
    with running(heartbeat=0.05) as world:
        match, ann, bob = world.duel()
        stream = Listener(world.nobody, f"/v1/matches/{match}/events?after=2")
        assert stream.next() == Heard()
        shared: Service = world.app.extensions[KEY]
        shared.hub._matches._bells.clear()
        play(world, match, ann, bob)
        heard = stream.next()
        while heard == Heard():
            heard = stream.next()
        assert heard.id == "3"
        stream.close()


def test_a_slow_client_is_told_where_to_go_on_and_then_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(slow_client=20.0) as world:
        match, ann, bob = world.duel()
        stream = Listener(world.nobody, f"/v1/matches/{match}/events")
        clock = [1000.0]
        monkeypatch.setattr("owntrumps_api.live.monotonic", lambda: clock[0])
        assert [stream.next().id, stream.next().id] == ["1", "2"]
        clock[0] += 19.9
        play(world, match, ann, bob, times=2)
        assert stream.next().id == "3"
        clock[0] += 20.1
        last = stream.next()
        assert (last.name, last.data["reason"], last.data["after"]) == ("cut", "too-slow", "3")
        assert stream.rest() == []
        again = Listener(world.nobody, f"/v1/matches/{match}/events", last_event_id=last.data["after"])
        assert again.next().id == "4"
        again.close()


def test_a_stopping_server_says_good_bye_to_everybody(world: World) -> None:
    match, ann, _ = world.duel()
    streams = [Listener(ann, f"/v1/matches/{match}/events?after=2"), Listener(ann, "/v1/me/turns")]
    waiting: list[Any] = []
    poll = Thread(target=lambda: waiting.append(ann.get(f"/v1/matches/{match}?wait=60&after=2")))
    poll.start()
    world.app.extensions[KEY].hub.close()
    for stream in streams:
        last = stream.rest()[-1]
        assert (last.name, last.data["reason"]) == ("cut", "shutdown")
    poll.join()
    assert waiting[0].status_code == 200
    assert code_of(world.nobody.get("/readyz")) == "unavailable"


def test_a_store_that_goes_away_cuts_a_stream_with_a_word(world: World) -> None:
    match, _, _ = world.duel()
    stream = Listener(world.nobody, f"/v1/matches/{match}/events?after=1")
    assert stream.next().id == "2"
    world.store.close()
    shared: Service = world.app.extensions[KEY]
    shared.hub._matches.ring_all()
    last = stream.next()
    assert (last.name, last.data["reason"], last.data["after"]) == ("cut", "unavailable", "2")
    assert stream.rest() == []


def test_more_streams_than_there_are_places_are_refused_until_one_is_free() -> None:
    with running(held=2) as world:
        match, ann, _ = world.duel()
        path = f"/v1/matches/{match}/events"
        first, second = Listener(ann, path), Listener(ann, "/v1/me/turns")
        full = world.nobody.get(path, {"Accept": SSE})
        assert (full.status_code, code_of(full)) == (503, "too-many-streams")
        assert world.nobody.get(path).status_code == 200
        first.close()
        third = Listener(ann, path)
        third.close()
        second.close()


def test_a_stream_that_nobody_ever_read_gives_its_place_back(world: World) -> None:
    match, _, _ = world.duel()
    path = f"/v1/matches/{match}/events"
    world.app.test_client().get(path, headers={"Accept": SSE}, buffered=False).close()
    assert world.app.test_client().head(path, headers={"Accept": SSE}).status_code == 200
    assert world.app.extensions[KEY].places.taken == 0


def test_json_is_the_answer_unless_a_stream_is_preferred(world: World) -> None:
    match, _, _ = world.duel()
    for accept in ("*/*", "application/json", "application/json, text/event-stream;q=0.5", "text/html", ""):
        assert world.nobody.get(f"/v1/matches/{match}/events", {"Accept": accept}).mimetype == "application/json"


def test_many_watchers_of_a_match_share_one_reading_of_its_log(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    match, ann, bob = world.duel()
    streams = [Listener(world.nobody, f"/v1/matches/{match}/events?after=2") for _ in range(20)]
    heard: list[list[str | None]] = [[] for _ in streams]

    def listen(index: int) -> None:
        heard[index] += [streams[index].next().id for _ in range(5)]

    listeners = [Thread(target=listen, args=(index,)) for index in range(len(streams))]
    for listener in listeners:
        listener.start()
    reads = []
    read = world.store.entries

    def counted(*args: Any, **kwargs: Any) -> Any:
        reads.append(args)
        return read(*args, **kwargs)

    monkeypatch.setattr(world.store, "entries", counted)
    play(world, match, ann, bob, times=5)
    for listener in listeners:
        listener.join()
    assert heard == [["3", "4", "5", "6", "7"]] * 20
    answers_and_engine = 5 * 3
    assert len(reads) < answers_and_engine + 20 * 2, "not one for each watcher and entry"
    for stream in streams:
        stream.close()


def test_the_turns_i_owe_are_listed_and_streamed(world: World) -> None:
    ann = world.player("Ann")
    matches = {}
    for _ in range(3):
        made = ann.post("/v1/matches", {"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}).json
        assert made is not None
        bob = world.player("Bob")
        bob.post(f"/v1/matches/{made['id']}/seats")
        matches[made["id"]] = bob
    owed = {match for match in matches if ann.view(match)["legal"]}
    listed = ann.get("/v1/me/turns").json
    assert listed is not None
    assert {turn["match"] for turn in listed["turns"]} == owed
    stream = Listener(ann, "/v1/me/turns")
    assert {stream.next().data["match"] for _ in owed} == owed
    for match, bob in matches.items():
        while not ann.view(match)["legal"]:
            play(world, match, bob)
        if match not in owed:
            heard = stream.next()
            assert (heard.data["match"], heard.data["version"]) == (match, ann.view(match)["version"])
    first = next(iter(matches))
    play(world, first, ann)
    while not ann.view(first)["legal"]:
        play(world, first, matches[first])
    heard = stream.next()
    assert heard.id == f"{first}:{ann.view(first)['version']}"
    assert heard.data == next(turn for turn in ann.get("/v1/me/turns").json["turns"] if turn["match"] == first)  # type: ignore[index]
    stream.close()


def test_a_stream_of_turns_begins_with_all_that_wait_whatever_the_last_event_id(world: World) -> None:
    match, ann, bob = world.duel()
    mover = world.to_move(match, ann, bob)
    for _ in range(2):
        stream = Listener(mover, "/v1/me/turns", last_event_id=f"{match}:2", accept=SSE)
        assert stream.next().data["match"] == match
        stream.close()
    lines = Listener(mover, "/v1/me/turns", accept=NDJSON)
    assert lines.next().data["version"] == 2
    lines.close()


def test_whoever_is_played_for_owes_nothing(world: World) -> None:
    match, ann, bob = world.duel()
    mover = world.to_move(match, ann, bob)
    mover.post(f"/v1/matches/{match}/resignation")
    assert mover.get("/v1/me/turns").json == {"turns": []}
    assert json.loads(mover.get("/v1/me/turns").data) == {"turns": []}
