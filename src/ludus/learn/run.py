"""The folder of a training. A training that was stopped at any moment can be continued from it.

config.toml              everything that was chosen
metrics.jsonl            how it went, a line for every measurement
games.jsonl              the actual games: opening, actions, score
checkpoints/NNNNNN.safetensors   the saved networks, the untrained one first
best.safetensors         the best network so far
state-N.safetensors      network, optimizer and cases after N games, written whole
since-N.jsonl            the games after that, with what they teach
exercises.jsonl          the exercises, in blocks
truth.json               the positions of the truth meter
forecast.json            what the plan expected, if it knew such trainings
verdict.txt              what came out, in a sentence, once it is finished
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save

from ludus.game import Game, begun_by
from ludus.learn.checkpoint import network_in, save_checkpoint
from ludus.learn.config import BadRun, read_toml, without_none, write_toml
from ludus.learn.exercise_file import ExerciseFile
from ludus.learn.learner import Learner
from ludus.learn.self_play import Lesson, Played, cells_of
from ludus.learn.settings import TrainSettings
from ludus.learn.view import Floats
from ludus.system import json_lines, lock, write_whole


class Run:
    """One training on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._since: IO[str] | None = None
        self._games: IO[str] | None = None
        self._lock: IO[str] | None = None

    @property
    def checkpoints(self) -> list[Path]:
        """The saved networks, the first first."""
        return sorted((self.folder / "checkpoints").glob("*.safetensors"))

    def begin(self, game_text: str, game: Game, settings: TrainSettings) -> None:
        """Makes the folder; refuses one in which there is a training already, unless that never finished a game."""
        text = write_toml(game_text, game, settings)
        (self.folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        self.open()
        if (self.folder / "config.toml").exists():
            if self.finished():
                raise BadRun(
                    f"there is a training in {self.folder}; go on with it by --resume {self.folder}, or name another"
                )
            self._clear()
        write_whole(self.folder / "config.toml", text)

    def finished(self) -> int:
        """How many games of this training have been finished."""
        kept = [number_of(path) for path in (*self.folder.glob("state-*.safetensors"), *self.checkpoints)]
        return max(0, *kept, sum(1 for _ in json_lines(self.folder / "games.jsonl")))

    def _clear(self) -> None:
        """Removes what a training that never finished a game has left."""
        for pattern in ("state-*.safetensors", "since-*.jsonl", "checkpoints/*.safetensors", "best.safetensors",
                        "metrics.jsonl", "games.jsonl", "exercises.jsonl", "truth.json", "forecast.json",
                        "verdict.txt"):  # fmt: skip
            for path in self.folder.glob(pattern):
                path.unlink()

    def open(self) -> None:
        """Takes the folder for this process alone."""
        self._lock = (self.folder / "lock").open("w")
        if not lock(self._lock):
            raise BadRun(f"another training is at work in {self.folder}; wait for it, or name another with --run")

    def change(self, game: Game, settings: TrainSettings) -> None:
        """The training goes on, perhaps with other settings than those it began with."""
        path = self.folder / "config.toml"
        (self.folder / "verdict.txt").unlink(missing_ok=True)
        write_whole(path, write_toml(read_toml(path)["game"]["name"], game, settings))

    def close(self) -> None:
        for file in (self._since, self._games, self._lock):
            if file is not None:
                with contextlib.suppress(OSError):  # a disk that is full has been told of already
                    file.close()

    # ------------------------------------------------------------------------------ writing

    def save(self, learner: Learner, game: Game, settings: TrainSettings, episode: int) -> Path:
        """Saves the network for tournaments to come."""
        path = self.folder / "checkpoints" / f"{episode:06}.safetensors"
        self._write(path, learner, game, settings, episode)
        return path

    def keep(self, learner: Learner, episode: int, seconds: float) -> None:
        """Keeps everything that is needed to go on from here; what was kept before goes."""
        tensors = {f"network.{k}": v for k, v in learner.network.state_dict().items()}
        for index, state in learner.optimizer.state_dict()["state"].items():
            tensors |= {f"optimizer.{index}.{k}": torch.as_tensor(v) for k, v in state.items()}
        replay, count = learner.replay, len(learner.replay)
        for name, column in replay.columns.items():
            tensors[f"replay.{name}"] = torch.from_numpy(column[:count])
        about = {
            "episode": str(episode), "seconds": str(seconds), "count": str(replay.count),
            "rng": json.dumps(learner.rng.bit_generator.state),
        }  # fmt: skip
        path = self.folder / f"state-{episode}.safetensors"
        write_whole(path, save({k: v.contiguous() for k, v in tensors.items()}, about))
        if self._since is not None:
            self._since.close()
        self._since = self._since_path(episode).open("w", encoding="utf-8")
        for old in [*self.folder.glob("state-*.safetensors"), *self.folder.glob("since-*.jsonl")]:
            if number_of(old) != episode:
                old.unlink()

    def add(self, played: Played, size: int | None = None) -> None:
        """Writes a finished game down, with the size of its board where there are several."""
        assert self._since is not None
        if self._games is None:
            self._games = (self.folder / "games.jsonl").open("a", encoding="utf-8")
        light = {"opening": played.opening, "actions": played.actions, "score": played.score}
        if played.starter is not None:
            light["starter"] = played.starter
        if size is not None:
            light["size"] = size
        lessons = [
            {
                "ply": lesson.ply,
                "policy": policy,
                "value": round(lesson.value, 4),
                "surprise": round(lesson.surprise, 4),
                "score": lesson.score,
            }
            for lesson, policy in zip(played.lessons, sparse([lesson.policy for lesson in played.lessons]), strict=True)
        ]
        # In this order: what comes last is what a kill in between can lose, and from `since` games.jsonl is mended.
        for file, row in ((self._since, light | {"lessons": lessons}), (self._games, light)):
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
            file.flush()

    def save_best(self, learner: Learner, game: Game, settings: TrainSettings, episode: int) -> None:
        """Saves the network as the best one so far."""
        self._write(self.best, learner, game, settings, episode)

    def _write(self, path: Path, learner: Learner, game: Game, settings: TrainSettings, episode: int) -> None:
        ends = without_none({"episodes": settings.last_episode, "minutes": settings.minutes})
        training = {**ends, "recipe": settings.recipe, "seed": settings.seed}
        save_checkpoint(path, learner.network, game, settings.learn.exchange, episode, training)

    @property
    def exercises(self) -> ExerciseFile:
        """The exercises that this training has made."""
        return ExerciseFile(self.folder / "exercises.jsonl")

    @property
    def best(self) -> Path:
        return self.folder / "best.safetensors"

    def best_network(self) -> Path:
        """The best network so far; the last that was saved, if none has been found the best."""
        return network_in(self.folder)

    def add_metrics(self, metrics: dict[str, Any]) -> None:
        """Adds a line to the metrics."""
        with (self.folder / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(metrics) + "\n")

    def add_verdict(self, words: str) -> None:
        """Writes down what came out."""
        write_whole(self.folder / "verdict.txt", words + "\n")

    # ------------------------------------------------------------------------------ reading

    def metrics(self) -> list[dict[str, Any]]:
        """All lines of the metrics that were finished; a damaged one and all after it are left out."""
        rows = []
        for row in json_lines(self.folder / "metrics.jsonl"):
            if not isinstance(row.get("episode"), int) or not isinstance(row.get("seconds"), int | float):
                break
            rows.append(row)
        return rows

    def restore(self, learner: Learner, go_to: Callable[[int, float], None]) -> None:
        """Puts the learner back to where it was kept; `go_to` gets the episode and the seconds it had taken, first."""
        older = False
        for path in sorted(self.folder.glob("state-*.safetensors"), key=number_of, reverse=True):
            try:
                self._load(path, learner, go_to)
                self._mend_games(number_of(path))
                return
            except (SafetensorError, OSError, KeyError, ValueError, RuntimeError) as error:
                older = older or "size mismatch" in str(error)  # else it is damaged
        if older:
            raise BadRun(
                f"the network in {self.folder} reads its game as an older version of Ludus showed it; "
                "train it again, in another folder"
            )
        raise BadRun(f"{self.folder} has no state from which its training could go on; start it again without --resume")

    def _load(self, path: Path, learner: Learner, go_to: Callable[[int, float], None]) -> None:
        from safetensors import safe_open

        tensors = load_file(path)
        with safe_open(path, "pt") as file:
            about = file.metadata()
        part = {name: {} for name in ("network", "optimizer", "replay")}  # type: dict[str, dict[str, torch.Tensor]]
        for key, tensor in tensors.items():
            room, _, name = key.partition(".")
            part[room][name] = tensor
        go_to(int(about["episode"]), float(about["seconds"]))
        learner.network.load_state_dict(part["network"])
        state = learner.optimizer.state_dict()
        state["state"] = {}
        for key, tensor in part["optimizer"].items():
            index, _, name = key.partition(".")
            state["state"].setdefault(int(index), {})[name] = tensor
        learner.optimizer.load_state_dict(state)
        replay = learner.replay
        for name, tensor in part["replay"].items():
            replay.columns[name][: len(tensor)] = tensor.numpy()
        replay.count = int(about["count"])
        learner.rng.bit_generator.state = json.loads(about["rng"])

    def _mend_games(self, kept: int) -> None:
        """Adds games to the list that were finished after a state was kept, and then a kill came in between."""
        games = list(json_lines(self.folder / "games.jsonl"))
        since = [{key: row[key] for key in row if key != "lessons"} for row in json_lines(self._since_path(kept))]
        if kept <= len(games) < kept + len(since):
            rows = games[:kept] + since
            text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
            write_whole(self.folder / "games.jsonl", text)

    def _since_path(self, episode: int) -> Path:
        return self.folder / f"since-{episode}.jsonl"

    def forget_after(self, episode: int) -> None:
        """Cuts off what was written of games and metrics after an episode, which are about to be played again."""
        games, metrics = self.folder / "games.jsonl", self.folder / "metrics.jsonl"
        for path, kept in (
            (games, list(json_lines(games))[:episode]),
            (metrics, [row for row in self.metrics() if row["episode"] <= episode]),
        ):
            if path.exists():
                write_whole(path, "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in kept))

    def since(self, episode: int, game: Game) -> Iterator[Played]:
        """The games that were finished after an episode was kept; a damaged one and all after it are left out."""
        for row in json_lines(self._since_path(episode)):
            try:
                played = read_played(row, game)
            except (KeyError, TypeError, ValueError, IndexError):
                return
            yield played


def sparse(policies: list[Floats]) -> list[dict[int, float]]:
    """For each policy the actions with a share above 0, and their shares. All at once: one by one takes longer."""
    if not policies:
        return []
    rows = np.stack(policies).astype(np.float64).round(5).tolist()
    return [{action: share for action, share in enumerate(row) if share} for row in rows]


def read_played(row: dict[str, Any], game: Game) -> Played:
    """A finished game from its line."""
    starter = row.get("starter")
    start = None if starter is None else begun_by(game, starter).start()
    states = list(game.states(row["opening"] + row["actions"], start))
    lessons = []
    for lesson in row["lessons"]:
        policy = np.zeros(game.num_actions, np.float32)
        for action, share in lesson["policy"].items():
            policy[int(action)] = share
        state = states[len(row["opening"]) + lesson["ply"]]
        thought = lesson.get("value", 0.0), lesson.get("surprise", 0.0)  # older trainings did not write them down
        lessons.append(Lesson(state, lesson["ply"], policy / policy.sum(), *thought, lesson["score"]))
    return Played(row["opening"], row["actions"], row["score"], lessons, starter=starter, cells=cells_of(states[-1]))


def number_of(path: Path) -> int:
    """The episode in the name of a file: state-200.safetensors, checkpoints/000200.safetensors."""
    digits = path.name.partition(".")[0].rpartition("-")[2]
    return int(digits) if digits.isdecimal() else -1
