"""The picture of a network: its policy on the board, and beside it the visits of the search that it guides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.show.colors import CHOSEN
from ludus.show.explain_network import NetworkExplanation
from ludus.show.explanation import points
from ludus.show.picture import GREEN, draw_moves, draw_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ORANGE = "#f2c879"
SHOWN = 12  # moves with bars


def draw_network(figure: Figure, network: NetworkExplanation) -> None:
    """The whole picture."""
    middle = 0.75 if network.search is not None else 0.2
    grid = figure.add_gridspec(3, 2, height_ratios=(1.15, middle, 0.25))
    policy = {action: 100 * share for action, share in network.policy.items()}
    left = figure.add_subplot(grid[0, 0])
    draw_moves(left, network, policy, percents(policy), "The network's policy without any search, in %")
    right = figure.add_subplot(grid[0, 1])
    if network.search is None:
        draw_bars(right, network)
        draw_value(figure.add_subplot(grid[1, :]), network)
    else:
        visits = {action: 100 * count / network.search.total for action, count in network.visits().items()}
        title = f"What the search of {network.search.simulations:,} simulations made of it: visits in %"
        draw_moves(right, network, visits, percents(visits), title)
        draw_bars(figure.add_subplot(grid[1, 0]), network)
        draw_value(figure.add_subplot(grid[1, 1]), network)
    draw_words(figure.add_subplot(grid[2, :]), network)


def percents(shares: dict[int, float]) -> dict[int, str]:
    """Texts for the cells; nothing where it would be 0."""
    return {action: f"{share:.0f}" for action, share in shares.items() if share >= 0.5}


def draw_bars(axes: Axes, network: NetworkExplanation) -> None:
    """The leading moves: policy, and visits of the search."""
    shown = network.ranked()[:SHOWN]
    places = range(len(shown))
    both = network.search is not None
    height = 0.38 if both else 0.75
    axes.barh([p - 0.2 * both for p in places], [100 * network.policy[a] for a in shown], height, color=ORANGE,
              label="policy of the network")  # fmt: skip
    if network.search is not None:
        visits, total = network.visits(), network.search.total
        shares = [100 * visits.get(action, 0) / total for action in shown]
        axes.barh([p + 0.2 for p in places], shares, height, color=GREEN, label="visits of the search")
        axes.legend(fontsize=8)
    axes.set_yticks(list(places), [network.write(action) for action in shown])
    axes.invert_yaxis()
    axes.set_xlabel("%")
    axes.set_title("The leading moves, the chosen one first")


def draw_value(axes: Axes, network: NetworkExplanation) -> None:
    """The value on a scale from lost to won, and that of the search."""
    axes.set_title(f"How player {network.state.player} stands: the share of the points that is expected")
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 25, 50, 75, 100], ["0%\nlost", "25%", "50%\neven", "75%", "100%\nwon"])
    bars = [] if network.value is None else [("network", network.value, ORANGE)]
    if network.search is not None:
        bars.append(("search", network.search.children[0].value, GREEN))
    for row, (name, value, color) in enumerate(bars):
        axes.axhline(row, color="#dddddd", linewidth=1, zorder=1)
        axes.plot(50 * (value + 1), row, "D", color=color, markeredgecolor="#666666", markersize=14, clip_on=False)
        axes.text(2, row - 0.3, f"{name}: {points(value)}", va="center")
    if not bars:
        axes.text(50, 0, "this network has no critic, so it gives no value", ha="center", va="center")
    axes.set_yticks([])
    axes.set_ylim(max(0, len(bars) - 1) + 0.6, -0.6)
    axes.axvline(50, color=CHOSEN, linewidth=0.8, linestyle="--", zorder=1)
