"""Networks on disk: safetensors files that also say which game, which shape and how trained. No code is ever loaded."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from ludus.errors import LudusError, whole_option
from ludus.game import Game
from ludus.games.python import PythonGame
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.network import MOST_WEIGHTS, Network, all_finite, make_network
from ludus.learn.settings import NetworkSettings
from ludus.learn.zoo import path_of
from ludus.system import is_file, is_folder, write_whole

FORMAT = "ludus-network-1"


class BadCheckpoint(LudusError):
    """A file holds no network of ours, or one for another game."""


@dataclass(frozen=True)
class Checkpoint:
    """A network and what is known about it."""

    network: Network
    game: dict[str, Any]  # its name and options
    exchange: bool  # does it always see itself as player 0?
    episode: int
    training: dict[str, Any]  # how it was trained: episodes, recipe and seed

    def evaluator(self, game: Game) -> NetworkEvaluator:
        """The network as an evaluator of a game; refuses another game than its own."""
        self.accept(game)
        return NetworkEvaluator(game, self.network, self.exchange)

    def accept(self, game: Game) -> None:
        """Refuses a game that the network was not trained for. One with pooled heads plays boards of every size."""
        if not self._fits(game) or not same(game.identity(), self.game, self.network.any_size):
            raise BadCheckpoint(
                f"this network was trained for {game_in_words(self.game)}, not for {game_in_words(game.identity())}"
            )

    def accept_as_beginning(self, game: Game) -> None:
        """Refuses a game for which the training of this network cannot go on: its options may be others."""
        if not self._fits(game) or game.identity()["name"] != self.game.get("name"):
            advice = (
                ""
                if self.network.any_size
                else "; only networks with --heads pooled can change the size of their board"
            )
            raise BadCheckpoint(
                f"a training of {game_in_words(game.identity())} cannot begin with a network for "
                f"{game_in_words(self.game)}{advice}"
            )

    def _fits(self, game: Game) -> bool:
        """Has a game the planes and actions of this network? Refuses a network that saw its own game otherwise."""
        any_size = self.network.any_size
        fits = shape_of(game, any_size) == shape_in(self.network.planes, self.network.num_actions, any_size)
        if not fits and same(game.identity(), self.game, any_size):
            raise BadCheckpoint(
                f"this network reads {game_in_words(self.game)} as an older version of Ludus showed it; train it again"
            )
        return fits


def same(one: dict[str, Any], other: dict[str, Any], any_size: bool = False) -> bool:
    """Are two games the same to a network? It does not matter who starts: the planes show whose turn it is, and how
    many stones each player has. Nor does the file in which a game is written."""
    ignored = ("starter", "code", *(["size"] if any_size else []))
    return {k: v for k, v in one.items() if k not in ignored} == {k: v for k, v in other.items() if k not in ignored}


def shape_of(game: Game, any_size: bool = False) -> tuple[int, ...]:
    return shape_in(game.planes_shape, game.num_actions, any_size)


def shape_in(planes: tuple[int, int, int], num_actions: int, any_size: bool) -> tuple[int, ...]:
    """What must agree between a network and a game: planes and actions, or with any size what is not of the board."""
    return (planes[0], num_actions - planes[1] * planes[2]) if any_size else (*planes, num_actions)


def game_in_words(game: dict[str, Any]) -> str:
    """A game and its options in words."""
    options = ", ".join(f"{key} {value}" for key, value in game.items() if key not in ("name", "code"))
    return f"{game.get('name')} ({options})" if options else str(game.get("name"))


def save_checkpoint(
    path: Path, network: nn.Module, game: Game, exchange: bool, episode: int, training: dict[str, Any]
) -> None:
    """Writes a network so that a reader sees all of it or nothing."""
    about = {
        "format": FORMAT,
        "game": json.dumps(game.identity()),
        "python_game": json.dumps(isinstance(game, PythonGame)),
        "network": json.dumps(asdict(network.settings) if isinstance(network, Network) else None),
        "module": json.dumps(type(network).__name__),
        "planes": json.dumps(game.planes_shape),
        "num_actions": json.dumps(game.num_actions),
        "exchange": json.dumps(exchange),
        "episode": json.dumps(episode),
        "story": json.dumps(training),  # the name that files have used from the first
    }
    weights = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    write_whole(path, save(weights, about))


def load_checkpoint(path: Path | str) -> Checkpoint:
    """Reads a network; refuses what is damaged or of another kind."""
    about, weights = read_checkpoint(path)
    if about.get("network") == "null":
        raise BadCheckpoint(
            f"{path} holds the weights of a network of your own, {about.get('module')}; "
            "ludus.learn.checkpoint.load_weights(path, network) puts them into one"
        )
    try:
        facts = {key: json.loads(value) for key, value in about.items() if key != "format"}
        shape = {"heads": "dense"} | facts["network"]  # which older files do not say
        shape["hidden"] = tuple(shape["hidden"])
        settings, planes = NetworkSettings(**shape), planes_in(facts["planes"])
        whole_option("num_actions", facts["num_actions"], 1, MOST_WEIGHTS)
        if {"conv": settings.blocks, "mlp": len(settings.hidden)}.get(settings.net, 0) > len(weights):
            raise ValueError("it has more layers than weights")
        if shapes_of(settings, planes, facts["num_actions"]) != {name: tuple(w.shape) for name, w in weights.items()}:
            raise ValueError("its weights have other shapes")
        network = make_network(settings, planes, facts["num_actions"])
        network.load_state_dict(weights)
        checkpoint = Checkpoint(network.eval(), facts["game"], facts["exchange"], facts["episode"], facts["story"])
        if not isinstance(checkpoint.game, dict) or not isinstance(checkpoint.training, dict):
            raise ValueError("game and story are not what they should be")
    except (LookupError, TypeError, ValueError, ArithmeticError, RuntimeError) as error:
        raise BadCheckpoint(f"{path} does not fit its own description: {str(error)[:100]}") from None
    if not all_finite(network.parameters()):
        raise BadCheckpoint(f"{path} cannot play: some of its weights are not finite, so its training had diverged")
    return checkpoint


def planes_in(shape: object) -> tuple[int, int, int]:
    """The planes, rows and columns that a description tells."""
    match shape:
        case [int() as planes, int() as rows, int() as columns] if min(planes, rows, columns) > 0:
            return planes, rows, columns
    raise ValueError(f"planes is {shape!r}")


def shapes_of(settings: NetworkSettings, planes: tuple[int, int, int], num_actions: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights of a network, for which it need not be made."""
    with torch.device("meta"):
        network = Network(settings, planes, num_actions)
    return {name: tuple(weight.shape) for name, weight in network.state_dict().items()}


