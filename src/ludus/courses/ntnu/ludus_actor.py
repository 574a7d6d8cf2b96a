"""Our agents on the course's superclasses: handlers that answer with plain numbers whatever types they are given."""

from __future__ import annotations

import sys
from typing import Any, ClassVar

from ludus.agents import Agent
from ludus.protocols.oht.playing.player import HexPlayer
from ludus.protocols.oht.playing.values import plain


class LudusActor:
    """Handlers that let an agent play. In a list of superclasses it stands before the one that talks to the server.

    What else a superclass does in a handler (print, log) it still does.
    """

    agent: ClassVar[str | Agent] = "mcts"
    seed: ClassVar[int | None] = None
    move_seconds: ClassVar[float | None] = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.hex_player = HexPlayer(self.agent, self.seed, self.move_seconds)
        super().__init__(*arguments, **options)

    def handle_get_action(self, state: Any) -> tuple[int, int]:
        """Row and column as plain integers."""
        return self.hex_player.choose(state)

    def handle_series_start(
        self, unique_id: Any, series_id: Any, player_map: Any, num_games: Any, game_params: Any
    ) -> None:
        self.series_id = series_id
        self.hex_player.start_series(plain(game_params)[0])
        self._pass_on("handle_series_start", unique_id, series_id, player_map, num_games, game_params)

    def handle_game_start(self, start_player: Any) -> None:
        self.starting_player = start_player
        self.hex_player.start_game()
        self._pass_on("handle_game_start", start_player)

    def handle_game_over(self, winner: Any, end_state: Any) -> None:
        self._pass_on("handle_game_over", winner, end_state)

    def handle_series_over(self, stats: Any) -> None:
        self._pass_on("handle_series_over", stats) or print(f"The series is over: {stats}")

    def handle_tournament_over(self, score: Any) -> None:
        self._pass_on("handle_tournament_over", score) or print(f"The tournament is over; the score is {score}")

    def handle_illegal_action(self, state: Any, illegal_action: Any) -> None:
        passed_on = self._pass_on("handle_illegal_action", state, illegal_action)
        passed_on or print(f"The action {illegal_action} was illegal in the state {state}")

    def _pass_on(self, name: str, *arguments: Any) -> bool:
        """Calls the superclass's own handler; False if it has none, or one without a body."""
        method = getattr(super(), name, None)
        if method is None or getattr(method, "__isabstractmethod__", False):
            return False
        method(*arguments)
        return True


def make_actor(
    superclass: type, agent: str | Agent = "mcts", seed: int | None = None, move_seconds: float | None = None
) -> type[Any]:
    """A subclass of BasicClientActorAbs, BasicClientActor or ActorClient, the course's or ours, played by an agent."""
    caller = sys._getframe(1).f_globals.get(
        "__name__", superclass.__module__
    )  # beside it, ActorClient seeks server.crt
    members = {"agent": agent, "seed": seed, "move_seconds": move_seconds, "__module__": caller}
    return type(f"Ludus{superclass.__name__}", (LudusActor, superclass), members)
