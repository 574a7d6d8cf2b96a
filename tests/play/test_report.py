"""The report and the tables: true sentences, charts, and rows that fit the screen."""

import re
from xml.etree import ElementTree

import pytest

from ludus import make
from ludus.cli.tables import crosstable_of, table_of
from ludus.play.charts import Axis, length_chart
from ludus.play.clock import Timing
from ludus.play.report import html_report
from ludus.play.standing import standing
from ludus.play.tables import crosstable, short_name, short_names
from ludus.play.tournament import Tournament, run
from tests.play.test_tournament import result

NIM = make("nim")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    tournament = Tournament(NIM, ("random", "greedy", "flat:games=1"), games=4, clock=Timing(5, 1))
    return tournament, run(tournament, tmp_path_factory.mktemp("played"))


def test_the_report_has_its_charts_and_needs_nothing_else(played):
    page = html_report(*played)
    charts = [ElementTree.fromstring(chart) for chart in re.findall(r"<svg.*?</svg>", page, re.S)]
    assert [chart.get("aria-label") for chart in charts] == [
        "Elo, with 95% intervals",
        "Length of games, in moves",
        "Seconds per move: shortest, middle half, longest",
        "Mean seconds left, by move",
    ]
    assert len(charts[0].findall(".//circle")) == 3 and charts[1].findall(".//rect") and charts[3].findall("polyline")
    assert "http" not in page.replace("http-equiv", "") and "<script" not in page


def test_names_cannot_break_the_page():
    tournament = Tournament(NIM, ("random", "greedy"), games=2, labels=("<script>alert(1)</script>", "a & b"))
    records = [result(*tournament.names, 1, number=number) for number in range(2)]
    outcome = type("Outcome", (), {"standing": standing(tournament.names, records, 0), "records": []})()
    page = html_report(tournament, outcome)
    assert "<script" not in page and "&lt;script&gt;" in page and "a &amp; b" in page


@pytest.mark.parametrize(("paired", "words"), [(True, "each played twice, with sides"), (False, "each played once;")])
def test_the_report_says_how_openings_were_played(paired, words, tmp_path):
    tournament = Tournament(NIM, ("random", "greedy"), games=2, paired=paired)
    page = html_report(tournament, run(tournament, tmp_path))
    assert words in page and ("twice" in page) == paired


def test_the_crosstable_says_points_once_where_all_played_equally_often():
    records = [result("a", "b", 1), result("b", "a", 0, 1)]
    caption, rows = crosstable(standing(["a", "b"], records, 0))
    assert caption == "points against, of 2 games" and [[cell.text for cell in row] for row in rows] == [
        ["", "1.5"],
        ["0.5", ""],
    ]
    caption, rows = crosstable(standing(["a", "b", "c"], [*records, result("a", "c", 1, 2)], 0))
    assert caption == "points against" and [cell.text for cell in rows[0]] == ["", "1.5/2", "1/1"]


def text_of(tables, width):
    from io import StringIO

    from rich.console import Console

    screen = StringIO()
    for table in tables:
        Console(file=screen, width=width).print(table)
    return screen.getvalue()


def test_tables_are_readable_at_40_columns():
    agents = [f"mcts:simulations={10 ** (1 + i % 3)},c={i}" for i in range(9)]
    records = [result(a, b, (-1) ** i, i) for i, a in enumerate(agents) for b in agents if a < b]
    table = standing(agents, records, 0)
    screen = text_of([table_of(table, 40), *crosstable_of(table, 40)], 40)
    assert max(map(len, screen.splitlines())) <= 40 and "95%" in screen
    for number in range(1, 10):
        assert len(re.findall(rf"^ {number} ", screen, re.M)) >= 2  # a row in each part of the crosstable
    heads = [line.split()[1:] for line in screen.splitlines() if line.startswith(" agent")]
    assert [int(n) for head in heads for n in head] == list(range(1, 10))
    assert len(crosstable_of(table, 160)) == 1


def test_names_are_short_and_stay_different():
    path = "runs/hex5/checkpoints/000200.safetensors"
    assert short_name(path) == "hex5/200"
    assert short_name(f"{path}:choice=sample") == "hex5/200:choice=sample"
    assert short_name("/home/me/agents/mine.py:Mine") == "mine.py:Mine"
    assert short_name('gtp:"/usr/games/gnugo --mode gtp"') == 'gtp:"/usr/games/gnugo --mode gtp"'
    long = short_name("mcts:simulations=1000,rule=puct,c=1.25,threads=2", 20)
    assert len(long) == 20 and long.startswith("mcts:") and long.endswith("s=2")
    alike = ["a/hex5/checkpoints/000200.safetensors", "b/hex5/checkpoints/000200.safetensors"]
    assert short_names(alike) == alike


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [(0, 10, [0, 2, 4, 6, 8, 10]), (-253, 164, [-200, -100, 0, 100]), (0, 0.0082, [0, 0.002, 0.004, 0.006, 0.008])],
)
def test_axes_have_round_marks(low, high, marks):
    axis = Axis(low, high, 100, 200)
    assert axis.marks == marks and axis.at(low) == 100 and axis.at(high) == 200


def test_every_game_is_in_a_bar():
    lengths = [9, 9, 10, 55, 117]
    chart = length_chart(lengths)
    assert sum(count for _, _, count in chart.bars) == 5 and len(chart.bars) <= 20
    assert all(any(left < n < right for left, right, _ in chart.bars) for n in lengths)
    assert length_chart([7]).bars == [(6.5, 7.5, 1)]
