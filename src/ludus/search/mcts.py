"""Monte Carlo tree search from Python: one search, and many side by side.

It runs compiled, on native states and on states written in Python alike. ludus/search/textbook.py is the same in
plain Python, to read; ludus/search/settings.py has the choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from ludus import _core
from ludus._core import Rng
from ludus.errors import BadAnswer, BadOption, LudusError, whole_option, within
from ludus.evaluator import Evaluator, native_judge
from ludus.game import Action, State
from ludus.search.limits import FOREVER, refuse_finished, seconds_option, simulations_option
from ludus.search.settings import (
    Actor,
    ByHand,
    Critic,
    EpsilonGreedy,
    Gumbel,
    Judge,
    MctsSettings,
    Mix,
    Noise,
    Puct,
    Rave,
    Rollout,
    Rule,
    Uct,
    by_hand,
)  # fmt: skip

__all__ = [
    "Actor", "ByHand", "Child", "Critic", "EpsilonGreedy", "Forest", "Gumbel", "Judge", "Mcts", "MctsSettings", "Mix",
    "Noise", "Puct", "Rave", "Rollout", "Rule", "Uct", "best_child", "by_hand", "draw_child",
]  # fmt: skip


@dataclass(frozen=True)
class Child:
    """What a search knows about one action. The value is for the player who would play it."""

    action: Action
    visits: int
    value: float
    prior: float
    proven: int | None  # its true score, if that is proven
    amaf_visits: int
    amaf_value: float
    noise: float = 0.0  # the Gumbel noise of a child of the root, if there is some


class Mcts:
    """One Monte Carlo tree search; its tree is kept while the game goes on."""

    def __init__(self, state: State, settings: MctsSettings | None = None, rng: Rng | None = None) -> None:
        refuse_finished(state)
        self.settings = settings or MctsSettings()
        self.evaluator = self.settings.evaluator()
        self._native = _core.mcts(state, self.settings.native(), rng or Rng())

    def run(
        self, simulations: int | None = None, seconds: float | None = None, threads: int = 1, batch: int = 1
    ) -> int:
        """Searches for a number of simulations, of seconds, or whichever ends first. Returns how many it made.

        `threads` share the tree. `batch` is how many questions an evaluator gets at once, at most, from each of them.
        """
        if simulations is None and seconds is None:
            raise BadOption("a search needs a budget: simulations, seconds or both")
        whole, limit = simulations_option(simulations), seconds_option(seconds)
        whole_option("threads", threads, 1, 256)
        whole_option("batch", batch, 1, 1024)
        refuse_finished(self.root)
        in_batches = self.settings.one_question() and self.evaluator is not by_hand
        if in_batches and (judge := native_judge(self.evaluator, self.root)) is not None:
            return self._native.run_judged(judge, whole, limit, threads, batch)
        if threads > 1 and (self.evaluator is not None or self.settings.expansion == "all"):
            raise BadOption(
                "several threads need a native game, expansion 'one', and plain rollouts or a network of the core"
            )
        if in_batches and batch > 1:
            return self._native.run_asking(partial(ask, self.evaluator), whole, limit, batch)
        return self._answer_all(self._native.run(whole, limit, threads))

    def _answer_all(self, done: bool) -> int:
        while not done and self.evaluator is not by_hand:
            policies, values = ask(self.evaluator, [self._native.question()])
            self._native.answer(policies[0], float(values[0]))
            done = self._native.resume()
        return int(self._native.simulations)

    # With `by_hand` in the place of an evaluator, run() comes back with a question; answer() it and resume().

    @property
    def asking(self) -> bool:
        """Is a question open?"""
        return bool(self._native.asking)

    def question(self) -> State:
        """The state for which the search wants a policy or a value."""
        if not self.asking:
            raise BadAnswer("the search has asked nothing")
        state: State = self._native.question()
        return state

    def answer(self, policy: Any = None, value: float = 0.0) -> None:
        """A policy (a number per action) and a value for the player to move; what was not asked for is not used."""
        import numpy as np

        try:
            numbers = None if policy is None else np.ascontiguousarray(policy, dtype=np.float32)
            self._native.answer(numbers, float(value))
        except (TypeError, ValueError) as error:
            if isinstance(error, LudusError):
                raise
            raise BadAnswer(f"a policy is a list of numbers and a value is a number: {error}") from error

    def resume(self) -> int:
        """Goes on after an answer. Returns how many simulations have been made of the budget."""
        return self._answer_all(self._native.resume())

    def advance(self, action: Action, seconds: float | None = None) -> None:
        """The game goes on by one action: its subtree survives, the rest is freed.

        That copies the subtree, from the root down; after `seconds` it stops, and what lies deeper is forgotten.
        """
        if action not in self.root.actions():
            raise BadOption(f"the game cannot go on by action {action!r}; legal are {list(self.root.actions())}")
        self._native.advance(action, seconds_option(seconds))

    @property
    def root(self) -> State:
        """The state that is searched."""
        state: State = self._native.root
        return state

    @property
    def nodes(self) -> int:
        return int(self._native.nodes)

    @property
    def bytes(self) -> int:
        """The memory of the tree."""
        return int(self._native.bytes)

    @property
    def value(self) -> float:
        """The mean score of the root's simulations, for the player to move."""
        return float(self._native.root_row()[2])

    @property
    def proven(self) -> int | None:
        """The true score of the root for the player to move, if that is proven."""
        score: int | None = self._native.root_row()[4]
        return score

    @property
    def visits(self) -> int:
        return int(self._native.root_row()[1])

    def children(self, after: Sequence[Action] = ()) -> list[Child]:
        """The children of the root, or of the node that some actions lead to, by action."""
        rows = [Child(*row) for row in self._native.children(list(after))]
        return sorted(rows, key=lambda child: child.action)

    def best(self, by: Literal["visits", "value"] = "visits") -> Child:
        """The child to play: a proven win, else the most visited or best valued one that is no proven loss."""
        return best_child([Child(*row) for row in self._native.children([])], by)

    def line(self) -> list[Action]:
        """What the search expects to be played: most visits, down the tree."""
        return list(self._native.line())


