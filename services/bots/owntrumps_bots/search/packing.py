"""From plain values to kernel rows and back."""

from collections.abc import Sequence

import numpy as np

from owntrumps.rules.rulesets import Ruleset
from owntrumps_bots.search.layout import (
    AFTER_LAST_BEAT,
    HEIGHT,
    HOLDERS,
    LEAD,
    LIMIT,
    MUST_BEAT,
    ONE_CARD_DRAW,
    PHASE,
    PICK_GRADED,
    PICK_PILE,
    PICK_SAME_SUIT,
    PICK_UP,
    PILE,
    PILE_SET,
    PLIES,
    REPETITIONS,
    RESPOND,
    RESULT,
    ROW,
    RULES,
    RUNNING,
    SEATS,
    STEP,
    TAKER_LEADS,
    THEN_BEAT,
    THEN_DISCARD,
    THEN_LEAD,
    TRUMPS,
    TURN,
    Numbers,
)

_PICK_UP = {"pile": PICK_PILE, "graded": PICK_GRADED, "same_suit": PICK_SAME_SUIT}
_AFTER_LAST_BEAT = {"lead": THEN_LEAD, "beat": THEN_BEAT, "discard": THEN_DISCARD}


def rules_row(ruleset: Ruleset, trumps: Sequence[int]) -> Numbers:
    """The ruleset and each seat's trump suit (0..3) as the kernel reads them."""
    r = np.zeros(RULES, dtype=np.int64)
    r[SEATS] = ruleset.seats
    r[STEP] = 1 if ruleset.direction == 1 else ruleset.seats - 1
    r[MUST_BEAT] = ruleset.must_beat
    r[PICK_UP] = _PICK_UP[ruleset.pick_up]
    r[AFTER_LAST_BEAT] = _AFTER_LAST_BEAT[ruleset.after_last_beat]
    r[TAKER_LEADS] = ruleset.lead_after_pick_up == "taker"
    r[ONE_CARD_DRAW] = ruleset.one_card_draw
    r[REPETITIONS] = ruleset.repetition_limit
    r[LIMIT] = ruleset.ply_limit
    r[TRUMPS : TRUMPS + ruleset.seats] = trumps
    return r


def position_row(hands: Sequence[int], pile: Sequence[int], turn: int, phase: str, plies: int = 0) -> Numbers:
    """A running position: hands as bit masks, the pile bottom to top, the plies that the deal has had."""
    s = np.zeros(ROW, dtype=np.int64)
    s[: len(hands)] = hands
    s[HEIGHT] = len(pile)
    s[TURN] = turn
    s[PHASE] = LEAD if phase == "lead" else RESPOND
    s[RESULT] = RUNNING
    s[PLIES] = plies
    s[HOLDERS] = sum(1 for hand in hands if hand)
    s[PILE : PILE + len(pile)] = pile
    s[PILE_SET] = sum(1 << card for card in pile)
    return s


def pile_of(s: Numbers) -> list[int]:
    """The pile bottom to top."""
    return [int(card) for card in s[PILE : PILE + int(s[HEIGHT])]]
