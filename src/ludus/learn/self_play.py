"""Actual games of a network against itself: what they teach, and who plays them.

The games themselves are played in the core (core/school/), by a network that the core knows without any Python in
the loop. Games written in Python, and networks that the core does not know, are asked from here, by the same loop.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ludus import _core
from ludus._core import Past, Rng
from ludus.game import Action, Game, Player, State, begun_by, seen_by
from ludus.learn.case import Case, Cells
from ludus.learn.native import NativeSchool, NativeSelfPlay
from ludus.learn.settings import LearnSettings, SearchSettings
from ludus.learn.view import Floats
from ludus.search.limits import FOREVER
from ludus.search.mcts import Actor, Critic, Gumbel, MctsSettings, Mix, Noise, Puct, Uct

FIRST = 8  # games side by side at the beginning of a training


@dataclass(frozen=True)
class Lesson:
    """One position of an actual game."""

    state: State
    ply: int  # of the game, the opening not counted
    policy: Floats
    value: float = 0.0  # what the search thought of it, for the player to move
    surprise: float = 0.0  # how far D is from the priors of the search, in nats
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
    cells: Cells | None = None  # the board at the end, row by row: 0 empty, 1 player 0, 2 player 1

    def cases(self, game: Game, settings: LearnSettings) -> list[Case]:
        """Its positions as training cases."""
        weights, cases = self.weights(settings.surprise), []  # type: list[float], list[Case]
        for lesson, weight in zip(self.lessons, weights, strict=True):
            player = lesson.state.player
            legal = np.zeros(game.num_actions, np.bool_)
            legal[list(lesson.state.actions())] = True
            score = self.target(lesson, settings)
            cases.append(Case(game.planes(lesson.state), player, lesson.policy, legal, score, weight, self.cells))
        return cases

    def target(self, lesson: Lesson, settings: LearnSettings) -> float:
        """What the critic learns of a position: the true score, or the final one mixed with the search's opinion."""
        if lesson.score is not None:
            return lesson.score
        final = seen_by(lesson.state.player, 0, self.score)
        score = final * settings.discount ** (len(self.actions) - lesson.ply)
        return (1 - settings.value_mix) * score + settings.value_mix * lesson.value

    def weights(self, surprise: float) -> list[float]:
        """How much each position counts: a share of it follows from how much its search has learned (Wu 2019)."""
        total = sum(lesson.surprise for lesson in self.lessons)
        if surprise == 0 or total == 0:
            return [1.0] * len(self.lessons)
        return [1 - surprise + surprise * len(self.lessons) * lesson.surprise / total for lesson in self.lessons]


def cells_of(state: State) -> Cells | None:
    """The board row by row; None for games written in Python or without a board of cells."""
    return np.array(state.cells(), np.int8) if isinstance(state, Past) and hasattr(state, "cells") else None


@dataclass(frozen=True)
class Hours:
    """What the threads of self-play have done: seconds of all of them together, and their work."""

    all: float = 0.0
    waiting: float = 0.0  # for the learner to take their games
    network: float = 0.0
    teachers: float = 0.0  # the threads of the exact teacher: all their time …
    teaching: float = 0.0  # … and what of it they taught
    moves: int = 0
    evaluations: int = 0


class Judging(Protocol):
    """The network that is asked: a NetworkEvaluator, or a CoreEvaluator where there is no PyTorch."""

    def native(self, example: State) -> _core.Judge | None: ...
    def evaluate(self, states: Sequence[State]) -> tuple[Floats, Floats]: ...
    def judge(self, planes: Floats, players: Sequence[int]) -> tuple[Floats, Floats]: ...


class Ended(Protocol):
    """A finished game as the core tells it: `_core.Finished`, or its copy that came from another machine."""

    @property
    def start(self) -> int: ...  # the number of the start state
    @property
    def opening(self) -> list[Action]: ...
    @property
    def actions(self) -> list[Action]: ...
    @property
    def score(self) -> float: ...
    @property
    def evaluations(self) -> int: ...
    @property
    def lessons(self) -> list[tuple[int, Floats, float, float, float | None]]: ...


