"""Making matches, sitting down, calling off, and finding them again."""

from typing import Any

import pytest

from owntrumps.rules.rulesets import PRESETS
from tests.services.api.world import DUEL, SEED, World, code_of, running

BOT = {"kind": "bot", "level": "greedy"}
ME: dict[str, Any] = {"kind": "me"}
OPEN = {"kind": "open"}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_appears_as_its_complete_parameters_and_its_name(world: World, name: str) -> None:
    seats = [ME, *[OPEN] * (PRESETS[name].seats - 1)]
    made = world.player().post("/v1/matches", {"ruleset": name, "seats": seats})
    assert made.status_code == 201
    assert made.json is not None
    assert made.json["ruleset"] == {**PRESETS[name].as_dict(), "name": name}
    assert made.headers["Location"] == f"/v1/matches/{made.json['id']}"
    assert made.headers["ETag"] == '"1"'


@pytest.mark.parametrize("index", range(4))
def test_the_callers_seat_may_stand_at_any_index(world: World, index: int) -> None:
    seats = [OPEN] * 4
    seats[index] = ME
    ann = world.player()
    made = ann.post("/v1/matches", {"ruleset": "bornyu", "seats": seats})
    assert made.json is not None
    assert made.json["you"] == index
    assert [seat["player"] for seat in made.json["seats"]].index(ann.id) == index


def test_bots_alone_play_at_once_and_the_creator_watches(world: World) -> None:
    made = world.player().post("/v1/matches", {"ruleset": "bornyu", "seats": [BOT] * 4})
    assert made.json is not None
    assert (made.json["status"], made.json["you"], made.json["hand"]) == ("playing", None, [])
    assert [seat["level"] for seat in made.json["seats"]] == ["greedy"] * 4


def test_trump_and_nonce_at_the_top_are_those_of_the_callers_seat(world: World) -> None:
    body = {"ruleset": "duel", "seats": [OPEN, ME], "trump": "s", "nonce": "dice-4"}
    made = world.player().post("/v1/matches", body)
    assert made.json is not None
    assert [seat["trump"] for seat in made.json["seats"]] == [None, "s"]
    assert made.json["fairness"]["nonces"] == [None, "dice-4"]


def test_the_same_seed_and_seats_give_the_same_trumps_and_dealer(world: World) -> None:
    body = {"ruleset": "challenge", "seats": [{**BOT, "trump": "c"}, BOT], "seed": SEED.upper()}
    made = [world.player().post("/v1/matches", body).json for _ in range(2)]
    commitments = {view["fairness"]["commitment"] for view in made if view is not None}
    assert len(commitments) == 1


def test_every_term_is_in_the_view(world: World) -> None:
    terms = {"games": 3, "turn_seconds": 30, "on_timeout": "forfeit", "private": True}
    made = world.player().post("/v1/matches", {"ruleset": {"base": "duel", "deck": 24}, "seats": [ME, OPEN], **terms})
    assert made.json is not None
    assert {name: made.json[name] for name in terms} == terms
    assert made.json["ruleset"]["name"] == "custom"


def test_a_seed_is_refused_where_the_server_does_not_allow_it() -> None:
    with running(allow_seed=False) as world:
        refused = world.player().post("/v1/matches", DUEL)
        assert (refused.status_code, code_of(refused)) == (403, "seed-not-allowed")
        assert world.snapshot() == {}


def test_the_match_starts_when_the_last_seat_is_filled(world: World) -> None:
    ann, bob, eve = world.player("Ann"), world.player("Bob"), world.player("Eve")
    made = ann.post("/v1/matches", {"ruleset": {"base": "dudak", "seats": 3}, "seats": [OPEN, ME, OPEN]})
    assert made.json is not None
    path = f"/v1/matches/{made.json['id']}/seats"
    second = bob.post(path, {"trump": "d", "nonce": "n0"})
    assert (second.status_code, second.json["status"], second.json["you"]) == (201, "open", 0)  # type: ignore[index]
    third = eve.post(path, {})
    assert third.json is not None
    assert (third.json["status"], third.json["you"]) == ("playing", 2)
    trumps = [seat["trump"] for seat in third.json["seats"]]
    assert trumps[0] == "d"
    assert len(set(trumps)) == 3


def test_a_trump_may_be_chosen_until_the_match_starts(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    made = ann.post("/v1/matches", {"ruleset": "duel", "seats": [ME, OPEN]})
    assert made.json is not None
    path = f"/v1/matches/{made.json['id']}"
    chosen = ann.post(f"{path}/trump", {"trump": "c"})
    assert chosen.status_code == 201
    assert chosen.json is not None
    assert chosen.json["events"] == [{"type": "trump-declared", "seat": 0, "trump": "c"}]
    assert code_of(bob.post(f"{path}/trump", {"trump": "h"})) == "not-your-seat"
    assert code_of(bob.post(f"{path}/seats", {"trump": "c"})) == "trump-not-free"
    bob.post(f"{path}/seats", {"trump": "h"})
    assert code_of(ann.post(f"{path}/trump", {"trump": "d"})) == "match-started"


def test_only_the_creator_calls_an_open_match_off(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    made = ann.post("/v1/matches", {"ruleset": "duel", "seats": [ME, OPEN]})
    assert made.json is not None
    path = f"/v1/matches/{made.json['id']}"
    assert code_of(bob.post(f"{path}/abort")) == "not-your-match"
    called_off = ann.post(f"{path}/abort")
    assert called_off.json is not None
    assert (called_off.json["view"]["status"], called_off.json["view"]["result"]) == (
        "aborted",
        {"aborted": "called-off"},
    )
    assert code_of(ann.post(f"{path}/abort")) == "match-over"
    assert code_of(bob.post(f"{path}/seats")) == "match-over"


def test_who_resigns_is_played_for_and_may_come_back(world: World) -> None:
    match, ann, bob = world.duel()
    path = f"/v1/matches/{match}"
    left = ann.post(f"{path}/resignation")
    assert left.json is not None
    seat = left.json["view"]["seats"][0]
    assert (seat["kind"], seat["stand_in"], seat["player"]) == ("bot", True, ann.id)
    assert code_of(ann.post(f"{path}/resignation")) == "not-your-seat"
    # Though it is the seat's turn, its player has nothing to play
    shown = ann.view(match)
    while shown["turn"] != 0:
        assert bob.move(match, bob.view(match)["legal"][0]).status_code == 201
        shown = ann.view(match)
    assert (shown["you"], shown["legal"]) == (0, [])
    back = ann.post(f"{path}/seats")
    assert back.json is not None
    assert back.json["seats"][0]["stand_in"] is False
    assert ann.view(match)["legal"]


def test_the_time_that_a_bot_was_asked_to_think_is_shown(world: World) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "level": "club", "budget_ms": 7}]
    made = world.player().post("/v1/matches", {"ruleset": "duel", "seats": seats})
    assert made.json is not None
    assert made.json["seats"][1]["budget_ms"] == 7


