"""Budgets and refusals that all searches share, checked before anything is searched."""

from __future__ import annotations

from ludus.errors import BadOption, LudusError
from ludus.game import State

FOREVER = 1e9  # seconds


class TooDeep(LudusError):
    """A game is longer than a search can follow."""


def refuse_no_state(state: State) -> None:
    if not hasattr(state, "over"):
        raise LudusError(f"a search needs a state of a game, not {state!r}")


def refuse_finished(state: State) -> None:
    refuse_no_state(state)
    if state.over:
        raise BadOption("the game is over, so there is nothing to search")


def seconds_option(seconds: float | None) -> float:
    if seconds is None:
        return FOREVER
    if not isinstance(seconds, int | float) or not 0 < seconds <= FOREVER:
        raise BadOption(f"seconds must be a number above 0, not {seconds!r}")
    return float(seconds)


def simulations_option(simulations: int | None) -> int:
    if simulations is None:
        return 1 << 62
    if not isinstance(simulations, int) or isinstance(simulations, bool) or not 1 <= simulations <= 1 << 62:
        raise BadOption(f"simulations must be a whole number from 1 up, not {simulations!r}")
    return simulations
