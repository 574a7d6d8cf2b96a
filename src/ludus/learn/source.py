"""Where the lessons of a training come from on one board: games of the network against itself, and exercises."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from torch import nn

from ludus._core import Rng
from ludus.game import Game, begun_by
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.exercises import Exercises
from ludus.learn.remote import HireSelfPlay, Plan, games_of
from ludus.learn.replay import Replay
from ludus.learn.self_play import Hours, Played, SelfPlay
from ludus.learn.settings import ROUND, TrainSettings
from ludus.system import cores


class Source:
    """The games and exercises of one board, and the buffer that holds their cases."""

    def __init__(
        self, game: Game, settings: TrainSettings, network: nn.Module, hire: HireSelfPlay | None = None
    ) -> None:
        """`hire` gets the crew that plays; without it threads of this process do."""
        self.game, self.settings, self.hire = game, settings, hire
        learn = settings.learn
        self.replay = Replay(game, learn.buffer, learn.exchange, learn.symmetries)
        self.evaluator = NetworkEvaluator(game, network, learn.exchange)
        both = [begun_by(game, 0), begun_by(game, 1)] if settings.alternate_starter else [game]
        self.exercises: Exercises | None = None
        if settings.exercises.exercises > 0:
            self.exercises = Exercises(game, settings, self.evaluator, [one.start() for one in both])
        self.player: SelfPlay | None = None  # who plays the games
        self.episode, self.progress = 0, 0.0  # of the training: what self-play's settings follow

    @property
    def hours(self) -> Hours:
        """What the threads of self-play have done with their time, if there are any."""
        return self.player.hours if self.player is not None else Hours()

    def at(self, episode: int, progress: float) -> None:
        """The training has come so far."""
        self.episode, self.progress = episode, progress
        if self.player is not None:
            self.player.episode, self.player.progress = episode, progress

    def episodes(self) -> Generator[Played | None, None, None]:
        """What there is to learn from, without end: games; or rounds of exercises, where nothing else is learned."""
        if self.exercises is None:
            yield from self._games()
            return
        self.exercises.begin(self._rng(1))
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
        self.player = SelfPlay(
            self.game, settings.search, self.evaluator, settings.parallel, self._rng(0), self.episode, self.progress,
            settings.alternate_starter,
        )  # fmt: skip
        if self.hire is not None:
            games = games_of(self.hire(self._plan()), self.player, self.evaluator)
        elif self.player.native and threads > 1:
            games = self.player.games_of_threads(threads)
        else:
            games = self.player.games()
        with closing(games):
            yield from games

    def _plan(self) -> Plan:
        """The games of this board, for a crew."""
        s = self.settings
        return Plan(self.game, s.search, s.parallel, s.alternate_starter, s.learn.exchange, self._seed(0))

    def _rng(self, which: int) -> Rng:
        return Rng(self._seed(which))

    def _seed(self, which: int) -> int:
        return (self.settings.seed * 1_000_003 + self.episode + which) % 2**64
