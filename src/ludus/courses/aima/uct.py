"""UCT, the Monte Carlo tree search of the homework, on any game of the notebook.

The search is Ludus's own, set up as the text has it: UCB1 = Q/N + c·sqrt(2·ln N_parent / N), one new node per
simulation, uniformly random play to the end, and at last the move with the best Q/N, which is UCB1 with c = 0. Q counts
the games won, a draw as half of one. The tree is kept: the next search of the same game goes on in the part of it that
its own move and the opponent's answer have led to.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ludus._core import Rng
from ludus.courses.aima.bridge import same
from ludus.courses.aima.views import View, view_of
from ludus.errors import LudusError
from ludus.search.mcts import Mcts, MctsSettings, Uct

C = 1 / math.sqrt(2)
SIMULATIONS, SECONDS = 1000, 0.5
ANSWERS = 2000  # positions after its last move that a search compares with the one it is asked about


@dataclass(eq=False)
class Node:
    """A node of the tree in the words of the homework. N, Q and UCB1 are for the player who moved to it."""

    N: int  # visits: how many simulations went through it
    Q: float  # how many of them were won, a draw counting half; of the root: by the player to move
    parent: Node | None
    c: float
    move: Any = None  # that led here; None: the root
    children: dict[Any, Node] = field(default_factory=dict, repr=False)  # those visited, by move (if it has a hash)

    def ucb1(self, c: float | None = None) -> float:
        """Q/N + c·sqrt(2·ln N_parent / N), with the constant of the search if no other is given."""
        if self.parent is None:
            raise LudusError("the root has no UCB1: it is not chosen among others")
        return self.Q / self.N + (self.c if c is None else c) * math.sqrt(2 * math.log(self.parent.N) / self.N)

    def best_move(self, c: float | None = None) -> Any:
        """The move to the child with the largest UCB1."""
        if not self.children:
            raise LudusError("this node has no children yet")
        return max(self.children.values(), key=lambda child: child.ucb1(c)).move


@dataclass
class Memory:
    """What a search remembers: what it searched, in which state, what it chose and how many visits it began with."""

    game: Any
    state: Any
    move: Any
    view: View
    search: Mcts
    kept: int


@dataclass
class UCT:
    """A search algorithm (game, state) -> (value, move) with a memory of its own: player(UCT(simulations=200))."""

    simulations: int | None = SIMULATIONS  # per move
    seconds: float | None = SECONDS  # per move; the search ends when either is used up
    c: float = C  # of UCB1
    memory: bool = True  # keep the tree from move to move
    compiled: bool = True  # see our own boards as compiled games
    _last: Memory | None = field(default=None, init=False, repr=False, compare=False)

    def __call__(self, game: Any, state: Any) -> tuple[float, Any]:
        """The mean result that the search expects for the player to move, from -1 to +1, and the move."""
        if game.is_terminal(state):
            return game.utility(state, state.to_move), None
        view, search = self.continued(game, state) or self.begun(game, state)
        kept = search.visits
        search.run(self.simulations, self.seconds)
        best = search.best("value")
        move = view.move(best.action, state)
        self._last = Memory(game, state, move, view, search, kept)
        return best.value, move

    def begun(self, game: Any, state: Any) -> tuple[View, Mcts]:
        """A new tree, whose random numbers come from Python's `random`."""
        view = view_of(game, state, self.compiled)
        settings = MctsSettings(rule=Uct(self.c, two_ln=True))
        return view, Mcts(view.state(state), settings, Rng(random.getrandbits(64)))

    def continued(self, game: Any, state: Any) -> tuple[View, Mcts] | None:
        """The part of the old tree below this state; None if the game is another or did not come here."""
        last = self._last
        if not self.memory or last is None or last.game is not game:
            return None
        moves = next((moves for moves, found in followers(last) if is_same(found, state)), None)
        if moves is None:
            return None
        self._last = None  # from here on the tree belongs to this call
        for move in moves:
            last.search.advance(last.view.action(move))
        return last.view, last.search

    @property
    def kept(self) -> int:
        """How many visits of the last search's root came from the search before."""
        return self.last.kept

    @property
    def tree(self) -> Node:
        """The root of the tree of the last search, with everything below it as it is now."""
        last = self.last
        root = Node(last.search.visits, wins(last.search.value, last.search.visits), None, self.c)
        grow(root, last, last.state, [])
        return root

    @property
    def last(self) -> Memory:
        if self._last is None:
            raise LudusError("nothing was searched yet")
        return self._last


def wins(value: float, visits: int) -> float:
    """A mean result from -1 to +1 as a number of games won."""
    return (value + 1) / 2 * visits


def grow(node: Node, last: Memory, state: Any, path: list[int]) -> None:
    """Gives a node its children, and theirs."""
    for child in last.search.children(path):
        if child.visits:
            move = last.view.move(child.action, state)
            below = Node(child.visits, wins(child.value, child.visits), node, node.c, move)
            node.children[move if isinstance(move, Hashable) else repr(move)] = below
            grow(below, last, last.game.result(state, move), [*path, child.action])


def followers(last: Memory) -> Iterator[tuple[list[Any], Any]]:
    """The states that can come after the last search's move until its player moves again, with the moves to them."""
    waiting = deque([([last.move], last.state)])
    for _ in range(ANSWERS):
        if not waiting:
            return
        moves, before = waiting.popleft()
        state = last.game.result(before, moves[-1])
        yield moves, state
        if not last.game.is_terminal(state) and state.to_move != last.state.to_move:
            waiting.extend(([*moves, move], state) for move in last.game.actions(state))


def is_same(found: Any, state: Any) -> bool:
    """Is it the same state with the same player to move? (Boards are equal when their stones are.)"""
    return found.to_move == state.to_move and same(found, state)


@lru_cache(maxsize=16)
def remembered(player: Any, *options: Any) -> UCT:
    """One search for each player and each set of options, so that two players do not share what they know."""
    return UCT(*options)


def monte_carlo_tree_search(
    game: Any,
    state: Any,
    simulations: int | None = SIMULATIONS,
    seconds: float | None = SECONDS,
    c: float = C,
    memory: bool = True,
) -> tuple[float, Any]:
    """UCT: the mean result that the search expects for the player to move, from -1 to +1, and the move.

    It ends after a number of simulations or of seconds, whichever comes first. Between the moves of a game it
    remembers its tree; `random.seed` makes it search the same again.
    """
    if not memory:
        return UCT(simulations, seconds, c)(game, state)
    return remembered(state.to_move, simulations, seconds, c)(game, state)
