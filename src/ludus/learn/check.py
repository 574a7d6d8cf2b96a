"""What is checked before a training begins: its boards, the device it asks for, and the numbers of its game."""

from __future__ import annotations

import numpy as np
import torch

from ludus._core import Rng
from ludus.errors import BadOption, BrokenGame
from ludus.game import Game, sized
from ludus.learn.settings import TrainSettings


def boards_of(game: Game, settings: TrainSettings) -> list[Game]:
    """The boards on which a training learns, one after the other; the last is that of the game itself."""
    if not settings.sizes:
        return [game]
    boards = [sized(game, size) for size in settings.sizes]
    if boards[-1] != game:
        raise BadOption(f"the last of --sizes must be the size of the game, {game}")
    if settings.network.net == "mlp" or settings.network.heads == "dense":
        raise BadOption(
            "boards of several sizes need a network that plays them all: say --net conv (or patterns) --heads pooled"
        )
    return boards


def device_of(name: str) -> torch.device:
    """Where a network computes; refuses what this machine does not have."""
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there[name]:
        raise BadOption(f"PyTorch finds no {name} device here; say --device cpu")
    return torch.device(name)


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
