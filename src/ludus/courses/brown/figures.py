"""The figures that the text asks for: how MCTS decides, what random ties change, depth against time, who beats whom.

Every function returns a matplotlib figure, and the numbers behind it where there are some.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus import search
from ludus._core import Rng
from ludus.agents import MctsAgent
from ludus.courses.brown.generation import F24
from ludus.courses.brown.go_search_problem import GoProblem
from ludus.courses.brown.go_utils import course_go
from ludus.courses.brown.plain_agents import GreedyAgent, RandomAgent
from ludus.courses.brown.playing import Terms
from ludus.courses.brown.states import native_of
from ludus.courses.brown.tournament import TournamentStats, play_tournament
from ludus.game import NativeState, native
from ludus.play.rating import score_interval
from ludus.search import Found
from ludus.show.board_picture import draw_board
from ludus.show.explain_mcts import MctsExplanation, explain_mcts
from ludus.show.picture_mcts import draw_curves, draw_exploration, draw_tree, draw_visits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = ("#d95f02", "#1b6ca8", "#4d9a5b", "#8a5fa8")

# ------------------------------------------------------------------------------------------- how MCTS decides


def mcts_figure(
    state: Any, simulations: int = 3000, c: float = math.sqrt(2), seed: int = 1
) -> tuple[Figure, MctsExplanation]:
    """How the course's MCTS comes to its choice: where it looked, its tree, its curves; and words and a table of it."""
    position = native_of(state)
    agent: Any = MctsAgent(simulations, c=c, expansion="all", solver=False)
    found = explain_mcts(position.game, position, agent, Rng(seed))
    figure = blank(14, 8.4)
    grid = figure.add_gridspec(2, 3, height_ratios=(1.1, 1))
    draw_visits(figure.add_subplot(grid[0, 0]), found)
    draw_tree(figure.add_subplot(grid[0, 1:]), found)
    draw_curves(figure.add_subplot(grid[1, 0]), found, shares=True)
    draw_curves(figure.add_subplot(grid[1, 1]), found, shares=False)
    draw_exploration(figure.add_subplot(grid[1, 2]), found)
    return figure, found


# ------------------------------------------------------------------------------------------- greedy and its ties


@dataclass(frozen=True)
class Versus:
    """What an agent has scored against another."""

    name: str
    games: int
    wins: int
    draws: int
    score: float  # wins less losses
    score_as_black: float
    low: float  # the 95% interval of the share of points
    high: float

    @property
    def share(self) -> float:
        return (self.wins + self.draws / 2) / self.games


def versus(agent: Any, other: Any, games: int = 40, size: int = 5) -> Versus:
    """An agent's score against another, half of the games with each colour."""
    stats = play_tournament(agent, other, games, Terms(size), F24, show=False)
    return counted(str(agent), stats)


def counted(name: str, stats: TournamentStats) -> Versus:
    results = [(game.winner, black) for game, black in stats.games]
    wins, draws = sum(w > 0 for w, _ in results), sum(w == 0 for w, _ in results)
    low, high = score_interval(wins + draws / 2, len(results))
    as_black = sum(float(w) for w, black in results if black)
    return Versus(name, len(results), wins, draws, stats.scores[0], as_black, low, high)


def greedy_figure(games: int = 200, seed: int = 1) -> tuple[Figure, list[Versus]]:
    """Greedy with the first and with a random one of equally good actions: scores against random play, and habits."""
    agents = [GreedyAgent(ties="first", seed=seed), GreedyAgent(ties="random", seed=seed)]
    rows = [versus(agent, RandomAgent(seed + 1), games) for agent in agents]
    labels = ["first of\nequals", "random one\nof equals"]
    figure = blank(12.5, 3.8)
    grid = figure.add_gridspec(1, 3, width_ratios=(1.2, 1, 1))
    draw_shares(figure.add_subplot(grid[0, 0]), labels, rows, f"Against RandomAgent, {games} games each")
    for column, (agent, label) in enumerate(zip(agents, labels, strict=True), 1):
        words = " ".join(label.split())
        draw_habits(
            figure.add_subplot(grid[0, column]), agent, seed, f"{words}:\nwhere Black's first 8 stones lie, in %"
        )
    return figure, rows


def draw_habits(axes: Axes, agent: GreedyAgent, seed: int, title: str, games: int = 60, stones: int = 8) -> None:
    """How often each point is among the first stones of an agent that plays Black against random play."""
    other, problem, heat = RandomAgent(seed), GoProblem(5), dict.fromkeys(range(25), 0.0)
    for _ in range(games):
        state, played = problem.start_state.clone(), 0
        while not state.is_terminal_state() and played < stones:
            action = agent.get_move(state, 1)
            heat[action] = heat.get(action, 0.0) + 100 / games
            played += 1
            state.apply_action(action)
            if not state.is_terminal_state():
                state.apply_action(other.get_move(state, 1))
    heat.pop(25, None)
    game = course_go(5)
    board = game.board(game.start())
    draw_board(axes, board, heat, {action: f"{share:.0f}" for action, share in heat.items()}, title=title)


# ------------------------------------------------------------------------------------------- depth against time


@dataclass(frozen=True)
class DepthRow:
    """What a search of some depth costs at most, of a few positions."""

    search: str
    size: int
    depth: int
    nodes: int
    seconds: float


