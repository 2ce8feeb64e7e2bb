"""`master` against OpenSpiel's own search bots in the duel: common deals, seats swapped, equal processor time.

    python -m benchmarks.peers.openspiel_match [--peer mcts|ismcts] [--playouts random|greedy] [--ms 60] [--minutes 2]

Both sides think in one thread, and processor time is what is compared, so a busy machine favours nobody (on one so busy
that 2 seconds pass during `master`'s decision, the clock cuts that one short). The peer's
simulations are set before each decision so that its mean comes to the budget; `master`'s rounds are set once, on first
leads. A play without a choice is no decision of either side. In the duel what a seat cannot see is the other's hand,
so the only deal that fits an information state is the deal itself: plain MCTS looks at nothing it may not know, and
IS-MCTS draws its worlds by cloning.

`random` playouts are OpenSpiel's own evaluator, in Python, over `owntrumps.rl`; they end after 100 plies, so
that there can be more of them. `greedy` ones give the peer our compiled playout instead, with its tree in Python.
"""

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic, process_time
from typing import Any, Final

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

import owntrumps.rl.openspiel_game  # noqa: F401  registers our game
from benchmarks.header import header
from owntrumps.rl.deal import action_of
from owntrumps.rules.cards import Seat, card_name
from owntrumps.rules.plays import TAKE
from owntrumps.store.codec import event_json
from owntrumps.views.redaction import visible_entry
from owntrumps_bots.arena.tally import wilson
from owntrumps_bots.observation import Observation, observe
from owntrumps_bots.policies.levels import choose
from owntrumps_bots.policies.warmup import warm_up
from owntrumps_bots.search.packing import position_row, rules_row
from owntrumps_bots.search.playouts import greedy_playout

UCT_C: Final = 2.0
"""The constant of exploration in OpenSpiel's own examples; returns lie between -1 and 1."""

LONGEST: Final = 100
"""Plies of a random playout; one that is not over by then counts as a draw."""

LIMIT_MS: Final = 2000
"""The most that a level may think by the clock; `master` is bounded by rounds here."""


class GreedyPlayouts(RandomRolloutEvaluator):  # type: ignore[misc]  # OpenSpiel is not typed
    """One compiled playout, greedy in both seats, from the state's own position."""

    def evaluate(self, state: Any) -> Any:
        board = state.game.match.state.board
        position = board.deal.position
        hands = [hand.cards for hand in position.hands]
        row = position_row(hands, position.pile, position.turn, position.phase, board.deal.plies)
        loser = greedy_playout(row, rules_row(state.ruleset, board.table.trumps), row.copy())
        return np.array([0.0, 0.0] if loser > 1 else [-1.0 if seat == loser else 1.0 for seat in (0, 1)])


@dataclass
class Clock:
    """Decisions (plays with a choice), the processor seconds they took, and the simulations or rounds asked for."""

    decisions: int = 0
    seconds: float = 0.0
    searched: int = 0

    @property
    def mean_ms(self) -> float:
        return 1000 * self.seconds / self.decisions if self.decisions else 0.0

    @property
    def mean_searched(self) -> float:
        return self.searched / self.decisions if self.decisions else 0.0


@dataclass
class Peer:
    """An OpenSpiel bot that holds to a mean of ``budget`` processor seconds a decision."""

    game: Any
    kind: str
    playouts: str
    budget: float
    dice: Any
    clock: Clock = field(default_factory=Clock)
    cost: float = 0.01
    """Seconds of a simulation, as lately seen."""

    def act(self, state: Any) -> int:
        owed = self.budget * (self.clock.decisions + 1) - self.clock.seconds
        wanted = max(2, round(min(4 * self.budget, max(self.budget / 4, owed)) / self.cost))
        begun = process_time()
        action, done = self._search(state, wanted)
        spent = process_time() - begun
        self.cost = 0.7 * self.cost + 0.3 * spent / done
        self.clock.decisions += 1
        self.clock.seconds += spent
        self.clock.searched += done
        return action

    def _search(self, state: Any, simulations: int) -> tuple[int, int]:
        """The action and the simulations done (fewer than asked for where the position was solved)."""
        evaluator = (GreedyPlayouts if self.playouts == "greedy" else RandomRolloutEvaluator)(1, self.dice, LONGEST)
        if self.kind == "mcts":
            root = MCTSBot(self.game, UCT_C, simulations, evaluator, random_state=self.dice).mcts_search(state)
            return int(root.best_child().action), int(root.explore_count)
        bot = ISMCTSBot(self.game, evaluator, UCT_C, simulations, random_state=self.dice, use_observation_string=True)
        bot.set_resampler(lambda sampled, _: sampled.clone())
        return int(bot.step(state)), simulations


