"""A tree of boxes in a matplotlib figure, from left to right. It knows no search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY = "#b0b7bf"


@dataclass(frozen=True)
class Box:
    """A node with the line that leads to it. A stub is a text without a box, at the end of a dashed line."""

    label: str
    face: str = "#ffffff"
    edge: str = "#666666"
    line: str = GREY  # the colour of the line
    width: float = 1.0  # of the line
    stub: bool = False
    children: tuple[Box, ...] = ()


def draw_boxes(axes: Axes, root: Box, fontsize: float = 9) -> None:
    """Draws the tree. Leaves lie one below the other, and every parent in the middle of its children."""
    axes.axis("off")
    rows = 0
    deepest = 0

    def draw(box: Box, depth: int) -> float:
        nonlocal rows, deepest
        deepest = max(deepest, depth)
        heights = [draw(child, depth + 1) for child in box.children]
        if heights:
            y = sum(heights) / len(heights)
        else:
            y, rows = -float(rows), rows + 1
        for child, height in zip(box.children, heights, strict=True):
            style = ":" if child.stub else "-"
            axes.plot([depth, depth + 1], [y, height], style, color=child.line, linewidth=child.width, zorder=1)
        frame = {"boxstyle": "round,pad=0.3", "facecolor": box.face, "edgecolor": box.edge}
        if box.stub:
            frame = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        color = "#777777" if box.stub else "#222222"
        axes.text(depth, y, box.label, ha="center", va="center", fontsize=fontsize, color=color, bbox=frame, zorder=2)
        return y

    draw(root, 0)
    axes.set_xlim(-0.3, deepest + 0.45)
    axes.set_ylim(0.7 - rows, 0.7 if rows > 1 else 0.5)
