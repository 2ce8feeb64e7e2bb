"""The level `greedy`: the lowest card that will do, own trumps last, and never a thought.

- lead: the lowest card that is not of the own trump; with nothing but trumps, the lowest of them;
- respond: the lowest card of the suit that beats; else the lowest own trump that beats; else take.

Equal ranks go by suit, c d h s. The kernel's `greedy_for` is the same thing compiled, used inside playouts.
"""

from owntrumps.rules.cards import Card, CardSet, Suit, rank_of, suit_of
from owntrumps.rules.plays import TAKE, Play
from owntrumps_bots.observation import Observation


def greedy_order(play: Play, trump: Suit) -> tuple[int, int, int, int]:
    """The sort key by which greedy prefers plays: smaller is better, the take last."""
    if play == TAKE:
        return (1, 0, 0, 0)
    return (0, int(suit_of(play) == trump), rank_of(play), play)


def greedy(observation: Observation) -> Play:
    """The greedy play."""
    trump = observation.trumps[observation.seat]
    return min(observation.legal(), key=lambda play: greedy_order(play, trump))


_ALL = [Card(card) for card in range(52)]
_PLAYS: list[Play] = [*_ALL, TAKE]
_BEFORE = {
    (trump, play): sum(1 << card for card in _ALL if greedy_order(card, Suit(trump)) < greedy_order(play, Suit(trump)))
    for trump in range(4)
    for play in _PLAYS
}


def preferred_over(play: Play, candidates: CardSet, trump: Suit) -> CardSet:
    """Those of the candidate cards that greedy would rather have played, were they legal and in its hand."""
    return CardSet(_BEFORE[trump, play] & candidates)
