"""What a search of some depth did: the top of its tree with its cut-offs, and the depths of iterative deepening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from ludus import _core
from ludus._core import TraceNode
from ludus.game import Action, Player, seen_by

Bound = Literal["exact", "at least", "at most"]
Ending = Literal["searched", "over", "horizon", "remembered", "stopped"]
OTHER_SIDE: dict[Bound, Bound] = {"exact": "exact", "at least": "at most", "at most": "at least"}


@dataclass(frozen=True)
class SearchNode:
    """A node at the top of the tree. All values are seen by the player to move at the root.

    The window (low, high) is what the search still wanted to know there: a value outside of it cannot change the
    decision, so such a value is only a bound.
    """

    action: Action | None  # that led here; None: the root
    player: Player  # to move here
    value: float | None  # None: the search was stopped first
    bound: Bound  # the true value is this, at least this or at most this
    low: float
    high: float
    ending: Ending  # from its children, the game is over, a guess, from the transposition table, or stopped
    best: Action | None  # the best action; after a cut-off the one that refuted the action that led here
    legal: int  # actions
    tried: int  # actions; fewer than legal after a cut-off
    nodes: int  # in this subtree, with this node
    children: tuple[SearchNode, ...] = ()  # in the order tried; none below the recorded plies

    @property
    def skipped(self) -> int:
        """How many actions were not looked at because of a cut-off."""
        return self.legal - self.tried if self.ending == "searched" else 0


@dataclass(frozen=True)
class DepthResult:
    """One depth of iterative deepening. The value is for the player to move."""

    depth: int
    value: float
    action: Action
    nodes: int
    seconds: float
    finished: bool  # False: the time was up first; the value is that of the last finished depth


def depth_result(row: _core.DepthResult) -> DepthResult:
    return DepthResult(row.depth, row.value + 0.0, row.action, row.nodes, row.seconds, row.finished)


def tree_of(trace: Sequence[TraceNode]) -> SearchNode | None:
    """The tree that a trace describes: nodes in the order in which they were entered, each with its parent's index."""
    if not trace:
        return None
    below: list[list[SearchNode]] = [[] for _ in trace]
    root = trace[0].player
    for index in range(len(trace) - 1, 0, -1):  # children come after their parents
        below[trace[index].parent].append(node_of(trace[index], root, below[index]))
    return node_of(trace[0], root, below[0])


def node_of(node: TraceNode, root: Player, children: list[SearchNode]) -> SearchNode:
    """One node, with the views of the player to move turned into that of the root's player."""
    same = node.player == root
    bound = cast(Bound, node.bound)
    return SearchNode(
        action=None if node.action < 0 else node.action,
        player=node.player,
        value=None if node.ending == "stopped" else seen_by(root, node.player, node.value) + 0.0,
        bound=bound if same else OTHER_SIDE[bound],
        low=node.alpha if same else -node.beta,
        high=node.beta if same else -node.alpha,
        ending=cast(Ending, node.ending),
        best=None if node.best < 0 else node.best,
        legal=node.legal,
        tried=node.tried,
        nodes=node.nodes,
        children=tuple(reversed(children)),
    )
