"""A network that the core computes, made from its weights alone: without PyTorch, on any machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ludus import _core
from ludus.game import Game, State
from ludus.learn.view import Floats, View

Kind = Literal["perceptron", "convolutions", "pooled_convolutions", "patterns", "pooled_patterns"]
Layer = tuple[Floats, Floats]  # a row of weights for every input, and the bias


@dataclass(frozen=True)
class Weights:
    """What the core needs to make a network: the name of its function, and what to call it with."""

    kind: Kind
    parts: tuple[Any, ...]

    def network(self) -> _core.Network:
        made: _core.Network = getattr(_core, self.kind)(*self.parts)
        return made


class CoreEvaluator:
    """Policies and values by such a network. Policies include illegal actions, which the caller must leave out."""

    def __init__(self, game: Game, weights: Weights, exchange: bool = True) -> None:
        self.game, self.view = game, View(game, exchange)
        self.use(weights)

    def use(self, weights: Weights) -> None:
        """From now on it answers with these weights."""
        self._network = weights.network()
        self._judge: _core.Judge | None = None

    def native(self, example: State) -> _core.Judge | None:
        """The network as self-play in the core asks it; None if the core does not know such states."""
        if not isinstance(example, _core.Past):
            return None
        if self._judge is None:
            turn = self.view.turn
            planes, actions = ([], []) if turn is None else (turn.planes.tolist(), turn.actions.tolist())
            self._judge = _core.Judge(self._network, planes, actions)
        return self._judge

    def evaluate(self, states: Sequence[State]) -> tuple[Floats, Floats]:
        """Policies (n, num_actions) and values (n,), for the player to move."""
        planes = np.stack([self.game.planes(state) for state in states])
        return self.judge(planes, [state.player for state in states])

    def judge(self, planes: Floats, players: Sequence[int]) -> tuple[Floats, Floats]:
        """The same from observations (n, c, h, w) and who is to move."""
        policies, values = self._network.judge(self.view.planes(planes, players))
        return self.view.policies_out(policies, players), values
