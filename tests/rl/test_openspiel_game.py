"""The OpenSpiel game keeps OpenSpiel's rules and ours."""

import random

import numpy as np
import pyspiel
import pytest

import owntrumps.rl.openspiel_game
from owntrumps.rules.rulesets import PRESETS

assert owntrumps.rl.openspiel_game.RECENT  # importing it registers the game


def load(name: str, **parameters: object):
    return pyspiel.load_game("python_own_trumps", {"ruleset": name, "ply_limit": 60, **parameters})


def dealt_state(game, seed: int):
    """A state in which the cards are dealt."""
    dice = random.Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(dice.choices(outcomes, chances)[0])
    return state


@pytest.mark.parametrize("name", PRESETS)
def test_it_passes_openspiels_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(load(name), 1, False, False)


@pytest.mark.parametrize("name", PRESETS)
def test_information_states_tell_a_seat_what_it_may_see_and_nothing_else(name: str) -> None:
    game = load(name)
    first = dealt_state(game, 1)
    hands = [set(first.game.view(seat)["hand"]) for seat in range(game.num_players())]
    text = first.information_state_string(0)
    assert all(card in text for card in hands[0])
    shown = {card for seat in first.game.view(None)["seats"] for card in seat["known"]}
    dealt = text.split("deal-dealt")[1].split("\n")[0]
    for card in set.union(*hands[1:]) - shown:
        assert card not in dealt


def test_two_worlds_that_differ_in_hidden_cards_have_one_information_state() -> None:
    game = load("dudak")
    # Given two deals that differ in which of two seats got which of the last two cards.
    one = dealt_state(game, 3)
    actions = one.history()
    other = game.new_initial_state()
    for action in [*actions[:-2], actions[-1], actions[-2]]:
        other.apply_action(action)
    swapped = [seat for seat in range(4) if one.game.view(seat)["hand"] != other.game.view(seat)["hand"]]
    assert len(swapped) == 2
    for seat in range(4):
        same = seat not in swapped
        assert (one.information_state_string(seat) == other.information_state_string(seat)) is same
        assert (one.observation_string(seat) == other.observation_string(seat)) is same
        assert (one.information_state_tensor(seat) == other.information_state_tensor(seat)) is same
        assert (one.observation_tensor(seat) == other.observation_tensor(seat)) is same


@pytest.mark.parametrize("name", PRESETS)
def test_tensors_fit_their_declared_shapes(name: str) -> None:
    game = load(name)
    state = dealt_state(game, 2)
    for player in range(game.num_players()):
        assert len(state.observation_tensor(player)) == np.prod(game.observation_tensor_shape())
        assert len(state.information_state_tensor(player)) == np.prod(game.information_state_tensor_shape())
        assert 0 <= min(state.observation_tensor(player)) <= max(state.observation_tensor(player)) <= 1


def test_a_mirrored_deal_mirrors() -> None:
    state = dealt_state(load("challenge"), 5)
    hands = [state.game.view(seat)["hand"] for seat in (0, 1)]
    assert len(hands[0]) == len(hands[1]) == 16
    assert not set(hands[0]) & set(hands[1])
    # Challenge is face up: each sees the other's cards.
    assert state.game.view(0)["seats"][1]["known"] == hands[1]


def test_impossible_parameters_are_refused() -> None:
    with pytest.raises(Exception, match="mirrored"):
        load("challenge", players=3)
    with pytest.raises(Exception, match="whist"):
        load("whist")


def test_a_clone_shares_the_immutable_deal_and_goes_its_own_way() -> None:
    state = dealt_state(load("duel"), 4)
    clone = state.clone()
    assert clone.game is state.game
    clone.apply_action(clone.legal_actions()[0])
    assert (len(clone.history()), len(clone.actions)) == (len(state.history()) + 1, 1)
    assert state.actions == ()
