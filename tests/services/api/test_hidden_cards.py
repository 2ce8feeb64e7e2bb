"""No byte of any answer depends on a card hidden from its caller: two worlds that differ only there look the same.

Both worlds hold logs with the same seed and the same chain hashes, as they come from a store, so that only the hidden
cards themselves differ.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from owntrumps.game.commands import CreateMatch, MakeMove
from owntrumps.game.events import DealDealt, Event
from owntrumps.game.log import Entry, fold
from owntrumps.game.state import EMPTY, Match, PlayingMatch
from owntrumps.game.terms import ByPlayer, MatchId, Millis, PlayerId, SeatTerms
from owntrumps.rules.cards import Card, Seat, cards_of
from owntrumps.rules.perft import moves
from owntrumps.rules.rulesets import Ruleset, name_of
from owntrumps.store.codec import write_entry
from owntrumps.store.memory import MemoryStore
from owntrumps.store.port import Accepted, CommandId, Commit, MatchIndex, Outcome, Player, StoredEntry
from owntrumps.store.state_codec import write_state
from owntrumps_api.auth import token_hash
from tests.matches import accepted
from tests.services.api.listening import NDJSON, SSE, Listener
from tests.services.api.world import Caller, World
from tests.strategies import rulesets

ID = MatchId("07-aaaaaaaaaaaa")
NAMES = ("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc", "dddddddddddddddd")
SECRET = "A" * 43
SHOWING = (
    "/v1/matches/{match}",
    "/v1/matches/{match}?wait=0&after=1",
    "/v1/matches/{match}/events",
    "/v1/matches/{match}/views/{version}",
    "/v1/matches?player={player}",
    "/v1/matches",
    "/v1/players/{player}",
)
"""Every operation that shows something of a match, to whoever asks."""


def hidden_swap(state: PlayingMatch, viewer: Seat | None, dice: random.Random) -> Mapping[Card, Card]:
    """Another way the cards hidden from the viewer could lie, each seat holding as many."""
    before = [
        card
        for seat, hand in enumerate(state.board.deal.position.hands)
        if seat != viewer
        for card in cards_of(type(hand.cards)(hand.cards & ~hand.shown))
    ]
    after = dice.sample(before, len(before))
    return dict(zip(before, after, strict=True))


def other_log(log: Sequence[Entry], game: int, swap: Mapping[Card, Card]) -> list[Entry]:
    def changed(event: Event) -> Event:
        if not isinstance(event, DealDealt) or event.game != game:
            return event
        hands = tuple(tuple(card if card is None else swap.get(card, card) for card in hand) for hand in event.hands)
        return replace(event, hands=hands)

    return [replace(entry, events=tuple(changed(event) for event in entry.events)) for entry in log]


def store_of(log: Iterable[Entry], players: int) -> MemoryStore:
    """A store that holds the log, its state and the players, with a clock that stands still."""
    store = MemoryStore(clock=lambda: Millis(0))
    for name in NAMES[:players]:
        store.add_player(Player(PlayerId(name), name, token_hash(SECRET), Millis(0)))
    entries: list[Entry] = []
    for entry in log:
        entries.append(entry)
        match = fold(entries)
        payload, _ = write_entry(b"key", "", entry.version, entry.at, entry.events)
        stored = StoredEntry(entry.version, payload, f"{entry.version:064}")
        index = MatchIndex("playing", "custom", False, Millis(0), tuple(map(PlayerId, NAMES[:players])), None)
        outcome = Outcome(CommandId(f"{NAMES[0]}-{entry.version}"), ID, "", Accepted(entry.version))
        state = write_state(replace(match, chain=stored.chain))
        assert store.commit([Commit(None, outcome, stored, state, index, None, None)]) == ["committed"]
    return store


@contextmanager
def world_over(log: Iterable[Entry], players: int) -> Iterator[World]:
    world = World(store_of(log, players))
    try:
        yield world
    finally:
        world.close()


def shown(world: World, viewer: Seat | None, version: int) -> list[bytes]:
    """All that the viewer can get to see."""
    caller = Caller(world.app, None if viewer is None else f"{NAMES[viewer]}.{SECRET}")
    answers = [caller.get(path.format(match=ID, version=version, player=NAMES[0])) for path in SHOWING]
    if viewer is not None:
        answers += [caller.get("/v1/me/turns"), caller.get(f"/v1/matches/{ID}/commands/{NAMES[viewer]}-{version}")]
    streams = [Listener(caller, f"/v1/matches/{ID}/events", accept=accept) for accept in (SSE, NDJSON)]
    live = [repr(stream.next()).encode() for stream in streams for _ in range(version)]
    for stream in streams:
        stream.close()
    return [answer.data + str(sorted(answer.headers.items())).encode() for answer in answers] + live


@given(ruleset=rulesets(), seed=st.integers(0, 2**32), steps=st.integers(1, 25))
@settings(max_examples=15, deadline=None)
def test_worlds_that_differ_only_in_hidden_cards_give_the_same_bytes(ruleset: Ruleset, seed: int, steps: int) -> None:
    dice = random.Random(seed)
    log, match = played(ruleset, dice, steps)
    state = match.state
    if not isinstance(state, PlayingMatch):
        return
    for viewer in (None, Seat(0), Seat(ruleset.seats - 1)):
        swap = hidden_swap(state, viewer, dice)
        other = other_log(log, state.score.game, swap)
        with world_over(log, ruleset.seats) as one, world_over(other, ruleset.seats) as two:
            assert shown(one, viewer, match.version) == shown(two, viewer, match.version)


def played(ruleset: Ruleset, dice: random.Random, steps: int) -> tuple[list[Entry], Match]:
    """A log of people's random plays and the match it leads to."""
    seats = tuple(SeatTerms("player", PlayerId(name), name) for name in NAMES[: ruleset.seats])
    seed = dice.randbytes(32).hex()
    match, entry = accepted(EMPTY, CreateMatch(Millis(0), ID, ruleset, name_of(ruleset), seats, seed, games=2))
    log = [entry]
    while len(log) <= steps and isinstance(match.state, PlayingMatch):
        board = match.state.board
        play = dice.choice(moves(board.table, board.deal))
        player = PlayerId(NAMES[board.deal.position.turn])
        match, entry = accepted(match, MakeMove(Millis(len(log)), ByPlayer(player), (play,)))
        log.append(entry)
    return log, match


@pytest.mark.parametrize("viewer", [None, Seat(0)])
def test_a_world_that_differs_in_a_card_seen_does_not_look_the_same(viewer: Seat | None) -> None:
    """The comparison can fail: what one seat holds is seen by that seat."""
    ruleset = Ruleset(32, 4)
    log, match = played(ruleset, random.Random(1), 3)
    assert isinstance(match.state, PlayingMatch)
    other = other_log(log, 1, hidden_swap(match.state, None, random.Random(2)))
    with world_over(log, 4) as one, world_over(other, 4) as two:
        assert (shown(one, viewer, match.version) == shown(two, viewer, match.version)) is (viewer is None)
