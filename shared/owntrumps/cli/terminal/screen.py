"""What the terminal shows: the table, the choices, what happened."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from owntrumps.cli.terminal.draft import Draft
from owntrumps.cli.terminal.faces import NO_BREAK, FaceName, Faces, folded
from owntrumps.cli.terminal.game import Update
from owntrumps.cli.terminal.words import Words
from owntrumps.rules.cards import Seat, card_name, parse_card, parse_suit
from owntrumps.rules.plays import TAKE
from owntrumps.rules.position import Position, pick_up_size
from owntrumps.rules.position import Table as RulesTable
from owntrumps.rules.rulesets import ruleset_from
from owntrumps.views.view import SeatView, View

PILE_SHOWN: Final = 12
"""Cards of a tall pile that are shown: the topmost."""

HELP: Final = """Type the number of a card (or its name: 7c, 10h, Js) and press Enter; t takes.
Nothing is sent before you confirm with Enter; u takes back what you typed.
  f  French or Hungarian cards     r  show the table again
  ?  this help                     q  leave the table"""


class Screen:
    """Prints; keeps nothing but how cards are written."""

    def __init__(self, console: Console, faces: FaceName) -> None:
        self._console = console
        self._plain = console.options.ascii_only
        self.words = Words(Faces(faces, self._plain))

    def switch_faces(self) -> None:
        other: FaceName = "hungarian" if self.words.faces.name == "french" else "french"
        self.words = Words(Faces(other, self._plain))

    def say(self, text: str, style: str = "") -> None:
        """Print lines that fit, breaking between cards and never within one."""
        for line in text.splitlines():
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            for part in wrap(line, self._console.width, subsequent_indent=indent, replace_whitespace=False):
                self._console.print(self._text(part, style))

    def narrate(self, update: Update) -> None:
        """What happened, one sentence a line."""
        for event in update.happened:
            for sentence in self.words.sentences(update.view, event):
                self.say("  " + sentence)

    def result(self, view: View) -> None:
        """The table at the end and who lost."""
        self.table(view)
        self.say(self.words.result(view), "bold")

    def table(self, view: View) -> None:
        """Who sits where, the pile and the own hand."""
        self._console.print()
        self.say(_title(view), "bold")
        table = Table(box=box.SIMPLE, pad_edge=False, safe_box=True)
        for heading, side in (("", "left"), ("Seat", "left"), ("Trumps", "left"), ("Cards", "right"), ("Seen", "left")):
            table.add_column(heading, justify="right" if side == "right" else "left", overflow="fold")
        for seat in view["seats"]:
            table.add_row(*(self._text(cell) for cell in self._row(view, seat)))
        self._console.print(table)
        if view["status"] == "open":
            return
        self.say(self._pile(view["pile"]))
        if view["discarded"]:
            self.say(f"Out of play: {len(view['discarded'])} cards")
        if view["deadline"] is not None:
            self.say(f"The clock runs until {view['deadline'][11:19]} UTC.")
        if view["you"] is not None and view["hand"]:
            self.say(f"Your hand: {self.words.cards(view['hand'])}")

    def choices(self, view: View, draft: Draft) -> None:
        """What can be chosen now, by number, and what stands chosen already."""
        options = draft.options()
        cards = [play for play in options if play != TAKE]
        star = " (* trumps)" if any(card[-1] == _own_trump(view) for card in cards) else ""
        if draft.plays:
            self.say(self._chosen(view, draft.plays))
        elif view["phase"] == "lead":
            self.say(f"Lead{star}:")
        elif cards:
            self.say(f"Beat {self.words.faces.card(view['pile'][-1])} with{star}:")
        else:
            self.say(f"You cannot beat {self.words.faces.card(view['pile'][-1])}.")
        if draft.plays and cards:
            self.say(f"And lead on it{star}:")
        for line in self._numbered(cards, view):
            self.say("  " + line)
        if TAKE in options:
            self.say(f"  t  take {self._pick_up(view)}")
        if draft.plays:
            self.say(f"Enter sends {'the beat alone' if options else 'it'}, u takes it back.")

    def _numbered(self, cards: Sequence[str], view: View) -> list[str]:
        """``1 7♣   2 9♦ …`` in lines that fit."""
        own = _own_trump(view)
        entries = [
            f"{index:2} {self.words.faces.card(card)}{'*' if card[-1] == own else ''}"
            for index, card in enumerate(cards, 1)
        ]
        width = max((len(entry) for entry in entries), default=0) + 3
        a_line = max(1, (self._console.width - 2) // width)
        rows = [entries[start : start + a_line] for start in range(0, len(entries), a_line)]
        return ["".join(entry.ljust(width) for entry in row).rstrip() for row in rows]

    def _chosen(self, view: View, plays: Sequence[str]) -> str:
        if plays[0] == TAKE:
            return f"You take {self._pick_up(view)}."
        verb = "lead" if view["phase"] == "lead" else f"beat {self.words.faces.card(view['pile'][-1])} with"
        then = f" and lead {self.words.faces.card(plays[1])}" if len(plays) > 1 else ""
        return f"You {verb} {self.words.faces.card(plays[0])}{then}."

    def _row(self, view: View, seat: SeatView) -> tuple[str, str, str, str, str]:
        index = seat["seat"]
        name = "(open)" if seat["kind"] == "open" else self.words.name(view, index)
        if seat["stand_in"]:
            name += " (a bot plays)"
        elif seat["kind"] == "bot" and seat.get("level", name) not in name:
            name += f" ({seat.get('level')})"
        trump = seat["trump"]
        known = [] if index == view["you"] and view["status"] == "playing" else seat["known"]
        return (
            ">" if view["turn"] == index else "",
            name,
            "" if trump is None else self.words.faces.suit(trump),
            "out" if seat["out"] and view["game"] else str(seat["cards"]),
            self.words.cards(known),
        )

    def _pile(self, pile: Sequence[str]) -> str:
        if not pile:
            return "The pile is empty."
        under = f"… {len(pile) - PILE_SHOWN} more, " if len(pile) > PILE_SHOWN else ""
        return f"Pile of {len(pile)}, top last: {under}{self.words.cards(pile[-PILE_SHOWN:])}"

    def _pick_up(self, view: View) -> str:
        taken = picked_up(view)
        shown = "" if len(taken) > PILE_SHOWN else f": {self.words.cards(taken)}"
        return f"{len(taken)} card{'' if len(taken) == 1 else 's'}{shown}"

    def _text(self, text: str, style: str = "") -> Text:
        """Text that the terminal can show. Names are strangers' words: no markup in them counts, and no control."""
        printable = "".join(char if char.isprintable() else "?" for char in text.replace(NO_BREAK, " "))
        shown = Text(folded(printable) if self._plain else printable, style)
        if not self._plain:
            shown.highlight_regex(self.words.faces.red, "red")
        return shown


def picked_up(view: View) -> list[str]:
    """What a take of the seat to move would pick up, bottom to top."""
    ruleset, _ = ruleset_from(view["ruleset"])
    trumps = tuple(parse_suit(seat["trump"]) for seat in view["seats"])
    pile = tuple(map(parse_card, view["pile"]))
    position = Position((), pile, Seat(view["turn"] or 0), "respond")
    size = pick_up_size(RulesTable(ruleset, trumps), position)
    return [card_name(card) for card in pile[len(pile) - size :]]


def _own_trump(view: View) -> str | None:
    return None if view["you"] is None else view["seats"][view["you"]]["trump"]


def _title(view: View) -> str:
    ruleset = view["ruleset"]["name"]
    if view["status"] == "open":
        return f"{ruleset}: waiting for players"
    deal = f", deal {view['game']} of {view['games']}" if view["games"] > 1 else ""
    losses = f", lost deals {view['losses']}" if view["games"] > 1 else ""
    return f"{ruleset}{deal}{losses}"
