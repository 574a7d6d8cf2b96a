"""Agents with a network: greedy on its values, or its policy; and how they are made from saved weights."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.courses.brown.base import GameAgent, refuse_no_legal
from ludus.courses.brown.features import feature_count, get_features, sensible_actions
from ludus.courses.brown.go_search_problem import Action, GoProblem, GoState
from ludus.courses.brown.heuristic_go_problems import GoProblemLearnedHeuristic
from ludus.courses.brown.plain_agents import GreedyAgent
from ludus.courses.brown.states import as_go_state, legal_actions_of
from ludus.errors import LudusError

if TYPE_CHECKING:
    from ludus.learn.plain import PolicyNetwork, ValueNetwork

VALUE_MODEL, POLICY_MODEL = "value_model.pt", "policy_model.pt"
TRAIN = "python -m ludus.courses.brown.learning"  # writes both
WEIGHTS = Path(__file__).with_name("weights")  # both for 5x5, by TRAIN --games 1500 --epochs 4


class LearnedValueAgent(GreedyAgent):
    """The action after which a value network likes the position best. It passes only where it must or wins by it."""

    def __init__(self, model: Any = None, search_problem: Any = None, seed: int | None = None) -> None:
        """Without a network and a problem, it is the network of create_value_agent_from_model."""
        if search_problem is None:
            search_problem = GoProblemLearnedHeuristic(load_value() if model is None else model)
        super().__init__(search_problem, seed=seed)

    def candidates(self, state: GoState) -> list[Action]:
        return sensible_actions(state, super().candidates(state))


class PolicyAgent(GameAgent):
    """The legal action that a policy network likes best. It passes only where it must or wins by it."""

    def __init__(
        self, search_problem: Any = None, model_path: str | Path = POLICY_MODEL, board_size: int = 5, model: Any = None
    ) -> None:
        """The weights are read from a file, unless the network itself is given."""
        self.search_problem = GoProblem(board_size) if search_problem is None else search_problem
        self.board_size = board_size
        self.model = load_policy(model_path, board_size) if model is None else model

    def encoding(self, state: GoState) -> list[float]:
        """What the network sees of a state."""
        return get_features(state)

    def get_move(self, game_state: Any, time_limit: float | None = None) -> Action:
        from ludus.learn.plain import answer

        state = as_go_state(game_state)
        if state.size != self.board_size:
            raise LudusError(
                f"this network plays on {self.board_size}x{self.board_size}, not on {state.size}x{state.size}"
            )
        legal = refuse_no_legal(legal_actions_of(game_state))
        logits = answer(self.model, self.encoding(state))
        return int(max(sensible_actions(state, legal), key=lambda action: logits[action]))

    def __str__(self) -> str:
        return "Policy Agent"


def saved(path: str | Path) -> Path:
    """The file of a network; where this folder has none of the usual name yet, the one that comes with Ludus."""
    ours = str(path) in (VALUE_MODEL, POLICY_MODEL) and not Path(path).is_file()
    return WEIGHTS / path if ours else Path(path)


def load_value(path: str | Path = VALUE_MODEL, board_size: int | None = None) -> ValueNetwork:
    """The value network in a file; refuses one for boards of another size than the one that is given."""
    path = saved(path)
    models = the_models(path)
    read = models.shape_in(path)[0]
    if board_size is not None and read != feature_count(board_size):
        raise LudusError(
            f"{path} reads {read} features; a value for {board_size}x{board_size} reads {feature_count(board_size)}; "
            f"this trains one: {TRAIN} --size {board_size}"
        )
    network: ValueNetwork = models.load_model(path, models.ValueNetwork(read))
    return network


def load_policy(path: str | Path, board_size: int) -> PolicyNetwork:
    """The policy network in a file, for boards of a size."""
    path = saved(path)
    models = the_models(path)
    read, given = models.shape_in(path)
    if (read, given) != (feature_count(board_size), board_size**2 + 1):
        raise LudusError(
            f"{path} reads {read} features and gives {given} actions; "
            f"a policy for {board_size}x{board_size} reads {feature_count(board_size)} and gives {board_size**2 + 1}; "
            f"this trains one: {TRAIN} --size {board_size}"
        )
    network: PolicyNetwork = models.load_model(path, models.PolicyNetwork(read, board_size))
    return network


def the_models(path: str | Path) -> Any:
    """The module of the networks, which needs PyTorch; says how to get what is missing."""
    if not Path(path).is_file():
        raise LudusError(f"there is no file {str(path)!r}; this trains a network and writes it: {TRAIN}")
    try:
        return importlib.import_module(f"{__package__}.models")
    except ModuleNotFoundError as error:
        raise LudusError(f"networks need {error.name}; get it with: pip install 'ludus[learn]'") from None


def create_value_agent_from_model(
    model_path: str | Path = VALUE_MODEL, board_size: int | None = None
) -> LearnedValueAgent:
    """The greedy agent with the value network in a file of this folder, or with the one that comes with Ludus."""
    return LearnedValueAgent(load_value(model_path, board_size))


def create_policy_agent_from_model(model_path: str | Path = POLICY_MODEL, board_size: int = 5) -> PolicyAgent:
    """The agent with the policy network in a file of this folder, or with the one that comes with Ludus."""
    return PolicyAgent(GoProblem(board_size), model_path, board_size)