def load_weights(path: Path | str, network: nn.Module) -> None:
    """Puts the weights of a file into a network; refuses those of a network of another shape."""
    try:
        network.load_state_dict(read_checkpoint(path)[1])
    except RuntimeError as error:
        raise BadCheckpoint(f"the weights in {path} do not fit this network: {str(error).splitlines()[-1]}") from None


def read_checkpoint(path: Path | str) -> tuple[dict[str, str], dict[str, Tensor]]:
    """What a file says about its network, and the weights."""
    path = Path(path)
    if not is_file(path):
        raise BadCheckpoint(f"there is no file {str(path)!r}")
    try:
        with safe_open(path, "pt") as file:
            about = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise BadCheckpoint(f"{path} is damaged or is no safetensors file: {str(error)[:100]}") from None
    if about.get("format") != FORMAT:
        raise BadCheckpoint(f"{path} holds no network of Ludus ({about.get('format', 'it does not say what it is')})")
    return about, weights


def network_in(folder: Path) -> Path:
    """The file of the best network in the folder of a training; the last saved one, if none was found the best."""
    saved = [*sorted((folder / "checkpoints").glob("*.safetensors")), *folder.glob("best.safetensors")]
    if not saved:
        raise BadCheckpoint(f"{folder} has no saved network yet")
    return saved[-1]


def network_at(text: str) -> Path:
    """The file of a network: zoo:hex7, the folder of a training (its best network), or the file itself."""
    if text.startswith("zoo:"):
        return path_of(text[4:])
    return network_in(Path(text)) if is_folder(Path(text)) else Path(text)
