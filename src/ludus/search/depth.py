"""Searches of a depth: minimax, alpha-beta and iterative deepening. ludus/search/mcts.py has Monte Carlo tree search.

They run compiled, on native states and on states written in Python alike. ludus/search/textbook.py is the same in
plain Python, to read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludus import _core
from ludus.errors import BadOption
from ludus.game import Action, State
from ludus.search.limits import TooDeep, refuse_finished, seconds_option

UNLIMITED = 1 << 30  # plies
Estimate = str | Callable[[State], float]  # "estimate" (a state's own), "simple", "none", or a function of the state


@dataclass(frozen=True)
class Found:
    """What a search of some depth found. The value is for the player to move."""

    value: float
    action: Action | None
    line: list[Action]  # what it expects to be played
    nodes: int
    depth: int | None  # None: to the end
    complete: bool  # no guess was needed: the value is the true score
    stopped: bool  # the time was up before the depth was done


def minimax(
    state: State, depth: int | None = None, estimate: Estimate = "estimate", seconds: float | None = None
) -> Found:
    """Looks at everything, `depth` plies deep (None: to the end)."""
    return _depth_search("minimax", state, depth, estimate, seconds, False, False, 1)


def alphabeta(
    state: State,
    depth: int | None = None,
    estimate: Estimate = "estimate",
    seconds: float | None = None,
    caching: bool = True,
    ordering: bool = True,
    table: int = 1 << 20,
) -> Found:
    """Minimax that skips what cannot matter. `caching` remembers states, `ordering` tries good actions first."""
    return _depth_search("alphabeta", state, depth, estimate, seconds, caching, ordering, table)


def deepening(
    state: State,
    seconds: float | None = None,
    depth: int | None = None,
    estimate: Estimate = "estimate",
    caching: bool = True,
    ordering: bool = True,
    table: int = 1 << 16,  # places; new memory costs a short search more than a larger table saves it
    enough: float | None = None,
) -> Found:
    """Alpha-beta of depth 1, 2, 3, … until the time is up; what the last finished depth found.

    After `enough` seconds no new depth is begun, unless the last one has just changed its mind.
    """
    if seconds is None and depth is None:
        raise BadOption("iterative deepening needs seconds or a depth at which to stop")
    return _depth_search(
        "deepening", state, depth if depth is not None else 10_000, estimate, seconds, caching, ordering, table, enough
    )


def _depth_search(
    kind: str,
    state: State,
    depth: int | None,
    estimate: Estimate,
    seconds: float | None,
    caching: bool,
    ordering: bool,
    table: int,
    enough: float | None = None,
) -> Found:
    refuse_finished(state)
    if depth is not None and (not isinstance(depth, int) or depth < 0 or (depth == 0 and kind == "deepening")):
        raise BadOption(f"depth must be a whole number from {int(kind == 'deepening')} up, not {depth!r}")
    if not isinstance(table, int) or not 1 <= table <= 1 << 32:
        raise BadOption(f"table must be a number of places from 1 to 2^32, not {table!r}")
    plies = UNLIMITED if depth is None else min(depth, UNLIMITED)
    how = _core.DepthSearch(kind, plies, seconds_option(seconds), seconds_option(enough), caching, ordering, table)
    answer = _core.depth_search(state, estimate, how)
    value, action, line, nodes, reached, complete, stopped, too_deep = answer
    if too_deep:
        raise TooDeep("the game goes on longer than this search can follow; give it a depth")
    deep = None if reached == UNLIMITED else reached
    return Found(value + 0.0, None if action < 0 else action, line, nodes, deep, complete, stopped)
