"""From a seat's view to the plays of its turn: which level, for how long, with which dice."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, Final, Protocol

from owntrumps.rules.cards import card_name
from owntrumps.rules.plays import TAKE
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.door import View
from owntrumps_bots.budgets import budget_of, level_named
from owntrumps_bots.observation import observe
from owntrumps_bots.policies import warmup
from owntrumps_bots.policies.levels import choose

MOST_PLAYS: Final = 2
"""Plays of a turn that are thought about one after another: the beat and the lead on it."""


class Think(Protocol):
    """A level's thinking: plays by name, such as ``["9c", "Jh"]`` or ``["take"]``."""

    def __call__(
        self, view: Mapping[str, Any], events: Iterable[Mapping[str, Any]], level: str, budget_ms: int, seed: int
    ) -> list[str]:
        """Raises LevelError or ObservationError for what nothing can be chosen from."""


def think(
    view: Mapping[str, Any], events: Iterable[Mapping[str, Any]], level: str, budget_ms: int, seed: int
) -> list[str]:
    """The level's own choice."""
    plays = choose(observe(view, events), level, budget_ms, seed)
    return [play if play == TAKE else card_name(play) for play in plays]


def thinking_time(view: View, level: str, left_ms: int) -> int:
    """How long to think about each play, in ms: what the match asks for or the level's own time, but no longer than is
    left until the engine plays for the bot.

    Raises:
        LevelError: `unknown-level`, or `bad-budget` for a time that the level does not allow.
    """
    named = level_named(level)
    turn = view["turn"]
    asked = None if turn is None else view["seats"][turn].get("budget_ms")
    return max(named.least_ms, min(budget_of(named, asked), left_ms // MOST_PLAYS))


def dice_of(view: View) -> int:
    """The seed of a turn's chance: the same for the same view; nobody who does not see the hand can guess it."""
    words = "/".join([view["id"], str(view["version"]), *view["hand"]])
    return int.from_bytes(blake2b(words.encode(), digest_size=7).digest(), "big")


def warm_up(level: str) -> None:
    """Think about a sample of turns, so that everything the level needs is compiled before the first match waits."""
    warmup.warm_up([level])
    for pile in ([], ["9h"]):
        think(
            _sample(pile), [{"type": "card-led", "seat": 3, "card": card} for card in pile], level, _LONG_ENOUGH_MS, 1
        )


_LONG_ENOUGH_MS: Final = 5
"""A time that every level may think for."""


def _sample(pile: list[str]) -> dict[str, Any]:
    """Bornyú as seat 0 sees it: to lead, or to respond to what seat 3 has led."""
    hand = ["7c", "9c", "Jd", "Ad", "8h", "Qh", "Ts", "Ks"]
    counts = [8, 8, 8, 8 - len(pile)]
    return {
        "id": "00-sample",
        "status": "playing",
        "version": 1,
        "ruleset": PRESETS["bornyu"].as_dict(),
        "seats": [{"trump": trump, "cards": count, "known": []} for trump, count in zip("cdhs", counts, strict=True)],
        "you": 0,
        "turn": 0,
        "phase": "respond" if pile else "lead",
        "pile": pile,
        "hand": hand,
        "plies": len(pile),
    }
