"""On-policy Monte Carlo tree search, the loop itself.

With `parallel` 1 it is the loop of the textbooks, step for step. With more, that many actual games run side by side,
each in a tree of its own; the network that they ask is then older than the last finished game by what other games
have taught since they began.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn

from ludus.errors import BadAnswer
from ludus.game import Game, begun_by
from ludus.learn.check import boards_of, device_of, refuse_unusable
from ludus.learn.checkpoint import load_checkpoint, load_weights, network_at
from ludus.learn.config import BadRun
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.exercises import Exercises, refuse_unsolvable
from ludus.learn.learner import Diverged, Learner, Losses
from ludus.learn.network import make_network
from ludus.learn.remote import HireSelfPlay, refuse_alone
from ludus.learn.replay import Replay
from ludus.learn.run import Run
from ludus.learn.self_play import Hours, Played
from ludus.learn.settings import ROUND, TrainSettings
from ludus.learn.source import Source
from ludus.learn.speed import multiply_adds
from ludus.system import cores

SHARED_WORK = 50_000_000  # multiply-adds of a minibatch from which on several threads of the learner pay
KEEP_EVERY = 30.0  # seconds between states that are kept

# Called after every episode with its game, None where only exercises are learned, and the losses of its minibatches.
Watch = Callable[[Played | None, list[Losses]], None]


class Trainer:
    """One training: a network, its cases, and the games that make them."""

    def __init__(
        self,
        game: Game,
        settings: TrainSettings,
        run: Run,
        clock: Callable[[], float] = time.monotonic,
        network: nn.Module | None = None,
        hire: HireSelfPlay | None = None,
    ) -> None:
        """`clock` counts the seconds of the training. `network` is one of the user's own, instead of ours. `hire` gets
        a crew that plays, on a cluster perhaps; without it threads of this process do.
        """
        if hire is not None:
            refuse_alone(settings)
        self.clock = clock
        torch.manual_seed(settings.seed)
        self.game, self.settings, self.run = game, settings, run
        self.boards = boards_of(game, settings)
        for board in self.boards:
            refuse_unusable(board)
        if settings.alternate_starter:
            begun_by(game, 0)  # refuses a game that is always begun by the same player
        if network is None:
            network = make_network(settings.network, game.planes_shape, game.num_actions)
        network = network.to(device_of(settings.learn.device))
        torch.set_num_threads(learner_threads(network, game, settings))
        self.evaluator = NetworkEvaluator(game, network, settings.learn.exchange)
        if settings.exercises.exercises > 0:
            for board in self.boards:  # now, and not when the training gets there
                refuse_unsolvable(board, NetworkEvaluator(board, network, settings.learn.exchange))
        self.hire = hire
        self.source = Source(self.boards[0], settings, network, hire)
        if hire is not None:
            self.evaluator.weights()  # refuses what cannot be sent
        self.learner = Learner(network, self.source.replay, settings.learn, settings.seed)
        self._learn_from(self.source)
        self.episode, self.seconds = 0, 0.0
        self.just_saved = False  # was the network saved after the last game?
        self._saved = 1  # networks that have been due to be saved: the untrained one
        self.waited = 0.0  # seconds for games to learn from
        self._owed = 0.0  # cases that `reuse` asks for and that were not learned yet
        self._kept = time.monotonic()

    @property
    def progress(self) -> float:
        """How far the training is, from 0 to 1: what learning rate and epsilon follow."""
        return self.settings.progress(self.episode, self.seconds)

    @property
    def replay(self) -> Replay:
        """The cases of the present board."""
        return self.source.replay

    @property
    def exercises(self) -> Exercises | None:
        """The exercises of the present board, if there are any."""
        return self.source.exercises

    @property
    def hours(self) -> Hours:
        """What the threads of self-play have done with their time on the present board, if there are any."""
        return self.source.hours

    def _learn_from(self, source: Source) -> None:
        """From now on cases and exercises come from here."""
        self.source, self.learner.replay = source, source.replay
        if source.exercises is not None:
            self.learner.exercises = source.exercises.replay
            self.learner.per_minibatch = source.exercises.per_minibatch
            source.exercises.file = self.run.exercises

    def _go_to(self, episode: int, seconds: float) -> None:
        """The training is at this point."""
        self.episode, self.seconds = episode, seconds
        self._go_to_board()

    def _go_to_board(self) -> bool:
        """Goes to the board on which the training is by now. Is it another one than before?"""
        board = self.boards[self.settings.stage(self.progress)]
        if board == self.source.game:
            return False
        spared = set() if self.exercises is None else self.exercises.spared
        self._learn_from(Source(board, self.settings, self.learner.network, self.hire))
        if self.exercises is not None:
            self.exercises.spared = spared
        return True

    def resume(self, back: bool = False) -> None:
        """Goes back to where the run's folder was left, learning again what was finished after it was last kept.

        With `back`, the best network of the run takes the place of the last one.
        """
        self.run.restore(self.learner, self._go_to)
        if self.exercises is not None:
            self.exercises.read()
        self._saved = self.settings.saved_by(self.progress)
        try:
            for played in list(self.run.since(self.episode, self.source.game)):
                if self.progress < 1:
                    self._learn(played)
                    self._save_if_due()
        except Diverged:  # it was killed when it had just diverged: these games are not learned from again
            self.run.restore(self.learner, self._go_to)
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
        load_weights(self.run.best_network(), self.learner.network)
        self.learner.forget_momentum()

    def saved(self, path: Path) -> NetworkEvaluator:
        """A network that this training has saved."""
        network = deepcopy(self.learner.network)
        load_weights(path, network)
        return NetworkEvaluator(self.game, network, self.settings.learn.exchange)

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
        games = self.source.episodes()
        try:
            while self.progress < 1:
                if self._go_to_board():
                    games.close()
                    games = self.source.episodes()
                    self.keep()  # what is kept after it is of one board
                self.source.at(self.episode, self.progress)
                played = self._next(games)
                if played is not None:
                    self.run.add(played, self.settings.size_at(self.progress))
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

    def _diverged(self, error: Exception) -> Diverged:
        """Goes back to the last state that was kept, in which all numbers are finite. Returns the error to raise."""
        episode = self.episode
        self.run.restore(self.learner, self._go_to)
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
        cases = played.cases(self.source.game, self.settings.learn) if played is not None else []
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


def learner_threads(network: nn.Module, game: Game, settings: TrainSettings) -> int:
    """Self-play has a thread for every core, and the learner one more; where nothing is played, it has all cores.

    Small minibatches always have one: waiting for each other would take longer than the work.
    """
    if settings.exercises.exercises < 1 or settings.learn.device != "cpu":
        return 1
    work = settings.learn.minibatch * multiply_adds(network, game.planes_shape)
    return cores() if work > SHARED_WORK else 1


def start(
    folder: Path,
    game_text: str,
    game: Game,
    settings: TrainSettings,
    network: nn.Module | None = None,
    hire: HireSelfPlay | None = None,
) -> Trainer:
    """A new training in a new folder; `network` and `hire` are as for a Trainer."""
    run, first = Run(folder), None
    if settings.from_network is not None:
        first = load_checkpoint(network_at(settings.from_network))
        first.accept_as_beginning(game)
        settings = replace(settings, network=first.network.settings)
    trainer = Trainer(
        game, settings, run, network=network, hire=hire
    )  # refuses what does not fit, before there is a folder
    if first is not None:
        trainer.learner.network.load_state_dict(first.network.state_dict())
    run.begin(game_text, game, settings)
    return trainer
