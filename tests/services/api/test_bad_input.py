"""Bad input: each has its status and slug, and changes nothing."""

from typing import Any

import pytest

from owntrumps.rules.rulesets import PRESETS
from owntrumps_api.levels import LEVELS
from owntrumps_bots.policies import levels as bots
from tests.services.api.world import Caller, World, code_of

ME: dict[str, Any] = {"kind": "me"}
OPEN: dict[str, Any] = {"kind": "open"}
FULL = {"ruleset": "duel", "seats": [ME, OPEN]}


def impossible(**parameters: Any) -> dict[str, Any]:
    return {"base": "duel", **parameters}


RULESETS = [
    ("nonsense", "unknown-ruleset"),
    ("", "unknown-ruleset"),
    ({"base": "nonsense"}, "unknown-ruleset"),
    ({"base": 1}, "unknown-ruleset"),
    (impossible(colour="red"), "unknown-parameter"),
    ({"deck": 36}, "missing-parameter"),
    ({}, "missing-parameter"),
    (impossible(deck=40), "bad-parameter"),
    (impossible(deck="36"), "bad-parameter"),
    (impossible(seats=5), "bad-parameter"),
    (impossible(seats=True), "bad-parameter"),
    (impossible(direction=0), "bad-parameter"),
    (impossible(first_leader="nobody"), "bad-parameter"),
    (impossible(trump_choice="auction"), "bad-parameter"),
    (impossible(deal="stacked"), "bad-parameter"),
    (impossible(low_card_exchange=1), "bad-parameter"),
    (impossible(must_beat="yes"), "bad-parameter"),
    (impossible(pick_up="half"), "bad-parameter"),
    (impossible(after_last_beat=None), "bad-parameter"),
    (impossible(lead_after_pick_up="dealer"), "bad-parameter"),
    (impossible(one_card_draw=[]), "bad-parameter"),
    (impossible(repetition_limit=-1), "bad-parameter"),
    (impossible(repetition_limit=3.0), "bad-parameter"),
    (impossible(ply_limit=10**10), "bad-parameter"),
    (impossible(repetition_limit=1), "impossible-ruleset"),
    (impossible(repetition_limit=2), "impossible-ruleset"),
    (impossible(ply_limit=0), "impossible-ruleset"),
    (impossible(deal="mirrored", seats=3), "impossible-ruleset"),
    (impossible(deal="mirrored", trump_choice="turned"), "impossible-ruleset"),
]


@pytest.mark.parametrize(("ruleset", "slug"), RULESETS)
def test_a_ruleset_that_cannot_be_is_refused(world: World, ruleset: object, slug: str) -> None:
    refused = world.player().post("/v1/matches", {"ruleset": ruleset, "seats": [ME, OPEN]})
    assert (refused.status_code, code_of(refused)) == (422, slug)
    assert world.snapshot() == {}


