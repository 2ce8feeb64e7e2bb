"""Compiling, or loading from the cache, everything that the levels call: before a worker takes its first job."""

from collections.abc import Iterable

from owntrumps.rules.cards import CardSet, Seat, Suit, cards_of, pack
from owntrumps.rules.rulesets import PRESETS
from owntrumps_bots.observation import Observation
from owntrumps_bots.policies.levels import LEVELS, choose


def warm_up(levels: Iterable[str] = LEVELS) -> None:
    """Lets the levels choose in a dealt bornyu and a dealt duel. Seconds without a cache, else a moment."""
    for observation in (_dealt("bornyu"), _dealt("duel")):
        for level in levels:
            choose(observation, level, rounds=64)


def _dealt(name: str) -> Observation:
    """The first lead of a deal in which the cards lie in canonical order, one by one."""
    ruleset = PRESETS[name]
    cards = cards_of(pack(ruleset.deck))
    hand = sum(1 << card for card in cards[:: ruleset.seats])
    return Observation(
        ruleset=ruleset,
        trumps=tuple(Suit(suit) for suit in range(ruleset.seats)),
        seat=Seat(0),
        phase="lead",
        counts=(len(cards) // ruleset.seats,) * ruleset.seats,
        known=(CardSet(hand), *(CardSet(0),) * (ruleset.seats - 1)),
        pile=(),
    )
