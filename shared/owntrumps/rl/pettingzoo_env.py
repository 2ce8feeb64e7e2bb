"""A deal as a PettingZoo AEC environment.

env = own_trumps_env("bornyu")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    ...
"""

from hashlib import sha256
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from owntrumps.rl.deal import ACTIONS, DealGame, action_name, returns, seeded
from owntrumps.rl.features import action_mask, feature_size, vector
from owntrumps.rules.rulesets import ruleset_from


class OwnTrumpsEnv(AECEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """One deal. Agents are ``seat_0`` … in seat order; a seat that went out stays an agent and is not asked any more.

    An observation is ``{"observation": float32 vector (see owntrumps.rl.features), "action_mask": int8 of 53}``, made
    from the seat's own view alone. When the deal ends the loser's reward is -1 and the others share 1; a draw is 0 for
    all.
    ``ruleset`` is a name or an object as everywhere (`owntrumps.rules.rulesets.ruleset_from`).
    """

    def __init__(self, ruleset: object = "bornyu", render_mode: str | None = None) -> None:
        super().__init__()
        self.ruleset, name = ruleset_from(ruleset)
        self.metadata = {
            "name": f"own_trumps_{name.replace('-', '_')}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.ruleset.seats)]
        space = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (feature_size(self.ruleset.seats),), np.float32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self._dice: np.random.Generator = seeding.np_random()[0]
        self.game: DealGame | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  PettingZoo's
        """Deal anew. The same ``seed`` gives the same deal, and the same deals after it."""
        if seed is not None:
            self._dice = seeding.np_random(seed)[0]
        self.game = seeded(self.ruleset, sha256(self._dice.bytes(32)).hexdigest())
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent(self._playing().turn or 0)

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        view = self._playing().view(self.possible_agents.index(agent))  # type: ignore[arg-type]
        return {"observation": vector(view, seat), "action_mask": action_mask(view)}

    def step(self, action: int | None) -> None:
        """Play for the selected agent; IllegalActionError for an action its mask does not allow."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.game = self._playing().step(int(action) if action is not None else -1)
        turn = self.game.turn
        if turn is None:
            self.rewards = dict(zip(self.possible_agents, returns(self.game), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._agent(turn)
        self._accumulate_rewards()
        if turn is None:
            self._deads_step_first()

    def render(self) -> str | None:
        """The spectator's view in a few lines, under ``render_mode="ansi"``."""
        if self.render_mode != "ansi":
            return None
        view = self._playing().view(None)
        seats = [f"seat_{seat['seat']} {seat['trump']}: {seat['cards']} cards" for seat in view["seats"]]
        return "\n".join([*seats, f"pile: {' '.join(view['pile']) or '-'}", f"{view['phase']}: seat_{view['turn']}"])

    def close(self) -> None:
        """Nothing is open."""

    def _agent(self, seat: int) -> str:
        return self.possible_agents[seat]

    def _playing(self) -> DealGame:
        if self.game is None:
            raise ValueError("reset() comes before everything else")
        return self.game


def own_trumps_env(ruleset: object = "bornyu", render_mode: str | None = None) -> AECEnv:
    """The environment with PettingZoo's own checks of use around it."""
    env = OwnTrumpsEnv(ruleset, render_mode)
    return wrappers.OrderEnforcingWrapper(env)


__all__ = ["OwnTrumpsEnv", "action_name", "own_trumps_env"]