class SelfPlay:
    """Plays actual games of a network against itself, one after the other without end."""

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        evaluator: Judging,
        parallel: int,
        rng: Rng,
        episode: int = 0,
        progress: float = 0.0,
        alternate_starter: bool = False,
    ) -> None:
        self.game, self.settings, self.evaluator, self.rng = game, settings, evaluator, rng
        self.parallel = parallel  # the most games side by side
        self.episode, self.progress = episode, progress  # of the training: sigma, epsilon follow them
        begun = [begun_by(game, 0), begun_by(game, 1)] if alternate_starter else [game]
        self._starts = [one.start() for one in begun]
        self.hours = Hours()  # of the threads, if there are any

    def games(self) -> Generator[Played, None, None]:
        """Finished games, as they come."""
        for game in self.ended():
            yield self.played(game)

    def ended(self) -> Generator[_core.Finished, None, None]:
        """The same as the core tells them."""
        native = _core.self_play(self._starts, self._playing(), self._options(), self.game.num_actions, self.rng)
        while True:
            native.use(self._options(), self._simulations())
            native.grow(self._side_by_side())
            finished = native.go(self.evaluator.native(self._starts[0]))
            yield from finished
            if not finished:
                self._answer(native)

    def games_of_threads(self, threads: int) -> Generator[Played, None, None]:
        """The same from native threads, which play on while nobody asks for a game; they wait when many are ready."""
        school = self.school(threads)
        try:
            while True:
                finished = school.take(0.1)  # then Python may see to Ctrl-C
                self.hours = Hours(*school.hours)
                if finished is not None:
                    yield self.played(finished)
                    self.direct(school)
        finally:
            school.stop()

    def school(self, threads: int) -> NativeSchool:
        """Native threads that play from now on, until they are stopped."""
        starts: list[Any] = self._starts  # of a game in the core
        return _core.school(
            starts, self._playing(), self._options(), self.game.num_actions, self.rng, self._judge(),
            self._side_by_side(), threads, 2 * self.parallel,
        )  # fmt: skip

    def direct(self, school: NativeSchool) -> None:
        """From now on the threads play as this point of the training wants it, and ask the network as it is now."""
        school.use(self._judge(), self._options(), self._simulations(), self._side_by_side())

    @property
    def native(self) -> bool:
        """Can threads play, because the core knows the game and the network?"""
        return self.evaluator.native(self._starts[0]) is not None

    def _judge(self) -> _core.Judge:
        judge = self.evaluator.native(self._starts[0])
        assert judge is not None, "threads need a game and a network that the core knows"
        return judge

    def _simulations(self) -> int:
        """Search games for a move at this point of the training."""
        first, last = self.settings.simulations, self.settings.simulations_end
        return first if last is None else round(first + (last - first) * min(1.0, self.progress))

    def _side_by_side(self) -> int:
        """More games side by side as the training goes on: few at first, while the network changes quickly."""
        return min(self.parallel, max(FIRST, self.episode // 16))

    def _answer(self, native: NativeSelfPlay) -> None:
        planes = native.planes()
        if planes is None:  # states written in Python
            native.answer(*self.evaluator.evaluate(native.questions()))
        else:
            native.answer(*self.evaluator.judge(planes, native.players()))

    def played(self, finished: Ended) -> Played:
        """A game of the core, with the states of its positions."""
        start = self._starts[finished.start]
        opening, actions = finished.opening, finished.actions
        states = list(self.game.states(opening + actions, start))
        lessons = [
            Lesson(states[len(opening) + ply], ply, policy, value, surprise, score)
            for ply, policy, value, surprise, score in finished.lessons
        ]
        starter = start.player if len(self._starts) > 1 else None
        return Played(opening, actions, finished.score, lessons, finished.evaluations, starter, cells_of(states[-1]))

    def _playing(self) -> _core.Playing:
        """How games are played, for the core."""
        s = self.settings
        return _core.Playing(
            simulations=self._simulations(), fast_simulations=s.fast_simulations, growth=s.growth,
            seconds=s.seconds or FOREVER, fast=s.fast, temperature=s.temperature, openings=s.openings, forced=s.forced,
            c=s.c, greedy_after=s.greedy_after, opening_plies=s.opening_plies,
            teacher_seconds=s.teacher_seconds if s.teacher == "solver" else 0.0, teacher_threads=s.teacher_threads,
        )  # fmt: skip

    def _options(self) -> _core.MctsOptions:
        """The search as it is at this point of the training."""
        s, evaluator = self.settings, self.evaluator
        epsilon = s.epsilon + (s.epsilon_end - s.epsilon) * self.progress
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
