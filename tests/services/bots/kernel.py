"""Given-steps for the kernel: vectors and random deals as rows, and a deal that is played on both rule engines."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from owntrumps.rules.cards import CardSet, cards_of, mask_of, pack, parse_card, parse_suit
from owntrumps.rules.plays import TAKE as TAKE_PLAY
from owntrumps.rules.rulesets import Ruleset, ruleset_from
from owntrumps_bots.search.hashing import position_key
from owntrumps_bots.search.layout import REPETITION, REPETITIONS, RESULT, TAKE, Numbers
from owntrumps_bots.search.packing import position_row, rules_row
from owntrumps_bots.search.step import legal_plays, limit_reached, play

VECTORS = Path(__file__).parents[2] / "vectors"


def vectors(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / f"own-trumps-{name}.jsonl").read_text().splitlines()]


def rows_of(vector: dict[str, Any]) -> tuple[Numbers, Numbers]:
    """The position and rules rows of a vector: a perft position, or the start of a record or study."""
    ruleset, _ = ruleset_from(vector["ruleset"])
    rules = rules_row(ruleset, [parse_suit(trump) for trump in vector["trumps"]])
    hands = [mask_of(map(parse_card, hand)) for hand in vector["hands"]]
    pile = [parse_card(card) for card in vector.get("pile", [])]
    return position_row(
        hands, pile, vector["turn" if "turn" in vector else "leader"], vector.get("phase", "lead")
    ), rules


class KernelDeal:
    """A deal on the kernel with its limits: what `owntrumps.rules.deal.Deal` is to the rules."""

    def __init__(self, position: Numbers, rules: Numbers) -> None:
        self.s, self.r = position, rules
        self.seen = Counter([position_key(position)])

    @property
    def legal(self) -> list[int]:
        return list(cards_of(CardSet(legal_plays(self.s, self.r))))

    @property
    def result(self) -> int:
        return int(self.s[RESULT])

    def play(self, a: int) -> None:
        play(self.s, self.r, a)
        key = position_key(self.s)
        self.seen[key] += 1
        if self.s[RESULT] < 0 and self.r[REPETITIONS] and self.seen[key] >= self.r[REPETITIONS]:
            self.s[RESULT] = REPETITION
        limit_reached(self.s, self.r)


def code_of(name: str) -> int:
    """The kernel's number of a play's name."""
    return TAKE if name == TAKE_PLAY else int(parse_card(name))


def random_ruleset(chance: Random) -> Ruleset:
    return Ruleset(
        deck=chance.choice([24, 32, 36, 52]),
        seats=chance.choice([2, 3, 4]),
        direction=chance.choice([1, -1]),
        must_beat=chance.random() < 0.5,
        pick_up=chance.choice(["pile", "graded", "same_suit"]),
        after_last_beat=chance.choice(["lead", "beat", "discard"]),
        lead_after_pick_up=chance.choice(["next", "taker"]),
        one_card_draw=chance.random() < 0.5,
        repetition_limit=chance.choice([0, 3, 3, 4, 5]),
        ply_limit=chance.choice([20, 100, 400]),
    )


def random_hands(ruleset: Ruleset, chance: Random) -> list[int]:
    """Hands for every seat, of the whole pack or of a few cards of it (a study), never empty."""
    cards = cards_of(pack(ruleset.deck))
    chance.shuffle(cards)
    if chance.random() < 0.5:
        cards = cards[: chance.randint(ruleset.seats, 12)]
    return [mask_of(cards[seat :: ruleset.seats]) for seat in range(ruleset.seats)]
