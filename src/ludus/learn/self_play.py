"""Actual games, many side by side: a forest of searches that ask one network, a full batch at a time.

for every game: a fresh tree; for every move: search games from the root, the distribution D of visits,
the case (state with player, D), the move drawn from D, the subtree kept.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ludus import _core
from ludus._core import Rng
from ludus.game import Action, Game, Player, State, begun_by, seen_by
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.replay import Case
from ludus.learn.settings import SearchSettings
from ludus.learn.targets import gumbel_choice, improved_policy, pruned_visits, visits
from ludus.learn.view import Floats
from ludus.search.limits import FOREVER
from ludus.search.mcts import Actor, Child, Critic, Gumbel, MctsSettings, Mix, Noise, Puct, Uct
from ludus.search.solve import Solver

FIRST = 8  # games side by side at the beginning of a training


@dataclass
class Lesson:
    """One position of an actual game, before its end is known."""

    state: State
    ply: int  # of the game, the opening not counted
    policy: Floats
    score: float | None = None  # for the player to move, if it is proven


@dataclass(frozen=True)
class Played:
    """A finished actual game."""

    opening: list[Action]
    actions: list[Action]
    score: float  # of player 0
    lessons: list[Lesson]
    evaluations: int = 0  # of the network, since the game before
    starter: Player | None = None  # who began it, where starters alternate

    def cases(self, game: Game, discount: float) -> list[Case]:
        """Its positions as training cases."""
        cases: list[Case] = []
        for lesson in self.lessons:
            player, plies_to_go = lesson.state.player, len(self.actions) - lesson.ply
            final = seen_by(player, 0, self.score)
            score = lesson.score if lesson.score is not None else final * discount**plies_to_go
            legal = np.zeros(game.num_actions, np.bool_)
            legal[list(lesson.state.actions())] = True
            cases.append(Case(game.planes(lesson.state), player, lesson.policy, legal, score))
        return cases


@dataclass
class Slot:
    """A game under way."""

    state: State
    opening: list[Action]
    actions: list[Action] = field(default_factory=list)
    lessons: list[Lesson] = field(default_factory=list)
    fast: bool = False  # the search under way is a small one
    starter: Player | None = None  # who began it, where starters alternate


class SelfPlay:
    """Plays actual games of a network against itself, one after the other without end."""

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        evaluator: NetworkEvaluator,
        parallel: int,
        rng: Rng,
        episode: int = 0,
        episodes: int = 1,
        alternate_starter: bool = False,
    ) -> None:
        self.game, self.settings, self.evaluator, self.rng = game, settings, evaluator, rng
        self.parallel = parallel  # the most games side by side
        self.episode, self.episodes = episode, episodes  # of the training: what epsilon, sigma and the forest follow
        self._solver = Solver(64 << 20) if settings.teacher == "solver" else None
        self._forest = _core.forest(game.start(), self._options())
        self._starts = [begun_by(game, 0), begun_by(game, 1)] if alternate_starter else [game]
        self._begun = 0  # games
        self._slots: list[Slot] = []
        self._evaluations = 0
        self._grow()

    def _grow(self) -> None:
        """More games side by side as the training goes on: few at first, while the network changes quickly."""
        while len(self._slots) < min(self.parallel, max(FIRST, self.episode // 16)):
            slot = self._fresh()
            self._slots.append(slot)
            self._forest.add(slot.state, self.rng.split())
            self._begin(len(self._slots) - 1)

    def games(self) -> Iterator[Played]:
        """Finished games, as they come."""
        forest = self._forest
        while True:
            asking = forest.go()
            if len(asking) < len(self._slots):  # some searches have spent their budget
                for i in sorted(set(range(len(self._slots))).difference(asking)):
                    played = self._move(i)
                    if played is not None:
                        yield played
                self._grow()
            else:
                self._answer()

    def _answer(self) -> None:
        forest = self._forest
        planes = forest.planes()
        if planes is None:  # states written in Python
            policies, values = self.evaluator.evaluate(forest.questions())
        else:
            policies, values = self.evaluator.judge(planes, forest.players())
        self._evaluations += len(values)
        forest.answer(policies, values)

    def _move(self, i: int) -> Played | None:
        """One actual move; the whole game, if it was the last."""
        slot = self._slots[i]
        children = [Child(*row) for row in self._forest.children(i, [])]
        policy = self._distribution(children, slot.state)
        if not slot.fast:
            slot.lessons.append(self._taught(Lesson(slot.state, len(slot.actions), policy)))
        action = self._choose(policy, children, len(slot.opening) + len(slot.actions))
        slot.state = slot.state.play(action)
        slot.actions.append(action)
        played = None
        if slot.state.over:
            score = slot.state.score(0)
            played = Played(slot.opening, slot.actions, score, slot.lessons, self._evaluations, slot.starter)
            self._evaluations = 0
            self._slots[i] = self._fresh()
            self._forest.use(self._options())
            self._forest.replace(i, self._slots[i].state, self.rng.split())
        elif self.settings.rule == "gumbel":  # it divides its budget before it begins: a fresh tree for every move
            self._forest.replace(i, slot.state, self.rng.split())
        else:
            self._forest.advance(i, action)
        self._begin(i)
        return played

    def _begin(self, i: int) -> None:
        """Gives the next move of a game its budget."""
        slot, settings = self._slots[i], self.settings
        slot.fast = settings.fast > 0 and self.rng.uniform() < settings.fast
        plies = len(slot.opening) + len(slot.actions)
        full = round(settings.simulations * (1 + settings.growth * plies))
        self._forest.begin(i, settings.fast_simulations if slot.fast else full, settings.seconds or FOREVER)

    def _distribution(self, children: list[Child], state: State) -> Floats:
        """D: a share for every action; all of it on a move that is proven to win."""
        settings = self.settings
        shares = np.zeros(self.game.num_actions, np.float32)
        won = [child for child in children if child.proven == 1]
        if won:
            shares[max(won, key=lambda child: child.visits).action] = 1
        elif not any(child.visits for child in children):  # the result was proven before this search began
            shares[list(state.actions())] = 1
        else:
            if settings.rule == "gumbel":
                weights = improved_policy(children)
            else:
                weights = pruned_visits(children, settings.forced, settings.c) if settings.forced else visits(children)
            shares[list(weights)] = list(weights.values())
        shares /= shares.sum()
        return shares

    def _taught(self, lesson: Lesson) -> Lesson:
        """The lesson as the exact solver would give it, if it can: all weight on moves that keep the true result."""
        solver, seconds = self._solver, self.settings.teacher_seconds
        value = solver.value(lesson.state, seconds) if solver is not None else None
        if solver is None or value is None:
            return lesson
        policy = np.zeros_like(lesson.policy)
        if value > -1:  # of a lost position every move keeps the result
            deadline = time.monotonic() + 4 * seconds
            for action in sorted(lesson.state.actions(), key=lambda action: -lesson.policy[action]):
                if time.monotonic() > deadline or (policy.any() and lesson.policy[action] == 0):
                    break
                child = lesson.state.play(action)
                found = solver.value(child, seconds)
                if found is not None and seen_by(lesson.state.player, child.player, found) == value:
                    policy[action] = lesson.policy[action] + 1e-3
        exact = policy / policy.sum() if policy.any() else lesson.policy
        return replace(lesson, policy=exact, score=float(value))

    def _choose(self, policy: Floats, children: list[Child], plies: int) -> Action:
        """The actual move, drawn from D."""
        if self.settings.temperature == 0 or plies >= self.settings.greedy_after or policy.max() == 1:
            return int(policy.argmax())
        if self.settings.rule == "gumbel":
            return gumbel_choice(children)
        weights: NDArray[np.float64] = policy.astype(np.float64) ** (1 / self.settings.temperature)
        rising = weights.cumsum()
        return int(np.searchsorted(rising, self.rng.uniform() * rising[-1], side="right"))

    def _fresh(self) -> Slot:
        """A new game, perhaps after random plies."""
        while True:
            state, opening = self._starts[self._begun % len(self._starts)].start(), []
            starter = state.player if len(self._starts) > 1 else None
            if self.rng.uniform() < self.settings.openings and self.settings.opening_plies > 0:
                for _ in range(1 + self.rng.below(int(self.settings.opening_plies))):
                    if not state.over:
                        opening.append(self.rng.choice(state.actions()))
                        state = state.play(opening[-1])
            if not state.over:
                self._begun += 1
                return Slot(state, opening, starter=starter)

    def _options(self) -> _core.MctsOptions:
        """The search as it is at this point of the training."""
        s, evaluator = self.settings, self.evaluator
        epsilon = s.epsilon + (s.epsilon_end - s.epsilon) * min(1.0, self.episode / self.episodes)
        decayed = min(1.0, self.episode / s.sigma_decay) if s.sigma_decay else 1.0
        sigma = s.sigma + (s.sigma_end - s.sigma) * decayed
        actor = Actor(evaluator, epsilon, s.rollout)
        judge: Actor | Critic | Mix = Mix(actor, Critic(evaluator), sigma)
        if sigma in (0, 1):
            judge = actor if sigma == 1 else Critic(evaluator)
        if s.rule == "uct":
            return MctsSettings(Uct(s.c), judge, solver=s.solver).native()
        if s.rule == "gumbel":
            return MctsSettings(Gumbel(s.simulations, s.c), judge, solver=s.solver).native()
        noise = Noise(10 / self.game.num_actions, s.noise) if s.noise else None
        return MctsSettings(Puct(s.c, forced=s.forced), judge, solver=s.solver, noise=noise).native()
