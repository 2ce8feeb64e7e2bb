"""One deal as environments play it: a match of one deal in memory, seen only through `owntrumps.views`.

Actions are numbers: 0..51 put that card on the pile (`suit * 13 + rank`, suits c d h s, ranks 2 to ace), 52 takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from owntrumps.game.chance import commitment_of
from owntrumps.game.commands import CreateMatch, MakeMove
from owntrumps.game.events import Event, MatchCreated, MatchStarted
from owntrumps.game.log import Entry, fold_entry, handle
from owntrumps.game.progress import opening_events
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, AbortedMatch, FinishedMatch, Match, NoMatch, PlayingMatch
from owntrumps.game.terms import ByServer, MatchId, MatchTerms, Millis, SeatTerms, Version
from owntrumps.record.text import event_text
from owntrumps.rules.cards import Card, Seat, Suit, card_name, parse_card
from owntrumps.rules.plays import TAKE, Play
from owntrumps.rules.rulesets import Ruleset, name_of
from owntrumps.store.codec import event_json
from owntrumps.views.redaction import Viewer, visible_entry
from owntrumps.views.view import View, view_of

TAKE_ACTION: Final = 52
ACTIONS: Final = 53
_MATCH: Final = MatchId("00-research")
_NO_SEED: Final = "00" * 32
"""Where hands are given, nothing is drawn from a seed."""


class IllegalActionError(ValueError):
    """An action that is not legal; the message says why."""


@dataclass(frozen=True, slots=True)
class DealGame:
    """A deal and the log that led to it. Immutable: a step gives another one, so copies cost nothing."""

    match: Match
    log: tuple[Entry, ...]

    def __deepcopy__(self, memo: dict[int, object]) -> "DealGame":
        """Itself: searches clone their states many thousand times, and a deep copy of the log would be most of that."""
        return self

    @property
    def is_over(self) -> bool:
        return isinstance(self.match.state, FinishedMatch)

    @property
    def turn(self) -> Seat | None:
        """The seat to move, None once the deal is over."""
        state = self.match.state
        return state.board.deal.position.turn if isinstance(state, PlayingMatch) else None

    @property
    def loser(self) -> Seat | None:
        """The seat that lost the deal, None for a draw or a deal that goes on."""
        state = self.match.state
        return state.result.losers[0] if isinstance(state, FinishedMatch) and state.result.losers else None

    def view(self, viewer: Viewer) -> View:
        """What the viewer may see."""
        return view_of(self.match, viewer)

    def legal_actions(self) -> list[int]:
        """The legal actions of the seat to move, ascending; [] once the deal is over."""
        turn = self.turn
        return [] if turn is None else [action_of(play) for play in self.view(turn)["legal"]]

    def history(self, viewer: Viewer) -> list[str]:
        """Every event in order, as the viewer may see it, in the words of the text record."""
        state = self.match.state
        if isinstance(state, NoMatch | AbortedMatch):
            return []
        visible = [visible_entry(entry, state, viewer) for entry in self.log]
        return [event_text(event_json(event)) for entry in visible for event in entry.events[entry.version == 1 :]]

    def step(self, action: int) -> "DealGame":
        """The deal after an action of the seat to move; IllegalActionError if it is not legal."""
        events = handle(self.match, MakeMove(Millis(0), ByServer(), (play_of(action),)))
        if isinstance(events, Refusal):
            raise IllegalActionError(events.detail)
        return self._after(events)

    def _after(self, events: Sequence[Event]) -> "DealGame":
        entry = Entry(Version(self.match.version + 1), Millis(0), tuple(events), "")
        return DealGame(fold_entry(self.match, entry), (*self.log, entry))


_EMPTY_GAME: Final = DealGame(EMPTY, ())


def seeded(ruleset: Ruleset, seed: str) -> DealGame:
    """The deal that a match's seed (64 hex digits) leads to."""
    command = CreateMatch(Millis(0), _MATCH, ruleset, name_of(ruleset), _seats(ruleset), seed)
    events = handle(EMPTY, command)
    if isinstance(events, Refusal):
        raise ValueError(events.detail)
    return _EMPTY_GAME._after(events)  # noqa: SLF001  a constructor of the same module


def dealt(ruleset: Ruleset, dealer: Seat, trumps: tuple[Suit, ...] | None, hands: Sequence[Sequence[Card]]) -> DealGame:
    """A deal with these hands, by seat, each in the order of dealing. ``trumps`` is None where they are turned up."""
    terms = MatchTerms(
        _MATCH, ruleset, name_of(ruleset), 1, None, "bot", False, None, commitment_of(_NO_SEED), _NO_SEED
    )
    opening = opening_events(ruleset, 1, dealer, trumps, hands)
    return _EMPTY_GAME._after(  # noqa: SLF001  a constructor of the same module
        [MatchCreated(terms, _seats(ruleset)), MatchStarted(dealer, trumps), *opening]
    )


def _seats(ruleset: Ruleset) -> tuple[SeatTerms, ...]:
    return tuple(SeatTerms("bot", name=f"seat_{seat}", level="research") for seat in range(ruleset.seats))


def play_of(action: int) -> Play:
    """The play of an action; IllegalActionError for a number that is none."""
    if not 0 <= action < ACTIONS:
        raise IllegalActionError(f"{action} is not an action from 0 to {TAKE_ACTION}")
    return TAKE if action == TAKE_ACTION else Card(action)


def action_of(play: str) -> int:
    """The action of a play's name, ``take`` or a card such as ``Th``."""
    return TAKE_ACTION if play == TAKE else parse_card(play)


def action_name(action: int) -> str:
    play: Card | Literal["take"] = play_of(action)
    return TAKE if play == TAKE else card_name(play)


def returns(game: DealGame) -> list[float]:
    """By seat: the loser of a finished deal has -1, the others share 1; all 0 for a draw or a deal that goes on."""
    seats = len(game.view(None)["seats"])
    loser = game.loser
    if loser is None:
        return [0.0] * seats
    return [-1.0 if seat == loser else 1.0 / (seats - 1) for seat in range(seats)]
