"""Domain values as JSON values and back, driven by the dataclasses' own type hints.

Cards are written as names (``"Th"``), suits as letters, tuples as lists, everything else as it is. A reader rejects
unknown, missing and ill-typed fields with `MalformedDataError`.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, reduce
from operator import or_
from typing import Any, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from owntrumps.rules.cards import Card, MalformedCardError, Suit, card_name, parse_card, parse_suit, suit_name

T = TypeVar("T")
Convert = Callable[[Any], Any]


class MalformedDataError(ValueError):
    """JSON that is no value of the type it should be; the message quotes it."""


_TAGS: dict[object, Mapping[str, type]] = {}
"""Tagged unions by their type: each member's stored name."""


def register_union(union: object, names: Mapping[str, type]) -> None:
    """Declare how a union of dataclasses is written: an object whose ``type`` is one of the names."""
    _TAGS[union] = names


def to_json(value: Any, hint: object) -> Any:
    """The JSON value of a domain value of the hinted type."""
    return _writer(hint)(value)


def from_json(value: Any, hint: object) -> Any:
    """The domain value of the hinted type; MalformedDataError if the JSON is none."""
    return _reader(hint)(value)


def _is_union(hint: object) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _members(hint: object) -> list[object]:
    """The union's members but None and literals: at most one, where a tagged union counts as one."""
    members = [member for member in get_args(hint) if member is not type(None) and get_origin(member) is not Literal]
    if len(members) < 2:
        return members
    return [reduce(or_, members)]


@cache
def _writer(hint: object) -> Convert:
    if hint is Card:
        return card_name
    if hint is Suit:
        return suit_name
    if hint in _TAGS:
        return _tagged_writer(_TAGS[hint])
    if _is_union(hint):
        inner = next((_writer(member) for member in _members(hint)), _same)
        return lambda value: value if value is None or isinstance(value, str) else inner(value)
    if get_origin(hint) is tuple:
        item = _writer(get_args(hint)[0])
        return lambda value: [item(member) for member in value]
    if isinstance(hint, type) and is_dataclass(hint):
        return _object_writer(hint)
    return _same


def _same(value: Any) -> Any:
    return value


def _object_writer(kind: type) -> Convert:
    hints = get_type_hints(kind)
    writers = [(field.name, _writer(hints[field.name])) for field in fields(kind)]
    return lambda value: {name: write(getattr(value, name)) for name, write in writers}


def _tagged_writer(names: Mapping[str, type]) -> Convert:
    writers = {kind: (name, _object_writer(kind)) for name, kind in names.items()}

    def write(value: Any) -> Any:
        name, write_fields = writers[type(value)]
        return {"type": name, **write_fields(value)}

    return write


@cache
def _reader(hint: object) -> Convert:
    if hint is Card:
        return _named(parse_card)
    if hint is Suit:
        return _named(parse_suit)
    if hint in _TAGS:
        return _tagged_reader(_TAGS[hint])
    if _is_union(hint):
        return _union_reader(hint)
    if get_origin(hint) is Literal:
        return _literal_reader(get_args(hint))
    if get_origin(hint) is tuple:
        return _list_reader(_reader(get_args(hint)[0]))
    if isinstance(hint, NewType):
        return _reader(hint.__supertype__)
    if isinstance(hint, type) and is_dataclass(hint):
        return _object_reader(hint)
    if isinstance(hint, type):
        return _plain_reader(hint)
    raise TypeError(f"{hint!r} has no JSON form")


def _named(parse: Convert) -> Convert:
    def read(value: Any) -> Any:
        try:
            return parse(value)
        except MalformedCardError as error:
            raise MalformedDataError(str(error)) from None

    return read


def _plain_reader(kind: type) -> Convert:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise MalformedDataError(f"{value!r} is not of type {kind.__name__}")
        return value

    return read


def _literal_reader(choices: tuple[Any, ...]) -> Convert:
    def read(value: Any) -> Any:
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise MalformedDataError(f"{value!r} is not one of {', '.join(map(str, choices))}")
        return value

    return read


def _union_reader(hint: object) -> Convert:
    """Literals first, since a literal's text would be a malformed card."""
    optional = type(None) in get_args(hint)
    literals = [choice for member in get_args(hint) if get_origin(member) is Literal for choice in get_args(member)]
    others = [_reader(member) for member in _members(hint)]

    def read(value: Any) -> Any:
        if (value is None and optional) or (isinstance(value, str) and value in literals):
            return value
        if not others:
            raise MalformedDataError(f"{value!r} is not one of {', '.join(map(str, literals))}")
        return others[0](value)

    return read


def _list_reader(item: Convert) -> Convert:
    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise MalformedDataError(f"{value!r} is not a list")
        return tuple([item(member) for member in value])

    return read


def _object_reader(kind: type) -> Convert:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind)}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise MalformedDataError(f"{value!r} is not an object")
        if value.keys() != readers.keys():
            wrong = sorted(value.keys() ^ readers.keys())
            raise MalformedDataError(f"{kind.__name__} has unknown or missing fields: {', '.join(wrong)}")
        return kind(**{name: readers[name](member) for name, member in value.items()})

    return read


def _tagged_reader(names: Mapping[str, type]) -> Convert:
    readers = {name: _object_reader(kind) for name, kind in names.items()}

    def read(value: Any) -> Any:
        name = value.get("type") if isinstance(value, dict) else None
        if not isinstance(name, str) or name not in readers:
            raise MalformedDataError(f"{value!r} is not an object whose type is one of {', '.join(readers)}")
        return readers[name]({key: member for key, member in value.items() if key != "type"})

    return read