TERMS = [
    ({"seats": [ME]}, 422, "bad-seats"),
    ({"seats": [ME, OPEN, OPEN]}, 422, "bad-seats"),
    ({"seats": [ME, ME]}, 422, "bad-seats"),
    ({"seats": [OPEN, OPEN], "trump": "h"}, 422, "bad-seats"),
    ({"seats": [{**ME, "trump": "s"}, OPEN], "trump": "h"}, 422, "bad-seats"),
    ({"seats": [{**ME, "trump": "h"}, {"kind": "bot", "level": "greedy", "trump": "h"}]}, 409, "trump-not-free"),
    ({"ruleset": "bornyu", "seats": [ME, OPEN, OPEN, OPEN], "trump": "h"}, 422, "trumps-are-turned"),
    ({"seats": [ME, {"kind": "bot", "level": "genius"}]}, 422, "unknown-level"),
    ({"seats": [ME, {"kind": "bot", "level": "master", "budget_ms": 4}]}, 422, "bad-budget"),
    ({"seats": [ME, {"kind": "bot", "level": "master", "budget_ms": 2001}]}, 422, "bad-budget"),
    ({"seats": []}, 422, "malformed"),
    ({"seats": [ME, {"kind": "bot"}]}, 422, "malformed"),
    ({"seats": [ME, {"kind": "cat"}]}, 422, "malformed"),
    ({"seats": [ME, {}]}, 422, "malformed"),
    ({"seats": [ME, {"kind": "open", "trump": "h"}]}, 422, "malformed"),
    ({"seats": [{**ME, "level": "greedy"}, OPEN]}, 422, "malformed"),
    ({"seats": [ME, {"kind": "bot", "level": "greedy", "budget_ms": 5.5}]}, 422, "malformed"),
    ({"seats": "me"}, 422, "malformed"),
    ({"ruleset": 7}, 422, "malformed"),
    ({"ruleset": None}, 422, "malformed"),
    ({"games": 0}, 422, "malformed"),
    ({"games": "1"}, 422, "malformed"),
    ({"games": 1.0}, 422, "malformed"),
    ({"games": True}, 422, "malformed"),
    ({"games": 101}, 422, "malformed"),
    ({"trump": "hearts"}, 422, "malformed"),
    ({"trump": None}, 422, "malformed"),
    ({"nonce": "two\nlines"}, 422, "malformed"),
    ({"nonce": "line\n"}, 422, "malformed"),
    ({"turn_seconds": 0}, 422, "malformed"),
    ({"turn_seconds": 10**9}, 422, "malformed"),
    ({"on_timeout": "explode"}, 422, "malformed"),
    ({"private": "yes"}, 422, "malformed"),
    ({"private": 1}, 422, "malformed"),
    ({"seed": "2a"}, 422, "malformed"),
    ({"seed": "xy" * 32}, 422, "malformed"),
    ({"colour": "red"}, 422, "malformed"),
]


@pytest.mark.parametrize(("terms", "status", "slug"), TERMS)
def test_terms_that_cannot_be_are_refused(world: World, terms: dict[str, Any], status: int, slug: str) -> None:
    refused = world.player().post("/v1/matches", {**FULL, **terms})
    assert (refused.status_code, code_of(refused)) == (status, slug)
    assert world.snapshot() == {}


def test_an_unknown_field_is_named(world: World) -> None:
    refused = world.player().post("/v1/matches", {**FULL, "seats": [{**ME, "colour": "red"}, OPEN]})
    assert refused.json is not None
    assert refused.json["errors"] == [{"in": "body", "field": "seats.0.colour", "detail": "Unknown field."}]
    assert "seats.0.colour" in refused.json["detail"]