SEARCHES: dict[str, Callable[[NativeState, int, float], Found]] = {
    "minimax": lambda state, depth, seconds: search.minimax(state, depth, "simple", seconds),
    "alpha-beta": lambda state, depth, seconds: search.alphabeta(
        state, depth, "simple", seconds, caching=False, ordering=False
    ),
}


def depth_rows(sizes: Sequence[int] = (5, 9), limit: float = 1.0, seed: int = 4) -> list[DepthRow]:
    """Nodes and seconds of ever deeper searches, as long as they stay below the limit in all of some positions."""
    rows = []
    for size in sizes:
        positions = [after_random_stones(size, plies, seed) for plies in (0, size, 2 * size, 3 * size)]
        for name in SEARCHES:
            for depth in range(1, 30):
                row = cost(name, positions, depth, limit)
                if row is None:
                    break
                rows.append(row)
    return rows


def cost(name: str, positions: Sequence[NativeState], depth: int, limit: float) -> DepthRow | None:
    """What a depth costs in the position that is hardest for it; None if one takes longer than the limit."""
    most, nodes = 0.0, 0
    for position in positions:
        began = time.process_time()  # other programs on the machine do not count
        found = SEARCHES[name](position, depth, limit)
        if found.stopped:
            return None
        most, nodes = max(most, time.process_time() - began), max(nodes, found.nodes)
    game = positions[0].game
    return DepthRow(name, getattr(game, "size", 0), depth, nodes, most)


def after_random_stones(size: int, plies: int, seed: int) -> NativeState:
    """A position after some random stones."""
    state, rng = native(course_go(size).start()), Rng(seed)
    for _ in range(plies):
        state = state.play(rng.choice([action for action in state.actions() if action != size * size]))
    return state


def depth_figure(rows: Sequence[DepthRow], limit: float = 1.0) -> Figure:
    """Seconds against depth, a line for every search and size, and the line that one must stay below."""
    figure = blank(11, 4)
    sizes, top = sorted({row.size for row in rows}), max(row.depth for row in rows)
    for column, size in enumerate(sizes):
        axes = figure.add_subplot(1, len(sizes), column + 1)
        for color, name in zip(COLORS, SEARCHES, strict=False):
            mine = [row for row in rows if (row.search, row.size) == (name, size)]
            axes.plot([row.depth for row in mine], [row.seconds for row in mine], marker="o", color=color, label=name)
        axes.axhline(limit, color="#888888", linestyle="--", linewidth=1)
        axes.text(1, limit * 1.3, f"{limit:g} s: what every move earns", fontsize=8, color="#555555")
        axes.set(
            yscale="log", xlabel="depth in plies", ylabel="seconds", title=f"{size}×{size}: slowest of four positions"
        )
        axes.set(ylim=(1e-6, limit * 6), xlim=(0.6, top + 0.4), xticks=range(1, top + 1))
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8, loc="lower right")
    return figure


def deepest(rows: Sequence[DepthRow]) -> dict[tuple[str, int], int]:
    """The deepest search of each kind and size that stayed below the limit."""
    found: dict[tuple[str, int], int] = {}
    for row in rows:
        found[row.search, row.size] = max(row.depth, found.get((row.search, row.size), 0))
    return found


# ------------------------------------------------------------------------------------------- who beats whom


def shares_figure(rows: Mapping[str, Versus], title: str) -> Figure:
    """Shares of the points with their 95% intervals, one bar each."""
    figure = blank(8, 0.55 * len(rows) + 1.2)
    draw_shares(figure.add_subplot(), list(rows), list(rows.values()), title)
    return figure


def draw_shares(axes: Axes, labels: Sequence[str], rows: Sequence[Versus], title: str) -> None:
    """Bars with error bars; the dashed line is equal strength."""
    shares = [100 * row.share for row in rows]
    ends = [(row.share - row.low, row.high - row.share) for row in rows]
    spread = [[100 * max(0.0, end[side]) for end in ends] for side in (0, 1)]
    colors = [COLORS[number % len(COLORS)] for number in range(len(rows))]
    axes.barh(list(labels), shares, xerr=spread, color=colors, alpha=0.75, capsize=4)
    axes.axvline(50, color="#888888", linestyle="--", linewidth=1)
    axes.set(xlim=(0, 105), xlabel="share of the points in %, with 95% intervals", title=title)
    axes.invert_yaxis()


def losses_figure(curves: Mapping[str, Sequence[Any]]) -> Figure:
    """The losses of trainings over their epochs, on what was learned and on what was only looked at."""
    figure = blank(11, 3.8)
    for column, (name, epochs) in enumerate(curves.items(), 1):
        axes = figure.add_subplot(1, len(curves), column)
        numbers = [epoch.number for epoch in epochs]
        axes.plot(numbers, [epoch.loss for epoch in epochs], marker="o", color=COLORS[1], label="learned from")
        axes.plot(numbers, [epoch.held_out for epoch in epochs], marker="o", color=COLORS[0], label="only looked at")
        axes.set(xlabel="epoch", ylabel="loss", title=name, xticks=numbers)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    return figure


def blank(width: float, height: float) -> Figure:
    """An empty figure that belongs to no window."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")
