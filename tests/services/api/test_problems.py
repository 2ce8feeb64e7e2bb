"""Every error is a problem, those of routing, of the store and of our own faults included."""

import pytest
from flask import Flask

from owntrumps.game.refusals import Refusal
from owntrumps.process.settings import ConfigError
from owntrumps.store.memory import MemoryStore
from owntrumps_api.app import create_app
from owntrumps_api.config import config_from
from owntrumps_api.problems import KINDS, refused
from tests.services.api.world import CONFIG, World, code_of, running


@pytest.mark.parametrize(
    "path", ["/nothing", "/v1", "/v1/matches/", "/static/nothing.js", "/docs/assets/swagger-ui.js.map"]
)
def test_an_unknown_address_is_a_problem(world: World, path: str) -> None:
    missing = world.app.test_client().get(path)
    assert (missing.status_code, code_of(missing)) == (404, "not-found")


def test_a_method_that_an_address_does_not_take_is_a_problem_and_says_which_it_takes(world: World) -> None:
    client = world.app.test_client()
    wrong = client.put("/v1/matches")
    assert (wrong.status_code, code_of(wrong)) == (405, "method-not-allowed")
    assert set(wrong.headers["Allow"].split(", ")) >= {"GET", "POST"}
    assert code_of(client.delete("/healthz")) == "method-not-allowed"


def test_a_fault_of_ours_is_a_problem_without_details() -> None:
    app = create_app(CONFIG, MemoryStore())

    @app.get("/fault")
    def fault() -> str:
        raise ZeroDivisionError("the secret of the hand")

    broken = app.test_client().get("/fault")
    assert (broken.status_code, code_of(broken)) == (500, "internal")
    assert b"secret" not in broken.data


def test_a_store_that_is_away_is_a_problem_with_a_time_to_try_again(world: World) -> None:
    ann = world.player()
    world.store.close()
    for away in (world.nobody.get("/v1/matches"), ann.get("/v1/me"), world.nobody.post("/v1/players", {"name": "Bob"})):
        assert (away.status_code, code_of(away)) == (503, "unavailable")
        assert away.headers["Retry-After"] == "1"
        assert away.json is not None
        assert away.json["retry_after"] == 1
    assert code_of(world.nobody.get("/readyz")) == "unavailable"
    assert world.nobody.get("/healthz").status_code == 200


def test_who_writes_too_much_is_told_when_to_try_again() -> None:
    with running(writes_per_minute=3) as world:
        ann = world.player("Ann")
        world.player("Bob")
        world.player("Eve")
        late = world.nobody.post("/v1/players", {"name": "Dan"})
        assert (late.status_code, code_of(late)) == (429, "rate-limited")
        assert int(late.headers["Retry-After"]) in range(1, 61)
        assert (
            ann.post("/v1/matches", {"ruleset": "duel", "seats": [{"kind": "me"}, {"kind": "open"}]}).status_code == 201
        )
        assert world.nobody.get("/v1/matches").status_code == 200


def test_more_long_polls_than_there_are_places_are_refused() -> None:
    with running(held=0) as world:
        match, _, _ = world.duel()
        full = world.nobody.get(f"/v1/matches/{match}?wait=1")
        assert (full.status_code, code_of(full)) == (503, "too-many-streams")
        assert full.headers["Retry-After"] == "5"
        assert world.nobody.get(f"/v1/matches/{match}").status_code == 200


def test_every_slug_that_the_core_refuses_with_has_a_line_in_the_table() -> None:
    slugs = set(Refusal.__annotations__["slug"].__args__)
    assert slugs <= set(KINDS)
    assert refused(Refusal("not-your-turn", "wait", {"turn": 1})).extra == {"turn": 1}


def test_every_problems_type_points_at_its_line(world: World) -> None:
    page = world.app.test_client().get("/docs/problems")
    for code in KINDS:
        assert f'id="{code}"' in page.text


def test_the_pages_load_nothing_from_another_host(world: World) -> None:
    client = world.app.test_client()
    for path in ("/", "/docs", "/docs/problems", "/v1/rulesets", "/nothing"):
        with client.get(path) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "Access-Control-Allow-Origin" not in answer.headers
    for path in ("/", "/docs"):
        with client.get(path) as answer:
            assert b"//" not in answer.data
    for asset in ("swagger-ui.css", "swagger-ui-bundle.js"):
        with client.get(f"/docs/assets/{asset}") as answer:
            assert answer.status_code == 200


def test_counters_are_in_prometheus_format(world: World) -> None:
    world.player()
    text = world.app.test_client().get("/metrics").text
    assert 'owntrumps_api_requests_total{method="POST",operation="create_player",status="201"} 1.0' in text


GIVEN = {"OWNTRUMPS_STORE_URL": "memory://", "OWNTRUMPS_SECRET": "0123456789abcdef"}


def test_the_configuration_comes_from_the_environment(tmp_path: object) -> None:
    config = config_from({**GIVEN, "OWNTRUMPS_BIND": "0.0.0.0:1", "OWNTRUMPS_ALLOW_SEED": "1", "OWNTRUMPS_HELD": "7"})
    assert (config.bind, config.allow_seed, config.held, config.secret) == ("0.0.0.0:1", True, 7, b"0123456789abcdef")


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"OWNTRUMPS_STORE_URL": ""}, "OWNTRUMPS_STORE_URL"),
        ({"OWNTRUMPS_SECRET": "short"}, "OWNTRUMPS_SECRET"),
        ({"OWNTRUMPS_SECRET": "", "OWNTRUMPS_SECRET_FILE": "/nowhere/secret"}, "OWNTRUMPS_SECRET_FILE"),
        ({"OWNTRUMPS_ALLOW_SEED": "yes"}, "OWNTRUMPS_ALLOW_SEED"),
        ({"OWNTRUMPS_CONNECTIONS": "-1"}, "OWNTRUMPS_CONNECTIONS"),
        ({"OWNTRUMPS_CONNECTIONS": "100", "OWNTRUMPS_HELD": "100"}, "OWNTRUMPS_HELD"),
    ],
)
def test_a_setting_that_cannot_be_is_named(changed: dict[str, str], named: str) -> None:
    with pytest.raises(ConfigError, match=named) as error:
        config_from({**GIVEN, **changed})
    assert "short" not in str(error.value)


def test_an_app_connects_to_nothing_before_it_is_asked() -> None:
    class Nowhere:
        def __getattr__(self, name: str) -> object:
            raise AssertionError(f"asked for {name}")

    assert isinstance(create_app(CONFIG, Nowhere()), Flask)  # type: ignore[arg-type]
