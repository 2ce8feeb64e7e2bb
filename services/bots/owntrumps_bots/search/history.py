"""What the deal's history tells a search: positions that must not come back, and what the others' plays hint at."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import numpy as np

from owntrumps.rules.cards import Card, CardSet, cards_of, pack
from owntrumps.rules.plays import TAKE as TAKE_PLAY
from owntrumps.rules.plays import Play
from owntrumps.rules.position import beaters
from owntrumps_bots.observation import Deed, Happening, Observation
from owntrumps_bots.policies.greedy import preferred_over
from owntrumps_bots.search.hashing import IN_HAND, IN_PILE, TO_MOVE
from owntrumps_bots.search.layout import LEAD, RESPOND, Numbers
from owntrumps_bots.search.worlds import Hint

NEVER = -64.0
"""Weight of a hint that a rule makes certain."""

_PRIOR_SLIPS, _PRIOR_PLAYS = 0.02, 2.0
"""Before a seat has played, its plays are taken to differ from greedy's as if 0.02 of two had."""

_PRIOR_TRUST, _PRIOR_WEIGHT = 0.7, 2.0
"""Before a seat has played, it is trusted to play on as greedy this far, as if from so many plays."""


def past_keys(observation: Observation) -> Numbers:
    """Keys of the deal's earlier positions relative to the present one (see `hashing`), oldest last.

    Goes back to where no position can return: the deal's start, a discarded pile, a seat going out. Empty where the
    history is not known.
    """
    if not observation.knows_history:
        return np.zeros(0, dtype=np.int64)
    now = int(TO_MOVE[observation.seat, LEAD if observation.phase == "lead" else RESPOND])
    counts = list(observation.counts)
    pile = list(observation.pile)
    key, keys = 0, []
    for happening in reversed(observation.history):
        if happening.deed == "pile-discarded":
            break
        seat, cards = happening.seat, happening.cards
        if happening.deed == "pile-taken":
            for card in cards:
                key ^= int(IN_HAND[seat, card]) ^ int(IN_PILE[card, len(pile)])
                pile.append(card)
            counts[seat] -= len(cards)
        else:
            if counts[seat] == 0:
                break
            card = pile.pop()
            key ^= int(IN_HAND[seat, card]) ^ int(IN_PILE[card, len(pile)])
            counts[seat] += 1
        phase = LEAD if happening.deed == "card-led" else RESPOND
        keys.append(key ^ now ^ int(TO_MOVE[seat, phase]))
    return np.array(keys, dtype=np.int64)


def _decisions(observation: Observation) -> Iterator[tuple[Happening, int, int]]:
    """The plays of the other seats, newest first: the play, the top it faced (-1: none), and as a mask the cards that
    the seat held then and that are not among those unseen now."""
    pile = list(observation.pile)
    held = [int(known) for known in observation.known]
    for happening in reversed(observation.history):
        seat, cards = happening.seat, happening.cards
        if happening.deed == "pile-discarded":
            pile = list(cards)
            continue
        if happening.deed == "pile-taken":
            for card in cards:
                held[seat] &= ~(1 << card)
            pile.extend(cards)
        else:
            pile.pop()
            held[seat] |= 1 << cards[0]
        if seat != observation.seat:
            yield happening, pile[-1] if pile and happening.deed != "card-led" else -1, held[seat]


def _candidates(observation: Observation, seat: int, top: int) -> CardSet:
    """The cards of the pack that the seat could play on this top (-1: lead)."""
    if top < 0:
        return pack(observation.ruleset.deck)
    return beaters(observation.trumps[seat], Card(top))


def _preferable(observation: Observation, happening: Happening, top: int) -> CardSet:
    """The cards that greedy would rather have played, had it held them."""
    play: Play = TAKE_PLAY if happening.deed == "pile-taken" else happening.cards[0]
    seat = happening.seat
    return preferred_over(play, _candidates(observation, seat, top), observation.trumps[seat])


@dataclass(frozen=True, slots=True)
class Reading:
    """What the others' plays say: hints at their unseen cards, and by seat how far each is trusted to play as `greedy`
    would (0..1)."""

    hints: list[Hint]
    trust: list[float]


def read_plays(observation: Observation) -> Reading:
    """Measures the others against `greedy`.

    Each play of a seat counts as a slip if cards that it is known to have held were preferable. The rest of its plays
    hint that it holds no preferable unseen card, the more strongly the fewer slips it made. Under `must_beat` a take is
    proof that nothing beat.
    """
    unseen, ruleset = int(observation.unseen), observation.ruleset
    agreed: dict[tuple[int, Deed], dict[int, int]] = {}
    slips: dict[tuple[int, Deed], int] = {}
    for happening, top, held in _decisions(observation):
        seat, deed = happening.seat, happening.deed
        preferable = int(_preferable(observation, happening, top))
        kind = (seat, deed)
        if preferable & held:
            slips[kind] = slips.get(kind, 0) + 1
        else:
            masks = agreed.setdefault(kind, {})
            masks[preferable & unseen] = masks.get(preferable & unseen, 0) + 1
    found = []
    for kind, masks in agreed.items():
        seat, deed = kind
        slipped = slips.get(kind, 0)
        chance = (slipped + _PRIOR_SLIPS) / (slipped + sum(masks.values()) + _PRIOR_PLAYS)
        weight = min(0.0, log(chance / (1 - chance)))
        if deed == "pile-taken" and ruleset.must_beat:
            weight = NEVER
        found += [Hint(seat, mask, max(NEVER, weight * times)) for mask, times in masks.items() if mask]
    return Reading(found, [_trust(seat, agreed, slips) for seat in range(ruleset.seats)])


def faithful_choices(face_up: Observation) -> int:
    """How often the others have played the card that greedy would, where another would have done (that they beat at all
    tells little: most would); -1 if one ever played otherwise. All cards must be known."""
    faithful = 0
    for happening, top, held in _decisions(face_up):
        if held & _preferable(face_up, happening, top):
            return -1
        faithful += (held & _candidates(face_up, happening.seat, top)).bit_count() > 1
    return faithful


def _trust(seat: int, agreed: dict[tuple[int, Deed], dict[int, int]], slips: dict[tuple[int, Deed], int]) -> float:
    """The share of greedy's plays where the seat had a choice: takes count only where they were slips."""
    chosen: tuple[Deed, ...] = ("card-led", "top-beaten")
    like = sum(sum(agreed.get((seat, deed), {}).values()) for deed in chosen)
    unlike = sum(slips.get((seat, deed), 0) for deed in (*chosen, "pile-taken"))
    return (like + _PRIOR_TRUST * _PRIOR_WEIGHT) / (like + unlike + _PRIOR_WEIGHT)


def unseen_cards(observation: Observation) -> list[int]:
    return list(cards_of(observation.unseen))
