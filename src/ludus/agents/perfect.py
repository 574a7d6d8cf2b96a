"""An agent that never lets a proven result go: it asks the exact solver first, and searches where nothing is proven."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

from ludus import search
from ludus._core import Rng
from ludus.agents.agent import Decision, TimeLeft
from ludus.agents.endgame import keeping
from ludus.agents.pace import pace
from ludus.game import Action, Game, State, empty_cells, native, past_of, seen_by
from ludus.search.limits import FOREVER, seconds_option
from ludus.search.solve import Solver

TABLE_BYTES = 64 << 20  # of the solver, where the agent has half a second or more
OVERHEAD = 1e-3  # seconds between the end of a search and the decision
PROVING = 0.5  # the part of the time in which the solver may try to prove the state; the rest is for a search
CHOOSING = 0.6  # of what is left when it is proven: to find the actions that keep the result
REPLYING = 0.7  # of the time for one such action: to see what replies make of it


class Watch:
    """The time of one move."""

    def __init__(self, seconds: float) -> None:
        self.began = time.perf_counter()
        self.seconds = max(1e-3, seconds - OVERHEAD)

    @property
    def spent(self) -> float:
        return time.perf_counter() - self.began

    @property
    def left(self) -> float:
        return self.seconds - self.spent

    def after(self, part: float) -> float:
        """The moment at which a part of the time that is left will be over."""
        return time.perf_counter() + part * self.left


@dataclass(frozen=True)
class Way:
    """One way to keep a proven result, and what is known about it."""

    action: Action
    holding: int | None = None  # how many replies of the other player keep the result for that player
    replies: int = 0
    known: int = 0  # after how many of them the result is proven already: there the next decision will be easy
    merit: float | None = None  # better if larger: a margin, a sooner win, a longer loss
    ahead: str = ""  # the merit in words

    def rank(self) -> tuple[float, float, float]:
        """The best way has the largest."""
        share = 1.0 if self.holding is None else self.holding / max(1, self.replies)
        return -share, -FOREVER if self.merit is None else self.merit, self.known / max(1, self.replies)


@dataclass
class PerfectAgent:
    """Plays what the exact solver has proven; where nothing is proven in time, it searches.

    It wins won games as soon as it can, holds draws, and makes lost games difficult. A solver that reaches the game is
    asked with a table that is kept between the moves; the search is the strongest one without a network.
    """

    seconds: float | None = None  # per move; one second, or what the clock allows
    _solver: Solver | None = field(default=None, init=False, repr=False, compare=False)
    _searchers: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        seconds_option(self.seconds)

    def reset(self) -> None:
        """A new game begins: what is proven stays proven, the search forgets the last game."""
        self._searchers.clear()

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        search.refuse_finished(state)
        watch = Watch(self.budget(state, left))
        return self.proven(state, watch) or self.searched(state, rng, watch)

    def budget(self, state: State, left: TimeLeft | None) -> float:
        """How many seconds this move may take."""
        if left is None:
            return self.seconds or 1.0
        return min(pace(left, state).target, self.seconds or FOREVER)

    # ---------------------------------------------------------------------------------------- what is proven

    def proven(self, state: State, watch: Watch) -> Decision | None:
        """The best action that keeps the proven result; None if the result was not proven in time."""
        if not self.reaches(state, watch):
            return None
        value = self.solver(watch).value(state, max(1e-6, PROVING * watch.left))
        if value is None:
            return None
        ways = self.ways(state, value, watch)
        if not ways:
            return None
        best = max(ways, key=Way.rank)
        return Decision(
            best.action,
            in_words(value, best),
            value=float(value),
            values={way.action: float(value) for way in ways},
            line=[best.action],
            seconds=watch.spent,
        )

    def reaches(self, state: State, watch: Watch) -> bool:
        """Is it worth asking the solver at all?"""
        if past_of(state) is None or watch.left <= 0:
            return False
        empty = empty_cells(state)
        return (empty is None or empty <= native(state).game.solver_limit) and self.solver(watch).can(state)

    def solver(self, watch: Watch) -> Solver:
        """The solver, with a table that is set up in a small part of the time."""
        if self._solver is None:
            self._solver = Solver(int(min(1.0, 2 * watch.seconds) * TABLE_BYTES))
        return self._solver

    def ways(self, state: State, value: int, watch: Watch) -> list[Way]:
        """Ways to keep a proven result, with what could be found out about each in time."""
        game = native(state).game
        if value > 0 and game.unit is None and (soonest := self.soonest_win(state, watch)):
            return [soonest]
        if value < 0:
            actions = list(state.actions())  # all of them lose
        else:
            actions = list(keeping(self.solver(watch), state, value, watch.after(CHOOSING)))
        ways = []
        for i, action in enumerate(actions):
            deadline = watch.after(1 / (len(actions) - i))
            ways.append(self.way(game, state, action, value, deadline))
        return ways

    @staticmethod
    def soonest_win(state: State, watch: Watch) -> Way | None:
        """The shortest win, if it is short enough for a search that looks one ply further each time."""
        found = search.deepening(state, max(1e-3, 0.2 * watch.left))
        if not found.proven or found.value <= 0 or found.action is None:
            return None
        return Way(found.action, ahead=f" in {found.depth}")

    def way(self, game: Game, state: State, action: Action, value: int, deadline: float) -> Way:
        """What can be found out in time about one way to keep a result."""
        child = state.play(action)
        seen = self.after_replies(child, state.player, deadline)
        holding = sum(found in (None, value) for found in seen) if value <= 0 and seen else None
        way = Way(action, holding, len(seen), sum(found is not None for found in seen))
        left = deadline - time.perf_counter()
        if left <= 0 or child.over or self._solver is None:
            return way
        if game.unit is not None:
            margin = self._solver.margin(child, left)
            if margin is None:
                return way
            merit = seen_by(state.player, child.player, margin)
            return replace(way, merit=merit, ahead=f" by {abs(merit):g}" if value else "")
        plies = self._solver.plies(child, left)
        if plies is None:
            return way
        return replace(way, merit=-value * (plies + 1), ahead=f" in {plies + 1}" if value else "")

    def after_replies(self, child: State, me: int, deadline: float) -> list[int | None]:
        """The result for `me` after each reply of the other player, None if not proven; empty if there is no reply."""
        if child.over or child.player == me or self._solver is None:
            return []
        values: list[int | None] = []
        replies = child.actions()
        for i, reply in enumerate(replies):
            left = REPLYING * (deadline - time.perf_counter()) / (len(replies) - i)
            after = child.play(reply)
            found = self._solver.value(after, left) if left > 0 else None
            values.append(None if found is None else int(seen_by(me, after.player, found)))
        return values

    # ---------------------------------------------------------------------------------------- where nothing is

    def searched(self, state: State, rng: Rng, watch: Watch) -> Decision:
        """What the strongest search without a network plays in the time that is left."""
        from ludus.agents.parse import make_agent  # which lists this agent, too

        past = past_of(state)
        text = Game.searched_by if past is None else past.game.searched_by
        searcher = self._searchers.setdefault(text, make_agent(text))
        searcher.seconds = max(1e-3, watch.left)
        found: Decision = searcher.decide(state, rng)
        return Decision(
            found.action,
            f"searching: {found.why}",
            found.value,
            found.values,
            found.visits,
            found.line,
            found.nodes,
            found.simulations,
            found.depth,
            watch.spent,
        )


def in_words(value: int, way: Way) -> str:
    """What is known of a proven result."""
    told = {1: f"proven win{way.ahead}", 0: "draw proven", -1: f"proven loss{way.ahead}"}[value]
    if way.holding is None:
        return told
    keep = "keeps the win" if value < 0 else "holds it"
    return f"{told}; {way.holding} of {way.replies} replies {keep}"
