"""Given-steps: vectors, and a small study that single tests bend."""

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[1] / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / f"own-trumps-{name}.jsonl").read_text().splitlines()]


def study(**changes: Any) -> dict[str, Any]:
    """Three seats in the middle of a deal of bornyú, seat 1 to respond to the nine of hearts; a record and a position
    in one. A change to None takes the field away."""
    given = {
        "ruleset": {"base": "bornyu", "seats": 3},
        "trumps": ["c", "d", "s"],
        "leader": 1,
        "turn": 1,
        "phase": "respond",
        "hands": [["7c", "Ah"], ["Th", "8d"], ["Ks", "7s"]],
        "pile": ["8h", "9h"],
        "out": [],
        "plays": [],
        **changes,
    }
    return {name: value for name, value in given.items() if value is not None}
