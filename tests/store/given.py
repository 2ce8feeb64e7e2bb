"""Steps of the contract: matches, submissions and commits whose content does not matter, and real matches."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from owntrumps.game.chance import chain_key
from owntrumps.game.commands import Command, CreateMatch, Expire, MakeMove
from owntrumps.game.log import fold_entry, handle
from owntrumps.game.refusals import Refusal
from owntrumps.game.state import AbortedMatch, FinishedMatch, Match, NoMatch, OpenMatch, PlayingMatch, is_over
from owntrumps.game.terms import ByBot, MatchId, Millis, PlayerId, SeatTerms, Version
from owntrumps.rules.perft import moves
from owntrumps.rules.rulesets import Ruleset, name_of
from owntrumps.store.codec import write_entry
from owntrumps.store.ids import new_match_id
from owntrumps.store.matches import load_match
from owntrumps.store.port import (
    Accepted,
    BotTurn,
    CommandId,
    Commit,
    Delivery,
    MatchIndex,
    Outcome,
    Shard,
    Status,
    Store,
    StoredEntry,
    Submission,
)
from owntrumps.store.state_codec import write_state

ANN, BOB = PlayerId("ann"), PlayerId("bob")
EVERY_NOTICE: Mapping[Shard, str] = dict.fromkeys(map(Shard, range(16)), "0-0")


def match_id(shard: int = 7, number: int = 0) -> MatchId:
    return new_match_id(bytes([shard]) + number.to_bytes(8, "big"))


M = match_id()


def submission(match: MatchId = M, id_: str = "a", *, at: int = 1, fingerprint: str = "body") -> Submission:
    return Submission(CommandId(id_), match, Expire(Millis(at)), fingerprint)


def accepted(match: MatchId, id_: str, version: int, fingerprint: str = "body") -> Outcome:
    return Outcome(CommandId(id_), match, fingerprint, Accepted(Version(version)))


def refused(match: MatchId, id_: str, slug: Any = "not-due") -> Outcome:
    extra = {"version": 3, "legal": ["7c", "take"]}
    return Outcome(CommandId(id_), match, "body", Refusal(slug, "it is árvíz: ♣", extra))


def index(
    status: Status = "open",
    *,
    ruleset: str = "bornyu",
    private: bool = False,
    created_at: int = 1_772_366_400_000,
    players: tuple[PlayerId, ...] = (),
    to_move: PlayerId | None = None,
) -> MatchIndex:
    return MatchIndex(status, ruleset, private, Millis(created_at), players, to_move)


def commit(
    match: MatchId = M,
    version: int = 1,
    id_: str | None = None,
    *,
    delivery: Delivery | None = None,
    listed: MatchIndex | None = None,
    due: int | None = None,
    bot_turn: BotTurn | None = None,
) -> Commit:
    """A commit whose entry and state name it."""
    id_ = f"{match}-{version}" if id_ is None else id_
    entry = StoredEntry(Version(version), payload(version, id_), f"{version:064x}")
    outcome = accepted(match, id_, version)
    state = f"state {version} by {id_}".encode()
    return Commit(delivery, outcome, entry, state, listed or index(), None if due is None else Millis(due), bot_turn)


def payload(version: int, id_: str) -> bytes:
    """The canonical JSON of an entry whose one event is none of the game's."""
    events = f'[{{"by":"{id_}","type":"x"}}]'
    return f'{{"at":"2026-03-01T12:00:00.250Z","events":{events},"schema":1,"version":{version}}}'.encode()


def delivered(store: Store, *submissions: Submission, consumer: str = "e1") -> list[Delivery]:
    """The submissions, after one consumer received them all."""
    store.submit(submissions)
    found: list[Delivery] = []
    while len(found) < len(submissions):
        news = store.receive(consumer, limit=100, block_ms=1000)
        assert news, "what was submitted is handed out"
        found += news
    return found


def a_moment_passes(store: Store) -> None:
    """The store's clock shows another millisecond."""
    before = store.now()
    while store.now() == before:
        pass


def snapshot(store: Store, match: MatchId = M) -> dict[str, Any]:
    """Everything that a commit to the match may change, as far as the port shows it."""
    return {
        "entries": store.entries(match, after=Version(0), limit=100),
        "state": store.state(match),
        "notices": store.notices(EVERY_NOTICE, block_ms=0),
        "due": store.due(Millis(10**15), limit=100),
        "lists": store.matches(status=None, ruleset=None, player=None, cursor=None, limit=100),
        "turns": {player: store.turns_of(player) for player in (ANN, BOB)},
        "of": {
            player: store.matches(status=None, ruleset=None, player=player, cursor=None, limit=100)
            for player in (ANN, BOB)
        },
        "ids": store.match_ids(),
        "ended": store.ended(Millis(10**15), limit=100),
    }


# Real matches


def bots(ruleset: Ruleset) -> tuple[SeatTerms, ...]:
    return tuple(SeatTerms("bot", name=f"Bot {seat}", level="random") for seat in range(ruleset.seats))


def create(ruleset: Ruleset, match: MatchId, dice: random.Random, **terms: Any) -> CreateMatch:
    seats = terms.pop("seats", bots(ruleset))
    return CreateMatch(
        Millis(1_772_366_400_000), match, ruleset, name_of(ruleset), seats, dice.randbytes(32).hex(), **terms
    )


def next_move(match: Match, dice: random.Random) -> MakeMove:
    """A random legal move of the bot to move."""
    state = match.state
    assert isinstance(state, PlayingMatch)
    play = dice.choice(moves(state.board.table, state.board.deal))
    seat = state.board.deal.position.turn
    return MakeMove(Millis(match.at + 250), ByBot(seat), (play,), match.version)


def decided(match: Match, command: Command, id_: str) -> tuple[Commit, Match]:
    """The commit of a command that must be accepted, as an engine makes it, and the match after it."""
    events = handle(match, command)
    assert not isinstance(events, Refusal), events
    version = Version(match.version + 1)
    seed = command.seed if isinstance(command, CreateMatch) else _seed(match)
    payload, entry = write_entry(chain_key(seed), match.chain, version, command.at, events)
    after = fold_entry(match, entry)
    assert not isinstance(after.state, NoMatch)
    terms = after.state.terms
    listed = MatchIndex(_status(after), terms.ruleset_name, terms.private, Millis(1_772_366_400_000), (), None)
    stored = StoredEntry(version, payload, entry.chain)
    outcome = accepted(terms.match, id_, version, fingerprint="")
    return Commit(None, outcome, stored, write_state(after), listed, None, None), after


def _seed(match: Match) -> str:
    assert not isinstance(match.state, NoMatch)
    assert match.state.terms.seed is not None
    return match.state.terms.seed


def _status(match: Match) -> Status:
    match match.state:
        case OpenMatch():
            return "open"
        case FinishedMatch():
            return "finished"
        case AbortedMatch():
            return "aborted"
        case _:
            return "playing"


def played(store: Store, ruleset: Ruleset, dice: random.Random, match: MatchId = M, **terms: Any) -> Iterator[Match]:
    """A match of random bots, committed to the store entry by entry; each step reads the match back first."""
    command: Command = create(ruleset, match, dice, **terms)
    while True:
        before = load_match(store, match, to_decide=True)
        written, after = decided(before, command, f"{match}-{before.version + 1}")
        assert store.commit([written]) == ["committed"]
        yield after
        if is_over(after.state):
            return
        command = next_move(after, dice)
