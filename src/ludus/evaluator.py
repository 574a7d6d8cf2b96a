"""What an evaluator is: it gives policies and values for many states at once. Networks are evaluators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ludus.game import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Evaluator(Protocol):
    """Gives policies and values. A policy may include illegal actions; the caller leaves them out."""

    def evaluate(self, states: Sequence[State]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policies (n, num_actions) and values (n,), for the player to move."""
