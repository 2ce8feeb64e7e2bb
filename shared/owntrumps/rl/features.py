"""A seat's view as numbers. Seats are counted from the viewer on: 0 is the viewer, 1 the next seat, and so on."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from owntrumps.rl.deal import ACTIONS, TAKE_ACTION, action_of
from owntrumps.rules.cards import parse_card, parse_suit
from owntrumps.views.view import View

CARDS: Final = 52

Floats = NDArray[np.float32]


def feature_shapes(seats: int) -> dict[str, tuple[int, ...]]:
    """The parts of an observation, in order, with their shapes. All values are from 0 to 1.

    ``hand``: the viewer's cards. ``known``: by seat, cards everybody has seen it get and not play since. ``pile``: 1
    for the top card, less by 1/52 for each card above it, 0 outside the pile. ``discarded``: cards that left play.
    ``counts``: by seat, cards held / 52. ``trumps``: by seat, its suit. ``turn``, ``leader``: one seat. ``phase``:
    lead, respond. ``take``: whether taking is legal.
    """
    return {
        "hand": (CARDS,),
        "known": (seats, CARDS),
        "pile": (CARDS,),
        "discarded": (CARDS,),
        "counts": (seats,),
        "trumps": (seats, 4),
        "turn": (seats,),
        "leader": (seats,),
        "phase": (2,),
        "take": (1,),
    }


def feature_size(seats: int) -> int:
    """Numbers in an observation."""
    return sum(int(np.prod(shape)) for shape in feature_shapes(seats).values())


def observation(view: View, seat: int) -> dict[str, Floats]:
    """The parts of an observation of this seat's own view, by the names of `feature_shapes`."""
    seats = len(view["seats"])
    parts = {name: np.zeros(shape, dtype=np.float32) for name, shape in feature_shapes(seats).items()}
    _mark(parts["hand"], view["hand"])
    _mark(parts["discarded"], view["discarded"])
    for depth, card in enumerate(reversed(view["pile"])):
        parts["pile"][parse_card(card)] = 1 - depth / CARDS
    for offset in range(seats):
        shown = view["seats"][(seat + offset) % seats]
        _mark(parts["known"][offset], shown["known"])
        parts["counts"][offset] = shown["cards"] / CARDS
        if shown["trump"] is not None:
            parts["trumps"][offset, parse_suit(shown["trump"])] = 1
    for name, marked in (("turn", view["turn"]), ("leader", view["leader"])):
        if marked is not None:
            parts[name][(marked - seat) % seats] = 1
    if view["phase"] is not None:
        parts["phase"][0 if view["phase"] == "lead" else 1] = 1
    parts["take"][0] = "take" in view["legal"]
    return parts


def vector(view: View, seat: int) -> Floats:
    """The same as one vector of `feature_size` numbers."""
    return np.concatenate([part.ravel() for part in observation(view, seat).values()])


def action_mask(view: View) -> NDArray[np.int8]:
    """1 for each legal action of the viewer, who has none out of turn."""
    mask = np.zeros(ACTIONS, dtype=np.int8)
    mask[[action_of(play) for play in view["legal"]]] = 1
    return mask


def _mark(part: Any, cards: list[str]) -> None:
    part[[parse_card(card) for card in cards]] = 1


__all__ = ["ACTIONS", "TAKE_ACTION", "action_mask", "feature_shapes", "feature_size", "observation", "vector"]
