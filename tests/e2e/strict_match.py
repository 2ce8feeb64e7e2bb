"""A match in which clients hold every seat, play random legal plays, and hold each answer against the rules.

Together the clients see every card, so the deal can be played again with `owntrumps.rules` beside the server's.
"""

import random
from dataclasses import dataclass
from typing import Any

from owntrumps.client.sync import Client
from owntrumps.rules.cards import Seat, card_name, mask_of, names_of, parse_card, parse_suit
from owntrumps.rules.deal import Deal, Loser, begin, step
from owntrumps.rules.plays import TAKE, Play, legal_plays
from owntrumps.rules.position import Hand, Position, Table
from owntrumps.rules.rulesets import ruleset_from
from owntrumps.views.view import View


@dataclass
class Played:
    """What one match came to."""

    match: str
    moves: int
    version: int


def play_strictly(url: str, ruleset: str, seed: int, overrides: dict[str, Any] | None = None) -> Played:
    """Play one match to the end; AssertionError where the server and the rules disagree, ProblemError for a refusal."""
    dice = random.Random(seed)
    wanted: Any = {"base": ruleset, **overrides} if overrides else ruleset
    seats = ruleset_from(wanted)[0].seats
    clients = [Client(url) for _ in range(seats)]
    try:
        for index, client in enumerate(clients):
            client.register(f"Player {index}")
        view = clients[0].create(wanted, [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)])
        for client in clients[1:]:
            view = client.take_seat(view["id"])
        return _play(clients, view["id"], dice)
    finally:
        for client in clients:
            client.close()


def _play(clients: list[Client], match: str, dice: random.Random) -> Played:
    views = [client.view(match) for client in clients]
    table = Table(ruleset_from(views[0]["ruleset"])[0], tuple(parse_suit(seat["trump"]) for seat in views[0]["seats"]))
    hands = tuple(
        Hand(mask_of(map(parse_card, view["hand"])), 0, mask_of(map(parse_card, view["seats"][seat]["known"])))
        for seat, view in enumerate(views)
    )
    leader = views[0]["leader"]
    assert leader is not None
    deal, result = begin(Position(hands, (), Seat(leader), "lead")), None
    view, moves = views[leader], 0
    while result is None:
        turn = deal.position.turn
        if view["you"] != turn:
            view = clients[turn].view(match)
        check_view(view, table, deal)
        plays: list[Play] = [parse_play(dice.choice(view["legal"]))]
        deal, result = step(table, deal, plays[0])
        goes_on = result is None and deal.position.turn == turn and deal.position.phase == "lead" and plays != [TAKE]
        if goes_on and dice.random() < 0.5:
            # The lead goes with the beat in one move.
            plays.append(parse_play(dice.choice(legal_plays(table, deal.position))))
            deal, result = step(table, deal, plays[1])
        moved = clients[turn].move(match, *map(play_name, plays), if_version=view["version"])
        assert moved["version"] == view["version"] + 1
        view, moves = moved["view"], moves + 1
    assert view["status"] == "finished"
    assert view["result"] == ({"losers": [result.seat]} if isinstance(result, Loser) else {"draw": result.reason})
    check_board(view, deal)
    return Played(match, moves, view["version"])


def parse_play(name: str) -> Play:
    return TAKE if name == TAKE else parse_card(name)


def play_name(play: Play) -> str:
    return TAKE if play == TAKE else card_name(play)


def check_view(view: View, table: Table, deal: Deal) -> None:
    """The view of the seat to move is what the rules say."""
    position = deal.position
    assert (view["turn"], view["phase"], view["plies"]) == (position.turn, position.phase, deal.plies)
    assert view["legal"] == legal_plays(table, position)
    assert view["hand"] == names_of(position.hands[position.turn].cards)
    check_board(view, deal)


def check_board(view: View, deal: Deal) -> None:
    """What everybody sees is what the rules say."""
    position = deal.position
    assert view["pile"] == [card_name(card) for card in position.pile]
    assert view["discarded"] == names_of(position.discarded)
    assert view["out"] == list(position.out)
    over = view["status"] == "finished"
    for seat, hand in zip(view["seats"], position.hands, strict=True):
        assert seat["cards"] == hand.count
        assert seat["out"] == (hand.count == 0)
        assert seat["known"] == names_of(hand.cards if over else hand.shown)
