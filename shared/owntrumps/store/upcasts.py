"""How entries written by earlier versions are read: one step per schema number, applied to their JSON.

A new schema adds ``UPCASTS[old] = step`` here and a log of the old schema to tests/store/logs/; logs are never
rewritten, and hashes are checked over what was written. The recipe is in docs/events.md.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

LATEST_SCHEMA: Final = 1

Step = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]

UPCASTS: Final[Mapping[int, Step]] = {}
"""From each older schema number, how the events of an entry become those of the next number."""


class UnknownSchemaError(ValueError):
    """An entry written by a later version than this one, or by none."""


def upcast(
    schema: int,
    events: list[dict[str, Any]],
    *,
    steps: Mapping[int, Step] = UPCASTS,
    latest: int = LATEST_SCHEMA,
) -> list[dict[str, Any]]:
    """The events as the latest schema writes them; UnknownSchemaError if there is no way there."""
    while schema != latest:
        if schema not in steps:
            raise UnknownSchemaError(f"schema {schema} is not one of 1 to {latest}")
        events = steps[schema](events)
        schema += 1
    return events
