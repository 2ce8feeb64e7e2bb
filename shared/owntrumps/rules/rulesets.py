"""Rulesets: the family's parameters, the five presets, and the refusal of impossible combinations."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, Literal, get_args, get_type_hints

Deck = Literal[24, 32, 36, 52]
FirstLeader = Literal["after_dealer", "dealer"]
TrumpChoice = Literal["declared", "turned"]
DealKind = Literal["shuffled", "mirrored"]
PickUp = Literal["pile", "graded", "same_suit"]
AfterLastBeat = Literal["lead", "beat", "discard"]
LeadAfterPickUp = Literal["next", "taker"]

MAX_LIMIT: Final = 1_000_000_000
"""Upper bound, in occurrences or plies, of the two limits that end a dragging deal: as good as none."""


class RulesetError(ValueError):
    """A ruleset that cannot be played. ``slug`` is stable, the message quotes the offending value."""

    def __init__(self, slug: str, detail: str) -> None:
        super().__init__(detail)
        self.slug = slug
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A complete parameter set; the meaning of each parameter is the table in docs/rules.md."""

    deck: Deck
    seats: Literal[2, 3, 4]
    direction: Literal[1, -1] = 1
    first_leader: FirstLeader = "after_dealer"
    trump_choice: TrumpChoice = "declared"
    deal: DealKind = "shuffled"
    low_card_exchange: bool = False
    must_beat: bool = False
    pick_up: PickUp = "pile"
    after_last_beat: AfterLastBeat = "lead"
    lead_after_pick_up: LeadAfterPickUp = "next"
    one_card_draw: bool = False
    repetition_limit: int = 3
    ply_limit: int = 2000

    def as_dict(self) -> dict[str, Any]:
        """The parameters as plain JSON values, in the order of the table."""
        return asdict(self)


PRESETS: Final[Mapping[str, Ruleset]] = {
    "bornyu": Ruleset(deck=32, seats=4, trump_choice="turned"),
    "duel": Ruleset(deck=36, seats=2, must_beat=True, pick_up="graded", after_last_beat="beat", one_card_draw=True),
    "svoi-kozyri": Ruleset(
        deck=36, seats=4, low_card_exchange=True, pick_up="graded", after_last_beat="beat", one_card_draw=True
    ),
    "challenge": Ruleset(deck=32, seats=2, deal="mirrored", after_last_beat="beat"),
    "dudak": Ruleset(deck=32, seats=4, after_last_beat="discard"),
}

_HINTS = {name: hint for name, hint in get_type_hints(Ruleset).items() if name in {f.name for f in fields(Ruleset)}}


def _checked(name: str, value: object) -> Any:
    """The value, if the parameter may take it. Exact types: ``1`` is no boolean and ``True`` no number."""
    hint = _HINTS[name]
    if hint is bool:
        if type(value) is not bool:
            raise RulesetError("bad-parameter", f"{name} is true or false, not {value!r}")
    elif hint is int:
        if type(value) is not int or not 0 <= value <= MAX_LIMIT:
            raise RulesetError("bad-parameter", f"{name} is a whole number from 0 to {MAX_LIMIT}, not {value!r}")
    else:
        allowed = get_args(hint)
        if not any(type(value) is type(choice) and value == choice for choice in allowed):
            listed = ", ".join(map(str, allowed))
            raise RulesetError("bad-parameter", f"{name} is one of {listed}, not {value!r}")
    return value


def check_playable(ruleset: Ruleset) -> Ruleset:
    """The same ruleset, or RulesetError ``impossible-ruleset`` where the parameters contradict each other."""
    if ruleset.deal == "mirrored" and ruleset.seats != 2:
        raise RulesetError("impossible-ruleset", f"a mirrored deal is for two seats, not {ruleset.seats}")
    if ruleset.deal == "mirrored" and ruleset.trump_choice == "turned":
        raise RulesetError(
            "impossible-ruleset", "a mirrored deal is made from the trumps, so they cannot be turned up from it"
        )
    if ruleset.repetition_limit in (1, 2):
        raise RulesetError(
            "impossible-ruleset", f"repetition_limit is 0 (off) or at least 3, not {ruleset.repetition_limit}"
        )
    if ruleset.ply_limit < 1:
        raise RulesetError("impossible-ruleset", f"ply_limit is at least 1, not {ruleset.ply_limit}")
    return ruleset


def preset(name: str) -> Ruleset:
    """The preset of that name; RulesetError ``unknown-ruleset`` if there is none."""
    try:
        return PRESETS[name]
    except KeyError:
        raise RulesetError(
            "unknown-ruleset", f"{name!r} is not a ruleset: there are {', '.join(sorted(PRESETS))}"
        ) from None


def ruleset_from(value: object) -> tuple[Ruleset, str]:
    """A ruleset and its name from a preset's name, a complete parameter set, or ``{"base": NAME, overrides…}``.

    The name is the preset's, or ``custom`` for a parameter set that no preset equals. An object may carry the
    key ``name``, as views do; it is checked against nothing and not used.

    Raises:
        RulesetError: ``unknown-ruleset``, ``unknown-parameter``, ``missing-parameter``, ``bad-parameter`` or
            ``impossible-ruleset``.
    """
    if isinstance(value, str):
        return preset(value), value
    if not isinstance(value, Mapping):
        raise RulesetError("bad-ruleset", f"a ruleset is a name or an object, not {value!r}")
    given = {key: entry for key, entry in value.items() if key not in ("base", "name")}
    for key in given:
        if key not in _HINTS:
            raise RulesetError("unknown-parameter", f"{key!r} is not a parameter of a ruleset")
    parameters = {key: _checked(key, entry) for key, entry in given.items()}
    if "base" in value:
        base = value["base"]
        if not isinstance(base, str):
            raise RulesetError("unknown-ruleset", f"base is the name of a ruleset, not {base!r}")
        ruleset = replace(preset(base), **parameters)
    else:
        missing = [name for name in _HINTS if name not in parameters]
        if missing:
            raise RulesetError("missing-parameter", f"a ruleset without a base also needs {', '.join(missing)}")
        ruleset = Ruleset(**parameters)
    return check_playable(ruleset), name_of(ruleset)


def name_of(ruleset: Ruleset) -> str:
    """The name of the preset with exactly these parameters, else ``custom``."""
    return next((name for name, known in PRESETS.items() if known == ruleset), "custom")
