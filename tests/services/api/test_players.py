"""Registering, tokens, and giving a token up."""

import pytest

from owntrumps.game.terms import Millis, PlayerId
from owntrumps.store.memory import MemoryStore
from tests.services.api.world import Caller, World, code_of, running


def test_a_new_player_gets_a_token_that_is_theirs(world: World) -> None:
    made = world.nobody.post("/v1/players", {"name": "  Ann   of\u00a0the hills "})
    assert made.status_code == 201
    assert made.json is not None
    assert made.json["name"] == "Ann of the hills"
    assert made.headers["Location"] == f"/v1/players/{made.json['id']}"
    ann = Caller(world.app, made.json["token"])
    assert ann.get("/v1/me").json == {
        "id": made.json["id"],
        "name": "Ann of the hills",
        "created_at": ann.get(f"/v1/players/{made.json['id']}").json["created_at"],  # type: ignore[index]
    }


@pytest.mark.parametrize("name", ["Ánn Þóra", "\U0001f468\u200d\U0001f469\u200d\U0001f467 fam", "علی\u200cرضا"])
def test_names_are_written_as_people_write_them(world: World, name: str) -> None:
    made = world.nobody.post("/v1/players", {"name": name})
    assert made.status_code == 201, made.text
    assert made.json is not None
    assert made.json["name"] == name


def test_only_the_hash_of_a_token_is_kept(world: World) -> None:
    ann = world.player()
    assert ann.token is not None
    kept = world.store.player(PlayerId(ann.id))
    assert kept is not None
    assert len(kept.token_hash) == 64
    assert ann.token.partition(".")[2] not in repr(kept)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "a" * 41,
        "bell\u0007",
        "tab\tname",
        "zero\u200bwidth",
        "end\u200d",
        "two\u200d\u200djoiners",
        "right\u202eleft",
        7,
        None,
        ["Ann"],
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(world: World, name: object) -> None:
    refused = world.nobody.post("/v1/players", {"name": name})
    assert (refused.status_code, code_of(refused)) == (422, "malformed")
    assert refused.json is not None
    assert refused.json["errors"][0]["field"] == "name"


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "Bearer x",
        "Basic QWxhZGRpbjpvcGVu",
        "Bearer aaaaaaaaaaaaaaaa." + "A" * 43,
        "Bearer aaaaaaaaaaaaaaaa." + "A" * 42 + "é",
    ],
)
def test_a_token_that_is_none_is_refused_where_one_is_needed_and_where_not(world: World, header: str) -> None:
    for path in ("/v1/me", "/v1/matches"):
        refused = world.nobody.get(path, headers={"Authorization": header})
        assert (refused.status_code, code_of(refused)) == (401, "unauthorized")
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_with_another_players_id_or_a_changed_secret_is_refused(world: World) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    assert ann.token is not None
    secret = ann.token.partition(".")[2]
    changed = ("B" if secret[0] == "A" else "A") + secret[1:]
    for token in (f"{bob.id}.{secret}", f"{ann.id}.{changed}", f"{ann.id}.", ann.token + "A"):
        assert Caller(world.app, token).get("/v1/me").status_code == 401


def test_a_token_given_up_is_worthless_at_once(world: World) -> None:
    ann = world.player()
    assert ann.delete("/v1/me/token").status_code == 204
    assert code_of(ann.get("/v1/me")) == "unauthorized"
    assert code_of(ann.delete("/v1/me/token")) == "unauthorized"
    assert world.nobody.get(f"/v1/players/{ann.id}").status_code == 200


@pytest.mark.parametrize("id_", ["aaaaaaaaaaaaaaaa", "x", "a" * 300, "%00", "{07}", "..%2f"])
def test_an_unknown_player_is_not_found(world: World, id_: str) -> None:
    assert code_of(world.nobody.get(f"/v1/players/{id_}")) == "not-found"


def test_registering_again_with_the_same_key_gives_the_same_player_and_token(world: World) -> None:
    first = world.nobody.post("/v1/players", {"name": "Ann"}, {"Idempotency-Key": "k-1"})
    again = world.nobody.post("/v1/players", {"name": "Ann"}, {"Idempotency-Key": "k-1"})
    other = world.nobody.post("/v1/players", {"name": "Ann"}, {"Idempotency-Key": "k-2"})
    assert first.json == again.json
    assert other.json is not None
    assert first.json is not None
    assert other.json["id"] != first.json["id"]


def test_registering_with_a_used_key_and_another_name_is_refused(world: World) -> None:
    world.nobody.post("/v1/players", {"name": "Ann"}, {"Idempotency-Key": "k-1"})
    refused = world.nobody.post("/v1/players", {"name": "Eve"}, {"Idempotency-Key": "k-1"})
    assert (refused.status_code, code_of(refused)) == (422, "idempotency-key-reused")


def test_a_token_is_not_shown_again_after_ten_minutes_nor_after_it_was_given_up() -> None:
    moment = [1_700_000_000_000]
    with running(store=MemoryStore(clock=lambda: Millis(moment[0]))) as world:
        made = world.nobody.post("/v1/players", {"name": "Ann"}, {"Idempotency-Key": "k-1"})
        assert made.json is not None
        moment[0] += 10 * 60 * 1000
        assert world.nobody.post("/v1/players", {"name": "Ann"}, {"Idempotency-Key": "k-1"}).json == made.json
        moment[0] += 1
        late = world.nobody.post("/v1/players", {"name": "Ann"}, {"Idempotency-Key": "k-1"})
        assert code_of(late) == "idempotency-key-reused"
        fresh = world.nobody.post("/v1/players", {"name": "Bob"}, {"Idempotency-Key": "k-3"})
        assert fresh.json is not None
        Caller(world.app, fresh.json["token"]).delete("/v1/me/token")
        revoked = world.nobody.post("/v1/players", {"name": "Bob"}, {"Idempotency-Key": "k-3"})
        assert code_of(revoked) == "idempotency-key-reused"
