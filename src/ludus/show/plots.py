"""The curves of a training, and the openings it believes in beside the true ones, as PNGs."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ludus.game import Action, Game

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES = [
    (
        "truth",
        "true results kept",
        ("truth", "truth_won", "truth_opening", "truth_middle", "truth_end", "truth_openings"),
    ),
    ("losses", "loss", ("actor_loss", "critic_loss", "entropy")),
    ("speed", "per second", ("positions_per_second",)),
    ("games", "share", ("different", "against_last")),
]


def training_plot(rows: list[dict[str, Any]], title: str) -> bytes:
    """Truth, losses, speed and games over the episodes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7), layout="constrained")
    figure.suptitle(title)
    for index, (name, label, keys) in enumerate(CURVES, 1):
        axes = figure.add_subplot(2, 2, index)
        for key in keys:
            points = [(row["episode"], row[key]) for row in rows if row.get(key) is not None]
            if points:
                axes.plot(
                    *zip(*points, strict=True), label=key.replace("_", " "), marker="." if len(points) < 30 else ""
                )
        axes.set(title=name, xlabel="episodes", ylabel=label)
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend(fontsize=8)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    return picture.getvalue()


def openings_plot(game: Game, believed: dict[Action, float], true: dict[Action, int]) -> bytes:
    """Every first move: what the critic thinks of it, and what it is worth."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.4), layout="constrained")
    wrong = sum((believed[action] > 0) != (value > 0) for action, value in true.items())
    figure.suptitle(f"first moves: {len(true) - wrong} of {len(true)} judged right")
    draw_openings(figure.add_subplot(1, 2, 1), game, "believed", believed)
    draw_openings(figure.add_subplot(1, 2, 2), game, "true", {action: float(value) for action, value in true.items()})
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    return picture.getvalue()


def draw_openings(axes: Axes, game: Game, title: str, values: dict[Action, float]) -> None:
    _, rows, columns = game.planes_shape
    on_board, lean = game.num_actions - rows * columns in (0, 1), 0.5 if game.name == "hex" else 0.0
    places = {action: divmod(action, columns) if on_board else (0, action) for action in values}
    x = [column + lean * row for row, column in places.values()]
    y = [-row for row, _ in places.values()]
    size = (330 / (max(x) + 1.6)) ** 2 * (1.0 if lean else 0.8)  # in points, so that neighbours nearly touch
    shape = "h" if lean else "s"
    axes.scatter(x, y, size, list(values.values()), marker=shape, cmap="RdYlGn", vmin=-1, vmax=1, edgecolors="gray")
    for action, left, top in zip(values, x, y, strict=True):
        text, color = f"{game.write(action)}\n{values[action]:+.1f}", "white" if abs(values[action]) > 0.7 else "black"
        axes.text(left, top, text, color=color, ha="center", va="center", fontsize=7)
    axes.set(title=f"{title}: for the player who makes the move", aspect="equal")
    axes.set(xlim=(-0.8, max(x) + 0.8), ylim=(min(y) - 0.8, 0.8))
    axes.axis("off")
