"""The other interface of AIMA, that of its modules games.py and games4e.py: a second face of the same searches.

It differs from the notebook's: squares count from (1, 1) in the bottom left corner, searches are called with the state
first and return a move alone, and a game is played by a method of its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from ludus.courses.aima import games, players, search
from ludus.courses.aima.uct import UCT
from ludus.search.textbook import AlphaBeta

Square = tuple[int, int]


class GameState(NamedTuple):
    """A position: whose turn it is, the utility for X, who stands where, and the empty squares."""

    to_move: str
    utility: float
    board: dict[Square, str]
    moves: list[Square]


class Game:
    """The rules of a game. A subclass sets `initial` and defines actions, result and utility."""

    initial: Any

    def actions(self, state: Any) -> Any:
        """A list of the legal moves."""
        raise NotImplementedError

    def result(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        raise NotImplementedError

    def utility(self, state: Any, player: Any) -> float:
        """What a finished game is worth to a player."""
        raise NotImplementedError

    def terminal_test(self, state: Any) -> bool:
        """Has the game ended?"""
        return not self.actions(state)

    def to_move(self, state: Any) -> Any:
        """Whose turn it is."""
        return state.to_move

    def display(self, state: Any) -> None:
        print(state)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def play_game(self, *players: players.Strategy) -> float:
        """Plays a game, the players in turn; prints its end and returns the utility for the first player."""
        state = self.initial
        while True:
            for player in players:
                state = self.result(state, player(self, state))
                if self.terminal_test(state):
                    self.display(state)
                    return self.utility(state, self.to_move(self.initial))


class TicTacToe(Game):
    """Tic-tac-toe on h columns and v rows: k in a line win. X begins."""

    def __init__(self, h: int = 3, v: int = 3, k: int = 3) -> None:
        self.h, self.v, self.k = h, v, k
        squares = [(x, y) for x in range(1, h + 1) for y in range(1, v + 1)]
        self.initial = GameState(to_move="X", utility=0, board={}, moves=squares)

    def actions(self, state: GameState) -> list[Square]:
        return state.moves

    def result(self, state: GameState, move: Square) -> GameState:
        """The state after a move; the same state if its square is taken."""
        if move not in state.moves:
            return state
        board = state.board | {move: state.to_move}
        other = "O" if state.to_move == "X" else "X"
        moves = [square for square in state.moves if square != move]
        return GameState(other, self.compute_utility(board, move, state.to_move), board, moves)

    def compute_utility(self, board: dict[Square, str], move: Square, player: str) -> float:
        """+1 if X wins by this move, -1 if O does, else 0."""
        lines = ((0, 1), (1, 0), (1, -1), (1, 1))
        won = any(self.k_in_row(board, move, player, line) for line in lines)
        return 0 if not won else 1 if player == "X" else -1

    def k_in_row(self, board: dict[Square, str], move: Square, player: str, delta_x_y: Square) -> bool:
        """Has a player k stones in one direction and the opposite one through a square?"""
        return games.k_in_row(board, player, move, self.k, [delta_x_y])

    def utility(self, state: GameState, player: str) -> float:
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: GameState) -> bool:
        return state.utility != 0 or not state.moves

    def display(self, state: GameState) -> None:
        """Prints a line for every column, which shows the board on its side."""
        for x in range(1, self.h + 1):
            print(*(state.board.get((x, y), ".") for y in range(1, self.v + 1)), "")


class ConnectFour(TicTacToe):
    """Connect Four: a stone falls to the lowest empty square of its column."""

    def __init__(self, h: int = 7, v: int = 6, k: int = 4) -> None:
        super().__init__(h, v, k)

    def actions(self, state: GameState) -> list[Square]:
        return [(x, y) for x, y in state.moves if y == 1 or (x, y - 1) in state.board]


class Fig52Game(Game):
    """The small tree of the book's figure 5.2: MAX chooses a branch, then MIN a leaf. It is worth 3 to MAX."""

    initial = "A"
    leaves: ClassVar[dict[str, tuple[int, ...]]] = {"B": (3, 12, 8), "C": (2, 4, 6), "D": (14, 5, 2)}
    succs: ClassVar[dict[str, dict[str, str]]] = {
        "A": {f"a{i}": branch for i, branch in enumerate(leaves, 1)},
        **{branch: {f"{branch.lower()}{i}": f"{branch}{i}" for i in (1, 2, 3)} for branch in leaves},
    }
    utils: ClassVar[dict[str, int]] = {f"{b}{i}": value for b, row in leaves.items() for i, value in enumerate(row, 1)}

    def actions(self, state: str) -> list[str]:
        return list(self.succs.get(state, {}))

    def result(self, state: str, move: str) -> str:
        return self.succs[state][move]

    def utility(self, state: str, player: str) -> float:
        return self.utils[state] if player == "MAX" else -self.utils[state]

    def to_move(self, state: str) -> str:
        return "MIN" if state in ("B", "C", "D") else "MAX"


