"""Monte Carlo tree search from Python: how it chooses, how it judges, one search, and many side by side.

It runs compiled, on native states and on states written in Python alike. ludus/textbook.py is the same in
plain Python, to read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ludus import _core
from ludus._core import Rng
from ludus.errors import BadAnswer, BadOption, LudusError
from ludus.evaluator import Evaluator
from ludus.game import Action, State
from ludus.search import FOREVER, refuse_finished, seconds_option, simulations_option, within

# ---------------------------------------------------------------------------------- how MCTS chooses


@dataclass(frozen=True)
class Uct:
    """Share of wins + c·sqrt(ln N / n); with `two_ln`, 2·ln N, for which c = 1/√2 is the usual constant."""

    c: float = math.sqrt(2)
    two_ln: bool = False


@dataclass(frozen=True)
class EpsilonGreedy:
    """The best so far, but any action with probability epsilon."""

    epsilon: float = 0.1


@dataclass(frozen=True)
class Puct:
    """Share + c·prior·sqrt(N) / (1 + n). The priors are even, or those of the `policy` of an evaluator."""

    c: float = 1.0
    policy: Evaluator | None = None


@dataclass(frozen=True)
class Rave:
    """UCT mixed with all-moves-as-first statistics, which count half at k visits."""

    c: float = 0.1
    k: float = 1000.0


Rule = Uct | EpsilonGreedy | Puct | Rave


# ----------------------------------------------------------------------------------- how MCTS judges


@dataclass(frozen=True)
class Rollout:
    """Random play to the end: "uniform", the game's own "quick" policy, or "textbook" (uniform by the book)."""

    policy: Literal["uniform", "quick", "textbook"] = "uniform"


@dataclass(frozen=True)
class Actor:
    """Play to the end by an evaluator's policy: any action with probability epsilon, else the likeliest or a draw."""

    evaluator: Evaluator
    epsilon: float = 0.0
    choice: Literal["greedy", "sample"] = "sample"


@dataclass(frozen=True)
class Critic:
    """No play at all: an evaluator's value."""

    evaluator: Evaluator


@dataclass(frozen=True)
class Mix:
    """With probability sigma a rollout, else the critic."""

    rollout: Rollout | Actor
    critic: Critic
    sigma: float = 0.5


Judge = Rollout | Actor | Critic | Mix


@dataclass(frozen=True)
class Noise:
    """Dirichlet noise on the priors of the root."""

    alpha: float = 0.3
    fraction: float = 0.25


@dataclass(frozen=True)
class MctsSettings:
    """Everything that makes one Monte Carlo tree search differ from another."""

    rule: Rule = field(default_factory=Uct)
    judge: Judge = field(default_factory=Rollout)
    expansion: Literal["one", "all"] = "one"  # a simulation for one new child, or for all children of a leaf
    solver: bool = False  # propagate proven wins, losses and draws
    noise: Noise | None = None

    def evaluator(self) -> Evaluator | None:
        """The one evaluator that the rule and the judge ask, if any."""
        judges = (self.judge.rollout, self.judge.critic) if isinstance(self.judge, Mix) else (self.judge,)
        asked: list[Evaluator] = [j.evaluator for j in judges if isinstance(j, Actor | Critic)]
        if isinstance(self.rule, Puct) and self.rule.policy is not None:
            asked.append(self.rule.policy)
        if any(e is not asked[0] for e in asked):
            raise BadOption("the rule and the judge of one search must ask the same evaluator")
        return asked[0] if asked else None

    def native(self) -> _core.MctsOptions:
        """The same for the core; refuses what does not go together."""
        rollout = self.judge.rollout if isinstance(self.judge, Mix) else self.judge
        critic_only = isinstance(self.judge, Critic)
        sigma = 0.0 if critic_only else self.judge.sigma if isinstance(self.judge, Mix) else 1.0
        name, c, extra = _rule_numbers(self.rule)
        epsilon = rollout.epsilon if isinstance(rollout, Actor) else 0.0
        within("c", c, 0, 1e6)
        within("sigma", sigma, 0, 1)
        within("epsilon", epsilon, 0, 1)
        if self.expansion not in ("one", "all"):
            raise BadOption(f"expansion must be 'one' or 'all', not {self.expansion!r}")
        if self.expansion == "all" and not (
            isinstance(self.judge, Rollout) and isinstance(self.rule, Uct | EpsilonGreedy)
        ):
            raise BadOption("expansion 'all' goes with plain rollouts and UCT or epsilon-greedy")
        if self.noise is not None:
            within("noise alpha", self.noise.alpha, 1e-6, 1e6)
            within("noise fraction", self.noise.fraction, 0, 1)
        self.evaluator()
        return _core.MctsOptions(
            rule=name,
            c=c,
            extra=extra,
            simulate_all=self.expansion == "all",
            playout=rollout.policy if isinstance(rollout, Rollout) else "uniform",
            priors=isinstance(self.rule, Puct) and self.rule.policy is not None,
            actor=isinstance(rollout, Actor),
            epsilon=epsilon,
            greedy=isinstance(rollout, Actor) and rollout.choice == "greedy",
            sigma=sigma,
            solver=self.solver,
            noise_alpha=self.noise.alpha if self.noise else 0.0,
            noise_fraction=self.noise.fraction if self.noise else 0.0,
        )


