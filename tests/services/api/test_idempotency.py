"""Retries: the same key and body get the same answer and happen once; another body is refused."""

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.services.api.world import DUEL, Caller, World, code_of

KEY = {"Idempotency-Key": "0b0f3f6e-5d0b-4a51-9f3c-7a9d"}


def at_once(*calls: Callable[[], TestResponse]) -> list[TestResponse]:
    """The answers of calls that all begin together."""
    start, answers = Barrier(len(calls)), []

    def run(call: Callable[[], TestResponse]) -> None:
        start.wait()
        answers.append(call())

    threads = [Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_a_match_created_again_with_the_same_key_is_the_same_match(world: World) -> None:
    ann = world.player()
    first = ann.post("/v1/matches", DUEL, KEY)
    world.player("Bob").post(f"/v1/matches/{first.json['id']}/seats")  # type: ignore[index]
    again = ann.post("/v1/matches", DUEL, KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.data == first.data, "the answer is the view as of then, though the match has moved on"
    assert len(world.snapshot()) == 1


def test_a_match_created_many_times_at_once_has_no_twin(world: World) -> None:
    ann = world.player()
    body = {name: value for name, value in DUEL.items() if name != "seed"}
    answers = at_once(*[lambda: Caller(world.app, ann.token).post("/v1/matches", body, KEY)] * 8)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert len(world.snapshot()) == 1


def test_another_players_same_key_makes_another_match(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    ids = {caller.post("/v1/matches", DUEL, KEY).json["id"] for caller in (ann, bob)}  # type: ignore[index]
    assert len(ids) == 2


def test_creation_without_a_key_makes_a_match_each_time(world: World) -> None:
    ann = world.player()
    assert ann.post("/v1/matches", DUEL).json != ann.post("/v1/matches", DUEL).json
    assert len(world.snapshot()) == 2


def test_a_used_key_with_another_body_is_refused_and_nothing_happens(world: World) -> None:
    match, ann, bob = world.duel()
    player = world.to_move(match, ann, bob)
    first, second = player.view(match)["legal"][:2]
    assert player.move(match, first, headers=KEY).status_code == 201
    assert ann.post("/v1/matches", DUEL, KEY).status_code == 201
    before = world.snapshot()
    for refused in (
        player.move(match, second, headers=KEY),
        player.move(match, first, headers={**KEY, "If-Match": '"2"'}),
        ann.post("/v1/matches", {**DUEL, "games": 2}, KEY),
    ):
        assert (refused.status_code, code_of(refused)) == (422, "idempotency-key-reused")
    many = player.post("/v1/moves", {"moves": [{"match": match, "action": "take", "key": KEY["Idempotency-Key"]}]}).json
    assert many is not None
    assert many["results"][0]["problem"]["code"] == "idempotency-key-reused"
    assert world.snapshot() == before


def test_a_move_sent_many_times_happens_once_with_one_answer(world: World) -> None:
    match, ann, bob = world.duel()
    player = world.to_move(match, ann, bob)
    card = player.view(match)["legal"][0]
    answers = at_once(*[lambda: Caller(world.app, player.token).move(match, card, headers=KEY)] * 8)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert world.nobody.get(f"/v1/matches/{match}").headers["ETag"] == '"3"'


def test_a_late_retry_gets_the_answer_of_then(world: World) -> None:
    match, ann, bob = world.duel()
    player = world.to_move(match, ann, bob)
    other = bob if player is ann else ann
    first = player.move(match, player.view(match)["legal"][0], headers=KEY)
    for mover in (other, world.to_move(match, ann, bob)):
        mover.move(match, mover.view(match)["legal"][0])
    assert player.move(match, first.json["view"]["pile"][0], headers=KEY).data == first.data  # type: ignore[index]


def test_a_refusal_is_remembered_with_its_key_and_can_be_tried_anew_with_another(world: World) -> None:
    match, ann, bob = world.duel()
    player = world.to_move(match, ann, bob)
    other = bob if player is ann else ann
    view = other.view(match)
    early = other.move(match, view["hand"][0], headers=KEY)
    assert code_of(early) == "not-your-turn"
    player.move(match, player.view(match)["legal"][0])
    again = other.move(match, view["hand"][0], headers=KEY)
    assert again.data == early.data
    play = other.view(match)["legal"][0]
    assert other.move(match, play, headers={"Idempotency-Key": "another"}).status_code == 201


@pytest.mark.parametrize("what", ["seats", "trump", "resignation", "abort"])
def test_every_other_post_about_a_match_is_safe_to_repeat(world: World, what: str) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    made = ann.post("/v1/matches", {"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}).json
    assert made is not None
    path = f"/v1/matches/{made['id']}"
    if what == "resignation":
        bob.post(f"{path}/seats")
    caller = bob if what == "seats" else ann
    body: dict[str, Any] = {"trump": "d"} if what in ("seats", "trump") else {}
    first = caller.post(f"{path}/{what}", body, KEY)
    before = world.snapshot()
    assert first.status_code == 201
    assert caller.post(f"{path}/{what}", body, KEY).data == first.data
    assert world.snapshot() == before


@pytest.mark.parametrize("key", ["", " ", "a" * 201, "zwölf", "two words"])
def test_a_key_that_cannot_be_is_refused(world: World, key: str) -> None:
    refused = world.player().post("/v1/matches", DUEL, {"Idempotency-Key": key})
    assert (refused.status_code, code_of(refused)) == (422, "malformed")
    assert world.snapshot() == {}
