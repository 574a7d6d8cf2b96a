"""The course's Monte Carlo tree search: the native engine to play, and the four phases one by one to look at.

A node's value counts the wins of the player whose action led to it (a draw is half a win), so that a parent chooses
the child with the best share of wins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ludus._core import Rng, rollouts
from ludus.agents import Decision, MctsAgent, TimeLeft
from ludus.courses.brown.base import NativeAgent
from ludus.courses.brown.go_search_problem import Action, GoProblem, GoState
from ludus.courses.brown.states import as_go_state, native_of
from ludus.errors import BadOption, within
from ludus.game import NativeState, Player, State, native, seen_by
from ludus.search.mcts import Mcts


class MCTSNode:
    """A state in the tree, with its visits and the wins of the player who moved there."""

    def __init__(
        self,
        state: Any,
        parent: MCTSNode | None = None,
        children: list[MCTSNode] | None = None,
        action: Action | None = None,
    ) -> None:
        self.state, self.parent, self.action = state, parent, action
        self.children: list[MCTSNode] = [] if children is None else children
        self.visits = 0
        self.value = 0.0

    @property
    def player(self) -> Player:
        """The player whose action led here; at the root the one who is not to move."""
        if self.parent is not None:
            return int(self.parent.state.player_to_move())
        return 1 - int(self.state.player_to_move())

    def share(self) -> float:
        """The share of wins."""
        return self.value / self.visits if self.visits else 0.0

    def __hash__(self) -> int:
        return hash(self.state)

    def __repr__(self) -> str:
        return f"<MCTSNode action={self.action} visits={self.visits} value={self.value:g}>"


class KeptTree(MctsAgent):
    """A tree search whose tree can be looked at."""

    tree: Mcts | None = None

    def tree_for(self, state: State, rng: Rng, seconds: float) -> Mcts:
        self.tree = super().tree_for(state, rng, seconds)
        return self.tree


class MCTSAgent(NativeAgent):
    """Pure Monte Carlo tree search: UCT, all children of a leaf at once, uniform random play, most visits.

    `get_move` runs the native engine for as long as the clock allows, or for a number of simulations or seconds.
    """

    def __init__(
        self,
        c: float = math.sqrt(2),
        simulations: int | None = None,
        seconds: float | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(seed)
        within("c", float(c), 0, 1e6)
        self.c, self.search_problem = float(c), GoProblem()
        self.engine = KeptTree(simulations, seconds, c=self.c, expansion="all", solver=False)

    def decide(self, position: NativeState, left: TimeLeft | None) -> Decision:
        return self.engine.decide(position, self.rng, left)

    def reset(self) -> None:
        super().reset()
        self.engine.reset()

    def root(self, depth: int = 1) -> MCTSNode:
        """The tree of the last `get_move` down to a depth, as nodes."""
        tree = self.engine.tree
        if tree is None:
            raise BadOption("there is no tree yet: call get_move first")
        top = MCTSNode(GoState(native(tree.root)))
        top.visits, top.value = tree.visits, tree.visits * (1 - tree.value) / 2
        self._grow(tree, top, [], depth)
        return top

    def _grow(self, tree: Mcts, node: MCTSNode, path: list[Action], depth: int) -> None:
        if depth == 0 or node.state.is_terminal_state():
            return
        for child in tree.children(path):
            if child.visits:
                below = MCTSNode(self.search_problem.transition(node.state, child.action), node, None, child.action)
                below.visits, below.value = child.visits, child.visits * (1 + child.value) / 2
                node.children.append(below)
                self._grow(tree, below, [*path, child.action], depth - 1)

    # ------------------------------------------------ the four phases of the text's appendix, in plain Python

    def search(self, state: Any, rounds: int) -> MCTSNode:
        """The root of a tree after some rounds of the four phases; each round adds all children of one leaf."""
        root = MCTSNode(as_go_state(state).clone())
        for _ in range(rounds):
            leaf = self.select(root)
            children = self.expand(leaf)
            results = self.simulate(children)
            self.backpropagate(results, children)
        return root

    def select(self, node: MCTSNode) -> MCTSNode:
        """Down the tree by the tree policy to a leaf."""
        while node.children:
            node = self.tree_policy(node)
        return node

    def tree_policy(self, node: MCTSNode) -> MCTSNode:
        """The child with the highest UCT: its share of wins, and a bonus for having been visited little."""
        log = math.log(max(1, node.visits))

        def uct(child: MCTSNode) -> float:
            return math.inf if child.visits == 0 else child.share() + self.c * math.sqrt(log / child.visits)

        return max(node.children, key=uct)

    def expand(self, leaf: MCTSNode) -> list[MCTSNode]:
        """Adds a child for every legal action. A finished game has none: it is counted again itself."""
        if leaf.state.is_terminal_state():
            return [leaf]
        for action in self.search_problem.get_available_actions(leaf.state):
            leaf.children.append(MCTSNode(self.search_problem.transition(leaf.state, action), leaf, None, int(action)))
        return leaf.children

    def simulate(self, children: Sequence[MCTSNode]) -> list[float]:
        """The result for Black of one random game from each of the nodes."""
        return [self.rollout(child.state) for child in children]

    def rollout(self, state: Any) -> float:
        """Uniform random play to the end: 1 if Black wins, -1 if White does, 0 for a draw."""
        position = native_of(state)
        if position.over:
            return position.score(0)
        wins, _, losses = rollouts(position, 1, self.rng)
        return float(wins - losses)

    def backpropagate(self, results: Sequence[float], children: Sequence[MCTSNode]) -> None:
        """Counts every result in its node and in all nodes above."""
        for result, child in zip(results, children, strict=True):
            node: MCTSNode | None = child
            while node is not None:
                node.visits += 1
                node.value += (1 + seen_by(node.player, 0, result)) / 2
                node = node.parent

    @staticmethod
    def best_action(root: MCTSNode) -> Action:
        """The action of the most visited child."""
        best = max(root.children, key=lambda child: child.visits)
        assert best.action is not None
        return best.action

    def __str__(self) -> str:
        return "MCTS"
