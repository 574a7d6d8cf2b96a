"""The picture of a search: the board, the tree, and how opinions moved. Needs matplotlib."""

from __future__ import annotations

import math
import textwrap
from pathlib import Path
from typing import Any

from ludus.game import Action, native
from ludus.show.explain import Branch, Story, bonus, in_words, points
from ludus.text import STONES

STONE_COLORS = ("#d1495b", "#2b6cb0")  # player 0, player 1
LEADERS = 5  # moves that get a line in the curves


def save_picture(story: Story, path: Path) -> None:
    """Draws a search and writes the picture; the ending of the path says which kind (png, svg, pdf)."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(15, 11), constrained_layout=True)
    grid = figure.add_gridspec(3, 3, height_ratios=(1.15, 1, 0.28))
    draw_board(figure.add_subplot(grid[0, 0]), story)
    draw_tree(figure.add_subplot(grid[0, 1:]), story)
    draw_curves(figure.add_subplot(grid[1, 0]), story, shares=True)
    draw_curves(figure.add_subplot(grid[1, 1]), story, shares=False)
    draw_exploration(figure.add_subplot(grid[1, 2]), story)
    words = figure.add_subplot(grid[2, :])
    words.axis("off")
    words.text(0, 1, textwrap.fill(in_words(story), 165), va="top", fontsize=11, transform=words.transAxes)
    figure.suptitle(f"{story.game.name}: why {story.game.write(story.chosen)}?", fontsize=15, fontweight="bold")
    figure.savefig(path, dpi=110)
    plt.close(figure)


# ------------------------------------------------------------------------------------------ the board


def draw_board(axes: Any, story: Story) -> None:
    """The cells with their share of the visits (colour) and of the points (text); bars where there is no board."""
    axes.set_title("Where the games began: darker is more visits,\nthe number is the share of the points in %")
    places = cell_places(story)
    if places is None:
        return draw_bars(axes, story)
    centres, corners, cell_of_action = places
    cells = native(story.state).cells()
    total = max(1, sum(child.visits for child in story.children))
    top = max(child.visits for child in story.children) / total
    shares = {cell_of_action[c.action]: c for c in story.children if c.action in cell_of_action}
    from matplotlib.patches import Polygon

    for cell, (x, y) in enumerate(centres):
        child = shares.get(cell)
        strength = child.visits / total / top if child else 0.0
        outline = [(x + dx, y + dy) for dx, dy in corners]
        face = (1 - 0.75 * strength, 1 - 0.35 * strength, 1 - 0.75 * strength) if child else "#eeeeee"
        axes.add_patch(Polygon(outline, facecolor=face, edgecolor="#999999", linewidth=0.8))
        if cells[cell]:
            axes.text(x, y, STONES[cells[cell]], color="white", ha="center", va="center", fontweight="bold", zorder=3)
            axes.plot(x, y, "o", color=STONE_COLORS[cells[cell] - 1], markersize=marker_size(len(centres)), zorder=2)
        elif child and child.visits:
            chosen = child.action == story.chosen
            label = f"{(child.value + 1) / 2 * 100:.0f}"
            weight = "bold" if chosen else "normal"
            size = 9 if len(centres) <= 64 else 7 if len(centres) <= 130 else 5
            axes.text(x, y, label, ha="center", va="center", fontsize=size, fontweight=weight)
            if chosen:
                axes.add_patch(Polygon(outline, fill=False, edgecolor="#1a7f37", linewidth=3, zorder=4))
    name_cells(axes, story, centres)
    if story.game.name == "hex":
        mark_sides(axes, story)
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.axis("off")


def name_cells(axes: Any, story: Story, centres: list[tuple[float, float]]) -> None:
    """Letters and numbers along the edges, as moves are written."""
    game = story.game
    _, rows, columns = game.planes_shape
    diamond = game.name == "hex"
    for column in range(columns):
        x, y = centres[column if diamond or game.name == "go" else (rows - 1) * columns + column]
        name = str(column + 1) if game.name == "connect_four" else game.write(column).rstrip("0123456789")
        away = (0.62, 0.42) if diamond else (0.0, -0.8)
        axes.text(x + away[0], y + away[1], name, ha="center", va="center", fontsize=8, color="#555555")
    for row in range(rows if game.name != "connect_four" else 0):
        x, y = centres[row * columns]
        away = (-0.62, 0.42) if diamond else (-0.8, 0.0)
        axes.text(x + away[0], y + away[1], str(row + 1), ha="center", va="center", fontsize=8, color="#555555")


def mark_sides(axes: Any, story: Story) -> None:
    """Whose side of the diamond is whose: player 0 joins the upper right and lower left sides."""
    n = story.game.planes_shape[1]
    for player, across, down in ((0, 1, 1), (0, -1, -1), (1, -1, 1), (1, 1, -1)):
        x, y = across * 0.25 * (n + 1.2) * 0.866 * 2, -(n - 1) * 0.5 + down * 0.25 * (n + 1.2)
        axes.text(x, y, STONES[player + 1], color=STONE_COLORS[player], ha="center", va="center", fontweight="bold")


def marker_size(cells: int) -> float:
    return 130 / math.sqrt(cells)


Places = tuple[list[tuple[float, float]], list[tuple[float, float]], dict[Action, int]]


def cell_places(story: Story) -> Places | None:
    """The centre of every cell, the corners around it, and the cell that each action fills; None without a board."""
    game, state = story.game, story.state
    if not hasattr(state, "cells") or game.name in ("nim", "ledge", "python"):
        return None
    _, rows, columns = game.planes_shape
    square = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    same = {action: action for action in range(rows * columns)}
    if game.name == "hex":  # the diamond, a1 on top
        hexagon = [(0, 0.577), (0.5, 0.289), (0.5, -0.289), (0, -0.577), (-0.5, -0.289), (-0.5, 0.289)]
        turned = [(y, x) for x, y in hexagon]
        return [((c - r) * 0.866, -(c + r) * 0.5) for r in range(rows) for c in range(columns)], turned, same
    if game.name == "connect_four":
        cells = native(state).cells()
        landing = {c: max(i for i in range(c, rows * columns, columns) if not cells[i]) for c in state.actions()}
        return [(c, -r) for r in range(rows) for c in range(columns)], square, landing
    upwards = 1 if game.name == "go" else -1
    return [(c, upwards * r) for r in range(rows) for c in range(columns)], square, same


def draw_bars(axes: Any, story: Story) -> None:
    """One bar per move, for games without a board of cells."""
    shown = story.children[:15]
    total = max(1, sum(child.visits for child in story.children))
    names = [story.game.write(child.action) for child in shown]
    colors = ["#1a7f37" if child.action == story.chosen else "#9ac7a4" for child in shown]
    axes.barh(names, [child.visits / total * 100 for child in shown], color=colors)
    for i, child in enumerate(shown):
        if child.visits:
            axes.text(1, i, f"scored {points(child)}", va="center", fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("share of the visits in %")
    axes.set_title("Where the games began")


# ------------------------------------------------------------------------------------------- the tree


def draw_tree(axes: Any, story: Story) -> None:
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
            color = ("#f8d7da", "#d6e4f5")[branch.player]
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


def draw_curves(axes: Any, story: Story, shares: bool) -> None:
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


def draw_exploration(axes: Any, story: Story) -> None:
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
