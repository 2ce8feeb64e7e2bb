"""The AEC environment keeps PettingZoo's rules and ours."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from owntrumps.rl.deal import IllegalActionError
from owntrumps.rl.pettingzoo_env import OwnTrumpsEnv, own_trumps_env
from owntrumps.rules.rulesets import PRESETS


def quick(name: str) -> dict[str, object]:
    """The preset, drawn after 150 plies: random play drags on."""
    return {"base": name, "ply_limit": 150}


@pytest.mark.parametrize("name", PRESETS)
def test_it_passes_pettingzoos_own_tests(name: str) -> None:
    with warnings.catch_warnings():
        # PettingZoo warns about its own conventions, such as observations that are no image.
        warnings.simplefilter("ignore")
        api_test(own_trumps_env(quick(name)), num_cycles=400)
        seed_test(lambda: own_trumps_env(quick(name)), num_cycles=60)


def test_a_deal_ends_with_one_loser_and_the_others_sharing_a_point() -> None:
    env = own_trumps_env("dudak")
    dice = np.random.default_rng(0)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=4)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        totals[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        # Lowest beat, else take: the deal reaches its end.
        env.step(int(legal[0]) if dice.random() < 0.9 else int(dice.choice(legal)))
    assert sorted(totals.values()) == pytest.approx([-1, 1 / 3, 1 / 3, 1 / 3])


def test_an_action_outside_the_mask_is_refused_and_changes_nothing() -> None:
    env = OwnTrumpsEnv("duel")
    env.reset(seed=1)
    agent, game = env.agent_selection, env.game
    with pytest.raises(IllegalActionError):
        env.step(52)
    with pytest.raises(IllegalActionError):
        env.step(99)
    assert (env.agent_selection, env.game) == (agent, game)


def test_only_the_seat_to_move_has_actions() -> None:
    env = OwnTrumpsEnv("bornyu")
    env.reset(seed=2)
    masks = {agent: env.observe(agent)["action_mask"].sum() for agent in env.agents}
    assert masks.pop(env.agent_selection) == 8
    assert set(masks.values()) == {0}