def test_who_resigns_forfeits_where_the_match_says_so(world: World) -> None:
    match, _, bob = world.duel(on_timeout="forfeit")
    left = bob.post(f"/v1/matches/{match}/resignation")
    assert left.json is not None
    assert left.json["view"]["result"] == {"losers": [1], "forfeit": True}
    assert left.json["view"]["fairness"]["seed"] == SEED


def test_lists_are_filtered_and_run_in_pages_from_the_newest(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    made = [ann.post("/v1/matches", {"ruleset": "duel", "seats": [ME, OPEN]}).json["id"] for _ in range(5)]  # type: ignore[index]
    bob.post(f"/v1/matches/{made[2]}/seats")
    ann.post("/v1/matches", {"ruleset": "bornyu", "seats": [BOT] * 4})

    def ids(query: str) -> list[str]:
        listed = world.nobody.get(f"/v1/matches?{query}").json
        assert listed is not None
        return [match["id"] for match in listed["matches"]]

    assert set(ids("status=open&ruleset=duel")) == {*made} - {made[2]}
    assert ids("status=playing&ruleset=duel") == [made[2]]
    assert ids(f"player={bob.id}") == [made[2]]
    assert ids("status=finished") == []
    first = world.nobody.get("/v1/matches?ruleset=duel&limit=3").json
    assert first is not None
    second = world.nobody.get(f"/v1/matches?ruleset=duel&limit=3&cursor={first['next']}").json
    assert second is not None
    assert second["next"] is None
    assert len({match["id"] for match in first["matches"] + second["matches"]}) == 5


def test_a_private_match_is_listed_only_for_those_who_sit_there(world: World) -> None:
    ann, eve = world.player("Ann"), world.player("Eve")
    made = ann.post("/v1/matches", {"ruleset": "duel", "seats": [ME, OPEN], "private": True}).json
    assert made is not None
    for caller, query, seen in (
        (ann, f"player={ann.id}", [made["id"]]),
        (eve, f"player={ann.id}", []),
        (world.nobody, f"player={ann.id}", []),
        (ann, "status=open", []),
    ):
        listed = caller.get(f"/v1/matches?{query}").json
        assert listed is not None
        assert [match["id"] for match in listed["matches"]] == seen


def test_a_private_match_is_seen_and_joined_by_its_link_alone(world: World) -> None:
    ann, bob, eve = world.player("Ann"), world.player("Bob"), world.player("Eve")
    made = ann.post("/v1/matches", {"ruleset": "duel", "seats": [ME, OPEN], "private": True}).json
    assert made is not None
    path, link = f"/v1/matches/{made['id']}", made["link"]
    before = world.snapshot()
    for caller in (world.nobody, eve):
        for refused in (
            caller.get(path),
            caller.get(f"{path}?key={'0' * 32}"),
            caller.get(f"{path}/events"),
            caller.get(f"{path}/views/1"),
        ):
            assert (refused.status_code, code_of(refused)) == (403, "private-match")
    assert code_of(eve.post(f"{path}/seats")) == "private-match"
    assert code_of(eve.post(f"{path}/seats?key={'0' * 32}")) == "private-match"
    assert world.snapshot() == before
    seen = world.nobody.get(f"{path}?key={link}")
    assert seen.status_code == 200
    assert seen.json is not None
    assert "link" not in seen.json
    joined = bob.post(f"{path}/seats?key={link}")
    assert joined.json is not None
    assert joined.json["link"] == link
    assert bob.get(path).status_code == 200
    assert world.nobody.get(f"{path}/events?key={link}").status_code == 200


def test_the_creator_without_a_seat_has_the_link_of_a_private_match(world: World) -> None:
    ann = world.player()
    made = ann.post("/v1/matches", {"ruleset": "duel", "seats": [OPEN, OPEN], "private": True}).json
    assert made is not None
    assert made["you"] is None
    assert len(made["link"]) == 32
    assert ann.view(made["id"])["link"] == made["link"]


def test_what_can_be_played_and_against_whom_is_listed(world: World) -> None:
    rulesets = world.nobody.get("/v1/rulesets").json
    assert rulesets is not None
    assert [ruleset["name"] for ruleset in rulesets["rulesets"]] == [*PRESETS]
    bots = world.nobody.get("/v1/bots").json
    assert bots is not None
    assert [bot["level"] for bot in bots["bots"]] == ["random", "greedy", "club", "master"]
