"""Exercises: positions that native threads make and the exact solver labels, learned beside the cases of self-play."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus import _core
from ludus._core import Rng
from ludus.errors import BadOption, LudusError
from ludus.game import Game, State
from ludus.learn.case import Case
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.exercise_file import Block, ExerciseFile
from ludus.learn.native import NativeExercises
from ludus.learn.replay import Replay
from ludus.learn.settings import TrainSettings
from ludus.search.solve import Solver

STOCK = 2000  # exercises that are taken before any of them has been learned
READY = 1000  # exercises that wait to be taken before their makers wait
PATIENCE = 60.0  # seconds without any exercise before that is worth a word


@dataclass(frozen=True)
class Counts:
    """What the makers of exercises have done."""

    made: int = 0
    tried: int = 0
    first_ply: float = 0.0  # the mean ply of the first position that was solved in each of the last games
    seconds: float = 0.0  # since they began

    @property
    def solved(self) -> float:
        """The share of positions that were solved in time."""
        return self.made / max(1, self.tried)


class Exercises:
    """A buffer of exercises, and the threads that fill it: new ones come as `reuse` asks for them."""

    def __init__(self, game: Game, settings: TrainSettings, evaluator: NetworkEvaluator, starts: list[State]) -> None:
        self.game, self.evaluator, self.reuse = game, evaluator, settings.learn.reuse
        self.settings = settings.exercises
        refuse_unsolvable(game, evaluator)
        learn = settings.learn
        self.replay = Replay(game, self.settings.exercise_buffer, learn.exchange, learn.symmetries)
        self.per_minibatch = max(1, round(self.settings.exercises * learn.minibatch))
        self.spared: set[int] = set()  # keys of positions that must not be learned: those of the truth meter
        self.counts = Counts()
        self.file: ExerciseFile | None = None  # where they are written down
        self._starts: list[Any] = starts  # of a game in the core
        self._native: NativeExercises | None = None
        self._began = time.monotonic()
        self._taken = 0
        self._learned = 0.0

    @property
    def only(self) -> bool:
        """Is nothing else learned?"""
        return self.settings.exercises == 1

    def begin(self, rng: Rng) -> None:
        """Starts the threads."""
        s = self.settings
        self._began = time.monotonic()
        self._native = _core.exercises(
            self._starts, self.game.num_actions, s.exercise_seconds, self.spared, rng, self._judge(),
            s.exercise_threads, READY, s.exercise_memory << 20,
        )  # fmt: skip

    def stop(self) -> None:
        """Stops the threads; the exercises stay."""
        if self._native is not None:
            self._native.stop()
            self._native = None

    def read(self) -> None:
        """Puts the exercises of the file into the buffer, where a training goes on."""
        if self.file is not None:
            self.file.mend()
            for block in self.file.blocks(self.game):
                self._add(block)

    def refill(self) -> None:
        """Takes as many new exercises as have been learned `reuse` times since, if they are ready."""
        due = int(STOCK + self._learned / self.reuse) - self._taken
        if due > 0:
            self._take(due, 0.0)

    def wait_for(self, count: int) -> None:
        """Takes so many new exercises, waiting for them."""
        until = self._taken + count
        while self._taken < until:
            self._take(until - self._taken, 0.1)  # then Python may see to Ctrl-C
            if self.hopeless:
                raise LudusError(f"{self.said()}; raise --exercise-seconds, or learn from games as well")

    def learned(self, minibatches: int) -> None:
        """So many minibatches have been learned."""
        self._learned += minibatches * self.per_minibatch

    @property
    def hopeless(self) -> bool:
        """Has no position been solved for long?"""
        return self.counts.made == 0 and self.counts.seconds > PATIENCE

    def said(self) -> str:
        """What to say where nothing could be solved."""
        return f"none of {self.counts.tried} positions could be solved as an exercise in {self.counts.seconds:.0f} s"

    def _take(self, count: int, seconds: float) -> None:
        if self._native is None:
            return
        self._native.use(self._judge())
        planes, policies, legal, players, scores = self._native.take(count, seconds)
        self.counts = Counts(*self._native.counts, time.monotonic() - self._began)
        if len(planes) == 0:
            return
        shaped = planes.reshape(len(planes), *self.game.planes_shape)
        block = Block(shaped, policies, legal, np.array(players, np.int8), np.array(scores, np.float32))
        if self.file is not None:
            self.file.add(block, self.game)
        self._add(block)
        self._taken += len(block)

    def _add(self, block: Block) -> None:
        players, scores = block.players.tolist(), block.scores.tolist()
        rows = zip(block.planes, players, block.policies, block.legal, scores, strict=True)
        self.replay.add([Case(*row, any=True) for row in rows])

    def _judge(self) -> _core.Judge:
        judge = self.evaluator.native(self._starts[0])
        assert judge is not None, "exercises need a game and a network that the core knows"
        return judge


def refuse_unsolvable(game: Game, evaluator: NetworkEvaluator) -> None:
    """Refuses games whose positions the core cannot play or cannot solve."""
    start = game.start()
    if evaluator.native(start) is None:
        raise BadOption(f"exercises are made by the core, which does not know {game.name}: leave out --exercises")
    if not Solver().can(start):
        raise BadOption(f"exercises need an exact solver, and there is none for {game}: leave out --exercises")