def _rule_numbers(rule: Rule) -> tuple[str, float, float]:
    match rule:
        case Uct():
            return ("ucb1" if rule.two_ln else "uct"), rule.c, 0.0
        case EpsilonGreedy():
            within("epsilon", rule.epsilon, 0, 1)
            return "epsilon", rule.epsilon, 0.0
        case Puct():
            return "puct", rule.c, 0.0
        case Rave():
            within("k", rule.k, 0, 1e12)
            return "rave", rule.c, rule.k
    raise BadOption(f"a rule is Uct, EpsilonGreedy, Puct or Rave, not {rule!r}")


# ------------------------------------------------------------------------------------------ the trees


@dataclass(frozen=True)
class Child:
    """What a search knows of one action. The value is for the player who would play it."""

    action: Action
    visits: int
    value: float
    prior: float
    proven: int | None  # its true score, if that is proven
    amaf_visits: int
    amaf_value: float


class Mcts:
    """One Monte Carlo tree search; its tree is kept while the game goes on."""

    def __init__(self, state: State, settings: MctsSettings | None = None, rng: Rng | None = None) -> None:
        refuse_finished(state)
        self.settings = settings or MctsSettings()
        self.evaluator = self.settings.evaluator()
        self._native: Any = _core.mcts(state, self.settings.native(), rng or Rng())

    def run(self, simulations: int | None = None, seconds: float | None = None, threads: int = 1) -> int:
        """Searches for so many simulations, so many seconds, or whichever ends first. Returns how many it made."""
        if simulations is None and seconds is None:
            raise BadOption("a search needs a budget: simulations, seconds or both")
        whole = simulations_option(simulations)
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise BadOption(f"threads must be a whole number from 1 to 256, not {threads!r}")
        if threads > 1 and (
            self.evaluator is not None or self.settings.expansion == "all" or not hasattr(self.root, "history")
        ):
            raise BadOption("several threads need a native game, plain rollouts and expansion 'one'")
        refuse_finished(self.root)
        done = self._native.run(whole, seconds_option(seconds), threads)
        while not done:
            policies, values = ask(self.evaluator, [self._native.question()])
            self._native.answer(policies[0], float(values[0]))
            done = self._native.resume()
        return int(self._native.simulations)

    def advance(self, action: Action) -> None:
        """The game goes on by one action: its subtree survives, the rest is freed."""
        if action not in self.root.actions():
            raise BadOption(f"the game cannot go on by action {action!r}; legal are {list(self.root.actions())}")
        self._native.advance(action)

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
        line: list[Action] = []
        while rows := [row for row in self._native.children(line) if row[1] > 0]:
            line.append(best_child([Child(*row) for row in rows]).action)
        return line


def best_child(children: Sequence[Child], by: Literal["visits", "value"] = "visits") -> Child:
    """The child to play; the first of equals in the order in which they were tried."""
    if not any(child.visits for child in children):
        raise LudusError("the search has visited nothing yet")
    if by not in ("visits", "value"):
        raise BadOption(f"a child is chosen by 'visits' or by 'value', not by {by!r}")

    def rank(child: Child) -> tuple[int, float]:
        proof = child.proven if child.proven in (1, -1) else 0
        worth = float(child.visits) if by == "visits" else child.value if child.visits else -2.0
        return proof, worth

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

    Each search has dice of its own, so it comes out as it would alone.
    """

    def __init__(self, states: Sequence[State], settings: MctsSettings, rngs: Sequence[Rng]) -> None:
        if not states or len(states) != len(rngs):
            raise BadOption("a forest needs at least one state, and dice for each")
        self.evaluator = settings.evaluator()
        self._native: Any = _core.forest(states[0], settings.native())
        for state, rng in zip(states, rngs, strict=True):
            refuse_finished(state)
            self._native.add(state, rng)

    def __len__(self) -> int:
        return len(self._native)

    def run(self, simulations: int) -> None:
        """Gives every search so many simulations."""
        for i in range(len(self)):
            self._native.begin(i, simulations_option(simulations), FOREVER)
        while self._native.go():
            policies, values = ask(self.evaluator, self._native.questions())
            self._native.answer(policies, values)

    def children(self, search: int, after: Sequence[Action] = ()) -> list[Child]:
        """What one of the searches knows, as Mcts.children tells it."""
        rows = [Child(*row) for row in self._native.children(search, list(after))]
        return sorted(rows, key=lambda child: child.action)

    def advance(self, search: int, action: Action) -> None:
        """One of the games goes on by one action."""
        self._native.advance(search, action)


def ask(evaluator: Evaluator | None, states: Sequence[State]) -> tuple[Any, Any]:
    """Policies and values as float32 arrays of the right shape, or a sentence about what is wrong with them."""
    import numpy as np

    assert evaluator is not None, "a search that asks has somebody to ask"
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
