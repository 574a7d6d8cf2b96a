"""The textbook page: minimax, alpha-beta and Monte Carlo tree search in plain Python, on any State.

It is the specification. With the same random numbers the compiled searches do exactly this, visit for visit
and node for node; tests/search/test_textbook.py checks it. Values are for the player to move; turns need not alternate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ludus._core import Rng
from ludus.game import Action, Player, State, seen_by

Utility = Callable[[State, Player], float]  # the value of a finished game for a player
Estimate = Callable[[State], float]  # a guess at the utility, for the player to move; of a score strictly within ±1


def score(state: State, player: Player) -> float:
    """The usual utility: +1, 0 or -1. Another one is the margin in discs or points."""
    return state.score(player)


def even(state: State) -> float:
    """The estimate that takes every state for even."""
    return 0.0


# ---------------------------------------------------------------------------------------- minimax


class Minimax:
    """Looks at every state down to a depth."""

    def __init__(self, estimate: Estimate = even, utility: Utility = score) -> None:
        self.estimate, self.utility = estimate, utility
        self.nodes = 0

    def search(self, state: State, depth: float = math.inf) -> tuple[float, Action | None]:
        """The value of a state and the first action that reaches it."""
        self.nodes += 1
        if state.over:
            return self.utility(state, state.player), None
        if depth == 0:
            return self.estimate(state), None
        best, choice = -math.inf, None
        for action in state.actions():
            child = state.play(action)
            value = seen_by(state.player, child.player, self.search(child, depth - 1)[0])
            if value > best:
                best, choice = value, action
        return best, choice


# ------------------------------------------------------------------------------------- alpha-beta


@dataclass
class Known:
    """What an earlier search of a state found: its value, or a bound on it, at some depth."""

    value: float
    depth: float
    action: Action | None
    bound: str  # "exact", "at least" or "at most"
    complete: bool  # rests on no guess, so no depth would change it

    def settles(self, depth: float, alpha: float, beta: float) -> bool:
        """Does it answer a search of this depth within this window?"""
        if self.depth != depth and not self.complete:
            return False
        return self.bound == "exact" or (self.value >= beta if self.bound == "at least" else self.value <= alpha)


class AlphaBeta:
    """Minimax that skips actions which cannot change the value; with a transposition table and ordering, if asked."""

    def __init__(
        self, estimate: Estimate = even, caching: bool = False, ordering: bool = False, utility: Utility = score
    ) -> None:
        self.estimate, self.ordering, self.utility = estimate, ordering, utility
        self.cache: dict[State, Known] | None = {} if caching else None
        self.nodes = self.guesses = 0

    def search(
        self, state: State, depth: float = math.inf, alpha: float = -math.inf, beta: float = math.inf
    ) -> tuple[float, Action | None]:
        """The value, right if it lies between alpha and beta, else a bound on that side."""
        self.nodes += 1
        if state.over:
            return self.utility(state, state.player), None
        if depth == 0:
            self.guesses += 1
            return self.estimate(state), None
        guesses_before = self.guesses
        known = self.cache.get(state) if self.cache is not None else None
        if known and known.settles(depth, alpha, beta):
            self.guesses += not known.complete
            return known.value, known.action
        best, choice, low = -math.inf, None, alpha
        for action in self.ordered(state, depth, known.action if known else None):
            child = state.play(action)
            if child.player == state.player:
                value = self.search(child, depth - 1, low, beta)[0]
            else:
                value = -self.search(child, depth - 1, -beta, -low)[0]
            if value > best:
                best, choice = value, action
            low = max(low, best)
            if low >= beta:
                break
        if self.cache is not None:
            bound = "at most" if best <= alpha else "at least" if best >= beta else "exact"
            self.cache[state] = Known(best, depth, choice, bound, self.guesses == guesses_before)
        return best, choice

    def ordered(self, state: State, depth: float, hint: Action | None) -> list[Action]:
        """The actions in their own order, or by their value one ply ahead; at depth 1 that would save nothing."""
        actions = list(state.actions())
        if not self.ordering or depth <= 1:
            return actions

        def promise(action: Action) -> float:
            if action == hint:
                return math.inf
            child = state.play(action)
            value = self.utility(child, child.player) if child.over else self.estimate(child)
            return seen_by(state.player, child.player, value)

        return sorted(actions, key=promise, reverse=True)  # equals stay in order


# ------------------------------------------------------------------------- Monte Carlo tree search


class Node:
    """A state in the tree. Its total is seen by the chooser, the player whose action led to it."""

    def __init__(self, state: State, chooser: Player, action: Action | None = None, parent: Node | None = None) -> None:
        self.state, self.chooser, self.action, self.parent = state, chooser, action, parent
        self.children: list[Node] = []
        self.untried = list(state.actions())
        self.visits, self.total = 0, 0.0

    def share(self) -> float:
        """The share of wins, a draw counting half."""
        return (self.total / self.visits + 1) / 2


def select(root: Node, c: float) -> Node:
    """Phase one: down the tree, by UCT, to a node with something new to try or to the end of a game."""
    node = root
    while not node.untried and node.children:
        explore = c * math.sqrt(math.log(node.visits))
        node = max(node.children, key=lambda child: child.share() + explore / math.sqrt(child.visits))
    return node


def expand(leaf: Node, rng: Rng) -> Node:
    """Phase two: a new node, for any of the untried actions."""
    chosen = rng.below(len(leaf.untried))
    leaf.untried[0], leaf.untried[chosen] = leaf.untried[chosen], leaf.untried[0]
    action = leaf.untried.pop(0)
    leaf.children.append(Node(leaf.state.play(action), leaf.state.player, action, leaf))
    return leaf.children[-1]


def simulate(state: State, rng: Rng) -> float:
    """Phase three: random play to the end. The score of player 0."""
    while not state.over:
        state = state.play(rng.choice(state.actions()))
    return state.score(0)


def backup(leaf: Node, score: float) -> None:
    """Phase four: the score (player 0's) goes up to the root, to every node as its chooser sees it."""
    node: Node | None = leaf
    while node is not None:
        node.visits += 1
        node.total += seen_by(node.chooser, 0, score)
        node = node.parent


def mcts(state: State, simulations: int, rng: Rng, c: float = math.sqrt(2)) -> Node:
    """The root of a tree after a number of simulations; its most visited child is the choice."""
    root = Node(state, chooser=state.player)
    for _ in range(simulations):
        leaf = select(root, c)
        if not leaf.state.over:
            leaf = expand(leaf, rng)
        backup(leaf, simulate(leaf.state, rng))
    return root
