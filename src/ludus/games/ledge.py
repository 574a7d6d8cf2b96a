"""Ledge, the Old Gold game: slide coins towards the ledge; whoever picks up the gold wins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ludus import _core
from ludus.errors import BadBoard, BadOption, UnreadableAction, whole_option
from ludus.game import Action, Game, NativeState, Player, State, native
from ludus.games.board import Board, Label, Piece, square
from ludus.games.grid import mover
from ludus.text import paint, plain, wants_color

COINS = {".": 0, "0": 0, "-": 0, "_": 0, "c": 1, "1": 1, "g": 2, "2": 2}
MAX_LENGTH = 64


@dataclass(frozen=True)
class Ledge(Game):
    """Pick up the coin on the ledge (cell 0) or slide a coin left without hopping; taking the gold wins."""

    name: ClassVar[str] = "ledge"
    coins: str = ". c . c . . c . G . . c"  # '.' or 0 empty, 'c' or 1 copper, 'G' or 2 gold
    starter: Player = 0

    def __post_init__(self) -> None:
        if not isinstance(self.coins, str):
            try:  # a list such as [0, 1, 0, 2] is welcome, too
                object.__setattr__(self, "coins", " ".join(".cG"[int(c)] for c in self.coins))
            except (TypeError, ValueError, IndexError):
                raise BadOption(f"coins are a text like '. c . G c', not {self.coins!r}") from None
        try:
            object.__setattr__(self, "coins", " ".join(".cG"[c] for c in read_coins(self.coins)))
        except BadBoard as error:
            raise BadOption(str(error)) from None
        whole_option("starter", self.starter, 0, 1)

    @property
    def length(self) -> int:
        """How many cells the board has."""
        return len(self.coins.split())

    @property
    def num_actions(self) -> int:
        return 1 + self.length * (self.length - 1) // 2

    def start(self) -> NativeState:
        return _core.ledge(self, read_coins(self.coins), self.starter, None)

    def _write(self, action: Action) -> str:
        if action == 0:
            return "take"
        source = next(j for j in range(1, self.length) if 1 + (j + 1) * j // 2 > action)
        return f"{source}-{action - 1 - source * (source - 1) // 2}"

    def read(self, text: str) -> Action:
        word = str(text).strip().lower()
        if word == "take":
            return 0
        match = re.fullmatch(r"(\d{1,3})\s*(?:-|>|->|→|to)\s*(\d{1,3})", word)
        if match and int(match[2]) < int(match[1]) < self.length:
            return 1 + int(match[1]) * (int(match[1]) - 1) // 2 + int(match[2])
        raise UnreadableAction(
            f"cannot read {text!r}: write 'take' for the coin on the ledge or '7-4' to slide from cell 7 to cell 4 "
            f"(cells 0 to {self.length - 1})"
        )

    def draw(self, state: State, color: bool | None = None) -> str:
        colored = wants_color(color)
        cells, history = native(state).cells(), native(state).history
        landed = self.cells_of(history[-1])[0] if history and history[-1] else None
        coins = (paint(" .", "2", colored), paint(" c", "33", colored), paint(" G", "1;93", colored))
        row = "".join(coins[c] + ("]" if i == landed else " ") for i, c in enumerate(cells))
        return f"ledge |{row}|\n       " + "".join(f"{i:>2} " for i in range(len(cells)))

    def cells_of(self, action: Action) -> tuple[int, ...]:
        """The cell that an action empties or fills, and the one that a sliding coin leaves."""
        return (0,) if action == 0 else tuple(int(cell) for cell in reversed(self.write(action).split("-")))

    def board(self, state: State) -> Board:
        """A row of cells. No coin hops over another, so at most one coin can reach an empty cell."""
        cells, history = native(state).cells(), native(state).history
        return Board(
            tuple(square(str(i), i, 0) for i in range(len(cells))),
            tuple(Piece(i, "gold" if code == 2 else "copper") for i, code in enumerate(cells) if code),
            cell_of={action: self.cells_of(action)[0] for action in state.actions()},
            names={action: self.write(action) for action in state.actions()},
            last=self.cells_of(history[-1]) if history else (),
            labels=(Label("ledge", (0, -0.8)), *(Label(str(i), (i, 0.8)) for i in range(len(cells)))),
            aim=self.aim,
        )

    def read_board(self, text: str, player: Player | None = None) -> NativeState:
        cells = read_coins(text)
        if len(cells) != self.length:
            raise BadBoard(f"this board needs {self.length} cells, but the drawing has {len(cells)}")
        return _core.ledge(self, cells, mover(player, self.starter), (text, player))


def read_coins(text: str) -> list[int]:
    """The cells of a row of coins: 0 empty, 1 copper, 2 gold."""
    if not isinstance(text, str):
        raise BadBoard(f"a board is a text like '. c . G c', not {text!r}")
    lines = [line for line in plain(text).splitlines() if line.strip()] or [""]
    row = lines[0].lower().replace("ledge", "")  # a drawing has the numbers of the cells below
    cells = [COINS.get(g, -1) for g in re.sub(r"[\s,|\[\]]", "", row)]
    if -1 in cells:
        raise BadBoard(f"cannot read {text!r}: a cell is '.' (empty), 'c' (copper) or 'G' (gold)")
    if cells.count(2) != 1:
        raise BadBoard(f"a Ledge board has exactly one gold coin, this one has {cells.count(2)}")
    if len(cells) > MAX_LENGTH:
        raise BadBoard(f"a Ledge board has at most {MAX_LENGTH} cells, this one has {len(cells)}")
    return cells
