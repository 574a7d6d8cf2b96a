"""Pictures of explanations, and what they share: the board with its moves, and the words below. Needs matplotlib."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.game import Action
from ludus.show.board_picture import draw_board
from ludus.show.colors import CHOSEN
from ludus.show.explanation import Explanation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE = ("#f9dcc4", "#cfe3f1")  # boxes of moves of player 0 and player 1: pale warm and cool
GREEN = "#9ac7a4"
BARS = 15  # moves in a list of bars


def save_picture(explanation: Explanation, path: Path) -> None:
    """Draws an explanation and writes the picture; the ending of the path says which kind (png, svg, pdf)."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(15, 11), constrained_layout=True)
    explanation.draw(figure)
    game, move = explanation.game, explanation.write(explanation.chosen)
    figure.suptitle(f"{game.title}: why {move}?", fontsize=15, fontweight="bold")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_words(axes: Axes, explanation: Explanation) -> None:
    """The explanation in words, over the whole width."""
    axes.axis("off")
    axes.text(0, 1, textwrap.fill(explanation.in_words(), 165), va="top", fontsize=11, transform=axes.transAxes)


def draw_moves(
    axes: Axes,
    explanation: Explanation,
    heat: Mapping[Action, float],
    labels: Mapping[Action, str],
    title: str,
    top: float | None = None,
) -> None:
    """The board with a colour and a text for every move; bars for games without a board."""
    board = explanation.game.board(explanation.state)
    if board is not None:
        draw_board(axes, board, heat, labels, explanation.chosen, title, top)
        return
    names = {action: f"{explanation.write(action)}   {labels.get(action, '')}" for action in heat}
    draw_bars(axes, heat, names, explanation.chosen)
    axes.set_title(title)
    if top is not None:
        axes.set_xlim(-top, top)


def draw_bars(axes: Axes, lengths: Mapping[Action, float], names: Mapping[Action, str], chosen: Action) -> None:
    """One bar per move, the chosen one first and then the longest."""
    shown = sorted(lengths, key=lambda action: (action != chosen, -lengths[action]))[:BARS]
    colors = [CHOSEN if action == chosen else GREEN for action in shown]
    axes.barh([names[action] for action in shown], [lengths[action] for action in shown], color=colors)
    axes.invert_yaxis()
    if len(lengths) > BARS:
        axes.set_ylabel(f"the first {BARS} of {len(lengths)} moves")
