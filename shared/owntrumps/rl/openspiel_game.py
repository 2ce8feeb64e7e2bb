"""A deal as an OpenSpiel Python game, ``python_own_trumps``, registered when this module is imported.

    import pyspiel, owntrumps.rl.openspiel_game
    game = pyspiel.load_game("python_own_trumps", {"ruleset": "duel"})

Chance is explicit: first the dealer, then a trump for each seat where trumps are declared, then the cards one at a time
in the order of dealing (action = card), or in a mirrored deal one coin for each rank. Players' actions are those of
`owntrumps.rl.deal`. Information states are the log as the seat may see it; tensors are its view.
"""

from dataclasses import replace
from typing import Any, Final

import numpy as np
import pyspiel

from owntrumps.game.dealing import deal_out
from owntrumps.rl.deal import ACTIONS, DealGame, action_name, dealt, returns
from owntrumps.rl.features import feature_shapes, feature_size, observation
from owntrumps.rules.cards import Card, Seat, Suit, card_at, cards_of, pack
from owntrumps.rules.rulesets import Ruleset, check_playable, preset

RECENT: Final = 32
"""How many of the deal's last actions an information-state tensor shows, newest first."""

_TYPE: Final = pyspiel.GameType(
    short_name="python_own_trumps",
    long_name="Own trumps (bornyú, duel and kin)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"ruleset": "bornyu", "players": 0, "ply_limit": 0},
    provides_factored_observation_string=False,
)


def _ruleset(parameters: dict[str, Any]) -> Ruleset:
    changes: dict[str, Any] = {}
    if parameters.get("players"):
        changes["seats"] = parameters["players"]
    if parameters.get("ply_limit"):
        changes["ply_limit"] = parameters["ply_limit"]
    base = preset(str(parameters.get("ruleset", "bornyu")))
    return check_playable(replace(base, **changes))


class OwnTrumpsGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel is not typed
    """One deal of a preset; ``players`` and ``ply_limit`` other than 0 override the preset's."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.ruleset = _ruleset(given)
        chances = 1 + self.ruleset.seats + self.ruleset.deck
        super().__init__(
            _TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=ACTIONS,
                max_chance_outcomes=52,
                num_players=self.ruleset.seats,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.ruleset.ply_limit,
            ),
            given,
        )
        self.max_chances = chances

    def new_initial_state(self) -> "OwnTrumpsState":
        return OwnTrumpsState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.max_chances

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> "OwnTrumpsObserver":
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return OwnTrumpsObserver(kind, self.ruleset.seats, params)


class OwnTrumpsState(pyspiel.State):  # type: ignore[misc]  # pyspiel is not typed
    """A deal that is being dealt (`game` is None) or played."""

    def __init__(self, game: OwnTrumpsGame) -> None:
        super().__init__(game)
        self.ruleset = game.ruleset
        self.chosen: tuple[int, ...] = ()
        """Outcomes of chance so far."""
        self.game: DealGame | None = None
        self.actions: tuple[int, ...] = ()
        """The players' actions so far."""

    def current_player(self) -> int:
        if self.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        turn = self.game.turn
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn

    def is_terminal(self) -> bool:
        return self.game is not None and self.game.is_over

    def returns(self) -> list[float]:
        return [0.0] * self.ruleset.seats if self.game is None else returns(self.game)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = _chances(self.ruleset, self.chosen)
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.game is None or self.game.turn != player else self.game.legal_actions()

    def _apply_action(self, action: int) -> None:
        if self.game is not None:
            self.actions = (*self.actions, action)
            self.game = self.game.step(action)
            return
        self.chosen = (*self.chosen, action)
        if not _chances(self.ruleset, self.chosen):
            self.game = _dealt(self.ruleset, self.chosen)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return action_name(action)

    def __str__(self) -> str:
        if self.game is None:
            return f"dealing {' '.join(map(str, self.chosen))}"
        return "\n".join(self.game.history(None))


