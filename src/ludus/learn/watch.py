"""How a training goes: numbers for the metrics, and sentences about whether it is learning."""

from __future__ import annotations

import math
import time
from collections import deque
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.errors import LudusError
from ludus.game import Game
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.learner import Losses
from ludus.learn.self_play import Played
from ludus.learn.trainer import Trainer
from ludus.learn.truth import Meter
from ludus.play.rating import score_interval
from ludus.play.schedule import draw_openings

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

WINDOW = 200  # games that moving averages look back on
GAMES = 20  # against the last saved network


@dataclass(frozen=True)
class Score:
    """What one network scored against another, in games that are all different."""

    points: float
    games: int

    @property
    def share(self) -> float:
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share."""
        return score_interval(self.points, self.games)

    @property
    def chance_better(self) -> float:
        """The probability that the network with this score is the better one.

        By the normal approximation; one imagined win and one imagined loss keep it away from 0 and 1.
        """
        share = (self.points + 1) / (self.games + 2)
        error = math.sqrt(share * (1 - share) / (self.games + 2))
        return 1 - NormalDist(share, error).cdf(0.5)


class Watcher:
    """Sees every finished game; makes the lines of the metrics and the sentences."""

    def __init__(self, trainer: Trainer, meter: Meter | None, tensorboard: bool = False) -> None:
        self.trainer, self.meter = trainer, meter
        if meter is not None and trainer.exercises is not None:
            trainer.exercises.spared = meter.keys()
        self.board = board_of(trainer) if tensorboard else None
        self.rows: list[dict[str, Any]] = trainer.run.metrics()
        self.losses: deque[Losses] = deque(maxlen=WINDOW)
        self.games: deque[Played] = deque(maxlen=WINDOW)
        self.positions = self.evaluations = self.played = self.episodes = 0
        self.began = time.monotonic()

    def see(self, played: Played | None, losses: list[Losses]) -> None:
        """An episode is finished: a game, or a round of exercises."""
        self.losses.extend(losses)
        self.episodes += 1
        if played is None:
            return
        self.games.append(played)
        self.played += 1
        self.positions += len(played.actions)
        self.evaluations += played.evaluations

    def look(self, against: Score | None = None) -> dict[str, Any]:
        """A line of metrics, now. `against` is the score against the last saved network, if that was just measured."""
        trainer = self.trainer
        seconds = max(1e-6, time.monotonic() - self.began)
        row: dict[str, Any] = {
            "episode": trainer.episode,
            "seconds": round(trainer.seconds, 2),
            "games_per_second": round(self.played / seconds, 3),
            "positions_per_second": round(self.positions / seconds, 2),
            "evaluations_per_second": round(self.evaluations / seconds, 1),
            **self.busy(seconds),
            **self.exercised(),
            "learning_rate": trainer.learner.rate(trainer.progress),
            "cases": len(trainer.replay),
        }
        if self.losses:
            row["actor_loss"] = mean_of([loss.actor for loss in self.losses])
            if trainer.evaluator.critic:
                row["critic_loss"] = mean_of([loss.critic for loss in self.losses])
            row["entropy"] = mean_of([loss.entropy for loss in self.losses])
        if self.games:
            row["length"] = round(float(np.mean([len(game.actions) for game in self.games])), 2)
            row["different"] = round(len({tuple(g.opening + g.actions) for g in self.games}) / len(self.games), 4)
        if self.meter is not None:
            row |= self.meter.measure(trainer.evaluator).plain()
            if row["truth"] > max((old.get("truth", 0.0) for old in self.rows), default=0.0):
                trainer.run.save_best(trainer.learner, trainer.game, trainer.settings, trainer.episode)
        if against is not None:
            row["against_last"], row["against_games"] = round(against.share, 4), against.games
            if self.meter is None and against.share >= 0.5:  # without a truth meter: the last that did not lose
                trainer.run.save_best(trainer.learner, trainer.game, trainer.settings, trainer.episode)
        row["seconds_left"] = round(self.seconds_left(), 1)
        self.rows.append(row)
        trainer.run.add_metrics(row)
        if self.board is not None:
            for name, value in row.items():
                if isinstance(value, int | float):
                    self.board.add_scalar(name, value, trainer.episode)
        return row

    def busy(self, seconds: float) -> dict[str, float]:
        """The share of its time in which each side was at work: who is below 1 has waited for the other."""
        shares = {"learner_busy": round(max(0.0, 1 - self.trainer.waited / seconds), 3)}
        hours = self.trainer.hours
        if hours.all > 0:
            shares["self_play_busy"] = round(1 - hours.waiting / hours.all, 3)
            shares["self_play_in_network"] = round(hours.network / hours.all, 3)
        if hours.teachers > 0:
            shares["teacher_busy"] = round(hours.teaching / hours.teachers, 3)
        return shares

    def exercised(self) -> dict[str, float]:
        """Exercises made, how fast, and the share of positions that were solved in time."""
        if self.trainer.exercises is None:
            return {}
        counts = self.trainer.exercises.counts
        return {
            "exercises": counts.made,
            "exercises_per_second": round(counts.made / max(1e-6, counts.seconds), 1),
            "exercises_solved": round(counts.solved, 4),
            "exercises_from_ply": round(counts.first_ply, 1),
        }

    def seconds_left(self) -> float:
        """How long the rest will take, at the speed of the last games."""
        settings, trainer = self.trainer.settings, self.trainer
        left = 60 * settings.minutes - trainer.seconds if settings.minutes is not None else math.inf
        if settings.last_episode is not None and self.episodes:
            a_game = (time.monotonic() - self.began) / self.episodes
            left = min(left, (settings.last_episode - trainer.episode) * a_game)
        return max(0.0, left) if left < math.inf else 0.0

    # ------------------------------------------------------------------------------ sentences

    def warnings(self) -> list[str]:
        """Sentences about what may have gone wrong."""
        words = []
        if self.trainer.exercises is not None and self.trainer.exercises.hopeless:
            words.append("no position could be solved as an exercise for a minute: it learns from games alone; raise "
                         "--exercise-seconds or leave out --exercises")  # fmt: skip
        if self.rows and self.rows[-1].get("different", 1) < 0.5 and len(self.games) >= 50:
            words.append(
                "games repeat: fewer than half of the last ones are different; raise --openings or --temperature"
            )
        truths = [row["truth"] for row in self.rows if "truth" in row]
        smooth = [sum(truths[i : i + 3]) / 3 for i in range(len(truths) - 2)]
        if len(smooth) >= 6 and smooth[-1] < max(smooth) - 0.1:
            words.append(
                f"it keeps {smooth[-1]:.0%} of the results, but kept {max(smooth):.0%} before, so it may be worse now; "
                "the best network is kept, and --resume RUN --back goes on from it"
            )
        scores = [row["against_last"] for row in self.rows if "against_last" in row]
        if not truths and len(scores) >= 2 and max(scores[-2:]) < 0.4:
            words.append(
                "it scored less than 40% against its last saved network twice in a row, so it may be getting worse; "
                "the best network is kept, and --resume RUN --back goes on from it"
            )
        if self.losses and len(self.losses) >= 50 and float(np.mean([loss.entropy for loss in self.losses])) < 0.02:
            words.append("the policy is saturated: it is sure of everything and explores nothing")
        return words

    def verdict(self) -> str:
        """The result of the training: a match against the untrained network, and the truth meter."""
        trainer = self.trainer
        score = score_against(trainer.game, trainer.evaluator, trainer.saved(trainer.run.checkpoints[0]), 2 * GAMES)
        low, high = score.interval
        words = (
            f"it scored {score.points:g} of {score.games} games against the untrained network "
            f"(95% interval {low:.0%} to {high:.0%})"
        )
        if low > 0.5:
            words = f"It has learned: {words}"
        elif high < 0.5:
            words = f"It plays worse than before its training: {words}"
        else:
            words = f"Whether it has learned is not clear: {words}"
        truths = [row["truth"] for row in self.rows if "truth" in row]
        if truths and self.meter is not None:
            count = len(self.meter.problems)
            low, high = score_interval(truths[-1] * count, count)
            words += (
                f"; its likeliest move keeps {truths[-1]:.1%} of the true results (95% interval {low:.0%} to "
                f"{high:.0%}, {count} positions; best so far {max(truths):.1%})"
            )
        return words + "."

    def forecast(self) -> str | None:
        """What the truth meter will show at the end, if the curve goes on as it did."""
        progress = self.trainer.settings.progress
        points = [(progress(row["episode"], row["seconds"]), row["truth"]) for row in self.rows if row.get("truth")]
        points = [point for point in points if point[0] > 0]
        points = points[len(points) // 2 :]
        if len(points) < 4 or points[-1][0] <= points[0][0] or self.trainer.progress >= 1:
            return None
        shares, kept = np.array(points).T
        wrong = np.log(np.maximum(1 - kept, 1e-3))
        _, end_wrong = np.polyfit(np.log(shares), wrong, 1)  # at the end, the logarithm of progress is 0
        end = 1 - math.exp(min(0.0, end_wrong))
        return f"about {max(0.0, end):.0%} of the true results kept at the end, if the curve goes on like this"


def mean_of(numbers: list[float]) -> float:
    return round(float(np.mean(numbers)), 5)


def board_of(trainer: Trainer) -> SummaryWriter:
    """Writes the metrics for TensorBoard as well."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise LudusError("TensorBoard is not installed; get it with: pip install tensorboard") from None
    return SummaryWriter(str(trainer.run.folder / "tensorboard"))


def score_against(
    game: Game, network: NetworkEvaluator, other: NetworkEvaluator, games: int = GAMES, seed: int = 5
) -> Score:
    """The score of a network against another one, both without search, all games side by side.

    Each plays its likeliest action, so equal openings would be equal games: there are fewer games than were asked for
    where a game has only few openings.
    """
    openings = dict.fromkeys(draw_openings(game, (games + 1) // 2, 2, seed))
    plays = [(opening, player) for opening in openings for player in (0, 1)][:games]  # the player of our network
    states, ours = [game.after(opening) for opening, _ in plays], [player for _, player in plays]
    while live := [i for i, state in enumerate(states) if not state.over]:
        for judge, mine in ((network, True), (other, False)):
            turn = [i for i in live if not states[i].over and (states[i].player == ours[i]) == mine]
            if turn:
                policies, _ = judge.evaluate([states[i] for i in turn])
                for i, policy in zip(turn, policies, strict=True):
                    states[i] = states[i].play(max(states[i].actions(), key=lambda a: policy[a]))
    scores = [(state.score(player) + 1) / 2 for state, player in zip(states, ours, strict=True)]
    return Score(sum(scores), len(scores))
