"""Matches that are over, played out of sight, and stores that hold them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from owntrumps.game.chance import chain_key
from owntrumps.game.commands import AbortMatch, Command, CreateMatch, MakeMove
from owntrumps.game.log import fold_entry, handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import EMPTY, CreatedMatch, Match, NoMatch, PlayingMatch, is_over
from owntrumps.game.terms import ByServer, MatchId, Millis, PlayerId, SeatTerms, Version
from owntrumps.rules.cards import rank_of, suit_of
from owntrumps.rules.perft import moves
from owntrumps.rules.plays import TAKE, Play
from owntrumps.rules.rulesets import PRESETS
from owntrumps.store.codec import write_entry
from owntrumps.store.ids import MATCH_ID_BYTES, new_match_id
from owntrumps.store.port import (
    Accepted,
    CommandId,
    Commit,
    MatchIndex,
    Outcome,
    Status,
    Store,
    StoredEntry,
)
from owntrumps.store.state_codec import write_state

START = Millis(1_772_366_400_000)
ANN, BOB = PlayerId("aaaaaaaaaaaaaaaa"), PlayerId("bbbbbbbbbbbbbbbb")


@dataclass(frozen=True, slots=True)
class Played:
    """A match's log with the match after its last entry."""

    id: MatchId
    entries: list[StoredEntry]
    match: Match
    commits: list[Commit]

    @property
    def state(self) -> CreatedMatch:
        assert not isinstance(self.match.state, NoMatch)
        return self.match.state


def person(player: PlayerId, name: str | None = None) -> SeatTerms:
    return SeatTerms("player", player=player, name=name or f"{player[:1].upper()}.")


def bot(level: str = "greedy") -> SeatTerms:
    return SeatTerms("bot", name=level, level=level)


def played(
    number: int = 1,
    ruleset: str = "bornyu",
    seats: Sequence[SeatTerms] | None = None,
    *,
    at: int = START,
    ply_limit: int | None = None,
    step_ms: int = 250,
    **terms: Any,
) -> Played:
    """Match ``number``, to its end; the same number gives the same match. Everybody plays their lowest card but saves
    trumps."""
    dice = random.Random(number)
    rules = PRESETS[ruleset]
    table = tuple(seats) if seats is not None else (person(ANN), *[bot()] * (rules.seats - 1))
    if ply_limit is not None:
        rules = replace(rules, ply_limit=ply_limit)
    match = new_match_id(dice.randbytes(MATCH_ID_BYTES))
    create = CreateMatch(Millis(at), match, rules, ruleset, table, dice.randbytes(32).hex(), **terms)
    return _finished(match, create, step_ms)


def aborted(number: int = 1, *, at: int = START) -> Played:
    """A match that was called off before anybody came."""
    dice = random.Random(number)
    match = new_match_id(dice.randbytes(MATCH_ID_BYTES))
    table = (person(ANN), SeatTerms("open"))
    create = CreateMatch(Millis(at), match, PRESETS["duel"], "duel", table, dice.randbytes(32).hex())
    return _finished(match, create, 1, stop=AbortMatch(Millis(at + 5), ByServer(), "called-off"))


def _finished(match: MatchId, create: CreateMatch, step_ms: int, stop: Command | None = None) -> Played:
    now, command = EMPTY, create
    entries: list[StoredEntry] = []
    commits: list[Commit] = []
    following: Command | None = command
    while following is not None:
        events = handle(now, following)
        assert not isinstance(events, Refusal), events
        version = Version(now.version + 1)
        payload, entry = write_entry(chain_key(create.seed), now.chain, version, following.at, events)
        now = fold_entry(now, entry)
        entries.append(StoredEntry(version, payload, entry.chain))
        commits.append(_commit(match, create, entries[-1], now))
        following = None if is_over(now.state) else stop or next_move(now, step_ms)
    return Played(match, entries, now, commits)


def next_move(match: Match, step_ms: int = 250) -> MakeMove:
    state = match.state
    assert isinstance(state, PlayingMatch)
    board = state.board
    trump = board.table.trumps[board.deal.position.turn]

    def cost(play: Play) -> tuple[bool, bool, int]:
        return (True, True, 0) if play == TAKE else (False, suit_of(play) == trump, rank_of(play))

    return MakeMove(Millis(match.at + step_ms), ByServer(), (min(moves(board.table, board.deal), key=cost),))


def _commit(match: MatchId, create: CreateMatch, entry: StoredEntry, after: Match) -> Commit:
    assert not isinstance(after.state, NoMatch)
    players = tuple(seat.player for seat in after.state.seats if seat.player is not None)
    index = MatchIndex(_status(after), create.ruleset_name, create.private, create.at, players, None)
    outcome = Outcome(CommandId(f"{match}-{entry.version}"), match, "", Accepted(entry.version))
    return Commit(None, outcome, entry, write_state(after), index, None, None)


def _status(match: Match) -> Status:
    names: dict[str, Status] = {"OpenMatch": "open", "FinishedMatch": "finished", "AbortedMatch": "aborted"}
    return names.get(type(match.state).__name__, "playing")


def commit(store: Store, match: Played, *, but_last: int = 0) -> None:
    """Put a match into a store, but for so many of its last entries."""
    done = match.commits[: len(match.commits) - but_last]
    for start in range(0, len(done), 100):
        page = done[start : start + 100]
        assert store.commit(page) == ["committed"] * len(page)


def many(count: int, first: int = 1) -> list[Played]:
    """Short matches of all sorts: people and bots, several rulesets, private ones, series, aborted ones."""
    return [_one_of_many(number) for number in range(first, first + count)]


@cache
def _one_of_many(number: int) -> Played:
    at = START + number * 1000
    if number % 7 == 0:
        return aborted(number, at=at)
    if number % 3 == 0:
        return played(number, "bornyu", (person(ANN), bot(), bot("club"), bot()), at=at)
    if number % 5 == 0:
        return played(number, "dudak", (person(BOB), bot(), bot(), bot()), at=at, ply_limit=40)
    people = [person(PlayerId(f"{chr(97 + (number * step) % 6)}" * 16)) for step in (1, 2)]
    two = (people[0], people[1] if people[0] != people[1] else bot("random"))
    return played(number, "duel", two, at=at, private=number % 4 == 0, games=1 + number % 2)
