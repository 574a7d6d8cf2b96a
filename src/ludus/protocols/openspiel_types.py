"""What Ludus uses of OpenSpiel's classes. Its compiled module pyspiel has no types of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ludus.game import Action, Player

Option = str | int | float | bool | None  # of a game of OpenSpiel
Options = dict[str, Option]


class SpielType(Protocol):
    """What kind of game a game is. The last four are enumerations of pyspiel."""

    short_name: str
    default_loadable: bool
    max_num_players: int
    provides_observation_tensor: bool
    utility: object
    information: object
    chance_mode: object
    dynamics: object


class SpielGame(Protocol):
    """A game of OpenSpiel."""

    def get_type(self) -> SpielType: ...
    def get_parameters(self) -> Options: ...
    def new_initial_state(self) -> SpielState: ...
    def num_distinct_actions(self) -> int: ...
    def num_players(self) -> int: ...
    def observation_tensor_shape(self) -> Sequence[int]: ...
    def max_utility(self) -> float: ...


class SpielState(Protocol):
    """A position of OpenSpiel."""

    def get_game(self) -> SpielGame: ...
    def clone(self) -> SpielState: ...
    def child(self, action: Action) -> SpielState: ...
    def apply_action(self, action: Action) -> None: ...
    def history(self) -> list[Action]: ...
    def legal_actions(self) -> list[Action]: ...
    def current_player(self) -> Player: ...
    def is_terminal(self) -> bool: ...
    def returns(self) -> list[float]: ...
    def action_to_string(self, player: Player, action: Action) -> str: ...
    def observation_tensor(self, player: Player) -> list[float]: ...


class SpielNode(Protocol):
    """A node of the tree of OpenSpiel's search."""

    action: Action
    player: Player
    outcome: Sequence[float]  # empty: not proven
    explore_count: int
    total_reward: float
    children: Sequence[SpielNode]


class SpielBot(Protocol):
    """A bot of OpenSpiel."""

    def step(self, state: SpielState) -> Action: ...


class SpielMctsBot(SpielBot, Protocol):
    """OpenSpiel's Monte Carlo tree search."""

    def mcts_search(self, state: SpielState) -> SpielNode: ...
