"""A person at the terminal and a match: tell what happened, ask what to play."""

from collections.abc import Callable, Sequence

from owntrumps.cli.terminal.draft import Draft
from owntrumps.cli.terminal.game import Game, RefusedError, Update
from owntrumps.cli.terminal.screen import HELP, Screen
from owntrumps.views.view import View

Ask = Callable[[str], str]
"""Show a prompt and read one line; EOFError at the end of the input."""


class LeftError(Exception):
    """The person has left the table."""


class Session:
    """``quick``: moves are sent as soon as they are complete, without another Enter."""

    def __init__(self, game: Game, screen: Screen, ask: Ask, *, quick: bool = False) -> None:
        self._game = game
        self._screen = screen
        self._ask = ask
        self._quick = quick
        self._waiting_for: int | None = None

    def run(self) -> View:
        """Until the match is over; its last view. LeftError if the person leaves."""
        update = self._game.start()
        self._screen.narrate(update)
        if update.view["status"] in ("open", "playing") and not update.view["legal"]:
            self._screen.table(update.view)
        while True:
            view = update.view
            if view["status"] in ("finished", "aborted"):
                self._screen.result(view)
                return view
            if view["legal"]:
                self._move(view)
            else:
                self._say_who_moves(update)
            update = self._game.wait()
            self._screen.narrate(update)

    def _say_who_moves(self, update: Update) -> None:
        """Once for each person one waits for; bots are quick."""
        turn = update.view["turn"]
        person = turn is not None and update.view["seats"][turn]["kind"] == "player"
        if person and turn is not None and turn != self._waiting_for:
            self._screen.say(f"  Waiting for {self._screen.words.name(update.view, turn)} …", "dim")
        self._waiting_for = turn if person else None

    def _move(self, view: View) -> None:
        """Ask until a move is accepted."""
        self._screen.table(view)
        while True:
            plays = self._ask_plays(view)
            try:
                self._game.play(view, plays)
            except RefusedError as refused:
                self._screen.say(f"Not accepted: {refused}", "bold")
                continue
            return

    def _ask_plays(self, view: View) -> Sequence[str]:
        draft = Draft(view)
        self._screen.choices(view, draft)
        while True:
            try:
                line = self._ask("> ")
            except EOFError:
                raise LeftError from None
            if self._is_command(line.strip().lower(), view, draft):
                continue
            answer = draft.typed(line)
            if answer == "send" or (answer == "chosen" and self._quick and not draft.options()):
                return draft.plays
            if answer == "unknown":
                self._screen.say(
                    f"{line.strip()!r} is none of these (? for help)." if line.strip() else "Choose first."
                )
            else:
                self._screen.choices(view, draft)

    def _is_command(self, word: str, view: View, draft: Draft) -> bool:
        """Whether the line was for the terminal itself, not a play."""
        match word:
            case "q" | "quit":
                raise LeftError
            case "?" | "h" | "help":
                self._screen.say(HELP)
            case "r":
                self._screen.table(view)
                self._screen.choices(view, draft)
            case "f":
                self._screen.switch_faces()
                self._screen.table(view)
                self._screen.choices(view, draft)
            case _:
                return False
        return True


def watch(game: Game, screen: Screen) -> View:
    """Tell a match to somebody who only looks on, until it is over; its last view."""
    update = game.start()
    screen.table(update.view)
    while update.view["status"] not in ("finished", "aborted"):
        update = game.wait()
        screen.narrate(update)
        if any(event["type"] in ("deal-dealt", "pile-taken", "pile-discarded") for event in update.happened):
            screen.table(update.view)
    screen.result(update.view)
    return update.view
