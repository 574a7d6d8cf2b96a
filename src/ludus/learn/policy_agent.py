"""A saved network as an agent: bare, or as the prior and judge of a search."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import torch

from ludus._core import Rng
from ludus.agents.agent import Decision, TimeLeft
from ludus.agents.endgame import Endgame
from ludus.agents.mcts import MctsAgent
from ludus.errors import BadOption, whole_option, within
from ludus.evaluator import Evaluator
from ludus.game import Action, Game, State
from ludus.games.python import PythonGame
from ludus.learn.checkpoint import load_checkpoint, network_in
from ludus.learn.evaluator import Images, NetworkEvaluator
from ludus.search.limits import refuse_finished, seconds_option
from ludus.search.mcts import Critic, Mcts, MctsSettings, Mix, Puct, Rollout
from ludus.system import cores, is_folder

gc.freeze()  # or a pass over all that PyTorch has made, about 60 ms, falls into the middle of some move

BATCH = 4  # leaves at once, with a limit in seconds
REST = 3  # cells that are filled between two attempts of the solver, if the first was in vain


@dataclass
class PolicyAgent:
    """A network from a file, without any search; or with one, if a number of simulations or seconds is given."""

    explained_as: ClassVar[str] = "network"

    path: str  # of the file, or of the folder of a training: its best network
    choice: Literal["greedy", "sample", "epsilon"] = "greedy"  # the likeliest action, one drawn by likelihood, or …
    epsilon: float = 0.1  # … any action with this probability, else the likeliest
    images: bool = True  # without a search: the mean of the policies for all mirrored and turned images of the board
    simulations: int = 0  # above 0: a search with the network as its prior and judge
    seconds: float | None = None  # a search with this limit for every move
    c: float = 1.0  # exploration of that search
    sigma: float | None = None  # the probability of a playout at a leaf instead of the critic; None: the game says
    playout: Literal["uniform", "quick", "estimate"] | None = None  # of those leaves; None: the game says
    threads: int | None = None  # of that search; None: every core with a limit in seconds, else one
    batch: int | None = (
        None  # leaves that a thread gives to the network at once; None: 4 with a limit in seconds, else 1
    )
    endgame: bool = True  # with a limit in seconds: ask the solver when few cells are empty
    _name: str = field(default="", init=False, repr=False, compare=False)
    _game: Game | None = field(default=None, init=False, repr=False, compare=False)
    _evaluator: NetworkEvaluator | None = field(default=None, init=False, repr=False, compare=False)
    _search: SearchWithNetwork | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.choice not in ("greedy", "sample", "epsilon"):
            raise BadOption(f"choice must be greedy, sample or epsilon, not {self.choice!r}")
        within("epsilon", self.epsilon, 0, 1)
        within("c", self.c, 0, 1e9)
        within("sigma", 0 if self.sigma is None else self.sigma, 0, 1)
        if self.playout not in (None, "uniform", "quick", "estimate"):
            raise BadOption(f"playout must be uniform, quick or estimate, not {self.playout!r}")
        whole_option("simulations", self.simulations, 0, 10**9)
        whole_option("threads", 1 if self.threads is None else self.threads, 1, 256)
        whole_option("batch", 1 if self.batch is None else self.batch, 1, 1024)
        seconds_option(self.seconds)
        file = Path(self.path)
        self._checkpoint = load_checkpoint(network_in(file) if is_folder(file) else file)
        torch.set_num_threads(1)  # small networks gain nothing from more

    def write(self) -> str:
        """The text that makes this agent: the network, and the options that differ from the usual ones."""
        options = ",".join(
            f"{f.name}={str(value).lower() if isinstance(value, bool) else value}"
            for f in fields(self)
            if f.init and f.name != "path" and (value := getattr(self, f.name)) != f.default
        )
        return (self._name or self.path) + ("," + options if options else "")

    def call(self, name: str) -> None:
        """From now on its text begins with this name, such as zoo:hex5."""
        self._name = name

    def accept(self, game: Game) -> None:
        """Refuses a game that the network was not trained for."""
        self._checkpoint.accept(game)
        self._game, self._search = game, None
        self.evaluator(game.start()), self.guided_search(game.start())  # made now, while no clock is running

    def reset(self) -> None:
        """A new game begins: the search forgets its tree."""
        if self._search is not None:
            self._search.reset()

    def evaluator(self, state: State) -> NetworkEvaluator:
        """The network for the game of a state."""
        game = getattr(state, "game", None) or self._game
        if self._evaluator is None or (game is not None and game != self._evaluator.game):
            if game is None:  # a game written in Python, with the options for which the network was trained
                options = {k: v for k, v in self._checkpoint.game.items() if k not in ("name", "code")}
                game = PythonGame(type(state), options)
            self._evaluator = self._checkpoint.evaluator(game)
        return self._evaluator

    def bare(self, state: State) -> Evaluator:
        """The network as it plays without a search."""
        return Images(self.evaluator(state)) if self.images else self.evaluator(state)

    @property
    def bytes(self) -> int:
        """The memory of its search tree."""
        return 0 if self._search is None else self._search.bytes

    def guided_search(self, state: State) -> SearchWithNetwork | None:
        """The search that the network guides; None if the agent plays the bare policy."""
        if self._search is None and (self.simulations or self.seconds):
            self._search = SearchWithNetwork(self.evaluator(state), state, self)
        return self._search

    def policy_and_value(self, state: State) -> tuple[dict[Action, float], float | None]:
        """The policy over the legal actions, and the value for the player to move; None without a critic."""
        policies, values = self.bare(state).evaluate([state])
        actions = list(state.actions())
        shares = policies[0][actions].astype(np.float64)
        shares = shares / shares.sum() if shares.sum() > 0 else np.full(len(actions), 1 / len(actions))
        policy = dict(zip(actions, shares.tolist(), strict=True))
        return policy, float(values[0]) if self.evaluator(state).critic else None

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        refuse_finished(state)
        if (search := self.guided_search(state)) is not None:
            return search.decide(state, rng, left)
        return self.decide_alone(state, rng)

    def thoughts(self, state: State, rng: Rng, left: TimeLeft | None = None, slice: float = 0.05) -> Iterator[Decision]:
        """What its search would play after every `slice` seconds; the last one is the decision."""
        refuse_finished(state)
        if (search := self.guided_search(state)) is not None:
            yield from search.thoughts(state, rng, left, slice)
        else:
            yield self.decide_alone(state, rng)

    def decide_alone(self, state: State, rng: Rng) -> Decision:
        """The decision of the network without a search."""
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
    """Tree search with a network's policy as prior and its value in place of rollouts.

    A number of simulations alone makes the same search every time: one thread asks for one leaf after the other. With a
    limit in seconds every core takes part, several leaves at a time, and the solver has the first word.
    """

    endgame_part: ClassVar[float] = 0.25  # the network knows something by itself

    def __init__(self, evaluator: NetworkEvaluator, state: State, options: PolicyAgent) -> None:
        self.network = evaluator
        share, kind = evaluator.game.leaf_playouts
        self.sigma = share if options.sigma is None else options.sigma
        timed = options.seconds is not None
        native = evaluator.native(state) is not None
        self.batch = options.batch or (BATCH if timed else 1)
        super().__init__(
            simulations=options.simulations or None,
            seconds=options.seconds,
            c=options.c,
            rule="puct",
            threads=options.threads or (cores() if timed and native else 1),
            endgame=options.endgame and timed,
            playout=options.playout or kind,
        )
        self._endgame = Endgame(REST)

    def settings(self) -> MctsSettings:
        c = 1.0 if self.c is None else self.c
        if not self.network.critic:
            return MctsSettings(Puct(c, self.network), Rollout(), solver=True)
        critic = Critic(self.network)
        judge = Mix(Rollout(self.playout), critic, self.sigma) if self.sigma else critic
        return MctsSettings(Puct(c), judge, solver=True)

    def go_on(self, search: Mcts, simulations: int | None, seconds: float | None) -> int:
        return search.run(simulations, seconds, self.team(seconds), self.batch)
