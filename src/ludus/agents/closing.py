"""Ending a game in which nothing is left to gain, instead of playing on until nothing can be played."""

from __future__ import annotations

import time

from ludus._core import Rng
from ludus.agents.agent import Decision
from ludus.game import State, past_of
from ludus.search.mcts import Mcts, MctsSettings, best_child

HOPELESS = -0.9  # the value at which a player has nothing left to gain
LOOK = 0.1  # the part of a move's search that checks it


def closing(
    state: State, settings: MctsSettings, rng: Rng, simulations: int | None, seconds: float | None
) -> Decision | None:
    """The action that the game suggests, if a short search finds nothing for the player whom the end would not suit."""
    began, past = time.perf_counter(), past_of(state)
    action = None if past is None else past.game.closing(state, rng)
    if action is None:
        return None
    after = state.play(action)
    value = after.score(state.player) if after.over else 0.0
    if value <= 0:  # the game goes on after a pass of the winner; a loser looks once more before the last one
        search = Mcts(state if after.over else after, settings, rng.split())
        search.run(simulations, seconds)
        hope = best_child(search.children(), "visits").value
        if hope > HOPELESS:
            return None
        value = hope if after.over else -hope
    why = "nothing is left to gain"
    return Decision(action, why, value=value, line=[action], seconds=time.perf_counter() - began)
