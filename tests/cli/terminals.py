"""Given-steps for the terminal: a screen that is kept, a person who reads it, bots without a bots distribution."""

import re
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO, TextIOWrapper
from typing import Any

from rich.console import Console

from owntrumps.cli.terminal.faces import FaceName
from owntrumps.cli.terminal.offline import OfflineGame
from owntrumps.cli.terminal.screen import Screen
from owntrumps.rules.cards import Suit
from owntrumps.rules.rulesets import PRESETS, Ruleset, name_of
from owntrumps.views.view import View

SEED = "ab" * 32


def lowest(view: View, events: Iterable[Mapping[str, Any]], level: str) -> list[str]:
    """A bot: the first legal play."""
    return view["legal"][:1]


class Shown:
    """A terminal of a given encoding and what it has shown."""

    def __init__(self, encoding: str = "utf-8", *, faces: FaceName = "french", width: int = 80) -> None:
        self._bytes = BytesIO()
        self._encoding = encoding
        file = TextIOWrapper(self._bytes, encoding=encoding, write_through=True)
        self.console = Console(file=file, width=width, highlight=False, emoji=False, force_terminal=False)
        self.screen = Screen(self.console, faces)

    @property
    def text(self) -> str:
        return self._bytes.getvalue().decode(self._encoding)


class Person:
    """Does as the screen says: the first card there is, else a take, and Enter to send."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._read = 0

    def __call__(self, prompt: str) -> str:
        fresh = self._shown.text[self._read :]
        self._read = len(self._shown.text)
        if "Enter sends" in fresh:
            return ""
        return "1" if re.search(r"^ +1 ", fresh, re.MULTILINE) else "t"


def typing(*lines: str) -> Callable[[str], str]:
    """Somebody who types these lines and is gone."""
    left = iter(lines)

    def ask(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return ask


def offline(
    ruleset: str | Ruleset = "bornyu", *, seed: str = SEED, games: int = 1, trump: int | None = None
) -> OfflineGame:
    rules = PRESETS[ruleset] if isinstance(ruleset, str) else ruleset
    levels = [("lowest", lowest)] * (rules.seats - 1)
    suit = None if trump is None else Suit(trump)
    return OfflineGame(rules, name_of(rules), levels, name="Anna", trump=suit, games=games, seed=seed)
