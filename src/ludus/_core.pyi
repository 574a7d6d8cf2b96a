"""The native core, as Python sees it."""

from collections.abc import Sequence
from typing import TypeVar

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
    same without shortcuts; "quick", the game's own quick policy (Go: no filling of own eyes).
    """

def perft(state: State, depth: int) -> int:
    """How many sequences of `depth` legal actions start at a state."""

def time_copies(state: State, times: int) -> None: ...
