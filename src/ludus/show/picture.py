"""The picture of a search: the board, the tree, and how opinions moved. Needs matplotlib."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.show.board_picture import draw_board
from ludus.show.colors import CHOSEN
from ludus.show.explain import Branch, Story, bonus, in_words, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEADERS = 5  # moves that get a line in the curves


def save_picture(story: Story, path: Path) -> None:
    """Draws a search and writes the picture; the ending of the path says which kind (png, svg, pdf)."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(15, 11), constrained_layout=True)
    grid = figure.add_gridspec(3, 3, height_ratios=(1.15, 1, 0.28))
    draw_visits(figure.add_subplot(grid[0, 0]), story)
    draw_tree(figure.add_subplot(grid[0, 1:]), story)
    draw_curves(figure.add_subplot(grid[1, 0]), story, shares=True)
    draw_curves(figure.add_subplot(grid[1, 1]), story, shares=False)
    draw_exploration(figure.add_subplot(grid[1, 2]), story)
    words = figure.add_subplot(grid[2, :])
    words.axis("off")
    words.text(0, 1, textwrap.fill(in_words(story), 165), va="top", fontsize=11, transform=words.transAxes)
    figure.suptitle(f"{story.game.title}: why {story.game.write(story.chosen)}?", fontsize=15, fontweight="bold")
    figure.savefig(path, dpi=110)
    plt.close(figure)


# ------------------------------------------------------------------------------------------ the board


def draw_visits(axes: Axes, story: Story) -> None:
    """The board with the share of the visits as colour and of the points as text; bars where there is no board."""
    board = story.game.board(story.state)
    if board is None:
        return draw_bars(axes, story)
    heat = {child.action: float(child.visits) for child in story.children}
    labels = {child.action: f"{(child.value + 1) / 2 * 100:.0f}" for child in story.children if child.visits}
    title = "Where the games began: darker is more visits,\nthe number is the share of the points in %"
    draw_board(axes, board, heat, labels, story.chosen, title)


def draw_bars(axes: Axes, story: Story) -> None:
    """One bar per move, for games without a board of cells."""
    shown = story.children[:15]
    total = max(1, sum(child.visits for child in story.children))
    names = [story.game.write(child.action) for child in shown]
    colors = [CHOSEN if child.action == story.chosen else "#9ac7a4" for child in shown]
    axes.barh(names, [child.visits / total * 100 for child in shown], color=colors)
    for i, child in enumerate(shown):
        if child.visits:
            axes.text(1, i, f"scored {points(child)}", va="center", fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("share of the visits in %")
    axes.set_title("Where the games began")


# ------------------------------------------------------------------------------------------- the tree


def draw_tree(axes: Axes, story: Story) -> None:
    """The most visited branches: wider lines are more visits; percentages are the points of whoever moved."""
    axes.set_title("The top of the tree: each box is a move, with its visits and the points of who plays it")
    axes.axis("off")
    leaves = place_leaves(story.tree)
    total = max(1, story.tree.visits)

    def draw(branch: Branch, depth: int) -> float:
        ys = [draw(child, depth + 1) for child in branch.children]
        y = sum(ys) / len(ys) if ys else leaves[id(branch)]
        for child, child_y in zip(branch.children, ys, strict=True):
            width = 0.8 + 7 * child.visits / total
            axes.plot([depth, depth + 1], [y, child_y], color="#b0b7bf", linewidth=width, zorder=1)
        label, color = "now", "#ffffff"
        if branch.action is not None:
            label = f"{story.game.write(branch.action)}\n{branch.visits:,} · {(branch.value + 1) / 2:.0%}"
            color = ("#f9dcc4", "#cfe3f1")[branch.player]  # pale warm and cool
        box = {"boxstyle": "round,pad=0.3", "facecolor": color, "edgecolor": "#666666"}
        axes.text(depth, y, label, ha="center", va="center", fontsize=9, bbox=box, zorder=2)
        return y

    draw(story.tree, 0)
    axes.set_xlim(-0.3, 3.4)


def place_leaves(tree: Branch) -> dict[int, float]:
    """A height for every branch that ends, from top to bottom."""
    heights: dict[int, float] = {}

    def walk(branch: Branch) -> None:
        if not branch.children:
            heights[id(branch)] = -float(len(heights))
        for child in branch.children:
            walk(child)

    walk(tree)
    return heights


# ----------------------------------------------------------------------------------------- the curves


def draw_curves(axes: Axes, story: Story, shares: bool) -> None:
    """How the share of visits, or of points, of the leading moves moved as simulations grew."""
    for child in story.children[:LEADERS]:
        xs, ys = [], []
        for moment in story.moments:
            visits = moment.visits.get(child.action, 0)
            if shares:
                xs.append(moment.simulations)
                ys.append(100 * visits / max(1, sum(moment.visits.values())))
            elif visits:
                xs.append(moment.simulations)
                ys.append(50 * (moment.values[child.action] + 1))
        width = 2.5 if child.action == story.chosen else 1.2
        axes.plot(xs, ys, label=story.game.write(child.action), linewidth=width)
    axes.set_xscale("log")
    axes.set_xlabel("simulations")
    axes.set_title("Share of the visits, in %" if shares else "Share of the points, in %")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def draw_exploration(axes: Axes, story: Story) -> None:
    """What the tree policy weighed at the end: points, plus a bonus for being little known."""
    shown = [child for child in story.children if child.visits][:12]
    names = [f"{story.game.write(child.action)} ({child.visits:,})" for child in shown]
    wins = [50 * (child.value + 1) for child in shown]
    extra = [100 * bonus(story, child) for child in shown]
    axes.barh(names, wins, color="#9ac7a4", label="share of the points")
    axes.barh(names, extra, left=wins, color="#f2c879", label="bonus for being little known")
    axes.invert_yaxis()
    axes.set_title("Why it looked there: points plus curiosity (visits)")
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.08), ncol=2)
