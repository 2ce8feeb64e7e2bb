"""Why a command is refused. A slug is stable; the detail quotes the offending value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Slug = Literal[
    "already-seated",
    "bad-seats",
    "bad-terms",
    "busy",
    "illegal-play",
    "impossible-ruleset",
    "match-exists",
    "match-full",
    "match-not-started",
    "match-over",
    "match-started",
    "not-due",
    "not-found",
    "not-your-match",
    "not-your-seat",
    "not-your-turn",
    "stale-version",
    "trump-not-free",
    "trumps-are-turned",
    "undecidable",
]
"""All but two come from `decide`. `busy`: other decisions on the match were quicker, again and again; try again.
`undecidable`: the engine put the command aside, it is a fault of ours."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """``extra`` holds JSON values that help the caller go on, such as the current version or the legal plays."""

    slug: Slug
    detail: str
    extra: Mapping[str, object] = field(default_factory=dict)
