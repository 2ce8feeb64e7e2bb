"""How a golden playthrough is made and written. Run ``python -m tests.playthroughs.script`` to write them anew.

One file a preset: after each entry its events, what changed in the spectator's view, and for every seat where its view
is another than the spectator's. A leak, or any other change of rules, events or views, shows up in the diff.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from owntrumps.game.log import Entry
from owntrumps.game.state import EMPTY, CreatedMatch, Match, NoMatch, PlayingMatch, is_over
from owntrumps.rules.cards import Card, Seat, cards_of, rank_of
from owntrumps.rules.plays import TAKE, Play, legal_cards
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.codec import canonical_json, entry_json
from owntrumps.views.redaction import Viewer, visible_entry
from owntrumps.views.view import view_of
from tests.matches import accepted, create, move

FOLDER = Path(__file__).parent
PLY_LIMIT = 90


def lowest_play(match: Match) -> Play:
    """The lowest legal card, else take: quick to an end, and depends on nothing but the view."""
    state = match.state
    assert isinstance(state, PlayingMatch)
    cards = cards_of(legal_cards(state.board.table, state.board.deal.position))
    if not cards:
        return TAKE
    lowest: Card = min(cards, key=rank_of)
    return lowest


def steps(name: str) -> Iterator[tuple[Match, Entry]]:
    """A match of two deals under the preset, which are drawn if they drag on."""
    match, entry = accepted(EMPTY, create(replace(PRESETS[name], ply_limit=PLY_LIMIT), games=2))
    yield match, entry
    while not is_over(match.state):
        match, entry = accepted(match, move(match, lowest_play(match)))
        yield match, entry


def transcript(name: str) -> str:
    """The playthrough of a preset as text."""
    before: dict[Viewer, dict[str, Any]] = {}
    lines: list[str] = []
    for match, entry in steps(name):
        state = match.state
        assert not isinstance(state, NoMatch)
        lines.append(f"== {entry.version}")
        lines.append(f"log {_events(entry)}")
        lines.extend(chain.from_iterable(_seen(match, state, entry, viewer, before) for viewer in _viewers(state)))
    return "\n".join(lines) + "\n"


def _viewers(state: CreatedMatch) -> list[Viewer]:
    return [None, *map(Seat, range(len(state.seats)))]


def _events(entry: Entry) -> str:
    return canonical_json(entry_json(entry)["events"]).decode()


def _seen(
    match: Match, state: CreatedMatch, entry: Entry, viewer: Viewer, before: dict[Viewer, dict[str, Any]]
) -> Iterator[str]:
    """What the viewer gets: the events, unless they are the log's own, and the changed part of the view."""
    label = "all" if viewer is None else f"seat{viewer}"
    events = _events(visible_entry(entry, state, viewer))
    if events != _events(entry):
        yield f"{label} events {events}"
    view: dict[str, Any] = json.loads(canonical_json(view_of(match, viewer)))
    view["seats"] = {str(seat["seat"]): seat for seat in view["seats"]}
    shown = view if viewer is None else _difference(view, before[None])
    changed = _difference(shown, before.get(viewer, {}))
    again_public = sorted(before.get(viewer, {}).keys() - shown.keys())
    if again_public:
        changed["as the spectator's"] = again_public
    before[viewer] = shown
    yield f"{label} view {canonical_json(changed).decode()}"


def _difference(after: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The fields of one view that another lacks or has otherwise, and seat by seat for the seats."""
    changed = {name: value for name, value in after.items() if name not in before or before[name] != value}
    if "seats" in changed and "seats" in before:
        changed["seats"] = _difference(after["seats"], before["seats"])
    return changed


def golden(name: str) -> Path:
    return FOLDER / f"{name}.txt"


if __name__ == "__main__":
    for preset in PRESETS:
        golden(preset).write_text(transcript(preset), encoding="utf-8")