class OwnTrumpsObserver:
    """What one seat sees: `tensor` and `dict` hold its view as numbers, the string its whole log or its view."""

    def __init__(self, kind: Any, seats: int, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self.seats = seats
        self.recall = kind.perfect_recall
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        recent = RECENT * ACTIONS if self.recall else 0
        self.tensor = np.zeros(feature_size(seats) + recent, np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        shapes = feature_shapes(seats) | ({"recent": (RECENT, ACTIONS)} if self.recall else {})
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: OwnTrumpsState, player: int) -> None:
        """Fill the tensor with what the player sees (nothing before the cards are dealt)."""
        self.tensor.fill(0)
        if state.game is None:
            return
        view = state.game.view(Seat(player) if self.private else None)
        for name, part in observation(view, player).items():
            self.dict[name][:] = part
        if self.recall:
            for index, action in enumerate(reversed(state.actions[-RECENT:])):
                self.dict["recent"][index, action] = 1

    def string_from(self, state: OwnTrumpsState, player: int) -> str:
        """Under perfect recall the log as the player may see it, else the view."""
        if state.game is None:
            return f"dealing: {len(state.chosen)} chances"
        viewer = Seat(player) if self.private else None
        if self.recall:
            return f"seat {player}\n" + "\n".join(state.game.history(viewer))
        view = state.game.view(viewer)
        seats = [f"{seat['trump']}:{seat['cards']}:{','.join(seat['known'])}" for seat in view["seats"]]
        facts = [f"seat {player}", f"{view['phase']} {view['turn']}", " ".join(view["hand"]), " ".join(view["pile"])]
        return " | ".join([*facts, " ".join(view["discarded"]), *seats])


def _chances(ruleset: Ruleset, chosen: tuple[int, ...]) -> list[int]:
    """The equally likely outcomes of the next chance node, [] once the cards are dealt."""
    if not chosen:
        return list(range(ruleset.seats))
    chosen = chosen[1:]
    if ruleset.trump_choice == "declared":
        if len(chosen) < ruleset.seats:
            return [suit for suit in range(4) if suit not in chosen]
        chosen = chosen[ruleset.seats :]
    if ruleset.deal == "mirrored":
        return [0, 1] if len(chosen) < ruleset.deck // 2 else []
    return [card for card in cards_of(pack(ruleset.deck)) if card not in chosen]


def _dealt(ruleset: Ruleset, chosen: tuple[int, ...]) -> DealGame:
    """The deal that a full list of outcomes stands for."""
    dealer, rest = Seat(chosen[0]), chosen[1:]
    trumps: tuple[Suit, ...] | None = None
    if ruleset.trump_choice == "declared":
        trumps, rest = tuple(Suit(suit) for suit in rest[: ruleset.seats]), rest[ruleset.seats :]
    if ruleset.deal == "mirrored" and trumps is not None:
        return dealt(ruleset, dealer, trumps, _mirrored(ruleset, dealer, trumps, rest))
    return dealt(ruleset, dealer, trumps, deal_out([Card(card) for card in rest], ruleset, dealer))


def _mirrored(ruleset: Ruleset, dealer: Seat, trumps: tuple[Suit, ...], coins: tuple[int, ...]) -> list[list[Card]]:
    """Challenge's deal from one coin for each rank of the dealer's trump and of the lower free suit: 1 gives the dealer
    that card and the opponent its mirror, 0 the other way round. (Which free suit is whose partner changes nothing.)"""
    free = [Suit(suit) for suit in range(4) if suit not in trumps]
    hands: list[list[Card]] = [[], []]
    low = 13 - ruleset.deck // 4
    tossed = iter(coins)
    for own, opposite in ((trumps[dealer], trumps[1 - dealer]), (free[0], free[1])):
        for rank in range(low, 13):
            keeps = next(tossed) == 1
            hands[dealer].append(card_at(own if keeps else opposite, rank))
            hands[1 - dealer].append(card_at(opposite if keeps else own, rank))
    return [sorted(hand) for hand in hands]


pyspiel.register_game(_TYPE, OwnTrumpsGame)
