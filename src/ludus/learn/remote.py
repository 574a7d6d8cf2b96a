"""Self-play elsewhere: what travels between a learner and those who play for it, and what both do with it.

Orders go out with the weights, reports come back with finished games. Nothing here needs PyTorch or knows a cluster.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import astuple, dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus._core import Rng
from ludus.errors import BadOption
from ludus.game import Action, Game
from ludus.learn.core_network import CoreEvaluator, Weights
from ludus.learn.self_play import FIRST, Ended, Hours, Played, SelfPlay
from ludus.learn.settings import SearchSettings, TrainSettings
from ludus.learn.view import Floats
from ludus.play.crew import Crew

MOST = 64  # games in a report
FRESH = 0.1  # seconds for which weights are sent again although the learner has newer ones
REPORTS = 300  # a second that a learner gets, at most


@dataclass(frozen=True)
class Plan:
    """What holds for all games of a training on one board."""

    game: Game
    settings: SearchSettings
    parallel: int  # the most games side by side, on all players together
    alternate_starter: bool
    exchange: bool
    seed: int


@dataclass(frozen=True)
class Orders:
    """What holds from now on for who gets it: the network, and how far the training is."""

    weights: Weights
    episode: int
    progress: float


@dataclass(frozen=True)
class Sent:
    """A finished game on its way: `_core.Finished` as numbers."""

    start: int
    opening: list[Action]
    actions: list[Action]
    score: float
    evaluations: int
    policies: Floats  # a row for every lesson
    rest: NDArray[np.float64]  # for every lesson its ply, value, surprise and score; NaN: not proven

    @property
    def lessons(self) -> list[tuple[int, Floats, float, float, float | None]]:
        return [
            (int(ply), policy, value, surprise, None if np.isnan(score) else score)
            for policy, (ply, value, surprise, score) in zip(self.policies, self.rest.tolist(), strict=True)
        ]


def sent(game: Ended) -> Sent:
    """A game of the core, to be sent."""
    lessons = game.lessons
    policies = np.stack([policy for _, policy, *_ in lessons]) if lessons else np.zeros((0, 1), np.float32)
    rest = [(ply, *thought, np.nan if score is None else score) for ply, _, *thought, score in lessons]
    table = np.array(rest, np.float64).reshape(-1, 4)
    return Sent(game.start, game.opening, game.actions, game.score, game.evaluations, policies, table)


@dataclass(frozen=True)
class Report:
    """What a player tells: the games that were finished since its last report. Every game is told once."""

    player: int
    first: int  # how many games it has told before
    games: list[Sent]
    hours: Hours  # since it began


HireSelfPlay = Callable[[Plan], Crew[Orders, Report]]


def refuse_alone(settings: TrainSettings) -> None:
    """Refuses trainings in which nobody else can play."""
    if settings.exercises.exercises == 1:
        raise BadOption("with --exercises 1 no games are played, so there is nothing that a cluster could do")
    if settings.parallel == 1:
        raise BadOption("with --parallel 1 games are played one after the other, and a cluster would play several")


# ------------------------------------------------------------------------------------- where games are played


class Player:
    """One of those who play, each in a process of its own."""

    def __init__(self, plan: Plan, number: int, players: int) -> None:
        """`number` is its own and nobody else's; `players` share the games that are played side by side."""
        self.plan, self.number, self.told = plan, number, 0
        self.parallel = max(FIRST, plan.parallel // max(1, players))
        self.pause = max(FRESH, players / REPORTS)  # seconds between reports
        self._evaluator: CoreEvaluator | None = None

    def play(self, orders: Orders) -> Report:
        """Plays on by these orders until a game is finished; tells of all that are by then."""
        if self._evaluator is None:
            self._begin(orders)
        else:
            self._evaluator.use(orders.weights)
            self._self_play.episode, self._self_play.progress = orders.episode, orders.progress
        games = self._finished()
        report = Report(self.number, self.told, [sent(game) for game in games], self._self_play.hours)
        self.told += len(games)
        return report

    def _begin(self, orders: Orders) -> None:
        plan = self.plan
        self._evaluator = CoreEvaluator(plan.game, orders.weights, plan.exchange)
        rng = Rng((plan.seed + (self.number + 1) * 0xD1B54A32D192ED03) % 2**64)
        self._self_play = SelfPlay(
            plan.game, plan.settings, self._evaluator, self.parallel, rng, orders.episode, orders.progress,
            plan.alternate_starter,
        )  # fmt: skip
        self._school = self._self_play.school(1) if self._self_play.native else None
        self._one_by_one = self._self_play.ended()

    def _finished(self) -> list[Ended]:
        """The games that are finished within the pause, at least one. Of a game that the core knows, a thread plays on
        meanwhile.
        """
        if self._school is None:
            return [next(self._one_by_one)]
        self._self_play.direct(self._school)
        games: list[Ended] = []
        end = time.monotonic() + self.pause
        while not games or (len(games) < MOST and time.monotonic() < end):
            game = self._school.take(max(0.01, end - time.monotonic()))
            if game is not None:
                games.append(game)
        self._self_play.hours = Hours(*self._school.hours)
        return games


# ------------------------------------------------------------------------------------- where they are learned from


class Source(Protocol):
    """The network of the learner."""

    def weights(self) -> Weights: ...
    def changes(self) -> int: ...


def games_of(crew: Crew[Orders, Report], self_play: SelfPlay, source: Source) -> Generator[Played, None, None]:
    """Finished games of a crew, as they come. `self_play` says how far the training is, and keeps the hours."""
    told: dict[int, int] = {}
    hours: dict[int, Hours] = {}
    with crew:
        for report in crew.run(orders(self_play, source)):
            assert report.first == told.get(report.player, 0), "a report was lost or told twice"
            told[report.player] = report.first + len(report.games)
            hours[report.player] = report.hours
            self_play.hours = together(hours.values())
            for game in report.games:
                yield self_play.played(game)


def orders(self_play: SelfPlay, source: Source) -> Iterator[Orders]:
    """Orders as they hold when they are asked for, with weights that are at most FRESH seconds old."""
    weights, version, made = source.weights(), source.changes(), time.monotonic()
    while True:
        if version != source.changes() and time.monotonic() > made + FRESH:
            weights, version, made = source.weights(), source.changes(), time.monotonic()
        yield Orders(weights, self_play.episode, self_play.progress)


def together(hours: Iterable[Hours]) -> Hours:
    """The hours of all players."""
    return Hours(*(sum(column) for column in zip(*map(astuple, hours), strict=True)))
