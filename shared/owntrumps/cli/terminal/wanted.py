"""What was asked for on the command line, checked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from owntrumps.cli.terminal.faces import FaceName
from owntrumps.rules.rulesets import RulesetError, ruleset_from

OPEN: Final = "open"
"""Among the levels of the other seats: a seat for whoever comes."""


class WantedError(ValueError):
    """An option that cannot be, in words."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """``ruleset`` is a preset's name or an object of parameters, ``others`` a level or `open` for every other seat."""

    ruleset: str | Mapping[str, Any]
    others: tuple[str, ...]
    trump: str | None
    games: int
    name: str | None
    seed: str | None


@dataclass(frozen=True, slots=True)
class Manner:
    """How the terminal behaves. ``quick``: moves are sent without another Enter."""

    faces: FaceName
    quick: bool


def ruleset_given(text: str) -> str | Mapping[str, Any]:
    """The name or object; WantedError if no ruleset comes of it."""
    try:
        given = json.loads(text) if text.lstrip().startswith("{") else text
        ruleset_from(given)
    except json.JSONDecodeError as error:
        raise WantedError(f"--ruleset is not JSON: {error}") from None
    except RulesetError as error:
        raise WantedError(error.detail) from None
    checked: str | Mapping[str, Any] = given
    return checked


def others_given(levels: str, ruleset: str | Mapping[str, Any]) -> tuple[str, ...]:
    """A level for each other seat, from one for all or one each, separated by commas."""
    seats = ruleset_from(ruleset)[0].seats - 1
    named = tuple(level.strip() for level in levels.split(","))
    if len(named) == 1:
        named *= seats
    if len(named) != seats:
        raise WantedError(f"--bots names one level or {seats}, one for each other seat, not {len(named)}")
    return named


def seed_given(text: str | None) -> str | None:
    if text is not None and (len(text) != 64 or not set(text.lower()) <= set("0123456789abcdef")):
        raise WantedError(f"a seed is 64 hex digits, not {text!r}")
    return None if text is None else text.lower()


def trump_given(text: str | None) -> str | None:
    if text is not None and text not in ("c", "d", "h", "s"):
        raise WantedError(f"{text!r} is not a suit: write one of c, d, h, s")
    return text
