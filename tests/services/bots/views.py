"""Given-steps for the levels: views and observations of positions in deals that have gone on for a while."""

from random import Random
from typing import Any

from owntrumps.rules.cards import card_name, names_of, suit_name
from owntrumps.rules.deal import Deal, step
from owntrumps.rules.perft import moves
from owntrumps.rules.position import Table
from owntrumps.rules.rulesets import Ruleset
from owntrumps_bots.arena.deals import start_of
from owntrumps_bots.arena.table import happened
from owntrumps_bots.observation import Happening


def in_play(ruleset: Ruleset, seed: int, plies: int) -> tuple[Table, Deal, list[Happening]]:
    """A deal after at most that many random plies, fewer if it would be over."""
    chance = Random(seed)
    start = start_of(ruleset, seed, 0)
    deal, history = start.deal, []
    for _ in range(plies):
        play = chance.choice(moves(start.table, deal))
        after, result = step(start.table, deal, play)
        if result is not None:
            break
        history += happened(deal, after, play)
        deal = after
    return start.table, deal, history


def view_json(table: Table, deal: Deal, seat: int) -> dict[str, Any]:
    """The parts of the HTTP view that a level reads, for a seat, made by hand."""
    position = deal.position
    return {
        "status": "playing",
        "ruleset": {**table.ruleset.as_dict(), "name": "custom"},
        "seats": [
            {
                "seat": index,
                "trump": suit_name(table.trumps[index]),
                "cards": hand.count,
                "out": hand.count == 0,
                "known": names_of(hand.shown),
            }
            for index, hand in enumerate(position.hands)
        ],
        "you": seat,
        "turn": position.turn,
        "phase": position.phase,
        "pile": [card_name(card) for card in position.pile],
        "discarded": names_of(position.discarded),
        "hand": names_of(position.hands[seat].cards),
        "plies": deal.plies,
    }


def events_json(history: list[Happening]) -> list[dict[str, Any]]:
    """The deal's events as the server writes them."""
    events: list[dict[str, Any]] = [{"type": "deal-dealt"}]
    for happening in history:
        event: dict[str, Any] = {"type": happening.deed}
        if happening.seat >= 0:
            event["seat"] = happening.seat
        names = [card_name(card) for card in happening.cards]
        if happening.deed in {"card-led", "top-beaten"}:
            event["card"] = names[0]
        else:
            event["cards"] = names
        events.append(event)
    return events
