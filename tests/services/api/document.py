"""Holding answers against the OpenAPI document: status, content type and shape of each must stand in it."""

import re
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

UNDOCUMENTED = ("/", "/docs", "/static", "/v1/openapi.json")


class Document:
    """The document that the app itself serves."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._paths = {re.compile("^" + re.sub(r"\{[^}]+\}", "[^/]+", path) + "$"): path for path in document["paths"]}

    def operation(self, method: str, path: str) -> dict[str, Any] | None:
        """The operation at a path; exact paths before those with variables."""
        found = sorted((known for regex, known in self._paths.items() if regex.match(path)), key=lambda p: p.count("{"))
        operations = [self.document["paths"][known].get(method.lower()) for known in found]
        return next((operation for operation in operations if operation is not None), None)

    def check(self, method: str, path: str, response: Any) -> None:
        """AssertionError for an answer that the document does not describe."""
        operation = self.operation(method, path)
        if operation is None:
            assert response.status_code in (404, 405), f"{method} {path} is not documented"
            self._check_shape({"$ref": "#/components/schemas/ProblemShown"}, response.json)
            return
        described = operation["responses"].get(str(response.status_code))
        assert described is not None, (
            f"{method} {path}: {response.status_code} is not documented: {response.text[:500]}"
        )
        content = described.get("content")
        if not content:
            return
        assert response.mimetype in content, f"{method} {path}: {response.mimetype} is not documented"
        if response.mimetype in ("application/json", "application/problem+json"):
            self._check_shape(content[response.mimetype]["schema"], response.json)

    def _check_shape(self, schema: dict[str, Any], value: Any) -> None:
        errors = [
            f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
            for error in self._validator(str(schema.get("$ref")), schema).iter_errors(value)
        ]
        assert not errors, errors

    @cache  # noqa: B019 - one document a test session
    def _cached(self, reference: str) -> Draft202012Validator:
        return Draft202012Validator({"$ref": reference, "components": self.document["components"]})

    def _validator(self, reference: str, schema: dict[str, Any]) -> Draft202012Validator:
        if set(schema) == {"$ref"}:
            return self._cached(reference)
        return Draft202012Validator({**schema, "components": self.document["components"]})
