"""One deal of an arena. `owntrumps.rules` is the referee; a level is given its seat's observation and nothing else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from owntrumps.rules.deal import Deal, Loser, step
from owntrumps.rules.plays import TAKE, Play, why_illegal
from owntrumps.rules.position import Table
from owntrumps_bots.arena.deals import Start
from owntrumps_bots.observation import Happening, Observation

Player = Callable[[Observation, int], list[Play]]
"""From an observation and a seed to the plays of a move."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who lost the deal (None: a draw), its plies, and by seat the decisions made and the seconds they took."""

    loser: int | None
    plies: int
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]


def observed(table: Table, deal: Deal, history: Sequence[Happening]) -> Observation:
    """What the seat to move sees: its own hand, and of the others counts and the cards that everybody has seen."""
    position = deal.position
    turn = position.turn
    return Observation(
        ruleset=table.ruleset,
        trumps=table.trumps,
        seat=turn,
        phase=position.phase,
        counts=tuple(hand.count for hand in position.hands),
        known=tuple(hand.cards if seat == turn else hand.shown for seat, hand in enumerate(position.hands)),
        pile=position.pile,
        discarded=position.discarded,
        plies=deal.plies,
        history=tuple(history),
    )


def happened(before: Deal, after: Deal, play: Play) -> list[Happening]:
    """The play as everybody saw it."""
    position, seat = before.position, before.position.turn
    if play == TAKE:
        return [Happening("pile-taken", seat, position.pile[len(after.position.pile) :])]
    history = [Happening("card-led" if position.phase == "lead" else "top-beaten", seat, (play,))]
    if after.position.discarded != position.discarded:
        history.append(Happening("pile-discarded", -1, (*position.pile, play)))
    return history


def play_deal(start: Start, players: Sequence[Player], seed: int) -> Outcome:
    """Plays the deal to its end, ``players`` by seat.

    Raises:
        ValueError: a player chose an illegal play.
    """
    table, deal = start.table, start.deal
    decisions, seconds = [0] * len(players), [0.0] * len(players)
    history: list[Happening] = []
    result = None
    while result is None:
        turn = deal.position.turn
        observation = observed(table, deal, history)
        begun = perf_counter()
        plays = players[turn](observation, seed * 4096 + deal.plies)
        seconds[turn] += perf_counter() - begun
        decisions[turn] += len(plays)
        for play in plays:
            if result is not None or deal.position.turn != turn or why_illegal(table, deal.position, play):
                raise ValueError(f"seat {turn} chose {plays} where legal are {observation.legal()}")
            after, result = step(table, deal, play)
            history += happened(deal, after, play)
            deal = after
    loser = int(result.seat) if isinstance(result, Loser) else None
    return Outcome(loser, deal.plies, tuple(decisions), tuple(seconds))
