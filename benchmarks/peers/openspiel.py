"""OpenSpiel (a test dependency) as a peer."""

import random
from time import process_time

import pyspiel

import owntrumps.rl.openspiel_game  # noqa: F401  registers our game


def random_plies(game: str, seconds: float, seed: int) -> float:
    """Random plies a second of players in an OpenSpiel game; chance is drawn but not counted."""
    loaded, dice = pyspiel.load_game(game), random.Random(seed)
    plies, start = 0, process_time()
    while process_time() - start < seconds:
        state = loaded.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, chances)[0])
            else:
                state.apply_action(dice.choice(state.legal_actions()))
                plies += 1
    return plies / (process_time() - start)
