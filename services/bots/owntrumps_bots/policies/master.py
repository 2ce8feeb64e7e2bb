"""The level `master`: tree search over worlds that fit what everybody saw and how everybody played; see `search.tree`.

Where nothing is hidden, as always in the two-player games, the search is over the very deal, and proves endings. There
it also looks for a line that beats opponents who play as greedy, and follows it the more readily the longer they have
shown nothing else: such opponents lose deals that a search which fears the best replies gives up.
"""

from owntrumps.rules.plays import Play
from owntrumps_bots.observation import Observation
from owntrumps_bots.policies.club import play_of
from owntrumps_bots.policies.greedy import greedy_order
from owntrumps_bots.search.history import faithful_choices
from owntrumps_bots.search.thinking import Dials, Expired, Searched, Thinker

DIALS = Dials()
SEEN_ENOUGH = 4
"""The mean reward of a play counts as the tree's best only if it was followed a quarter as often as the one followed
most: of the others it is hardly known."""


def master(
    observation: Observation, thinker: Thinker, rounds: int, expired: Expired, seed: int, dials: Dials = DIALS
) -> Play:
    """The play followed most, a proven win before all, a proven loss after all; or a line's, if that is worth it."""
    legal = observation.legal()
    if len(legal) == 1:
        return legal[0]
    line, dared = _line(observation, thinker, expired, seed, dials)
    if line is not None and dared >= 1:
        return play_of(line)
    searched = thinker.search(observation, rounds, expired, seed, dials)
    trump = observation.trumps[observation.seat]

    def rank(found: Searched) -> tuple[int, int, tuple[int, int, int, int]]:
        standing = 1
        if found.proven and found.reward in {0.0, 1.0}:
            standing = 0 if found.reward == 1.0 else 2
        return (standing, -found.visits, greedy_order(play_of(found.play), trump))

    best = min(searched, key=rank)
    won = best.proven and best.reward == 1.0
    if line is not None and not won and _reward(searched, line) >= _best_reward(searched) - dared:
        return play_of(line)
    return play_of(best.play)


def _line(
    observation: Observation, thinker: Thinker, expired: Expired, seed: int, dials: Dials
) -> tuple[int | None, float]:
    """A line's first play, and how much of the mean reward it may cost.

    Only where everybody must beat: where they may take, club plays like greedy for long, and lines against greedy lost
    more to club than they won (challenge, see the decision note).
    """
    face_up = observation.face_up() if observation.ruleset.must_beat else None
    if face_up is None:
        return None, 0.0
    faithful = faithful_choices(face_up)
    if faithful < 0:
        return None, 0.0
    return thinker.line(face_up, dials.lines, expired, seed), dials.dare * faithful


def _reward(searched: list[Searched], play: int) -> float:
    return max((found.reward for found in searched if found.play == play and found.visits), default=0.0)


def _best_reward(searched: list[Searched]) -> float:
    most = max(found.visits for found in searched)
    return max(found.reward for found in searched if found.visits * SEEN_ENOUGH >= most)
