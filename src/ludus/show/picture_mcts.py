"""The picture of a Monte Carlo tree search: the board, the tree, and how visits and values changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.show.explain_mcts import Branch, MctsExplanation
from ludus.show.explanation import points
from ludus.show.picture import GREEN, PALE, draw_moves, draw_words
from ludus.show.tree_picture import Box, draw_boxes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEADERS = 5  # moves that get a line in the curves


def draw_mcts(figure: Figure, search: MctsExplanation) -> None:
    """The whole picture."""
    grid = figure.add_gridspec(3, 3, height_ratios=(1.15, 1, 0.28))
    draw_visits(figure.add_subplot(grid[0, 0]), search)
    draw_tree(figure.add_subplot(grid[0, 1:]), search)
    draw_curves(figure.add_subplot(grid[1, 0]), search, shares=True)
    draw_curves(figure.add_subplot(grid[1, 1]), search, shares=False)
    draw_exploration(figure.add_subplot(grid[1, 2]), search)
    draw_words(figure.add_subplot(grid[2, :]), search)


def draw_visits(axes: Axes, search: MctsExplanation) -> None:
    """The moves with the share of the visits as colour and the share of the points as text."""
    heat = {child.action: 100 * child.visits / search.total for child in search.children}
    labels = {child.action: f"{(child.value + 1) / 2 * 100:.0f}" for child in search.children if child.visits}
    title = "Where the simulations began: darker is more visits,\nthe number is the share of the points in %"
    draw_moves(axes, search, heat, labels, title)


# ------------------------------------------------------------------------------------------- the tree


def draw_tree(axes: Axes, search: MctsExplanation) -> None:
    """The most visited branches: wider lines are more visits; percentages are the points of the player who moved."""
    axes.set_title("The top of the tree: each box is a move, its visits and the points of the player who makes it")
    total = max(1, search.tree.visits)

    def box(branch: Branch) -> Box:
        below = tuple(box(child) for child in branch.children)
        if branch.action is None:
            return Box("now", children=below)
        label = f"{search.write(branch.action)}\n{branch.visits:,} · {points(branch.value)}"
        return Box(label, PALE[branch.player], width=0.8 + 7 * branch.visits / total, children=below)

    draw_boxes(axes, box(search.tree))


# ----------------------------------------------------------------------------------------- the curves


def draw_curves(axes: Axes, search: MctsExplanation, shares: bool) -> None:
    """How the share of visits, or of points, of the leading moves moved as simulations grew."""
    for child in search.children[:LEADERS]:
        xs, ys = [], []
        for moment in search.moments:
            visits = moment.visits.get(child.action, 0)
            if shares:
                xs.append(moment.simulations)
                ys.append(100 * visits / max(1, sum(moment.visits.values())))
            elif visits:
                xs.append(moment.simulations)
                ys.append(50 * (moment.values[child.action] + 1))
        width = 2.5 if child.action == search.chosen else 1.2
        axes.plot(xs, ys, label=search.write(child.action), linewidth=width)
    axes.set_xscale("log")
    axes.set_xlabel("simulations")
    axes.set_title("Share of the visits, in %" if shares else "Share of the points, in %")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def draw_exploration(axes: Axes, search: MctsExplanation) -> None:
    """What the tree policy weighed at the end: points, plus a bonus for being little visited."""
    shown = [child for child in search.children if child.visits][:12]
    names = [f"{search.write(child.action)} ({child.visits:,})" for child in shown]
    wins = [50 * (child.value + 1) for child in shown]
    bonuses = [100 * search.bonus(child) for child in shown]
    axes.barh(names, wins, color=GREEN, label="share of the points")
    axes.barh(names, bonuses, left=wins, color="#f2c879", label="bonus for being little visited")
    axes.invert_yaxis()
    axes.set_title("Why it looked there: points plus bonus (visits)")
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.08), ncol=2)
