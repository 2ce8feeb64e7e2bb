"""Finding strangers, and once more with the same people."""

import random
from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import pytest

from owntrumps.game.terms import PlayerId
from owntrumps.store.memory import MemoryStore
from owntrumps.store.seeks import Pairing, SeekId
from owntrumps_api.matchmaking import Matchmaker, random_match_id
from tests.services.api.test_moves import play_to_the_end
from tests.services.api.world import Caller, World, code_of, running


def seek(caller: Caller, **wishes: Any) -> dict[str, Any]:
    made = caller.post("/v1/seeks", {"ruleset": "duel", **wishes})
    assert made.status_code == 201, made.text
    assert made.json is not None
    assert made.headers["Location"] == f"/v1/seeks/{made.json['id']}"
    return dict(made.json)


def state_of(caller: Caller, sought: dict[str, Any], wait: int = 20) -> dict[str, Any]:
    found = caller.get(f"/v1/seeks/{sought['id']}?wait={wait}")
    assert found.status_code == 200, found.text
    return dict(found.json)  # type: ignore[arg-type]


def test_two_who_look_for_the_same_game_are_paired(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    first = seek(ann, trump="h")
    assert (first["status"], first["match"]) == ("waiting", None)
    assert ann.get("/v1/seeks").json == {"seeks": [first]}
    second = seek(bob, trump="h")
    assert second["status"] == "paired"
    assert state_of(ann, first)["match"] == second["match"]
    assert ann.get("/v1/seeks").json == {"seeks": []}
    view = ann.view(second["match"])
    assert (view["status"], view["turn_seconds"], view["creator"]) == ("playing", 120, None)
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "Bob"]
    assert view["seats"][0]["trump"] == "h", "of two with the same wish, whoever came first has it"
    assert view["seats"][1]["trump"] != "h"


