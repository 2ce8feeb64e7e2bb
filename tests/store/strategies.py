"""Hypothesis strategies for everything that is written, driven by the dataclasses' own type hints."""

import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from owntrumps.rules.cards import Card, Suit
from owntrumps.rules.rulesets import PRESETS, Ruleset

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers(min_value=0, max_value=2**53)


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a hinted type."""
    if hint is Card:
        return st.integers(min_value=0, max_value=51)
    if hint is Suit:
        return st.integers(min_value=0, max_value=3)
    if hint is Ruleset:
        return st.sampled_from(sorted(PRESETS)).map(PRESETS.__getitem__)
    if isinstance(hint, NewType):
        return values_of(hint.__supertype__)
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of([values_of(member) for member in get_args(hint)])
    if get_origin(hint) is tuple:
        return st.lists(values_of(get_args(hint)[0]), max_size=4).map(tuple)
    if isinstance(hint, type) and is_dataclass(hint):
        kind: Callable[..., Any] = hint
        hints = get_type_hints(hint)
        return st.builds(kind, **{field.name: values_of(hints[field.name]) for field in fields(hint)})
    return {int: NUMBERS, str: TEXT, bool: st.booleans(), type(None): st.none()}[hint]
