"""The figures that Brown's text asks for, and the numbers behind them."""

import io

from ludus.courses.brown import figures
from ludus.courses.brown.go_utils import course_go
from ludus.courses.brown.plain_agents import GreedyAgent, RandomAgent
from tests.courses.test_brown_agents import CAPTURE, D4


def written(figure):
    """The size of the figure as a PNG: it can be drawn."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=40)
    return len(file.getvalue())


def test_how_mcts_decides():
    figure, found = figures.mcts_figure(course_go(5).read_board(CAPTURE), simulations=2000)
    assert found.chosen == D4 and "chose D4" in found.in_words() and found.table()[1].split()[0] == "D4"
    assert len(figure.axes) == 5 and written(figure) > 5000


def test_what_random_ties_change():
    figure, (first, any_of_them) = figures.greedy_figure(games=60, seed=1)
    assert first.games == any_of_them.games == 60 and any_of_them.score > first.score
    assert first.low <= first.share <= first.high and first.score == 2 * first.wins + first.draws - 60
    assert len(figure.axes) == 3 and written(figure) > 3000


def test_depth_against_time():
    rows = figures.depth_rows(sizes=(4, 5), limit=0.02)
    deepest = figures.deepest(rows)
    assert deepest["alpha-beta", 4] >= deepest["minimax", 4] >= 2 and {row.depth for row in rows} >= {1, 2}
    nodes = {(row.search, row.depth): row.nodes for row in rows if row.size == 5}
    assert nodes["alpha-beta", 2] < nodes["minimax", 2] and written(figures.depth_figure(rows, 0.02)) > 3000


def test_who_beats_whom_and_how_losses_fall():
    row = figures.versus(GreedyAgent(), RandomAgent(seed=1), games=10)
    assert row.games == 10 and 0 <= row.low <= row.share <= row.high <= 1
    clean = figures.Versus("clean", 40, 40, 0, 40.0, 20.0, 0.91, 0.999999)  # rounding must not turn an interval around
    assert written(figures.shares_figure({"greedy": row, "clean": clean}, "against random")) > 2000

    class Epoch:
        number, loss, held_out = 1, 0.5, 0.6

    assert written(figures.losses_figure({"value": [Epoch], "policy": [Epoch]})) > 2000
