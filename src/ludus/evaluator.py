"""What an evaluator is: it gives policies and values for many states at once. Networks are evaluators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ludus.game import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludus import _core


class Evaluator(Protocol):
    """Gives policies and values. A policy may include illegal actions; the caller leaves them out.

    A network that the core can compute has a method native(state), too: it returns the network as the core knows it for
    states of this kind, or None. A search then asks it in native threads, without Python.
    """

    def evaluate(self, states: Sequence[State]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policies (n, num_actions) and values (n,), for the player to move."""


def native_judge(evaluator: Evaluator | None, state: State) -> _core.Judge | None:
    """The evaluator as the core knows it, if it does."""
    native: Callable[[State], _core.Judge | None] = getattr(evaluator, "native", lambda state: None)
    return native(state)
