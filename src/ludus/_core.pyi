"""The native core, as Python sees it."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludus.game import Game, NativeState, State

Item = TypeVar("Item")

class Rng:
    def __init__(self, seed: int = 0) -> None: ...
    def next(self) -> int: ...
    def below(self, n: int) -> int: ...
    def uniform(self) -> float: ...
    def choice(self, items: Sequence[Item]) -> Item: ...
    def split(self) -> Rng: ...
    def __copy__(self) -> Rng: ...

Origin = tuple[str, int | None] | None

def nim(game: Game, stones: int, most: int, starter: int) -> NativeState: ...
def ledge(game: Game, cells: Sequence[int], starter: int, origin: Origin) -> NativeState: ...
def tic_tac_toe(
    game: Game, width: int, height: int, line: int, origin: Origin, cells: Sequence[int], player: int
) -> NativeState: ...
def connect_four(
    game: Game, width: int, height: int, line: int, origin: Origin, cells: Sequence[int], player: int
) -> NativeState: ...
def othello(game: Game, size: int, passing: bool, origin: Origin, cells: Sequence[int], player: int) -> NativeState: ...
def hex(game: Game, size: int, swap: bool, origin: Origin, cells: Sequence[int], player: int) -> NativeState: ...
def go(
    game: Game,
    size: int,
    komi: float,
    superko_draws: bool,
    max_length: int,
    origin: Origin,
    cells: Sequence[int],
    player: int,
) -> NativeState: ...
def rollouts(state: State, games: int, rng: Rng, policy: str = "uniform") -> tuple[int, int, int]:
    """Wins of player 0, draws and wins of player 1 in random games from a state.

    `policy`: "uniform" over the legal actions, by a game's shortcut if it has one; "stepwise", the
    same without shortcuts; "quick", the game's own quick policy (Go: answers the last stone; Othello: likes corners).
    """

def perft(state: State, depth: int) -> int:
    """How many sequences of `depth` legal actions start at a state."""

def time_copies(state: State, times: int) -> None: ...

class Network:
    def judge(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]: ...

Layers = Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]

def perceptron(body: Layers, actor: Layers, critic: Layers, activation: str, residual: bool) -> Network: ...
def convolutions(
    body: Layers, actor: Layers, critic: Layers, activation: str, planes: int, rows: int, columns: int
) -> Network: ...

class Uct:
    tries_all_first: bool
    wants_prior: bool
    c: float
    two_ln: bool
    def __init__(self, c: float = ..., two_ln: bool = ...) -> None: ...

class EpsilonGreedy:
    tries_all_first: bool
    wants_prior: bool
    epsilon: float
    def __init__(self, epsilon: float = ...) -> None: ...

class Puct:
    tries_all_first: bool
    wants_prior: bool
    c: float
    forced: float
    def __init__(self, c: float = ..., forced: float = ...) -> None: ...

class Gumbel:
    tries_all_first: bool
    wants_prior: bool
    simulations: int
    c: float
    def __init__(self, simulations: int = ..., c: float = ...) -> None: ...

class Rave:
    tries_all_first: bool
    wants_prior: bool
    c: float
    k: float
    hints: bool
    def __init__(self, c: float = ..., k: float = ..., hints: bool = ...) -> None: ...

class Actor:
    epsilon: float
    greedy: bool
    def __init__(self, epsilon: float = ..., greedy: bool = ...) -> None: ...

class Noise:
    alpha: float
    fraction: float
    def __init__(self, alpha: float = ..., fraction: float = ...) -> None: ...

class MctsOptions:
    def __init__(
        self,
        rule: Uct | EpsilonGreedy | Puct | Gumbel | Rave,
        simulate_all: bool,
        playout: str,
        priors: bool,
        actor: Actor | None,
        sigma: float,
        solver: bool,
        noise: Noise | None,
    ) -> None: ...

class DepthSearch:
    def __init__(
        self, kind: str, depth: int, seconds: float, enough: float, caching: bool, ordering: bool, table: int
    ) -> None: ...

Answer = tuple[float, int, list[int], int, int, bool, bool, bool]

def depth_search(state: State, estimate: str, how: DepthSearch) -> Answer: ...
def python_depth_search(state: State, guess: Callable[[State], float], how: DepthSearch) -> Answer: ...
def mcts(state: State, options: MctsOptions, rng: Rng) -> Any: ...
def forest(example: State, options: MctsOptions) -> Any: ...
def solver(example: State, table_bytes: int) -> Any: ...

Row = tuple[int, int, float, float, int | None, int, float, float]

class Tree:
    """A search tree. Node 0 is the root; every node is seen by the player who chose it."""

    def __init__(self, player: int) -> None: ...
    def __len__(self) -> int: ...
    def row(self, node: int) -> Row: ...
    def children(self, node: int) -> list[int]: ...
    def chooser(self, node: int) -> int: ...
    def set(self, node: int, visits: int, total: float, prior: float = 0) -> None: ...
    def set_proven(self, node: int, score: int) -> None: ...

def select(tree: Tree, state: State, options: MctsOptions, rng: Rng) -> tuple[list[int], State]: ...
def expand(tree: Tree, leaf: int, state: State, rng: Rng) -> int: ...
def playout_action(state: State, options: MctsOptions, rng: Rng) -> int: ...
def simulate(state: State, options: MctsOptions, rng: Rng) -> float: ...
def backup(tree: Tree, path: Sequence[int], score: float) -> None: ...
def prove(tree: Tree, path: Sequence[int]) -> None: ...
