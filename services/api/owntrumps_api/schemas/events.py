"""The events' JSON schemas, from the same dataclasses that their codec is driven by."""

import types
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Final, Literal, NewType, Union, get_args, get_origin, get_type_hints

from owntrumps.rules.cards import SUITS, Card, Suit
from owntrumps.rules.rulesets import Ruleset
from owntrumps.store.codec import EVENT_TYPES
from owntrumps_api.schemas.values import CARD_PATTERN

_PLAIN: Final = {str: "string", int: "integer", bool: "boolean"}


@cache
def event_schemas() -> Mapping[str, dict[str, Any]]:
    """By component name; ``Event`` is the union of all the others."""
    named = {_component(name): _object(kind, name) for name, kind in EVENT_TYPES.items()}
    references = {name: f"#/components/schemas/{_component(name)}" for name in EVENT_TYPES}
    union = {
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "type", "mapping": references},
    }
    return {**named, "Event": union}


def _component(name: str) -> str:
    return "Event" + "".join(part.capitalize() for part in name.split("-"))


def _object(kind: type, name: str | None = None) -> dict[str, Any]:
    hints = get_type_hints(kind)
    properties = {field.name: _schema(hints[field.name]) for field in fields(kind)}
    if name is not None:
        properties = {"type": {"const": name}, **properties}
    shape = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    about = (kind.__doc__ or "").strip()
    return {**shape, "description": about} if name is not None and not about.startswith(kind.__name__ + "(") else shape


def _schema(hint: Any) -> dict[str, Any]:
    if hint is Card:
        return {"type": "string", "pattern": CARD_PATTERN}
    if hint is Suit:
        return {"type": "string", "enum": list(SUITS)}
    if hint is Ruleset:
        return _object(Ruleset)
    if get_origin(hint) in (Union, types.UnionType):
        return _union(get_args(hint))
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    if isinstance(hint, NewType):
        return _schema(hint.__supertype__)
    return {"type": _PLAIN[hint]} if hint in _PLAIN else _object(hint)


def _union(members: tuple[Any, ...]) -> dict[str, Any]:
    shapes = [_schema(member) if member is not type(None) else {"type": "null"} for member in members]
    return {"anyOf": shapes}
