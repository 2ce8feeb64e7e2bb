"""Train something small: six weights for the duel, by the cross-entropy method, against a random opponent.

    python docs/examples/train_linear.py [--generations 5] [--seed 0]

Takes a minute or two, and prints the share of points against `random` before and after (0.5 is even).
"""

import argparse
from typing import Any

import numpy as np

from owntrumps.rl.features import CARDS, TAKE_ACTION, feature_shapes
from owntrumps.rl.pettingzoo_env import OwnTrumpsEnv

RULESET = {"base": "duel", "ply_limit": 300}
SHAPES = feature_shapes(seats=2)
OFFSETS = dict(zip(SHAPES, np.cumsum([0, *(int(np.prod(shape)) for shape in SHAPES.values())]), strict=False))


def part(observation: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    start = OFFSETS[name]
    return observation[start : start + int(np.prod(SHAPES[name]))].reshape(SHAPES[name])


def features(observation: np.ndarray[Any, Any], legal: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Six numbers for each legal action: take, rank, own trump, their trump, leading, cards in hand."""
    trumps = part(observation, "trumps").argmax(axis=1)
    leading = part(observation, "phase")[0]
    rows = np.zeros((len(legal), 6), np.float32)
    for row, action in zip(rows, legal, strict=True):
        if action == TAKE_ACTION:
            row[0] = 1
        else:
            suit, rank = divmod(int(action), CARDS // 4)
            row[1:] = rank / 12, suit == trumps[0], suit == trumps[1], leading * rank / 12, 0
        row[5] = row[0] * part(observation, "counts")[0]
    return rows


def play(weights: np.ndarray[Any, Any], deals: int, seed: int) -> float:
    """The share of points of these weights, in alternating seats, against random plays."""
    env, dice, points = OwnTrumpsEnv(RULESET), np.random.default_rng(seed), 0.0
    for deal in range(deals):
        env.reset(seed=seed * 100_003 + deal // 2)
        learner = f"seat_{deal % 2}"
        while not env.terminations[learner]:
            seen = env.observe(env.agent_selection)
            legal = np.flatnonzero(seen["action_mask"])
            if env.agent_selection == learner:
                env.step(int(legal[np.argmax(features(seen["observation"], legal) @ weights)]))
            else:
                env.step(int(dice.choice(legal)))
        points += (env.rewards[learner] + 1) / 2
    return points / deals


def train(generations: int, seed: int, population: int = 24, deals: int = 12) -> np.ndarray[Any, Any]:
    dice = np.random.default_rng(seed)
    mean, spread = np.zeros(6), np.ones(6)
    for generation in range(generations):
        candidates = mean + spread * dice.standard_normal((population, 6))
        scores = np.array([play(weights, deals, seed=generation + 1) for weights in candidates])
        best = candidates[np.argsort(scores)[-population // 4 :]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1
        print(f"generation {generation + 1}: mean {scores.mean():.2f}, best {scores.max():.2f}", flush=True)
    return mean


def main(arguments: list[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--deals", type=int, default=100, help="for the comparison before and after")
    given = parser.parse_args(arguments)
    print(f"untrained: {play(np.zeros(6), given.deals, seed=999):.2f} of the points against random")
    share = play(train(given.generations, given.seed), given.deals, seed=999)
    print(f"trained: {share:.2f} of the points against random")
    return share


if __name__ == "__main__":
    main()
