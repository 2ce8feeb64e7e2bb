"""Fields that take exactly what JSON says: no ``"1"`` or ``true`` for a number, no ``"yes"`` for a boolean."""

import re
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import fields, validate

from owntrumps.rules.cards import RANKS, SUITS

MATCH_PATTERN: Final = r"^[0-9]{2}-[a-z2-7]{12}$"
PLAYER_PATTERN: Final = r"^[a-z2-7]{16}$"
COMMAND_PATTERN: Final = r"^[A-Za-z0-9_-]{1,128}$"
CARD_PATTERN: Final = f"^[{RANKS}][{SUITS}]$"
ETAG_PATTERN: Final = r'^(\*|(W/)?"?[0-9]{1,9}"?)$'
KEY_PATTERN: Final = r"^[\x21-\x7e]{1,200}$"
NONCE_PATTERN: Final = r"^[A-Za-z0-9_.:+/=-]{1,64}$"
CURSOR_PATTERN: Final = r"^[A-Za-z0-9_=-]{1,200}$"


def number(least: int, most: int, about: str, **settings: Any) -> "StrictInteger":
    """A whole number from ``least`` to ``most``."""
    return StrictInteger(validate=validate.Range(least, most), metadata={"description": about}, **settings)


def pattern(regex: str, message: str, about: str, **settings: Any) -> fields.String:
    """A text of a pattern that ends in ``$``; unlike there, no newline may follow."""
    check = validate.Regexp(re.compile(regex.removesuffix("$") + r"\Z"), error=message)
    return fields.String(validate=check, metadata={"pattern": regex, "description": about}, **settings)


def choice(values: tuple[str, ...], about: str, **settings: Any) -> fields.String:
    return fields.String(
        validate=validate.OneOf(values, error="{input!r} is not one of {choices}"),
        metadata={"description": about},
        **settings,
    )


def suit(about: str, **settings: Any) -> fields.String:
    return choice(tuple(SUITS), about, **settings)


def match_id(about: str, **settings: Any) -> fields.String:
    return pattern(MATCH_PATTERN, "{input!r} is not a match's id", about, **settings)


class StrictInteger(fields.Integer):
    """A JSON number without a fraction."""

    def _validated(self, value: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class StrictBoolean(fields.Boolean):
    """``true`` or ``false``."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:  # noqa: ARG002
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class QueryInteger(fields.Integer):
    """Decimal digits in a query or a header."""

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or re.fullmatch(r"[0-9]{1,9}", value) is None:
            raise self.make_error("invalid")
        return int(value)


class RulesetGiven(fields.Field[Any]):
    """A preset's name, or an object of parameters; `ruleset_from` of the rules says what is wrong with it."""

    default_error_messages = {"invalid": "Not a name or an object."}  # noqa: RUF012 - marshmallow's own way

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:  # noqa: ARG002
        if not isinstance(value, str | dict):
            raise self.make_error("invalid")
        return value