# ------------------------------------------------------------------------------------------------ searches


class Seen(NamedTuple):
    """A state that says itself whose turn it is, as the notebook's do."""

    to_move: Any
    state: Any


class Notebook(games.Game):
    """A game of this module as a game of the notebook."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.initial = self.seen(game.initial)

    def seen(self, state: Any) -> Seen:
        return Seen(self.game.to_move(state), state)

    def actions(self, state: Seen) -> Any:
        return self.game.actions(state.state)

    def result(self, state: Seen, move: Any) -> Seen:
        return self.seen(self.game.result(state.state, move))

    def is_terminal(self, state: Seen) -> bool:
        return self.game.terminal_test(state.state)

    def utility(self, state: Seen, player: Any) -> float:
        return self.game.utility(state.state, player)


def minimax_decision(state: Any, game: Game) -> Any:
    """The best move, by looking at every line of play."""
    rules = Notebook(game)
    return search.minimax_search(rules, rules.seen(state))[1]


def alphabeta_search(state: Any, game: Game) -> Any:
    """The best move, without the lines of play that cannot change it."""
    rules = Notebook(game)
    return search.alphabeta_search(rules, rules.seen(state))[1]


def monte_carlo_tree_search(state: Any, game: Game, N: int = 1000) -> Any:  # noqa: N803
    """The most visited move after N simulations of UCT with the constant 1.4."""
    rules, uct = Notebook(game), UCT(simulations=N, seconds=None, c=1.4 / 2**0.5, memory=False)
    _, move = uct(rules, rules.seen(state))
    if move is None:
        return None  # the game is over
    return max(uct.tree.children.values(), key=lambda child: child.N).move


def alphabeta_cutoff_search(
    state: Any,
    game: Game,
    d: int = 4,
    cutoff_test: Callable[[Any, int], bool] | None = None,
    eval_fn: Callable[[Any], float] | None = None,
) -> Any:
    """The best move by alpha-beta that stops where cutoff_test(state, depth) says so and takes eval_fn(state) there.

    Without a test it stops at the end of a game and at states more than d moves ahead, without an evaluation it takes
    the utility. Both are for the player to move in `state`, which has depth 0 and is always searched.
    """
    rules = Notebook(game)
    root = rules.seen(state)
    ends = cutoff_test or (lambda state, depth: depth > d or game.terminal_test(state))
    value = eval_fn or (lambda state: game.utility(state, root.to_move))

    def leaf(seen: Seen, depth: int) -> float | None:
        return value(seen.state) if depth > 0 and ends(seen.state, depth) else None

    return search.found_by(AlphaBeta(), search.Task(rules, root.to_move, leaf), root)[1]


# the names of later files
minmax_decision, alpha_beta_search = minimax_decision, alphabeta_search
alpha_beta_cutoff_search = alphabeta_cutoff_search
infinity = search.infinity


# ------------------------------------------------------------------------------------------------- players

query_player = players.query_player


def random_player(game: Game, state: Any) -> Any:
    """Any legal move, or None if there is none."""
    moves = game.actions(state)
    return random.choice(moves) if moves else None


def alphabeta_player(game: Game, state: Any) -> Any:
    return alphabeta_search(state, game)


def minmax_player(game: Game, state: Any) -> Any:
    return minimax_decision(state, game)


def mcts_player(game: Game, state: Any) -> Any:
    return monte_carlo_tree_search(state, game)


alpha_beta_player = alphabeta_player  # its later name
