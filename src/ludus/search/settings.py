"""How Monte Carlo tree search chooses and how it judges: objects to put together."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ludus import _core
from ludus.errors import BadOption, whole_option, within
from ludus.evaluator import Evaluator
from ludus.game import State

# ---------------------------------------------------------------------------------- how MCTS chooses


def number(name: str, value: float, low: float, high: float) -> float:
    """Returns a number that lies between `low` and `high`; refuses any other."""
    within(name, value, low, high)
    return value


class Rule(ABC):
    """How a search chooses among the children of a node.

    A rule is a class here, which documents and checks its fields, and a struct of the same name in the core
    (core/search/mcts/select.h), which scores the children.
    """

    @abstractmethod
    def native(self) -> Any:
        """The rule for the core; refuses numbers that make no sense."""

    def bonus(self, total: int, visits: int, prior: float) -> float:
        """The exploration bonus, added to the share of wins, of a child with `visits` of the `total` visits."""
        return 0.0


@dataclass(frozen=True)
class Uct(Rule):
    """Share of wins + c·sqrt(ln N / n); with `two_ln`, 2·ln N, for which c = 1/√2 is the usual constant."""

    c: float = math.sqrt(2)
    two_ln: bool = False

    def native(self) -> _core.Uct:
        return _core.Uct(number("c", self.c, 0, 1e6), self.two_ln)

    def bonus(self, total: int, visits: int, prior: float) -> float:
        return self.c * math.sqrt((2 if self.two_ln else 1) * math.log(max(2, total)) / max(1, visits))


@dataclass(frozen=True)
class EpsilonGreedy(Rule):
    """The child with the best share of wins; with probability epsilon a random one."""

    epsilon: float = 0.1

    def native(self) -> _core.EpsilonGreedy:
        return _core.EpsilonGreedy(number("epsilon", self.epsilon, 0, 1))


@dataclass(frozen=True)
class Puct(Rule):
    """Share + c·prior·sqrt(N) / (1 + n). The priors come from `policy`, else from the judge's
    evaluator; without any evaluator they are uniform.

    With `forced`, a child of the root that was visited at all gets at least sqrt(forced·prior·N) visits. A child that
    was not visited yet counts as its parent does, less `reduction`, a share of wins.
    """

    c: float = 1.0
    policy: Evaluator | None = None
    forced: float = 0.0
    reduction: float = 0.0

    def native(self) -> _core.Puct:
        forced, reduction = number("forced", self.forced, 0, 1e6), number("reduction", self.reduction, 0, 1)
        return _core.Puct(number("c", self.c, 0, 1e6), forced, reduction)

    def bonus(self, total: int, visits: int, prior: float) -> float:
        return self.c * prior * math.sqrt(total) / (1 + visits)


@dataclass(frozen=True)
class Gumbel(Rule):
    """PUCT, but at the root the best sixteen by log prior + Gumbel noise share the simulations by sequential halving.

    It needs a fresh tree and to know its simulations beforehand. `Child.noise` holds the noise.
    """

    simulations: int
    c: float = 1.0

    def native(self) -> _core.Gumbel:
        return _core.Gumbel(int(number("simulations", self.simulations, 1, 1e9)), number("c", self.c, 0, 1e6))


@dataclass(frozen=True)
class Rave(Rule):
    """UCT mixed with all-moves-as-first statistics, which count half at k visits.

    With `hints`, new nodes begin with the game's own knowledge of its actions, where it has some.
    """

    c: float = 0.1
    k: float = 1000.0
    hints: bool = False

    def native(self) -> _core.Rave:
        return _core.Rave(number("c", self.c, 0, 1e6), number("k", self.k, 0, 1e12), self.hints)

    def bonus(self, total: int, visits: int, prior: float) -> float:
        return self.c * math.sqrt(math.log(max(2, total)) / (visits + 1))


# ----------------------------------------------------------------------------------- how MCTS judges


class ByHand:
    """In place of an evaluator: the search stops at its questions, and the caller answers them."""

    def evaluate(self, states: Sequence[State]) -> tuple[Any, Any]:
        raise BadOption("questions of this search are answered by hand: see Mcts.question() and Mcts.answer()")


by_hand = ByHand()  # in the place of an evaluator


@dataclass(frozen=True)
class Rollout:
    """Random play to the end: "uniform", the game's own "quick" policy, or "textbook" (uniform, as in textbook.py).

    With "estimate" nothing is played: the value of a leaf is that of the game's own heuristic.
    """

    policy: Literal["uniform", "quick", "textbook", "estimate"] = "uniform"


@dataclass(frozen=True)
class Actor:
    """Play to the end by an evaluator's policy.

    With probability epsilon an action is random, else the likeliest ("greedy") or drawn from the policy ("sample").
    """

    evaluator: Evaluator
    epsilon: float = 0.0
    choice: Literal["greedy", "sample"] = "sample"

    def native(self) -> _core.Actor:
        return _core.Actor(number("epsilon", self.epsilon, 0, 1), self.choice == "greedy")


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

    def native(self) -> _core.Noise:
        return _core.Noise(number("noise alpha", self.alpha, 1e-6, 1e6), number("noise fraction", self.fraction, 0, 1))


@dataclass(frozen=True)
class MctsSettings:
    """Everything that makes one Monte Carlo tree search differ from another."""

    rule: Rule = field(default_factory=Uct)
    judge: Judge = field(default_factory=Rollout)
    expansion: Literal["one", "all"] = "one"  # a simulation for one new child, or for all children of a leaf
    solver: bool = False  # propagate proven wins, losses and draws
    noise: Noise | None = None
    memory: int = 1000  # megabytes; a tree of that size grows no further, and its leaves are judged again and again

    def evaluator(self) -> Evaluator | None:
        """The one evaluator that the rule and the judge ask, if any."""
        judges = (self.judge.rollout, self.judge.critic) if isinstance(self.judge, Mix) else (self.judge,)
        asked: list[Evaluator] = [j.evaluator for j in judges if isinstance(j, Actor | Critic)]
        policy: Evaluator | None = getattr(self.rule, "policy", None)
        if policy is not None:
            asked.append(policy)
        if any(e is not asked[0] for e in asked):
            raise BadOption("the rule and the judge of one search must ask the same evaluator")
        return asked[0] if asked else None

    def one_question(self) -> bool:
        """Does every simulation ask for its leaf's policy, perhaps for its value, and for nothing else?"""
        acts = isinstance(self.judge, Actor) or (isinstance(self.judge, Mix) and isinstance(self.judge.rollout, Actor))
        return self.rule.native().wants_prior and self.evaluator() is not None and not acts

    def native(self) -> _core.MctsOptions:
        """The same for the core; refuses what does not go together."""
        rollout = self.judge.rollout if isinstance(self.judge, Mix) else self.judge
        critic_only = isinstance(self.judge, Critic)
        sigma = 0.0 if critic_only else self.judge.sigma if isinstance(self.judge, Mix) else 1.0
        if not isinstance(self.rule, Rule):
            raise BadOption(f"a rule is Uct, EpsilonGreedy, Puct, Gumbel or Rave, not {self.rule!r}")
        rule = self.rule.native()
        if self.expansion not in ("one", "all"):
            raise BadOption(f"expansion must be 'one' or 'all', not {self.expansion!r}")
        if self.expansion == "all" and not (isinstance(self.judge, Rollout) and rule.tries_all_first):
            raise BadOption("expansion 'all' goes with plain rollouts and UCT or epsilon-greedy")
        whole_option("memory", self.memory, 1, 8000)
        self.evaluator()
        return _core.MctsOptions(
            rule=rule,
            simulate_all=self.expansion == "all",
            playout=rollout.policy if isinstance(rollout, Rollout) else "uniform",
            priors=rule.wants_prior and self.evaluator() is not None,
            actor=rollout.native() if isinstance(rollout, Actor) else None,
            sigma=number("sigma", sigma, 0, 1),
            solver=self.solver,
            noise=self.noise.native() if self.noise else None,
            memory=self.memory << 20,
        )
