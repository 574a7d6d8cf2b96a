"""A board in a matplotlib figure, with numbers on its cells. It knows boards, and no game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ludus.game import Action
from ludus.games.board import Board, Point
from ludus.show.colors import CELL, CHOSEN, INK, LINE, LIT, PLAYERS, WOOD, full_heat, heat_color, paint_of, text_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_board(
    axes: Axes,
    board: Board,
    heat: Mapping[Action, float],
    labels: Mapping[Action, str],
    chosen: Action | None = None,
    title: str = "",
    top: float | None = None,
) -> None:
    """The board, with the heat of actions as colour and their labels as text in their cells.

    The largest heat gets the full colour, or `top` if given; negative heat has a colour of its own. Actions without a
    cell, such as a pass, stand below the board.
    """
    from matplotlib.patches import Polygon

    full = full_heat(heat.values(), top)
    action_in = {cell: action for action, cell in board.cell_of.items()}
    size = font_size(board)
    _draw_ground(axes, board)
    for number, cell in enumerate(board.cells):
        action = action_in.get(number)
        warmth = heat.get(action, 0.0) / full if action is not None else 0.0
        if action in heat:
            axes.add_patch(Polygon(cell.outline, facecolor=heat_color(warmth), edgecolor=LINE, linewidth=0.6, zorder=2))
        if action is not None and action in labels:
            ink = "#222222" if board.piece_at(number) else text_on(warmth)
            weight = "bold" if action == chosen else "normal"
            axes.text(*cell.centre, labels[action], color=ink, ha="center", va="center", fontsize=size,
                      fontweight=weight, zorder=6)  # fmt: skip
        if chosen is not None and action == chosen:
            axes.add_patch(Polygon(cell.outline, fill=False, edgecolor=CHOSEN, linewidth=2.5, zorder=7))
    _draw_pieces(axes, board, size)
    _draw_others(axes, board, heat, labels, chosen, full)
    for label in board.labels:
        axes.text(*label.at, label.text, color=INK, ha="center", va="center", fontsize=min(8, size))
    _frame(axes, board, title)


def font_size(board: Board) -> float:
    """Letters that fit into a cell."""
    left, top, right, bottom = board.corners
    return max(4.5, min(9.0, 85 / max(right - left, bottom - top)))


def _draw_ground(axes: Axes, board: Board) -> None:
    """The cells, or the lines whose crossings are cells; and whose side is whose."""
    from matplotlib.patches import Polygon

    for number, cell in enumerate(board.cells):
        face = WOOD if board.lines else LIT if number in board.won else CELL
        edge = "none" if board.lines else LINE
        axes.add_patch(Polygon(cell.outline, facecolor=face, edgecolor=edge, linewidth=0.6, zorder=1))
    for (x1, y1), (x2, y2) in board.lines:
        axes.plot([x1, x2], [y1, y2], color=LINE, linewidth=0.7, zorder=1.5)
    for x, y in board.dots:
        axes.plot(x, y, "o", color=LINE, markersize=2.5, zorder=1.6)
    for side in board.sides:
        face = PLAYERS[board.colors][side.player].face
        axes.plot(*zip(*side.line, strict=True), color=face, linewidth=3, zorder=3, solid_joinstyle="round")


def _draw_pieces(axes: Axes, board: Board, size: float) -> None:
    """Pieces with the players' letters, the last move, and points that count for somebody."""
    from matplotlib.patches import Circle

    for piece in board.pieces:
        paint, centre = paint_of(board, piece), board.cells[piece.cell].centre
        axes.add_patch(Circle(centre, 0.38, facecolor=paint.face, edgecolor=paint.edge, linewidth=0.8, zorder=4))
        if piece.player is not None and board.signs is not None and board.colors != "black and white":
            sign = board.signs[piece.player]
            axes.text(*centre, sign, color=paint.text, ha="center", va="center", fontsize=size, zorder=5)
    for cell in board.last:
        piece_here = board.piece_at(cell)
        edge = paint_of(board, piece_here).text if piece_here else INK
        radius = 0.32 if piece_here else 0.12
        axes.add_patch(Circle(board.cells[cell].centre, radius, fill=False, edgecolor=edge, linewidth=1.2, zorder=5))
    for cell, player in board.owners.items():
        paint, (x, y) = PLAYERS[board.colors][player], board.cells[cell].centre
        axes.plot(x, y, "s", color=paint.face, markeredgecolor=paint.edge, markersize=size / 2, zorder=4)


def _draw_others(
    axes: Axes, board: Board, heat: Mapping[Action, float], labels: Mapping[Action, str], chosen: Action | None,
    full: float,
) -> None:  # fmt: skip
    """Actions without a cell, in boxes below the board."""
    shown = [action for action in board.others if action in heat or action in labels]
    for action, (x, y) in zip(shown, places_below(board, len(shown)), strict=True):
        warmth = heat.get(action, 0.0) / full
        box = {"boxstyle": "round,pad=0.3", "facecolor": heat_color(warmth)}
        box |= {"edgecolor": CHOSEN if action == chosen else LINE, "linewidth": "2" if action == chosen else "0.6"}
        text = " ".join([board.names[action], *([labels[action]] if action in labels else [])])
        axes.text(x, y, text, color=text_on(warmth), ha="center", va="center", fontsize=8, bbox=box, zorder=6)


def places_below(board: Board, count: int) -> list[Point]:
    """Places for `count` texts in a row below the board."""
    left, _, right, bottom = board.corners
    return [(left + (right - left) * (i + 1) / (count + 1), bottom + 0.8) for i in range(count)]


def _frame(axes: Axes, board: Board, title: str) -> None:
    left, top, right, bottom = board.corners
    axes.set_xlim(left - 0.5, right + 0.5)
    axes.set_ylim(bottom + (1.4 if board.others else 0.5), top - 0.5)  # boards count downwards
    axes.set_aspect("equal")
    axes.set_title(title)
    axes.axis("off")