@dataclass
class Master:
    """Our level, told what a seat may see, with a fixed number of rounds a decision."""

    rounds: int
    clock: Clock = field(default_factory=Clock)

    def act(self, state: Any, seed: int) -> list[int]:
        """The actions of one move: a card, take, or a beat and the lead on it."""
        seat = Seat(state.current_player())
        view, events = state.game.view(seat), seen_events(state, seat)
        begun = process_time()
        plays = choose(observe(view, events), "master", LIMIT_MS, seed, rounds=self.rounds)
        self.clock.seconds += process_time() - begun
        return [action_of(TAKE if play == TAKE else card_name(play)) for play in plays]


def seen_events(state: Any, seat: Seat) -> list[dict[str, Any]]:
    """Every event of the deal as the server would give it to that seat."""
    match = state.game.match.state
    return [event_json(event) for entry in state.game.log for event in visible_entry(entry, match, seat).events]


def dealt(game: Any, seed: str) -> Any:
    """A state with its cards dealt by that seed."""
    dice, state = random.Random(seed), game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(dice.choice([outcome for outcome, _ in state.chance_outcomes()]))
    return state


def rounds_for(game: Any, seconds: float) -> int:
    """The rounds with which `master` spends that processor time on a first lead, on average over twelve deals."""
    leads: list[Observation] = []
    for number in range(12):
        state = dealt(game, f"calibration/{number}")
        seat = Seat(state.current_player())
        leads.append(observe(state.game.view(seat), seen_events(state, seat)))
    rounds = 10_000
    for _ in range(2):
        begun = process_time()
        for seed, lead in enumerate(leads):
            choose(lead, "master", LIMIT_MS, seed, rounds=rounds)
        rounds = max(512, round(rounds * seconds * len(leads) / (process_time() - begun)))
    return rounds


def play(game: Any, seed: str, master: Master, peer: Peer, seat: int, dice: random.Random) -> tuple[float, int]:
    """The points of `master` at that seat (a draw is half), and the deal's plies."""
    state = dealt(game, seed)
    while not state.is_terminal():
        if state.current_player() == seat:
            for action in master.act(state, dice.randrange(1 << 30)):
                if len(state.legal_actions()) > 1:
                    master.clock.decisions += 1
                    master.clock.searched += master.rounds
                state.apply_action(action)
        else:
            legal = state.legal_actions()
            state.apply_action(legal[0] if len(legal) == 1 else peer.act(state))
    return (state.returns()[seat] + 1) / 2, len(state.actions)


def duel(game: Any, seed: int, pairs: int, until: Callable[[], bool], master: Master, peer: Peer) -> None:
    """Plays pairs of deals until time is up and prints what came of them."""
    points: list[float] = []
    plies, dice = 0, random.Random(seed)
    for pair in range(pairs):
        if points and until():
            break
        for seat in (0, 1):
            won, length = play(game, f"{seed}/{pair}", master, peer, seat, dice)
            points.append(won)
            plies += length
    report(points, plies, master, peer)


def report(points: list[float], plies: int, master: Master, peer: Peer) -> None:
    """One paragraph: what `master` won, with Wilson's interval, and what both spent."""
    total = len(points)
    low, high = wilson(sum(points), total)
    ours, theirs = master.clock, peer.clock
    asked = f"{peer.kind}, {peer.playouts} playouts, {1000 * peer.budget:.0f} ms"
    print(f"{asked}: {total} deals of {plies / total:.0f} plies")
    print(f"  master: {100 * sum(points) / total:.1f}% of the points ({100 * low:.1f} to {100 * high:.1f})", end=", ")
    print(f"{points.count(0.0)} lost, {points.count(0.5)} drawn")
    print(
        f"  processor time a decision: master {ours.mean_ms:.1f} ms ({ours.mean_searched:,.0f} rounds at most)",
        end=", ",
    )
    print(f"peer {theirs.mean_ms:.1f} ms ({theirs.mean_searched:,.1f} simulations)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=("mcts", "ismcts"), default="mcts")
    parser.add_argument("--playouts", choices=("random", "greedy"), default="random")
    parser.add_argument("--ms", type=int, default=60, help="processor time a decision, for both")
    parser.add_argument("--rounds", type=int, help="master's rounds a decision, instead of its share of --ms")
    parser.add_argument("--ply-limit", type=int, default=300, help="a deal of so many plies is drawn, for both")
    parser.add_argument("--pairs", type=int, default=1000, help="card deals at most, each played from both seats")
    parser.add_argument("--minutes", type=float, default=2.0, help="no new deal after so long")
    parser.add_argument("--seed", type=int, default=2026)
    asked = parser.parse_args()
    print(header(), flush=True)
    warm_up(["master"])
    game = pyspiel.load_game("python_own_trumps", {"ruleset": "duel", "ply_limit": asked.ply_limit})
    master = Master(asked.rounds or rounds_for(game, asked.ms / 1000))
    peer = Peer(game, asked.peer, asked.playouts, asked.ms / 1000, np.random.RandomState(asked.seed))
    end = monotonic() + 60 * asked.minutes
    duel(game, asked.seed, asked.pairs, lambda: monotonic() >= end, master, peer)


if __name__ == "__main__":
    main()
