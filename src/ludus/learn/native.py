"""What self-play in the core offers to Python, whatever is played: what `_core.self_play`, `_core.school` and
`_core.exercises` return.

The core compiles one class of each kind for every game; these protocols are what all of them have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ludus.game import Player, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludus import _core
    from ludus.learn.view import Floats


class NativeSelfPlay(Protocol):
    """Actual games side by side. ludus.learn.self_play.SelfPlay is the class to use."""

    def use(self, options: _core.MctsOptions, simulations: int, /) -> None: ...
    def grow(self, games: int, /) -> None: ...
    def go(self, judge: _core.Judge | None) -> list[_core.Finished]: ...
    def questions(self) -> Sequence[State]: ...
    def players(self) -> list[Player]: ...
    def planes(self) -> Floats | None: ...
    def answer(self, policies: Floats, values: Floats, /) -> None: ...


class NativeExercises(Protocol):
    """Native threads that make exercises. `counts` are the numbers of ludus.learn.exercises.Counts."""

    @property
    def counts(self) -> tuple[int, int, float]: ...
    def use(self, judge: _core.Judge) -> None: ...
    def take(
        self, count: int, seconds: float
    ) -> tuple[Floats, Floats, NDArray[np.bool_], list[Player], list[float]]: ...
    def stop(self) -> None: ...


class NativeSchool(Protocol):
    """Native threads that play. `hours` are the numbers of ludus.learn.self_play.Hours."""

    @property
    def hours(self) -> tuple[float, float, float, float, float, int, int]: ...
    def use(self, judge: _core.Judge, options: _core.MctsOptions, simulations: int, games: int) -> None: ...
    def take(self, seconds: float) -> _core.Finished | None: ...
    def stop(self) -> None: ...