def best_child(children: Sequence[Child], by: Literal["visits", "value"] = "visits") -> Child:
    """The child to play; the first of equals in the order in which they were tried."""
    if not children:
        raise LudusError("the search has visited nothing yet")
    if not any(child.visits for child in children):  # one simulation with a network asks it about the root
        return max(children, key=lambda child: child.prior)
    if by not in ("visits", "value"):
        raise BadOption(f"a child is chosen by 'visits' or by 'value', not by {by!r}")

    def rank(child: Child) -> tuple[int, float]:
        proof = child.proven if child.proven in (1, -1) else 0
        merit = float(child.visits) if by == "visits" else child.value if child.visits else -2.0
        return proof, merit

    return max(children, key=rank)


def draw_child(children: Sequence[Child], temperature: float, rng: Rng) -> Child:
    """A child drawn with probability visits^(1/temperature); temperature 0 takes the most visited."""
    within("temperature", temperature, 0, 1e6)
    if temperature == 0:
        return best_child(children)
    top = max(child.visits for child in children)
    weights = [(child.visits / top) ** (1 / temperature) if child.visits else 0.0 for child in children]
    left = rng.uniform() * sum(weights)
    for child, weight in zip(children, weights, strict=True):
        left -= weight
        if left < 0 and weight > 0:
            return child
    return best_child(children)


class Forest:
    """Many searches side by side: an evaluator sees all their questions in one batch.

    Each search has its own random generator, so its result is the same as if it ran alone.
    """

    def __init__(self, states: Sequence[State], settings: MctsSettings, rngs: Sequence[Rng]) -> None:
        if not states or len(states) != len(rngs):
            raise BadOption("a forest needs at least one state, and one random generator for each")
        self.evaluator = settings.evaluator()
        self._native = _core.forest(states[0], settings.native())
        for state, rng in zip(states, rngs, strict=True):
            refuse_finished(state)
            same = type(state) is type(states[0]) and getattr(state, "game", 0) == getattr(states[0], "game", 0)
            if not same:
                raise BadOption("all searches of a forest must be of one game")
            self._native.add(state, rng)

    def __len__(self) -> int:
        return len(self._native)

    def run(self, simulations: int) -> None:
        """Runs every search for a number of simulations."""
        for i in range(len(self)):
            self._native.begin(i, simulations_option(simulations), FOREVER)
        while self._native.go():
            policies, values = ask(self.evaluator, self._native.questions())
            self._native.answer(policies, values)

    def children(self, search: int, after: Sequence[Action] = ()) -> list[Child]:
        """What one of the searches knows, as Mcts.children returns it."""
        rows = [Child(*row) for row in self._native.children(search, list(after))]
        return sorted(rows, key=lambda child: child.action)

    def advance(self, search: int, action: Action) -> None:
        """One of the games goes on by one action."""
        if not 0 <= search < len(self):
            raise BadOption(f"there is no search {search!r}; there are 0 to {len(self) - 1}")
        legal = self._native.root(search).actions()
        if action not in legal:
            raise BadOption(f"the game cannot go on by action {action!r}; legal are {list(legal)}")
        self._native.advance(search, action)


def ask(evaluator: Evaluator | None, states: Sequence[State]) -> tuple[Any, Any]:
    """Policies and values as float32 arrays of the right shape, or a sentence about what is wrong with them."""
    import numpy as np

    assert evaluator is not None, "a search that asks questions has an evaluator"
    try:
        policies, values = evaluator.evaluate(states)
        policies = np.ascontiguousarray(policies, dtype=np.float32)
        values = np.ascontiguousarray(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        if isinstance(error, LudusError):
            raise
        raise BadAnswer(f"an evaluator must return policies and values, two arrays of numbers: {error}") from error
    if policies.ndim != 2 or len(policies) != len(states) or values.shape != (len(states),):
        raise BadAnswer(
            f"for {len(states)} states an evaluator must return policies ({len(states)}, num_actions) and values "
            f"({len(states)},), not {policies.shape} and {values.shape}"
        )
    return policies, values
