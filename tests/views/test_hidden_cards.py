"""No byte that a viewer gets depends on a card hidden from them: two worlds that differ only there look the same."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from owntrumps.game.events import DealDealt, Event
from owntrumps.game.log import Entry, fold
from owntrumps.game.state import Match, PlayingMatch
from owntrumps.rules.cards import Card, Seat, cards_of
from owntrumps.rules.rulesets import Ruleset
from owntrumps.store.codec import canonical_json, entry_json
from owntrumps.views.redaction import Viewer, visible_entry
from owntrumps.views.view import view_of
from tests.matches import random_match
from tests.strategies import rulesets


def hidden_from(state: PlayingMatch, viewer: Viewer) -> dict[Seat, list[Card]]:
    """The cards of each other seat that nobody has seen since they were dealt."""
    return {
        Seat(seat): cards_of(type(hand.cards)(hand.cards & ~hand.shown))
        for seat, hand in enumerate(state.board.deal.position.hands)
        if seat != viewer
    }


def other_world(log: list[Entry], state: PlayingMatch, viewer: Viewer, dice: random.Random) -> list[Entry]:
    """The same log with those cards dealt to other seats instead, each seat getting as many."""
    hidden = hidden_from(state, viewer)
    before = [card for cards in hidden.values() for card in cards]
    after = list(before)
    dice.shuffle(after)
    swap = dict(zip(before, after, strict=True))

    def changed(event: Event) -> Event:
        if not isinstance(event, DealDealt) or event.game != state.score.game:
            return event
        hands = tuple(
            tuple(swap.get(card, card) if card is not None else None for card in hand) for hand in event.hands
        )
        return replace(event, hands=hands)

    return [replace(entry, events=tuple(changed(event) for event in entry.events)) for entry in log]


def bytes_for(log: list[Entry], match: Match, viewer: Viewer) -> list[bytes]:
    state = match.state
    assert isinstance(state, PlayingMatch)
    entries = [canonical_json(entry_json(visible_entry(entry, state, viewer))) for entry in log]
    return [*entries, canonical_json(view_of(match, viewer))]


@given(ruleset=rulesets(), seed=st.integers(0, 2**32), games=st.integers(1, 2))
@settings(max_examples=30, deadline=None)
def test_worlds_that_differ_only_in_hidden_cards_look_the_same_in_every_phase(
    ruleset: Ruleset, seed: int, games: int
) -> None:
    dice = random.Random(seed)
    log: list[Entry] = []
    for steps, (match, entry) in enumerate(random_match(ruleset, dice, games=games)):
        log.append(entry)
        if not isinstance(match.state, PlayingMatch) or steps > 40:
            break
        for viewer in (None, *map(Seat, range(ruleset.seats))):
            other = other_world(log, match.state, viewer, dice)
            assert bytes_for(other, fold(other), viewer) == bytes_for(log, match, viewer)


@pytest.mark.parametrize("viewer", [None, Seat(0), Seat(3)])
def test_the_two_worlds_really_differ(viewer: Viewer) -> None:
    dice = random.Random(1)
    match, entry = next(random_match(Ruleset(32, 4), dice))
    assert isinstance(match.state, PlayingMatch)
    other = fold(other_world([entry], match.state, viewer, dice))
    assert other != match


def test_a_finished_match_shows_everything() -> None:
    log = list(random_match(Ruleset(24, 2, ply_limit=30), random.Random(5)))
    match, last = log[-1]
    assert not isinstance(match.state, PlayingMatch)
    state = match.state
    assert [visible_entry(entry, state, None) for _, entry in log] == [entry for _, entry in log]  # type: ignore[arg-type]
    assert view_of(match, None)["fairness"]["seed"] is not None
    assert all(seat["cards"] == len(seat["known"]) for seat in view_of(match, None)["seats"])
    assert last.events
