"""How a training goes: numbers for the metrics, and plain words about whether it is learning."""

from __future__ import annotations

import math
import time
from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ludus.errors import LudusError
from ludus.game import Game
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.learner import Losses
from ludus.learn.self_play import Played
from ludus.learn.trainer import Trainer
from ludus.learn.truth import Meter
from ludus.play.schedule import draw_openings

WINDOW = 200  # games that moving averages look back on
GAMES = 20  # against the last saved network


class Watcher:
    """Sees every finished game; makes the lines of the metrics and the words."""

    def __init__(self, trainer: Trainer, meter: Meter | None, tensorboard: bool = False) -> None:
        self.trainer, self.meter = trainer, meter
        self.board = board_of(trainer) if tensorboard else None
        self.rows: list[dict[str, Any]] = trainer.run.metrics()
        self.losses: deque[Losses] = deque(maxlen=WINDOW)
        self.games: deque[Played] = deque(maxlen=WINDOW)
        self.positions = self.evaluations = self.played = 0
        self.began = time.monotonic()

    def see(self, played: Played, losses: list[Losses]) -> None:
        """A game is finished."""
        self.losses.extend(losses)
        self.games.append(played)
        self.played += 1
        self.positions += len(played.actions)
        self.evaluations += played.evaluations

    def look(self, against: float | None = None) -> dict[str, Any]:
        """A line of metrics, now. `against` is the score against the last saved network, if that was just measured."""
        trainer = self.trainer
        seconds = max(1e-6, time.monotonic() - self.began)
        row: dict[str, Any] = {
            "episode": trainer.episode,
            "seconds": round(trainer.seconds, 2),
            "games_per_second": round(self.played / seconds, 3),
            "positions_per_second": round(self.positions / seconds, 2),
            "evaluations_per_second": round(self.evaluations / seconds, 1),
            "learning_rate": trainer.learner.rate(trainer.progress),
            "cases": len(trainer.replay),
        }
        for name in ("actor", "critic", "entropy"):
            if self.losses:
                row[f"{name}_loss" if name != "entropy" else name] = round(
                    float(np.mean([getattr(loss, name) for loss in self.losses])), 5
                )
        if self.games:
            row["length"] = round(float(np.mean([len(game.actions) for game in self.games])), 2)
            row["different"] = round(len({tuple(g.opening + g.actions) for g in self.games}) / len(self.games), 4)
        if self.meter is not None:
            row |= self.meter.measure(trainer.evaluator).plain()
            if row["truth"] > max((old.get("truth", 0.0) for old in self.rows), default=0.0):
                trainer.run.save_best(trainer.learner, trainer.game, trainer.settings, trainer.episode)
        if against is not None:
            row["against_last"] = round(against, 4)
            if self.meter is None and against >= 0.5:  # nobody knows the truth: the last that was no worse
                trainer.run.save_best(trainer.learner, trainer.game, trainer.settings, trainer.episode)
        row["seconds_left"] = round(self.seconds_left(), 1)
        self.rows.append(row)
        trainer.run.tell(row)
        if self.board is not None:
            for name, value in row.items():
                if isinstance(value, int | float):
                    self.board.add_scalar(name, value, trainer.episode)
        return row

    def seconds_left(self) -> float:
        """How long the rest will take, at the speed of the last games."""
        left = self.trainer.settings.episodes - self.trainer.episode
        return left * (time.monotonic() - self.began) / self.played if self.played else 0.0

    # ------------------------------------------------------------------------------ words

    def warnings(self) -> list[str]:
        """What looks wrong, in plain words."""
        words = []
        if self.rows and self.rows[-1].get("different", 1) < 0.5 and len(self.games) >= 50:
            words.append(
                "games repeat: fewer than half of the last ones are different; raise --openings or --temperature"
            )
        if self.losses and not all(math.isfinite(v) for v in asdict(self.losses[-1]).values()):
            words.append("the network has collapsed: its loss is no number any more; lower --lr")
        truths = [row["truth"] for row in self.rows if "truth" in row]
        smooth = [sum(truths[i : i + 3]) / 3 for i in range(len(truths) - 2)]
        if len(smooth) >= 6 and smooth[-1] < max(smooth) - 0.1:
            words.append(
                f"it keeps {smooth[-1]:.0%} of the results, but kept {max(smooth):.0%} before: it is getting worse; "
                "the best network is kept, and --resume RUN --back goes on from it"
            )
        scores = [row["against_last"] for row in self.rows if "against_last" in row]
        if not truths and len(scores) >= 2 and max(scores[-2:]) < 0.4:
            words.append(
                "it has lost against its last saved network twice in a row: it is getting worse; the best network is "
                "kept, and --resume RUN --back goes on from it"
            )
        if self.losses and len(self.losses) >= 50 and float(np.mean([loss.entropy for loss in self.losses])) < 0.02:
            words.append("the policy is saturated: it is sure of everything and explores nothing")
        return words

    def verdict(self) -> str:
        """Whether it has learned, when all is done: against the untrained network, and by the truth meter."""
        trainer, games = self.trainer, 2 * GAMES
        score = score_against(trainer.game, trainer.evaluator, trainer.run.checkpoints[0], games)
        better = chance_better(score, games)
        words = (
            "It has learned"
            if better > 0.95
            else "It has unlearned"
            if better < 0.05
            else "It may or may not have learned"
        )
        words += f": {score * games:g} of {games} games against the untrained network"
        truths = [row["truth"] for row in self.rows if "truth" in row]
        if truths:
            words += f", and it keeps {truths[-1]:.1%} of the true results (best so far {max(truths):.1%})"
        return words + "."

    def forecast(self) -> str | None:
        """What the truth meter will show at the end, if the curve goes on as it did."""
        points = [(row["episode"], row["truth"]) for row in self.rows if row.get("truth") and row["episode"] > 0]
        points = points[len(points) // 2 :]
        total = self.trainer.settings.episodes
        if len(points) < 4 or points[-1][0] <= points[0][0] or self.trainer.episode >= total:
            return None
        episodes, kept = np.array(points).T
        wrong = np.log(np.maximum(1 - kept, 1e-3))
        slope, base = np.polyfit(np.log(episodes), wrong, 1)
        end = 1 - math.exp(min(0.0, slope * math.log(total) + base))
        return f"about {max(0.0, end):.0%} of the true results kept at the end, if the curve goes on like this"


def board_of(trainer: Trainer) -> Any:
    """Writes what TensorBoard reads."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise LudusError("TensorBoard is not installed; get it with: pip install tensorboard") from None
    return SummaryWriter(str(trainer.run.folder / "tensorboard"))


def score_against(game: Game, network: NetworkEvaluator, path: Path, games: int = GAMES, seed: int = 5) -> float:
    """The score of a network, bare and greedy, against a saved one, all games side by side."""
    other = load_checkpoint(path).evaluator(game)
    openings = draw_openings(game, (games + 1) // 2, 2, seed)
    states, ours = [], []
    for number in range(games):
        states.append(game.after(openings[number // 2]))
        ours.append(number % 2)  # the player that our network plays for
    while live := [i for i, state in enumerate(states) if not state.over]:
        for judge, mine in ((network, True), (other, False)):
            turn = [i for i in live if not states[i].over and (states[i].player == ours[i]) == mine]
            if turn:
                policies, _ = judge.evaluate([states[i] for i in turn])
                for i, policy in zip(turn, policies, strict=True):
                    states[i] = states[i].play(max(states[i].actions(), key=lambda a: policy[a]))
    return float(np.mean([(state.score(player) + 1) / 2 for state, player in zip(states, ours, strict=True)]))


def chance_better(score: float, games: int) -> float:
    """How likely it is that who scored so is the better one (normal approximation, one imagined win and loss)."""
    share = (score * games + 1) / (games + 2)
    error = math.sqrt(share * (1 - share) / (games + 2))
    return 0.5 * (1 + math.erf((share - 0.5) / error / math.sqrt(2)))