def test_whoever_waits_hears_at_once(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    first = seek(ann)
    answers: list[dict[str, Any]] = []
    waiting = Thread(target=lambda: answers.append(state_of(ann, first, wait=60)))
    waiting.start()
    second = seek(bob)
    waiting.join()
    assert answers[0]["match"] == second["match"]


def test_different_games_are_not_paired_and_the_number_of_seats_counts(world: World) -> None:
    assert seek(world.player(), ruleset="dudak", seats=2)["match"] is None
    assert seek(world.player(), ruleset="challenge")["match"] is None
    assert seek(world.player(), ruleset={"base": "duel", "deck": 24})["match"] is None
    assert seek(world.player())["match"] is None
    found = seek(world.player(), ruleset={"base": "dudak", "seats": 2})
    assert found["match"] is not None
    assert (found["ruleset"]["name"], found["ruleset"]["seats"]) == ("custom", 2)


def test_two_hundred_at_once_make_exactly_a_hundred_duels(world: World) -> None:
    players = [world.player(f"P{index}") for index in range(200)]
    start = Barrier(20)
    sought: dict[str, dict[str, Any]] = {}

    def look(share: list[Caller]) -> None:
        start.wait()
        for player in share:
            sought[player.id] = seek(player)

    threads = [Thread(target=look, args=(players[index::20],)) for index in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    matches = [state_of(player, sought[player.id])["match"] for player in players]
    assert len(set(matches)) == 100
    assert all(matches.count(match) == 2 for match in set(matches))
    assert len(world.snapshot()) == 100
    for player, match in zip(players, matches, strict=True):
        assert player.view(match)["you"] is not None


def test_a_seek_can_be_cancelled_until_it_is_paired(world: World) -> None:
    ann, bob, eve = world.player("Ann"), world.player("Bob"), world.player("Eve")
    first = seek(ann)
    assert bob.delete(f"/v1/seeks/{first['id']}").status_code == 204
    assert state_of(ann, first, wait=0)["status"] == "waiting", "others cancel nothing"
    assert ann.delete(f"/v1/seeks/{first['id']}").status_code == 204
    assert ann.delete(f"/v1/seeks/{first['id']}").status_code == 204
    assert code_of(ann.get(f"/v1/seeks/{first['id']}")) == "not-found"
    second = seek(bob)
    assert second["match"] is None
    third = seek(eve)
    late = bob.delete(f"/v1/seeks/{second['id']}")
    assert (late.status_code, code_of(late)) == (409, "already-paired")
    assert late.json is not None
    assert late.json["match"] == third["match"]


def test_one_looks_for_one_match_at_a_time(world: World) -> None:
    ann = world.player()
    first = seek(ann)
    assert seek(ann)["id"] == first["id"], "the same game again is the same seek"
    refused = ann.post("/v1/seeks", {"ruleset": "bornyu"})
    assert (refused.status_code, code_of(refused)) == (409, "already-seeking")
    assert refused.json is not None
    assert refused.json["seek"] == first["id"]
    assert world.snapshot() == {}


def test_a_seek_sent_again_with_its_key_is_the_same_even_after_it_was_paired(world: World) -> None:
    ann = world.player("Ann")
    key = {"Idempotency-Key": "k"}
    first = ann.post("/v1/seeks", {"ruleset": "duel"}, key).json
    found = seek(world.player("Bob"))
    again = ann.post("/v1/seeks", {"ruleset": "duel"}, key).json
    assert again is not None
    assert first is not None
    assert (again["id"], again["match"]) == (first["id"], found["match"])
    refused = ann.post("/v1/seeks", {"ruleset": "duel", "bots_after": 3}, key)
    assert (refused.status_code, code_of(refused)) == (422, "idempotency-key-reused")


def test_a_seek_sent_again_with_its_key_does_not_wait_again_once_it_was_cancelled(world: World) -> None:
    ann = world.player("Ann")
    key = {"Idempotency-Key": "k"}
    first = ann.post("/v1/seeks", {"ruleset": "duel"}, key)
    assert first.json is not None
    assert ann.delete(f"/v1/seeks/{first.json['id']}").status_code == 204
    again = ann.post("/v1/seeks", {"ruleset": "duel"}, key)
    assert (again.status_code, again.json) == (first.status_code, first.json)
    assert ann.get("/v1/seeks").json == {"seeks": []}
    assert seek(world.player("Bob"))["match"] is None
    assert seek(ann)["match"] is not None, "asked for anew it is another seek"


def test_bots_take_the_empty_seats_when_the_time_has_come(world: World) -> None:
    ann = world.player("Ann")
    found = seek(ann, ruleset="bornyu", bots_after=0, level="club")
    assert found["status"] == "paired"
    view = ann.view(found["match"])
    assert [seat["kind"] for seat in view["seats"]] == ["player", "bot", "bot", "bot"]
    assert {seat.get("level") for seat in view["seats"][1:]} == {"club"}


def test_bots_come_later_without_anybody_asking(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    first = seek(ann, ruleset="bornyu", bots_after=1)
    second = seek(bob, ruleset="bornyu", bots_after=3600)
    assert first["bots_at"] < second["bots_at"]
    found = state_of(ann, first, wait=30)
    assert found["match"] is not None
    assert state_of(bob, second)["match"] == found["match"]


def test_a_pairing_whose_maker_died_is_made_by_another(world: World) -> None:
    """The pairing is in the store before its match is asked for: any process finishes it."""
    ann, bob = world.player("Ann"), world.player("Bob")
    first = seek(ann)
    sought = world.store.seeks.sought(SeekId(first["id"]))
    assert sought is not None
    # The maker's last act:
    other = replace(sought.seek, id=SeekId("another"), player=PlayerId(bob.id), name="Bob")
    assert world.store.seeks.seek(other, random_match_id()).match is not None
    assert state_of(ann, first, wait=0)["status"] == "waiting"
    found = state_of(ann, first, wait=30)
    assert found["status"] == "paired"
    assert bob.view(found["match"])["you"] == 1
    assert len(world.snapshot()) == 1


def test_a_pairing_submitted_twice_is_one_match(world: World) -> None:
    seek(world.player("Ann"))
    found = seek(world.player("Bob"))
    before = world.snapshot()
    pairing = Pairing(found["match"], ())
    assert Matchmaker(world.store).settled(pairing) is False, "another command, with no answer"
    Matchmaker(world.store).make(found["match"])
    Matchmaker(world.store).sweep()
    assert world.snapshot() == before


@pytest.mark.parametrize(
    ("wishes", "status", "slug"),
    [
        ({"ruleset": "chess"}, 422, "unknown-ruleset"),
        ({"ruleset": {"base": "duel", "deck": 33}}, 422, "bad-parameter"),
        ({"ruleset": "challenge", "seats": 3}, 422, "impossible-ruleset"),
        ({"ruleset": "bornyu", "trump": "h"}, 422, "trumps-are-turned"),
        ({"level": "genius"}, 422, "unknown-level"),
        ({"seats": 5}, 422, "malformed"),
        ({"seats": "2"}, 422, "malformed"),
        ({"bots_after": -1}, 422, "malformed"),
        ({"bots_after": None}, 422, "malformed"),
        ({"expires_after": 1}, 422, "malformed"),
        ({"hurry": True}, 422, "malformed"),
    ],
)
def test_a_seek_that_cannot_be_is_refused(world: World, wishes: dict[str, Any], status: int, slug: str) -> None:
    ann = world.player()
    refused = ann.post("/v1/seeks", {"ruleset": "duel", **wishes})
    assert (refused.status_code, code_of(refused)) == (status, slug)
    assert ann.get("/v1/seeks").json == {"seeks": []}


def test_somebody_elses_seek_is_not_found(world: World) -> None:
    first = seek(world.player("Ann"))
    assert code_of(world.player("Eve").get(f"/v1/seeks/{first['id']}")) == "not-found"
    assert code_of(world.nobody.get(f"/v1/seeks/{first['id']}")) == "unauthorized"


def finished_duel(world: World, **terms: Any) -> tuple[str, Caller, Caller]:
    match, ann, bob = world.duel(on_timeout="forfeit", **terms)
    assert ann.post(f"/v1/matches/{match}/resignation").status_code == 201
    return match, ann, bob


def test_however_many_ask_for_a_rematch_there_is_one(world: World) -> None:
    match, ann, bob = finished_duel(world, games=3, turn_seconds=60)
    start = Barrier(6)
    answers: list[Any] = []

    def ask(player: Caller) -> None:
        start.wait()
        answers.append(Caller(world.app, player.token, player.id).post(f"/v1/matches/{match}/rematch"))

    threads = [Thread(target=ask, args=(player,)) for player in (ann, bob) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["id"] for answer in answers}) == 1
    view = ann.view(answers[0].json["id"])
    before = ann.view(match)
    for name in ("ruleset", "games", "turn_seconds", "on_timeout", "private", "creator"):
        assert view[name] == before[name]
    assert [(seat["player"], seat["trump"]) for seat in view["seats"]] == [(ann.id, "h"), (bob.id, "s")]
    assert view["fairness"]["commitment"] != before["fairness"]["commitment"]
    assert len(world.snapshot()) == 2
    assert bob.post(f"/v1/matches/{match}/rematch").json["id"] == view["id"]  # type: ignore[index]


def test_whether_there_is_a_rematch_can_be_seen_by_those_who_may_see_it(world: World) -> None:
    match, ann, bob = finished_duel(world)
    assert code_of(bob.get(f"/v1/matches/{match}/rematch")) == "not-found"
    made = ann.post(f"/v1/matches/{match}/rematch").json
    assert made is not None
    for caller in (ann, bob, world.nobody):
        assert caller.get(f"/v1/matches/{match}/rematch").json == caller.view(made["id"])
    # That of a private match has a link of its own, which those do not know who only watched
    match, ann, bob = finished_duel(world, private=True)
    link = ann.view(match)["link"]
    assert code_of(world.nobody.get(f"/v1/matches/{match}/rematch")) == "private-match"
    made = ann.post(f"/v1/matches/{match}/rematch").json
    assert made is not None
    assert code_of(world.nobody.get(f"/v1/matches/{match}/rematch?key={link}")) == "private-match"
    assert bob.get(f"/v1/matches/{match}/rematch").json == bob.view(made["id"])


def test_a_rematch_brings_back_the_player_for_whom_a_bot_stood_in(world: World) -> None:
    match, ann, bob = world.duel(ruleset={"base": "duel", "deck": 24, "ply_limit": 2})
    mover = world.to_move(match, ann, bob)
    play_to_the_end(world, match, (ann, bob), random.Random(1))
    again = mover.post(f"/v1/matches/{match}/rematch").json
    assert again is not None
    assert [seat["kind"] for seat in again["seats"]] == ["player", "player"]


def test_a_private_rematch_is_private_with_another_link(world: World) -> None:
    match, ann, _ = finished_duel(world, private=True)
    again = ann.post(f"/v1/matches/{match}/rematch").json
    assert again is not None
    assert again["private"] is True
    assert again["link"] != ann.view(match)["link"]


def test_a_rematch_is_refused_before_the_end_and_to_strangers(world: World) -> None:
    match, ann, _ = world.duel()
    before = world.snapshot()
    early = ann.post(f"/v1/matches/{match}/rematch")
    assert (early.status_code, code_of(early)) == (409, "match-not-over")
    stranger = world.player("Eve").post(f"/v1/matches/{match}/rematch")
    assert (stranger.status_code, code_of(stranger)) == (403, "not-your-seat")
    assert code_of(ann.post("/v1/matches/07-aaaaaaaaaaaa/rematch")) == "not-found"
    assert world.snapshot() == before


def test_a_seek_expires() -> None:
    moment = [1_700_000_000_000]
    with running(store=MemoryStore(clock=lambda: moment[0])) as world:  # type: ignore[arg-type, return-value]
        ann, bob = world.player("Ann"), world.player("Bob")
        first = seek(ann, expires_after=5)
        moment[0] += 5000
        assert code_of(ann.get(f"/v1/seeks/{first['id']}")) == "not-found"
        assert ann.get("/v1/seeks").json == {"seeks": []}
        assert seek(bob)["match"] is None
