"""On-policy Monte Carlo tree search, the loop itself.

With `parallel` 1 it is the loop of the textbooks, step for step. With more, that many actual games run side by side,
each in a tree of its own; the network that they ask is then older than the last finished game by what other games
have taught since they began.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from ludus._core import Rng
from ludus.errors import BadAnswer, BrokenGame
from ludus.game import Game, begun_by
from ludus.learn.checkpoint import load_checkpoint, network_at
from ludus.learn.config import BadRun
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.exercises import ROUND, Exercises
from ludus.learn.learner import Diverged, Learner, Losses
from ludus.learn.network import make_network
from ludus.learn.replay import Replay
from ludus.learn.run import Run
from ludus.learn.self_play import Hours, Played, SelfPlay
from ludus.learn.settings import TrainSettings
from ludus.system import cores

KEEP_EVERY = 30.0  # seconds between states that are kept

# Called after every episode with its game, None where only exercises are learned, and the losses of its minibatches.
Watch = Callable[[Played | None, list[Losses]], None]


class Trainer:
    """One training: a network, its cases, and the games that make them."""

    def __init__(
        self, game: Game, settings: TrainSettings, run: Run, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock` counts the seconds of the training."""
        self.clock = clock
        torch.set_num_threads(1)  # self-play has a thread for every core; small networks gain nothing from more
        torch.manual_seed(settings.seed)
        self.game, self.settings, self.run = game, settings, run
        refuse_unusable(game)
        if settings.alternate_starter:
            begun_by(game, 0)  # refuses a game that is always begun by the same player
        network = make_network(settings.network, game.planes_shape, game.num_actions)
        self.replay = Replay(game, settings.learn.buffer, settings.learn.exchange, settings.learn.symmetries)
        self.evaluator = NetworkEvaluator(game, network, settings.learn.exchange)
        self.exercises = self._make_exercises()
        buffer, some = (None, 0) if self.exercises is None else (self.exercises.replay, self.exercises.per_minibatch)
        self.learner = Learner(network, self.replay, settings.learn, settings.seed, buffer, some)
        self.episode, self.seconds = 0, 0.0
        self.just_saved = False  # was the network saved after the last game?
        self._saved = 1  # networks that have been due to be saved: the untrained one
        self.waited = 0.0  # seconds for games to learn from
        self._player: SelfPlay | None = None  # who plays them
        self._owed = 0.0  # cases that `reuse` asks for and that were not learned yet
        self._kept = time.monotonic()

    @property
    def progress(self) -> float:
        """How far the training is, from 0 to 1: what learning rate and epsilon follow."""
        return self.settings.progress(self.episode, self.seconds)

    def resume(self, back: bool = False) -> None:
        """Goes back to where the run's folder was left, learning again what was finished after it was last kept.

        With `back`, the best network of the run takes the place of the last one.
        """
        self.episode, self.seconds = self.run.restore(self.learner)
        self._saved = self.settings.saved_by(self.progress)
        try:
            for played in list(self.run.since(self.episode, self.game)):
                if self.progress < 1:
                    self._learn(played)
                    self._save_if_due()
        except Diverged:  # it was killed when it had just diverged: these games are not learned from again
            self.episode, self.seconds = self.run.restore(self.learner)
        if back:
            self.back_to_best()
        self.run.forget_after(self.episode)
        recorded = [row["seconds"] for row in self.run.metrics() if row["episode"] <= self.episode]
        self.seconds = max(self.seconds, *recorded, 0.0)
        self._saved = self.settings.saved_by(self.progress)
        self.run.keep(self.learner, self.episode, self.seconds)

    def back_to_best(self) -> None:
        """Puts the best network of the run in the place of the present one."""
        if not self.run.checkpoints:
            raise BadRun(f"{self.run.folder} has no saved network yet")
        self.learner.network.load_state_dict(load_checkpoint(self.run.best_network()).network.state_dict())
        self.learner.forget_momentum()

    def _save_if_due(self) -> None:
        """Saves the network if the training has come as far as one of the points at which it is saved."""
        due = self.settings.saved_by(self.progress)
        self.just_saved = due > self._saved
        if self.just_saved:
            self.run.save(self.learner, self.game, self.settings, self.episode)
        self._saved = due

    def train(self, watch: Watch = lambda played, losses: None) -> None:
        """Plays and learns to the end. Stopped by an error or by Ctrl-C, it keeps what it has learned."""
        if self.episode == 0:
            self.run.save(self.learner, self.game, self.settings, 0)  # the untrained network first
            self.run.keep(self.learner, 0, 0.0)
        began, before = self.clock(), self.seconds
        games = self._episodes()
        try:
            while self.progress < 1:
                played = self._next(games)
                if played is not None:
                    self.run.add(played)
                losses = self._learn(played)
                self.seconds = before + self.clock() - began
                self._save_if_due()
                if time.monotonic() - self._kept > KEEP_EVERY:
                    self.keep()
                watch(played, losses)
        except (Diverged, BadAnswer) as error:
            games.close()
            raise self._diverged(error) from None
        finally:
            games.close()
            self.keep()

    def _next(self, games: Iterator[Played | None]) -> Played | None:
        """The next game; how long it took to come is counted."""
        asked = time.monotonic()
        played = next(games)
        self.waited += time.monotonic() - asked
        return played

    @property
    def hours(self) -> Hours:
        """What the threads of self-play have done with their time, if there are any."""
        return self._player.hours if self._player is not None else Hours()

    def _diverged(self, error: Exception) -> Diverged:
        """Goes back to the last state that was kept, in which all numbers are finite. Returns the error to raise."""
        episode = self.episode
        self.episode, self.seconds = self.run.restore(self.learner)
        self.run.forget_after(self.episode)
        folder, lr = self.run.folder, self.settings.learn.lr
        why = error if isinstance(error, Diverged) else "the network gives no usable policy"
        return Diverged(
            f"the training diverged at episode {episode}: its numbers are no longer finite ({why}); lower --lr, "
            f"which was {lr:g}; the best network is kept, and `ludus train --resume {folder} --back --lr {lr / 10:g}` "
            "goes on from it"
        )

    def keep(self) -> None:
        """Keeps the state on disk."""
        self.run.keep(self.learner, self.episode, self.seconds)
        self._kept = time.monotonic()

    def _learn(self, played: Played | None) -> list[Losses]:
        """What happens after every actual game: its cases go to the buffer, minibatches train the network."""
        cases = played.cases(self.game, self.settings.learn) if played is not None else []
        self.replay.add(cases)
        self.episode += 1
        fresh = len(cases) if played is not None else ROUND
        minibatches = self._minibatches(fresh) if fresh or len(self.replay) else 0  # some games have no cases
        losses = [self.learner.train(self.progress) for _ in range(minibatches)]
        if self.exercises is not None and not self.exercises.only:
            self.exercises.learned(minibatches)
            self.exercises.refill()
        return losses

    def _minibatches(self, cases: int) -> int:
        """How many minibatches to learn after a game with so many cases."""
        learn = self.settings.learn
        if learn.minibatches is not None:
            return learn.minibatches
        self._owed += cases * learn.reuse
        whole = int(self._owed // learn.minibatch)
        self._owed -= whole * learn.minibatch
        return whole

    # ------------------------------------------------------------------------------ where games come from

    def _make_exercises(self) -> Exercises | None:
        """The exercises of this training, if it has any."""
        if self.settings.exercises.exercises == 0:
            return None
        both = [begun_by(self.game, 0), begun_by(self.game, 1)] if self.settings.alternate_starter else [self.game]
        return Exercises(self.game, self.settings, self.evaluator, [game.start() for game in both])

    def _episodes(self) -> Generator[Played | None, None, None]:
        """What there is to learn from, without end: games; or rounds of exercises, where nothing else is learned."""
        if self.exercises is None:
            yield from self._games()
            return
        self.exercises.begin(Rng((self.settings.seed * 1_000_003 + self.episode + 1) % 2**64))
        try:
            yield from self._rounds(self.exercises) if self.exercises.only else self._games()
        finally:
            self.exercises.stop()

    @staticmethod
    def _rounds(exercises: Exercises) -> Generator[None, None, None]:
        while True:
            exercises.wait_for(ROUND)
            yield None

    def _games(self) -> Generator[Played, None, None]:
        """Finished actual games, without end: one after the other, or from threads that play many side by side."""
        settings, threads = self.settings, min(cores(), self.settings.parallel)
        rng = Rng((settings.seed * 1_000_003 + self.episode) % 2**64)
        player = self._player = SelfPlay(
            self.game, settings.search, self.evaluator, settings.parallel, rng, self.episode, self.progress,
            settings.alternate_starter,
        )  # fmt: skip
        native = self.evaluator.native(self.game.start()) is not None
        with closing(player.games_of_threads(threads) if native and threads > 1 else player.games()) as games:
            for played in games:
                yield played
                player.episode, player.progress = self.episode, self.progress


def refuse_unusable(game: Game) -> None:
    """Plays one game at random: are all actions below num_actions, and all numbers in planes finite?"""
    state, rng = game.start(), Rng(1)
    for _ in range(1000):
        if state.over:
            return
        wrong = [action for action in state.actions() if not 0 <= action < game.num_actions]
        if wrong:
            raise BrokenGame(f"{game} says num_actions = {game.num_actions}, but {wrong[0]} is a legal action")
        if not np.isfinite(game.planes(state)).all():
            raise BrokenGame(f"planes() of {game} holds numbers that are not finite, from which no network can learn")
        state = state.play(rng.choice(state.actions()))


def start(folder: Path, game_text: str, game: Game, settings: TrainSettings) -> Trainer:
    """A new training in a new folder."""
    run, first = Run(folder), None
    if settings.from_network is not None:
        first = load_checkpoint(network_at(settings.from_network))
        first.accept_as_beginning(game)
        settings = replace(settings, network=first.network.settings)
    trainer = Trainer(game, settings, run)  # refuses what does not fit, before there is a folder
    if first is not None:
        trainer.learner.network.load_state_dict(first.network.state_dict())
    run.begin(game_text, game, settings)
    return trainer
