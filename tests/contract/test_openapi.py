"""The OpenAPI document is valid, complete, and what the app really does."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from jsonschema import Draft202012Validator
from schemathesis import Case
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.definitions import OPENAPI_31

from owntrumps.store.ids import is_match_id
from tests.services.api.world import Caller, World, document, running

CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with running(longest_wait=0.5) as living:
        yield living


@pytest.fixture(scope="module")
def ann(world: World) -> Caller:
    """Somebody who has made a match of each kind already."""
    ann = world.player()
    for ruleset, others in (("duel", [{"kind": "open"}]), ("bornyu", [{"kind": "bot", "level": "greedy"}] * 3)):
        ann.post("/v1/matches", {"ruleset": ruleset, "seats": [{"kind": "me"}, *others]})
    return ann


def test_the_document_is_valid_openapi() -> None:
    errors = [str(error) for error in Draft202012Validator(OPENAPI_31).iter_errors(document().document)]
    assert errors == []


def test_every_address_under_v1_is_documented(world: World) -> None:
    documented = document().document["paths"]
    for rule in world.app.url_map.iter_rules():
        path = rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}")
        if not path.startswith("/v1/") or path == "/v1/openapi.json":
            continue
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            assert method.lower() in documented[path], f"{method} {path}"


def test_every_operation_says_how_it_can_go_wrong() -> None:
    for path, operations in document().document["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            for status in ("500", "503"):
                content = operation["responses"][status]["content"]
                assert set(content) == {"application/problem+json"}, f"{method} {path} {status}"
            if operation.get("requestBody"):
                assert {"400", "413", "415", "422", "429"} <= set(operation["responses"]), f"{method} {path}"
            assert operation["summary"]
            assert operation["operationId"]


def test_every_object_that_goes_out_is_closed_but_for_problems() -> None:
    schemas = document().document["components"]["schemas"]
    open_ones = {
        name
        for name, schema in schemas.items()
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False
    }
    assert open_ones == {"ProblemShown"}


schema = schemathesis.openapi.from_dict(document().document)


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_what_the_app_does_is_what_the_document_says(world: World, ann: Caller, case: Case[Any]) -> None:
    """Well-formed and broken requests made from the document, as somebody with a token and as nobody."""
    if case.operation.path == "/v1/me/token":  # the token is needed on
        return
    if "wait" in case.query:
        case.query["wait"] = "0"
    if is_match_id(str(case.path_parameters.get("match", ""))):
        listed = ann.get("/v1/matches").json
        assert listed is not None
        case.path_parameters["match"] = listed["matches"][-1]["id"]
    response = case.call(app=world.app, headers={"Authorization": f"Bearer {ann.token}"})
    assert response.status_code != 500, "a fault of ours"
    case.validate_response(response, checks=CHECKS)
