"""Making and playing whole matches in memory, for tests of the core."""

import random
from collections.abc import Iterator
from typing import Any

from owntrumps.game.commands import Command, CreateMatch, MakeMove
from owntrumps.game.log import Entry, fold_entry, handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, Match, PlayingMatch, is_over
from owntrumps.game.terms import ByBot, MatchId, Millis, SeatTerms, Version
from owntrumps.rules.perft import moves
from owntrumps.rules.plays import Play
from owntrumps.rules.rulesets import Ruleset, name_of

MATCH = MatchId("07-test")
SEED = "00" * 31 + "2a"


def bots(count: int) -> tuple[SeatTerms, ...]:
    return tuple(SeatTerms("bot", name=f"Bot {seat}", level="random") for seat in range(count))


def create(ruleset: Ruleset, *, seed: str = SEED, games: int = 1, **terms: Any) -> CreateMatch:
    """The command that creates a match of bots, unless ``seats`` are given."""
    seats = terms.pop("seats", bots(ruleset.seats))
    return CreateMatch(Millis(0), MATCH, ruleset, name_of(ruleset), seats, seed, games, **terms)


def accepted(match: Match, command: Command) -> tuple[Match, Entry]:
    """The match after a command that must be accepted, and its entry (with an empty chain hash)."""
    events = handle(match, command)
    assert not isinstance(events, Refusal), events
    entry = Entry(Version(match.version + 1), command.at, events, "")
    return fold_entry(match, entry), entry


def refused(match: Match, command: Command) -> Refusal:
    """The refusal of a command that must be refused."""
    refusal = handle(match, command)
    assert isinstance(refusal, Refusal), refusal
    return refusal


def move(match: Match, *plays: Play) -> MakeMove:
    """The move of the bot to move."""
    state = match.state
    assert isinstance(state, PlayingMatch)
    return MakeMove(Millis(match.at + 10), ByBot(state.board.deal.position.turn), plays, match.version)


def random_match(ruleset: Ruleset, dice: random.Random, **terms: Any) -> Iterator[tuple[Match, Entry]]:
    """Every step of a match of random legal plays: the match after each entry, and the entry."""
    match, entry = accepted(EMPTY, create(ruleset, seed=dice.randbytes(32).hex(), **terms))
    yield match, entry
    while not is_over(match.state):
        state = match.state
        assert isinstance(state, PlayingMatch)
        match, entry = accepted(match, move(match, dice.choice(moves(state.board.table, state.board.deal))))
        yield match, entry
