"""The first moves of a game: the critic's value of each, beside the true one, as text and as a picture."""

from __future__ import annotations

import io
from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from ludus.game import Action, Game
from ludus.games.board import Board
from ludus.show.board_picture import draw_board
from ludus.show.colors import heat_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EVEN = 0.05  # a value nearer to 0 than this counts as a draw


def openings_map(game: Game, believed: Mapping[Action, float], true: Mapping[Action, float]) -> str:
    """The two maps side by side in signs, and a line that says what the signs mean."""
    state = game.start()
    board = game.board(state)
    left, right = (sign_map(game, board, {a: sign(values[a]) for a in true}) for values in (believed, true))
    width = max(len("believed"), *map(len, left))
    pairs = zip_longest(["believed", *left], ["true", *right], fillvalue="")
    mover = game.signs[state.player] if game.signs else f"player {state.player}"
    legend = f"for {mover}, who moves first: + this move wins, - it loses, = even"
    return "\n".join([*(f"    {one:<{width + 4}}{other}".rstrip() for one, other in pairs), f"    {legend}"])


def sign(value: float) -> str:
    return "+" if value > EVEN else "-" if value < -EVEN else "="


def sign_map(game: Game, board: Board | None, signs: Mapping[Action, str]) -> list[str]:
    """Lines with the sign of every action where its cell lies; a list where actions are not named by cells."""
    on_cells = {} if board is None else {a: board.cell_of[a] for a in signs if a in board.cell_of}
    if board is None or any(board.cells[cell].name != board.names[a] for a, cell in on_cells.items()):
        return ["  ".join(f"{game.write(a)} {mark}" for a, mark in signs.items())]
    marks = {cell: signs[a] for a, cell in on_cells.items()}
    left = min(cell.centre[0] for cell in board.cells)
    rows: dict[float, dict[int, str]] = {}
    for number, cell in enumerate(board.cells):
        row = rows.setdefault(round(cell.centre[1], 3), {})
        row[round(2 * (cell.centre[0] - left))] = marks.get(number, ".")
    shown = [row for _, row in sorted(rows.items()) if set(row.values()) != {"."}]
    lines = ["".join(row.get(x, " ") for x in range(max(row) + 1)) for row in shown]
    return lines + [f"{game.write(a)} {mark}" for a, mark in signs.items() if a not in on_cells]


def openings_plot(game: Game, believed: Mapping[Action, float], true: Mapping[Action, float]) -> bytes:
    """Every first move on two boards, as a PNG: the critic's value and the true value."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 5.4), layout="constrained")
    right = sum((believed[action] > 0) == (value > 0) for action, value in true.items())
    state = game.start()
    mover = game.signs[state.player] if game.signs else f"player {state.player}"
    figure.suptitle(f"first moves of {mover}: {right} of {len(true)} judged right")
    for place, (title, values) in enumerate((("believed", believed), ("true", true)), 1):
        draw_values(figure.add_subplot(1, 2, place), game, {a: float(values[a]) for a in true}, title)
    figure.supxlabel(f"+1 (green): {mover} wins with this move;  −1 (purple): loses;  0 (white): even", fontsize=9)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    return picture.getvalue()


def draw_values(axes: Axes, game: Game, values: Mapping[Action, float], title: str) -> None:
    """Values from -1 to +1 in the cells of the first moves; bars where there is no board."""
    board = game.board(game.start())
    if board is not None:
        return draw_board(axes, board, values, {a: f"{value:+.1f}" for a, value in values.items()}, None, title, top=1)
    names = [game.write(action) for action in values]
    axes.barh(names, list(values.values()), color=[heat_color(value) for value in values.values()], edgecolor="gray")
    axes.invert_yaxis()
    axes.set(title=title, xlim=(-1.05, 1.05))
