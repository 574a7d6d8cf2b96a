"""The picture of minimax, alpha-beta and iterative deepening: the board, the tree with its cut-offs, the effort."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.game import Player
from ludus.search import SearchNode
from ludus.show.colors import CHOSEN
from ludus.show.explain_tree import TreeExplanation
from ludus.show.picture import GREEN, PALE, draw_bars, draw_moves, draw_words
from ludus.show.tree_picture import GREY, Box, draw_boxes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ON_LINE = (7, 4, 3)  # how many children are drawn at each ply on the principal variation …
BESIDE = (0, 2, 0)  # … and beside it


def draw_tree_search(figure: Figure, search: TreeExplanation) -> None:
    """The whole picture."""
    grid = figure.add_gridspec(3, 3, height_ratios=(1.15, 0.8, 0.3))
    draw_values(figure.add_subplot(grid[0, 0]), search)
    draw_tree(figure.add_subplot(grid[:2, 1:]), search)
    effort = figure.add_subplot(grid[1, 0])
    if search.found.depths:
        draw_depths(effort, search)
    else:
        draw_effort(effort, search)
    draw_words(figure.add_subplot(grid[2, :]), search)


def draw_values(axes: Axes, search: TreeExplanation) -> None:
    """The value of every move on the board; after a cut-off only a bound is known."""
    known = {node.action: node for node in search.moves if node.action is not None and node.value is not None}
    heat = {action: node.value or 0.0 for action, node in known.items()}
    labels = {action: short_value(search, node) for action, node in known.items()}
    unit = f", in {search.unit}s" if search.found.utility == "margin" else ""
    title = f"The value of each move for player {search.state.player}{unit}"
    if any(node.bound != "exact" for node in known.values()):
        title += ";\n≤: only known to be at most this"
    draw_moves(axes, search, heat, labels, title, 1.0 if search.found.utility == "score" else None)


def short_value(search: TreeExplanation, node: SearchNode) -> str:
    """A value that fits into a cell: +.12 for +0.12."""
    text = search.value_text(node.value, node.bound)
    return text.replace("0.", ".", 1) if search.found.utility == "score" else text


# ------------------------------------------------------------------------------------------- the tree


def draw_tree(axes: Axes, search: TreeExplanation) -> None:
    player = search.state.player
    axes.set_title(
        f"The top of the tree: moves of player 0 (warm) and player 1 (cool) in the order tried, with values for "
        f"player {player}\n(≤ at most, ≥ at least). Green: the principal variation. ✂: cut off, so many moves were not "
        "looked at.",
        fontsize=10,
    )
    draw_boxes(axes, box_of(search, search.tree, 0, True, player), fontsize=8)


def box_of(search: TreeExplanation, node: SearchNode, ply: int, on_line: bool, mover: Player) -> Box:
    """A node with those of its children that are worth showing. `mover` chose the move that leads to it."""
    drawn = chosen_children(node, (ON_LINE if on_line else BESIDE)[ply] if ply < len(ON_LINE) else 0)
    below = [box_of(search, c, ply + 1, on_line and c.action == node.best, node.player) for c in drawn]
    if drawn and (rest := hidden(node, len(drawn))):
        below.append(Box(rest, stub=True))
    label = label_of(search, node) + (f" ✂{node.skipped}" if node.skipped and not drawn else "")
    if node.action is None:
        return Box(label, edge=CHOSEN, children=tuple(below))
    edge, line, width = (CHOSEN, CHOSEN, 3.0) if on_line else ("#666666", GREY, 1.0)
    return Box(label, PALE[mover], edge, line, width, children=tuple(below))


def chosen_children(node: SearchNode, most: int) -> list[SearchNode]:
    """The best child and those that were tried first, in the order tried."""
    best = [child for child in node.children if child.action == node.best]
    first = [child for child in node.children if child.action != node.best][: max(0, most - len(best))]
    chosen = {child.action for child in (best + first)[:most]}
    return [child for child in node.children if child.action in chosen]


def hidden(node: SearchNode, drawn: int) -> str:
    """What a stub says about the children that are not drawn."""
    more = node.tried - drawn
    return ", ".join(
        [f"and {more} more"] * (more > 0) + [f"✂ {node.skipped} not looked at"] * (node.skipped > 0),
    )


def label_of(search: TreeExplanation, node: SearchNode) -> str:
    value = search.value_text(node.value, node.bound)
    if node.action is None:
        return f"now {value}"
    ending = {"over": " end", "remembered": " (table)", "stopped": " stopped"}.get(node.ending, "")
    return f"{search.write(node.action)} {value}{ending}"


# ----------------------------------------------------------------------------------------- the effort


def draw_effort(axes: Axes, search: TreeExplanation) -> None:
    """How many positions the search looked at behind each move."""
    nodes = {node.action: float(node.nodes) for node in search.moves if node.action is not None}
    draw_bars(axes, nodes, {action: search.write(action) for action in nodes}, search.chosen)
    axes.set_xlabel("positions")
    axes.set_title(
        "Positions looked at behind each move" + (":\nfew where a cut-off came early" * bool(search.skipped))
    )


def draw_depths(axes: Axes, search: TreeExplanation) -> None:
    """What each depth of iterative deepening found, and how many positions it took."""
    rows = search.found.depths
    axes.bar([row.depth for row in rows], [row.nodes for row in rows], color=GREEN)
    axes.set_yscale("log")
    axes.set_xticks([row.depth for row in rows])
    axes.set_xlabel("depth")
    axes.set_ylabel("positions")
    for row in rows:
        value = search.value_text(row.value) if row.finished else "stopped"
        axes.text(row.depth, row.nodes, f"{search.write(row.action)}\n{value}", ha="center", va="bottom", fontsize=8)
    axes.margins(y=0.25)
    axes.set_title("What each depth found: its best move and value")
