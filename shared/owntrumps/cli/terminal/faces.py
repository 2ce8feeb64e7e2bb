"""Cards in words: French signs or Hungarian names, with or without letters beyond ASCII."""

import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

NO_BREAK: Final = "\u00a0"
"""Between the words of a card: a line is not broken there."""

FaceName = Literal["french", "hungarian"]

_FRENCH_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_HUNGARIAN_SUITS: Final = {"c": "makk", "d": "tök", "h": "piros", "s": "zöld"}
_HUNGARIAN_RANKS: Final = {"J": "alsó", "Q": "felső", "K": "király", "A": "ász"}


@dataclass(frozen=True, slots=True)
class Faces:
    """How cards are written. ``plain``: for a terminal that shows nothing but ASCII."""

    name: FaceName = "french"
    plain: bool = False

    def card(self, card: str) -> str:
        """Of a card's name such as ``Th``: ``10♥``, or ``piros 10`` with a `NO_BREAK` space."""
        rank, suit = card[0], card[1]
        if self.name == "hungarian":
            return f"{self.suit(suit)}{NO_BREAK}{self._written(_HUNGARIAN_RANKS.get(rank, _number(rank)))}"
        return _number(rank) + self.suit(suit)

    def suit(self, suit: str) -> str:
        if self.name == "hungarian":
            return self._written(_HUNGARIAN_SUITS[suit])
        return suit if self.plain else _FRENCH_SUITS[suit]

    @property
    def red(self) -> str:
        """A pattern that finds red cards and suits in a sentence, for terminals with colour."""
        return r"\S*[♦♥]" if self.name == "french" else r"\bpiros( (\d+|alsó|felső|király|ász))?"

    def _written(self, word: str) -> str:
        return folded(word) if self.plain else word


def folded(text: str) -> str:
    """The text in ASCII: accents are dropped, what has no ASCII form becomes a question mark."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return bare.encode("ascii", "replace").decode()


def _number(rank: str) -> str:
    return "10" if rank == "T" else rank
