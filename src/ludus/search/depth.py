"""Depth-limited searches: minimax, alpha-beta and iterative deepening. Monte Carlo tree search is in mcts.py.

They run compiled, on native states and on states written in Python alike. ludus/search/textbook.py is the same in
plain Python, to read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ludus import _core
from ludus.errors import BadOption
from ludus.game import Action, State
from ludus.search.limits import TooDeep, refuse_finished, seconds_option
from ludus.search.tree import DepthResult, SearchNode, depth_result, tree_of

UNLIMITED = 1 << 30  # plies
Estimate = str | Callable[[State], float]  # "estimate" (a state's own), "simple", "none", or a function of the state
Utility = Literal["score", "margin"]  # +1, 0 or -1, or the margin in discs or points
Kind = Literal["minimax", "alphabeta", "deepening", "selective"]  # the last is deepening, too


@dataclass(frozen=True)
class Found:
    """What a search of some depth found. The value is for the player to move, in the unit of the utility."""

    value: float
    action: Action | None
    line: list[Action]  # the principal variation: what it expects to be played
    nodes: int
    depth: int | None  # None: to the end
    complete: bool  # no guess was needed: the value is the true utility
    stopped: bool  # the time was up before the depth was done
    utility: Utility = "score"
    depths: tuple[DepthResult, ...] = ()  # of iterative deepening
    tree: SearchNode | None = None  # the first `trace` plies of the tree, if asked for

    @property
    def proven(self) -> bool:
        """Is the value certain? It is if no guess was needed, and no guess at the score is as good as a win."""
        return self.complete or (self.utility == "score" and abs(self.value) >= 1)


def minimax(
    state: State,
    depth: int | None = None,
    estimate: Estimate = "estimate",
    seconds: float | None = None,
    utility: Utility = "score",
    trace: int | None = None,
) -> Found:
    """Looks at every state down to a depth (None: to the end).

    With utility="margin" games are played for discs or points: the value is the margin. `trace` is how many
    plies of the tree are recorded in `Found.tree`.
    """
    return _search("minimax", state, depth, estimate, seconds, utility, trace)


def alphabeta(
    state: State,
    depth: int | None = None,
    estimate: Estimate = "estimate",
    seconds: float | None = None,
    caching: bool = True,
    ordering: bool = True,
    table: int = 1 << 20,
    utility: Utility = "score",
    trace: int | None = None,
) -> Found:
    """Minimax that skips actions which cannot change the value.

    `caching` keeps a transposition table of `table` entries, `ordering` tries good actions first.
    """
    return _search("alphabeta", state, depth, estimate, seconds, utility, trace, caching, ordering, table)


def deepening(
    state: State,
    seconds: float | None = None,
    depth: int | None = None,
    estimate: Estimate = "estimate",
    caching: bool = True,
    ordering: bool = True,
    table: int = 1 << 16,  # entries; new memory costs a short search more than a larger table saves it
    enough: float | None = None,
    utility: Utility = "score",
    trace: int | None = None,
    selective: bool = False,
) -> Found:
    """Alpha-beta of depth 1, 2, 3, … until the time is up; what the last finished depth found.

    After `enough` seconds no new depth is begun, unless the last one changed the choice. A `selective` search looks
    past actions that are unlikely to matter; it needs caching, ordering and a game that knows how far a shallow search
    errs with its own estimate (Othello 8×8 with passing). Elsewhere, and with a trace, it is the plain one.
    """
    if seconds is None and depth is None:
        raise BadOption("iterative deepening needs seconds or a depth at which to stop")
    depth = depth if depth is not None else 10_000
    kind: Kind = "selective" if selective and estimate == "estimate" and utility == "score" else "deepening"
    return _search(kind, state, depth, estimate, seconds, utility, trace, caching, ordering, table, enough)


def _search(
    kind: Kind,
    state: State,
    depth: int | None,
    estimate: Estimate,
    seconds: float | None,
    utility: Utility,
    trace: int | None,
    caching: bool = False,
    ordering: bool = False,
    table: int = 1,
    enough: float | None = None,
) -> Found:
    refuse_finished(state)
    deepens = kind in ("deepening", "selective")
    if depth is not None and (not isinstance(depth, int) or depth < 0 or (depth == 0 and deepens)):
        raise BadOption(f"depth must be a whole number from {int(deepens)} up, not {depth!r}")
    if not isinstance(table, int) or not 1 <= table <= 1 << 32:
        raise BadOption(f"table must be a number of entries from 1 to 2^32, not {table!r}")
    if trace is not None and (not isinstance(trace, int) or not 0 <= trace <= 100):
        raise BadOption(f"trace must be a number of plies from 0 to 100, not {trace!r}")
    if utility != "score":
        refuse_no_margin(state, utility)
    plies = UNLIMITED if depth is None else min(depth, UNLIMITED)
    how = _core.DepthSearch(
        kind,
        plies,
        seconds_option(seconds),
        seconds_option(enough),
        caching,
        ordering,
        table,
        utility == "margin",
        -1 if trace is None else trace,
    )
    answer = _core.depth_search(state, estimate, how)
    action = answer.action
    if answer.too_deep:
        raise TooDeep("the game goes on longer than this search can follow; give it a depth")
    return Found(
        answer.value + 0.0,
        None if action < 0 else action,
        answer.line,
        answer.nodes,
        None if answer.depth == UNLIMITED else answer.depth,
        answer.complete,
        answer.stopped,
        utility,
        tuple(map(depth_result, answer.depths)) if deepens else (),
        None if trace is None else tree_of(answer.trace),
    )


def utility_option(utility: Utility) -> None:
    if utility not in ("score", "margin"):
        raise BadOption(f"utility must be score or margin, not {utility!r}")


def refuse_no_margin(state: State, utility: Utility) -> None:
    utility_option(utility)
    if not callable(getattr(state, "margin", None)):
        raise BadOption("this game has no margin, only wins, draws and losses; ask for utility=score")
