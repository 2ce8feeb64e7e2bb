"""A move while it is being typed: nothing is sent before it is complete and confirmed, and every step can be undone."""

from typing import Final, Literal

from owntrumps.rules.plays import TAKE
from owntrumps.views.view import View

Answer = Literal["chosen", "undone", "send", "unknown"]

TAKE_KEY: Final = "t"
UNDO_KEY: Final = "u"


class Draft:
    """The plays chosen so far for one turn of the view's owner.

    A beat may be followed by the lead on it in the same move, where cards are left to lead.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self.plays: list[str] = []

    def options(self) -> list[str]:
        """What may be chosen next, in the order of their numbers (from 1); a take has its own key."""
        if not self.plays:
            return list(self._view["legal"])
        if self._view["phase"] == "respond" and len(self.plays) == 1 and self.plays != [TAKE]:
            return [card for card in self._view["hand"] if card not in self.plays]
        return []

    def typed(self, text: str) -> Answer:
        """Take one line: a number, a card's name, `t`, `u`, or nothing to send what is chosen."""
        word = text.strip()
        if not word:
            return "send" if self.plays else "unknown"
        if word.lower() == UNDO_KEY:
            if not self.plays:
                return "unknown"
            self.plays.pop()
            return "undone"
        play = self._play_named(word)
        if play is None:
            return "unknown"
        self.plays.append(play)
        return "chosen"

    def _play_named(self, word: str) -> str | None:
        options = self.options()
        if word.lower() in (TAKE_KEY, TAKE):
            return TAKE if TAKE in options else None
        if word.isascii() and word.isdecimal():
            cards = [play for play in options if play != TAKE]
            return cards[int(word) - 1] if 1 <= int(word) <= len(cards) else None
        card = word.upper()[:-1].replace("10", "T") + word.lower()[-1:]
        return card if card in options and card != TAKE else None
