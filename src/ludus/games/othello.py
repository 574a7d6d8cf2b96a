"""Othello on even boards, with passing or without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar, Literal

from ludus import _core
from ludus.errors import BadOption, switch_option, whole_option
from ludus.game import Action, Game, NativeState, Player, State, Symmetry
from ludus.games import grid
from ludus.games.board import Board
from ludus.text import STONES, wants_color

WEIGHTS = Path(__file__).with_name("othello_weights.npz")  # of patterns on 8×8, by experiments/othello_patterns.py


@cache
def load_patterns() -> None:
    """Hands the weights of the patterns, if any, over to the core: all estimates on 8×8 use them from then on."""
    if not WEIGHTS.exists():
        return
    import numpy as np  # here, because nobody but Othello 8×8 needs it at the start

    with np.load(WEIGHTS) as file:
        _core.load_othello_patterns(file["weights"])


@dataclass(frozen=True)
class Othello(Game):
    """Bracket enemy discs in a straight line to turn them over; most discs win."""

    name: ClassVar[str] = "othello"
    searched_by: ClassVar[str] = "mcts:playout=estimate,c=0.2"
    signs: ClassVar[tuple[str, str] | None] = STONES[1:]
    unit: ClassVar[str | None] = "disc"
    size: int = 8
    passing: bool = True  # off: the game ends as soon as the player to move has no legal move

    def __post_init__(self) -> None:
        whole_option("size", self.size, 4, 16)
        if self.size % 2:
            raise BadOption(f"an Othello board has an even size from 4 to 16, not {self.size}")
        switch_option("passing", self.passing)

    @property
    def leaf_playouts(self) -> tuple[float, Literal["quick", "estimate"]]:
        return (0.5 if self.has_patterns else 0.0), "estimate"

    @property
    def has_patterns(self) -> bool:
        """Is its estimate made of patterns, which see more than a critic of some hours?"""
        return self.size == 8 and self.passing

    @property
    def num_actions(self) -> int:
        return self.size**2 + 1  # the last one is the pass

    def prepare(self) -> None:
        if self.has_patterns:
            load_patterns()

    def start(self) -> NativeState:
        self.prepare()
        return _core.othello(self, self.size, self.passing, None, [], 0)

    def _write(self, action: Action) -> str:
        return "pass" if action == self.size**2 else grid.write_cell(action, self.size)

    def read(self, text: str) -> Action:
        return self.size**2 if str(text).strip().lower() == "pass" else grid.read_cell(text, self.size, self.size)

    def draw(self, state: State, color: bool | None = None) -> str:
        rows = [(str(r + 1), r) for r in range(self.size)]
        letters = "    " + "".join(f" {grid.LETTERS[c]} " for c in range(self.size))
        return "\n".join(
            [letters, *grid.draw_rows(state, self.size, rows, grid.last_cell(state), (), wants_color(color))]
        )

    def board(self, state: State) -> Board:
        labels = grid.edge_labels(grid.LETTERS[: self.size], [str(r + 1) for r in range(self.size)], above=True)
        return grid.stone_board(self, state, grid.squares(self.size, self.size), labels, colors="black and white")

    def read_board(self, text: str, player: Player | None = None) -> NativeState:
        """The state that a drawing shows. Player 0 is to move unless `player` says otherwise."""
        self.prepare()
        cells = grid.read_cells(text, self.size, self.size)
        return _core.othello(self, self.size, self.passing, (text, player), cells, grid.mover(player, 0))

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The four turns that leave the start position as it is."""
        same, half, _, _, main, anti, _, _ = grid.turns(square=True)
        return tuple(grid.turned(way, (0, 1, 2), self.size, self.size, 1) for way in (same, half, main, anti))
