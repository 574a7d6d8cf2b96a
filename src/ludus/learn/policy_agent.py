"""A saved network as an agent: bare, or as the prior and judge of a search."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
import torch

from ludus._core import Rng
from ludus.agents.agent import Decision, TimeLeft
from ludus.agents.mcts import MctsAgent
from ludus.errors import BadOption
from ludus.game import Action, Game, State
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.evaluator import NetworkEvaluator
from ludus.search.limits import refuse_finished
from ludus.search.mcts import Critic, MctsSettings, Puct, Rollout, Rule


@dataclass
class PolicyAgent:
    """A network from a file, without any search."""

    explained_as: ClassVar[str] = "network"

    path: str
    choice: Literal["greedy", "sample", "epsilon"] = "greedy"  # the likeliest action, one drawn by likelihood, or …
    epsilon: float = 0.1  # … any action with this probability, else the likeliest
    simulations: int = 0  # above 0: a search with the network as its prior and judge
    seconds: float | None = None  # the same by time
    c: float = 1.0  # exploration of that search
    _evaluator: NetworkEvaluator | None = field(default=None, init=False, repr=False, compare=False)
    _search: SearchWithNetwork | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.choice not in ("greedy", "sample", "epsilon"):
            raise BadOption(f"choice must be greedy, sample or epsilon, not {self.choice!r}")
        if not 0 <= self.epsilon <= 1 or self.simulations < 0:
            raise BadOption("epsilon must be from 0 to 1, and simulations 0 or more")
        self._checkpoint = load_checkpoint(self.path)
        torch.set_num_threads(1)  # small networks gain nothing from more

    def accept(self, game: Game) -> None:
        """Refuses a game that the network was not trained for."""
        self._checkpoint.accept(game)

    def reset(self) -> None:
        if self._search is not None:
            self._search.reset()

    def evaluator(self, state: State) -> NetworkEvaluator:
        """The network for the game of a state."""
        if self._evaluator is None:
            game = getattr(state, "game", None)
            if game is None:
                from ludus.games.python import PythonGame

                game = PythonGame(type(state))
            self._evaluator = self._checkpoint.evaluator(game)
        return self._evaluator

    def guided_search(self, state: State) -> SearchWithNetwork | None:
        """The search that the network guides; None if the agent plays the bare policy."""
        if self._search is None and (self.simulations or self.seconds):
            self._search = SearchWithNetwork(self.evaluator(state), self.simulations or None, self.seconds, self.c)
        return self._search

    def policy_and_value(self, state: State) -> tuple[dict[Action, float], float | None]:
        """The policy over the legal actions, and the value for the player to move; None without a critic."""
        evaluator = self.evaluator(state)
        policies, values = evaluator.evaluate([state])
        actions = list(state.actions())
        shares = policies[0][actions].astype(np.float64)
        shares = shares / shares.sum() if shares.sum() > 0 else np.full(len(actions), 1 / len(actions))
        policy = dict(zip(actions, shares.tolist(), strict=True))
        return policy, None if evaluator.network.critic is None else float(values[0])

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        refuse_finished(state)
        if (search := self.guided_search(state)) is not None:
            return search.decide(state, rng, left)
        began = time.perf_counter()
        policy, value = self.policy_and_value(state)
        actions, shares = list(policy), np.array(list(policy.values()))
        best = int(shares.argmax())
        if self.choice == "sample":
            best = min(int(np.searchsorted(shares.cumsum(), rng.uniform(), side="right")), len(actions) - 1)
        elif self.choice == "epsilon" and rng.uniform() < self.epsilon:
            best = rng.below(len(actions))
        return Decision(
            actions[best],
            f"{shares[best]:.0%} of the policy",
            value=value,
            values={},
            visits={},
            seconds=time.perf_counter() - began,
        )


class SearchWithNetwork(MctsAgent):
    """Tree search with a network's policy as prior and its value in place of rollouts."""

    def __init__(self, evaluator: NetworkEvaluator, simulations: int | None, seconds: float | None, c: float) -> None:
        self.network = evaluator
        super().__init__(simulations=simulations, seconds=seconds, c=c, rule="puct")

    def settings(self) -> MctsSettings:
        rule: Rule = Puct(self.c or 1.0)
        if self.network.network.critic is None:
            return MctsSettings(Puct(self.c or 1.0, self.network), Rollout(), solver=True)
        return MctsSettings(rule, Critic(self.network), solver=True)
