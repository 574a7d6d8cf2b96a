"""One of our agents in the tournament's other games: Connect Four, tic-tac-toe and Othello, which are our own addition.

Unlike in Hex, cells do not say everything here (who has passed, who has begun), so the game is followed on a table of
our own from its first move on, as the server does.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from ludus.agents import accept
from ludus.game import Action, Game, native
from ludus.games import find
from ludus.games.hex import Hex
from ludus.protocols.oht.playing.link import BadMessage
from ludus.protocols.oht.playing.player import AgentPlayer, HexPlayer
from ludus.protocols.oht.playing.values import plain, shortened
from ludus.protocols.oht.table import Move, Table, params_of
from ludus.protocols.oht.table import check as check_game

IN_A_ROW = 4  # moves that the other player may make while we have to pass; more have never been seen


class TablePlayer(AgentPlayer):
    """Chooses (row, column) for flat states of a game other than Hex."""

    def __init__(self, game: str, agent: str, seed: int | None = None, move_seconds: float | None = None) -> None:
        super().__init__(agent, seed, move_seconds)
        self.kind = find(game)
        check_game(self.kind())
        self.game, self.title = self.kind.name, self.kind().spoken_name
        self._table: Table | None = None
        self._played: Game | None = None  # in this series

    def begin_series(self, params: Sequence[int]) -> None:
        """A series begins, with what the server says about the board: [size], or [rows, columns]."""
        sized = "size" in {f.name for f in fields(self.kind)}
        game = self.kind(**{"size": params[0]}) if sized and len(params) == 1 else self.kind()
        if params_of(game) != list(params):
            raise BadMessage(f"the server's board, {shortened(params)}, is not one of {self.title}; check --game")
        accept(self.agent, game)
        self._played = game

    def start_game(self, starter: int | None = None) -> None:
        """A game begins with a move of player 1 or 2."""
        if self._played is None or starter not in (1, 2):
            raise BadMessage("the server began a game without a series, or did not say who has the first move")
        self.fresh()
        self._table = Table(self._played, 1 if starter == 1 else 2)

    def choose(self, flat: Any) -> Move:
        """Row and column of the agent's action, plain integers from 0."""
        state = plain(flat)
        known = self._table if isinstance(state, list | tuple) else None
        table = known and forward(known, list(state))
        if table is None:
            raise BadMessage(
                f"the server's state {shortened(state)} does not follow from the moves so far in {self.title}; "
                "check --game"
            )
        action = self.decide(native(table.state))
        move = table.move_of(action)
        table.play(action)
        self._table = table
        return move


def make_player(game: str, agent: str, seed: int | None, move_seconds: float | None) -> HexPlayer | TablePlayer:
    """Who plays a game of the tournament, by its name."""
    if issubclass(find(game), Hex):
        return HexPlayer(agent, seed, move_seconds)
    return TablePlayer(game, agent, seed, move_seconds)


def forward(table: Table, flat: list[int], most: int = IN_A_ROW) -> Table | None:
    """The table after the moves of the other player that lead to a flat state; None if none do.

    Every move adds one stone to the board, so their number is known, and it is on a cell that is now taken.
    """
    here = table.flat()
    ahead = stones(flat) - stones(here)
    if ahead == 0:
        return table if here == flat else None
    if len(here) != len(flat) or not 0 < ahead <= most or table.state.over or table.mover == flat[0]:
        return None
    for cell, code in enumerate(flat[1:]):
        action = table.action_at(divmod(cell, table.columns)) if code and not here[1 + cell] else None
        if action is not None and (found := forward(after(table, action), flat, most - 1)):
            return found
    return None


def after(table: Table, action: Action) -> Table:
    """A table on which one more action was played."""
    copied = copy.copy(table)
    copied.actions, copied.moves = list(table.actions), list(table.moves)
    copied.play(action)
    return copied


def stones(flat: Sequence[int]) -> int:
    return sum(cell != 0 for cell in flat[1:])
