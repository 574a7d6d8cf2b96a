"""What games on a rectangle of cells share: names of cells, drawings, reading drawings, symmetries."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ludus.errors import BadBoard, UnreadableAction
from ludus.game import Action, Game, Player, State, Symmetry, native
from ludus.games.board import Board, Cell, Label, Piece, square
from ludus.text import plain, stone

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GLYPHS = {g: code for code, glyphs in enumerate((".-+_·", "Xx●", "Oo○")) for g in glyphs}


def write_cell(cell: int, width: int) -> str:
    """Cell 7 on a board 5 wide is c2: a letter for the column, a number for the row from the top."""
    return f"{LETTERS[cell % width]}{cell // width + 1}"


def read_cell(text: str, width: int, height: int) -> int:
    """The cell that a text such as c2 means."""
    match = re.fullmatch(r"([a-z])(\d{1,3})", str(text).strip().lower())
    if match:
        column, row = LETTERS.index(match[1]), int(match[2]) - 1
        if column < width and 0 <= row < height:
            return row * width + column
    corner = write_cell(width * height - 1, width)
    raise UnreadableAction(f"cannot read {text!r}: a cell is a letter and a number, from a1 to {corner}")


def draw_rows(
    state: State, width: int, rows: Iterable[tuple[str, int]], last: int | None, won: Collection[int], color: bool
) -> list[str]:
    """Lines of cells: for each (label, row) the label and the stones of that row."""
    cells = native(state).cells()
    lines = []
    for label, row in rows:
        here = range(row * width, row * width + width)
        lines.append(f"{label:>3} " + "".join(stone(cells[i], last=i == last, won=i in won, color=color) for i in here))
    return lines


def last_cell(state: State) -> int | None:
    """The last action, for games in which it is a cell."""
    history = native(state).history
    return history[-1] if history else None


def stones(cells: Sequence[int]) -> tuple[Piece, ...]:
    """The stones on a board of codes: 0 empty, 1 player 0, 2 player 1."""
    return tuple(Piece(i, "stone", code - 1) for i, code in enumerate(cells) if code)


def action_names(game: Game, state: State) -> dict[Action, str]:
    """The legal actions as people write them."""
    return {action: game.write(action) for action in state.actions()}


def stone_board(game: Game, state: State, cells: Sequence[Cell], labels: Sequence[Label], **more: Any) -> Board:
    """The board of a game in which cell number a is where action a sets a stone; later actions have no cell."""
    on_board = [action for action in state.actions() if action < len(cells)]
    last = last_cell(state)
    given = {
        "cell_of": {action: action for action in on_board},
        "others": tuple(action for action in state.actions() if action >= len(cells)),
        "last": () if last is None or last >= len(cells) else (last,),
    }
    return Board(
        tuple(cells),
        stones(native(state).cells()),
        names=action_names(game, state),
        labels=tuple(labels),
        signs=game.signs,
        unit=game.unit,
        aim=game.aim,
        **(given | more),
    )


def squares(width: int, height: int) -> list[Cell]:
    """The cells of a rectangle, row by row from the top, named a1, b1, …"""
    return [square(write_cell(i, width), i % width, i // width) for i in range(width * height)]


def edge_labels(columns: Sequence[str], rows: Sequence[str], above: bool) -> list[Label]:
    """Names of the columns above or below a rectangle, and names of the rows, from the top, on its left."""
    y = -0.85 if above else len(rows) - 0.15
    return [Label(name, (c, y)) for c, name in enumerate(columns)] + [
        Label(name, (-0.85, r)) for r, name in enumerate(rows) if name
    ]


def winning_line(cells: Sequence[int], width: int, height: int, line: int) -> set[int]:
    """The cells of all runs of at least `line` equal stones."""
    found: set[int] = set()
    for start, code in enumerate(cells):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            row, column = divmod(start, width)
            run = []
            while code and 0 <= row < height and 0 <= column < width and cells[row * width + column] == code:
                run.append(row * width + column)
                row, column = row + down, column + right
            if len(run) >= line:
                found.update(run)
    return found


def refuse_two_winners(cells: Sequence[int], width: int, height: int, line: int) -> None:
    """Refuses a board on which both players have a line: the game would have ended with the first."""
    if len({cells[i] for i in winning_line(cells, width, height, line)}) > 1:
        raise BadBoard("both players have a line on this board, but a game ends with the first")


def glyph_lines(text: str) -> list[list[int]]:
    """The stones in every line of a drawing that holds any; labels, marks and colours are passed over."""
    lines = []
    for line in plain(text).splitlines():
        bare = re.sub(r"[\[\]()|\s]", "", line)
        bare = re.sub(r"^\d+|\d+$", "", bare)
        if not bare or bare.lower() in (LETTERS[: len(bare)], LETTERS.replace("i", "")[: len(bare)]):
            continue  # an empty line or the letters of the columns
        unknown = [g for g in bare if g not in GLYPHS]
        if unknown:
            raise BadBoard(f"cannot read the line {line.strip()!r}: '.' is empty, 'X' is player 0, 'O' is player 1")
        lines.append([GLYPHS[g] for g in bare])
    return lines


def read_cells(text: str, width: int, height: int) -> list[int]:
    """The cells of a drawing, from its top line on: 0 empty, 1 player 0, 2 player 1."""
    if not isinstance(text, str):
        raise BadBoard(f"a board is a text with one line per row, not {text!r}")
    lines = glyph_lines(text)
    if len(lines) != height or any(len(line) != width for line in lines):
        shape = f"{len(lines)} lines of {', '.join(sorted({str(len(line)) for line in lines})) or 'no'} cells"
        raise BadBoard(f"this board needs {height} lines of {width} cells, but the drawing has {shape}")
    return [code for line in lines for code in line]


def mover(player: Player | None, default: Player) -> Player:
    """The player to move on a drawn board, as given or as the drawing suggests."""
    if player is None:
        return default
    if player not in (0, 1):
        raise BadBoard(f"there is no player {player!r}; players are 0 and 1")
    return int(player)


def mover_by_count(cells: Sequence[int], player: Player | None, starter: Player = 0) -> Player:
    """The player to move in a game where stones are set in turn, from the numbers of stones."""
    lead = cells.count(starter + 1) - cells.count(2 - starter)
    if lead not in (0, 1):
        raise BadBoard(
            f"there are {cells.count(1)} X and {cells.count(2)} O, which cannot come about by turns: "
            f"{'XO'[starter]} starts, so it has as many stones or one more"
        )
    turn = starter if lead == 0 else 1 - starter
    if mover(player, turn) != turn:
        raise BadBoard(f"with {cells.count(1)} X and {cells.count(2)} O it is the turn of player {turn}, not {player}")
    return turn


Turn = Callable[["NDArray[np.intp]"], "NDArray[np.intp]"]  # a rotation or reflection of a matrix


def turns(square: bool) -> list[Turn]:
    """The rotations and reflections that map a rectangle to itself: four, or eight for a square."""
    import numpy as np

    four: list[Turn] = [lambda m: m, lambda m: m[::-1, ::-1], np.fliplr, np.flipud]
    return four + ([np.transpose, lambda m: m[::-1, ::-1].T, np.rot90, lambda m: np.rot90(m, 3)] if square else [])


def turned(turn: Turn, planes: Sequence[int], height: int, width: int, extra_actions: int) -> Symmetry:
    """The symmetry that turns the cells; plane k of the new observation is plane planes[k] of the old one.

    Every cell is an action; the actions after the cells (a pass, a swap) stay as they are.
    """
    import numpy as np

    cells = width * height
    source = turn(np.arange(cells).reshape(height, width)).reshape(-1)  # where each new cell comes from
    actions = np.arange(cells + extra_actions)
    actions[source] = np.arange(cells)
    swaps = list(planes) != list(range(len(planes)))
    return Symmetry(np.concatenate([k * cells + source for k in planes]), actions, swaps)