@pytest.mark.parametrize("sent", [b"{", b"", b"[1,", b"\xff\xfe", b'{"name": NaN}', b'{"a":1}{"b":2}', b"[" * 60_000])
def test_broken_json_is_refused(world: World, sent: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    refused = world.player().send("POST", "/v1/matches", data=sent, headers=headers)
    expected = (400, "broken-json") if sent else (422, "malformed")
    assert (refused.status_code, code_of(refused)) == expected
    assert world.snapshot() == {}


@pytest.mark.parametrize("sent", [b"[]", b'"text"', b"7", b"null", b"[{}]"])
def test_json_that_is_no_object_is_malformed(world: World, sent: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    for path in ("/v1/matches", "/v1/moves", "/v1/players"):
        refused = world.player().send("POST", path, data=sent, headers=headers)
        assert (refused.status_code, code_of(refused)) == (422, "malformed")


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/json; charset=latin-1"],
)
def test_another_content_type_is_refused(world: World, content_type: str) -> None:
    sent = b'{"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}'
    refused = world.player().send("POST", "/v1/matches", data=sent, headers={"Content-Type": content_type})
    assert (refused.status_code, code_of(refused)) == (415, "unsupported-media-type")
    untyped = world.player().send("POST", "/v1/matches", data=sent)
    assert (untyped.status_code, code_of(untyped)) == (415, "unsupported-media-type")
    assert world.snapshot() == {}


def test_a_body_of_a_megabyte_is_refused(world: World) -> None:
    headers = {"Content-Type": "application/json"}
    sent = b'{"ruleset": "' + b"x" * 1_000_000 + b'"}'
    refused = world.player().send("POST", "/v1/matches", data=sent, headers=headers)
    assert (refused.status_code, code_of(refused)) == (413, "too-large")
    assert world.player().post("/v1/matches", {**FULL, "ruleset": "x" * 60_000}).status_code == 422


@pytest.mark.parametrize("sent", [b'{"ruleset": "' + b"x" * 1_000_000 + b'"}', b"{}".ljust(64 * 1024 + 1)])
def test_so_is_one_that_does_not_say_its_length(world: World, sent: bytes) -> None:
    refused = world.player().post_unsized("/v1/matches", sent, "application/json")
    assert (refused.status_code, code_of(refused)) == (413, "too-large")
    assert world.snapshot() == {}


def test_two_seats_of_a_match_are_refused(world: World) -> None:
    ann, bob, eve = world.player("Ann"), world.player("Bob"), world.player("Eve")
    made = ann.post("/v1/matches", {**FULL, "trump": "h"}).json
    assert made is not None
    path = f"/v1/matches/{made['id']}/seats"
    before = world.snapshot()
    twice = ann.post(path)
    assert (twice.status_code, code_of(twice)) == (409, "already-seated")
    same = bob.post(path, {"trump": "h"})
    assert (same.status_code, code_of(same)) == (409, "trump-not-free")
    assert world.snapshot() == before
    bob.post(path)
    before = world.snapshot()
    full = eve.post(path)
    assert (full.status_code, code_of(full)) == (409, "match-full")
    assert code_of(bob.post(path)) == "already-seated"
    assert world.snapshot() == before


def at_lead(world: World) -> tuple[str, Caller, Caller]:
    """A duel, whoever is to lead, and the other."""
    match, ann, bob = world.duel()
    first = world.to_move(match, ann, bob)
    return match, first, bob if first is ann else ann


def test_moves_that_the_rules_forbid_are_refused_with_the_legal_plays(world: World) -> None:
    match, first, second = at_lead(world)
    legal = first.view(match)["legal"]
    theirs = second.view(match)["hand"]
    before = world.snapshot()
    for plays, reason in (
        ((theirs[0],), "card-not-held"),
        (("2c",), "card-not-held"),
        (("take",), "nothing-to-take"),
        ((legal[0], legal[1]), "too-many-cards"),
        ((legal[0], legal[0]), "too-many-cards"),
    ):
        refused = first.move(match, *plays)
        assert (refused.status_code, code_of(refused)) == (422, "illegal-play")
        assert refused.json is not None
        assert (refused.json["reason"], refused.json["legal"], refused.json["version"]) == (reason, legal, 2)
    assert world.snapshot() == before


def test_moves_in_phase_respond_that_the_rules_forbid_are_refused(world: World) -> None:
    match, first, second = at_lead(world)
    first.move(match, first.view(match)["legal"][0])
    view = second.view(match)
    beats = [play for play in view["legal"] if play != "take"]
    weak = next(card for card in view["hand"] if card not in beats)
    before = world.snapshot()
    for plays, reason in (
        ((weak,), "does-not-beat"),
        ((beats[0], beats[0]), "card-not-held"),
        (("take",), "must-beat"),
        ((weak, beats[0]), "does-not-beat"),
    ):
        refused = second.move(match, *plays)
        assert (refused.status_code, code_of(refused)) == (422, "illegal-play")
        assert refused.json is not None
        assert refused.json["reason"] == reason
    assert world.snapshot() == before


def test_a_move_out_of_turn_or_by_somebody_else_is_refused(world: World) -> None:
    match, first, second = at_lead(world)
    card = second.view(match)["hand"][0]
    before = world.snapshot()
    early = second.move(match, card)
    assert (early.status_code, code_of(early)) == (409, "not-your-turn")
    other_match, stranger, _ = at_lead(world)
    before = world.snapshot()
    for refused in (
        stranger.move(match, card),
        stranger.post(f"/v1/matches/{match}/resignation"),
        stranger.post(f"/v1/matches/{match}/trump", {"trump": "h"}),
        world.player("Eve").move(match, card),
    ):
        assert (refused.status_code, code_of(refused)) == (403, "not-your-seat")
    assert code_of(world.nobody.move(match, card)) == "unauthorized"
    assert first.move(other_match, card).status_code == 403
    assert world.snapshot() == before


def test_a_stale_if_match_is_refused(world: World) -> None:
    match, first, _ = at_lead(world)
    card = first.view(match)["legal"][0]
    before = world.snapshot()
    for tag in ('"1"', '"3"', 'W/"1"', "1"):
        refused = first.move(match, card, headers={"If-Match": tag})
        assert (refused.status_code, code_of(refused)) == (412, "stale-version")
        assert refused.json is not None
        assert refused.json["version"] == 2
    for tag in ('"x"', "x", '"1", "2"', '"', '"9999999999"'):
        refused = first.move(match, card, headers={"If-Match": tag})
        assert (refused.status_code, code_of(refused)) == (422, "malformed")
    assert world.snapshot() == before
    assert first.move(match, card, headers={"If-Match": "*"}).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        {"action": "play"},
        {"action": "play", "cards": []},
        {"action": "play", "cards": ["7c", "8c", "9c"]},
        {"action": "play", "cards": "7c"},
        {"action": "play", "cards": ["7C"]},
        {"action": "play", "cards": ["10h"]},
        {"action": "play", "cards": ["c7"]},
        {"action": "play", "cards": [7]},
        {"action": "play", "cards": [None]},
        {"action": "play", "cards": ["7c\n"]},
        {"action": "play", "cards": ["take"]},
        {"action": "take", "cards": ["7c"]},
        {"action": "pass"},
        {"action": ["play"]},
        {"cards": ["7c"]},
        {"action": "take", "hurry": True},
        {},
    ],
)
def test_a_malformed_move_is_refused(world: World, body: dict[str, Any]) -> None:
    match, first, _ = at_lead(world)
    before = world.snapshot()
    refused = first.post(f"/v1/matches/{match}/moves", body)
    assert (refused.status_code, code_of(refused)) == (422, "malformed")
    many = first.post("/v1/moves", {"moves": [{"match": match, **body}]})
    assert (many.status_code, code_of(many)) == (422, "malformed")
    assert world.snapshot() == before


