"""The curves of a training and of a tournament among its networks, as PNGs."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

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


def strength_plot(points: Sequence[tuple[float, float, float, float]], title: str) -> bytes:
    """Elo over the episodes of training, as a PNG; each point is (episodes, Elo, low, high), a 95% interval."""
    from matplotlib.figure import Figure

    episodes, elo, low, high = zip(*points, strict=True)
    spread = [[e - at for e, at in zip(elo, low, strict=True)], [at - e for e, at in zip(elo, high, strict=True)]]
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.errorbar(episodes, elo, yerr=spread, marker="o", capsize=4)
    axes.set(xlabel="episodes of training", ylabel="Elo, 95% intervals", title=title)
    axes.grid(alpha=0.3)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=130)
    return picture.getvalue()