@pytest.mark.parametrize(
    "match", ["07-aaaaaaaaaaaa", "16-aaaaaaaaaaaa", "07-AAAAAAAAAAAA", "x", "07-aaa", "{07}", "07-aaaaaaaaaaaa0"]
)
def test_an_unknown_match_is_not_found(world: World, match: str) -> None:
    ann = world.player()
    path = f"/v1/matches/{match}"
    for refused in (
        ann.get(path),
        ann.get(f"{path}/events"),
        ann.get(f"{path}/views/1"),
        ann.move(match, "take"),
        ann.post(f"{path}/seats"),
        ann.post(f"{path}/trump", {"trump": "c"}),
        ann.post(f"{path}/resignation"),
        ann.post(f"{path}/abort"),
    ):
        assert (refused.status_code, code_of(refused)) == (404, "not-found")
    assert world.snapshot() == {}


def test_a_match_that_waits_for_players_takes_no_moves(world: World) -> None:
    ann = world.player()
    made = ann.post("/v1/matches", FULL).json
    assert made is not None
    before = world.snapshot()
    refused = ann.move(made["id"], "7c")
    assert (refused.status_code, code_of(refused)) == (409, "match-not-started")
    resigned = ann.post(f"/v1/matches/{made['id']}/resignation")
    assert (resigned.status_code, code_of(resigned)) == (409, "match-not-started")
    assert world.snapshot() == before


@pytest.mark.parametrize(
    "query", ["status=lost", "ruleset=chess", "player=x", "limit=0", "limit=101", "limit=x", "cursor=!"]
)
def test_a_filter_that_cannot_be_is_refused(world: World, query: str) -> None:
    refused = world.nobody.get(f"/v1/matches?{query}")
    assert (refused.status_code, code_of(refused)) == (422, "malformed")


@pytest.mark.parametrize("cursor", ["x", "AAAA", "MTIzOnh4", "a" * 200])
def test_a_cursor_of_no_list_is_refused(world: World, cursor: str) -> None:
    refused = world.nobody.get(f"/v1/matches?cursor={cursor}")
    assert (refused.status_code, code_of(refused)) == (422, "bad-cursor")


def test_the_levels_offered_are_those_that_the_bots_play() -> None:
    assert {name: (level.default_ms, level.least_ms, level.most_ms) for name, level in LEVELS.items()} == {
        name: (level.budget_ms, level.least_ms, level.most_ms) for name, level in bots.LEVELS.items()
    }


def test_every_preset_has_seats_that_the_requests_allow() -> None:
    assert {ruleset.seats for ruleset in PRESETS.values()} <= {2, 3, 4}
