"""The agent file of CSC384 stands alone, plays under the manager, and says nothing but its name and its moves."""

import ast
import inspect
import sys
from math import inf
from pathlib import Path

import pytest

from ludus.courses.csc384 import nodes, pipe, values
from ludus.courses.csc384.files import AgentFile
from ludus.courses.csc384.strengths import agent_of, select_move
from ludus.errors import BadOption
from ludus.protocols import othello_rules
from tests.cli.test_cli import ludus
from tests.courses import csc384_boards as boards
from tests.courses.csc384_manager import Seat, play

STRENGTHS = ("graded", "heuristic", "mcts")
ALONE = (sys.executable, "-I", "-S")  # a Python without any installed package
START = boards.start(6)
LISTS = [list(row) for row in START]


@pytest.fixture
def write(tmp_path):
    """Writes an agent file, which thinks it has little time."""
    made = iter(range(100))

    def write(strength="graded", seconds=0.4, change=lambda content: content, **options):
        folder = tmp_path / f"folder {next(made)}"
        folder.mkdir()
        file = folder / "agent.py"
        file.write_text(change(AgentFile(strength, seconds=seconds, **options).content()))
        return file

    return write


@pytest.fixture
def seat(tmp_path):
    """Starts programs in another folder than theirs, and ends what is still running after the test."""
    seats = []

    def seat(*arguments, **options):
        seats.append(Seat(*arguments, cwd=tmp_path, **options))
        return seats[-1]

    yield seat
    for one in seats:
        one.kill()


# ---- the file


@pytest.mark.parametrize("strength", STRENGTHS)
def test_it_is_python_3_7_and_imports_only_the_standard_library(strength):
    tree = ast.parse(AgentFile(strength).content(), feature_version=(3, 7))
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name for node in imports for name in ([node.module] if hasattr(node, "module") else [node.names[0].name])}
    assert names <= sys.stdlib_module_names and {"ast", "os", "sys", "time"} <= names


def test_it_consists_of_the_code_that_the_package_runs():
    content = AgentFile().content()
    for module in (othello_rules, values, nodes, pipe):
        for function in vars(module).values():
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                assert inspect.getsource(function) in content


def test_its_functions_can_be_imported_and_called_as_the_tests_of_the_course_do(write):
    names = {}
    exec(compile(write().read_text(), "agent.py", "exec"), names)  # it must not begin to play
    board, color = boards.played(4, 3, 1)
    cells = boards.cells_of(board)
    best, value = boards.minimax(cells, color, color, 4)
    infinity = float("inf")
    assert names["compute_utility"](board, 1) == -names["compute_utility"](board, 2) == boards.lead(cells, 1)
    assert names["select_move_minimax"](board, color, 4) == best
    assert names["select_move_alphabeta"](board, color, 4, 1, 1) == best
    assert names["minimax_max_node"](board, color, 4, 1) == (best, value)
    assert names["alphabeta_max_node"](board, color, -infinity, infinity, 4, 1, 1)[1] == value
    assert names["alphabeta_min_node"](board, 3 - color, -infinity, infinity, 4)[1] == -value
    assert abs(names["compute_heuristic"](board, 1)) < 16


def test_bad_names_and_times_are_refused():
    for options in ({"name": "Zoë"}, {"name": ""}, {"name": "two\nlines"}, {"seconds": 0.0}, {"seconds": inf}):
        with pytest.raises(BadOption):
            AgentFile(**options)


# ---- the command


def test_the_command_writes_it_and_never_over_another_file(tmp_path):
    said = ludus("course", "csc384", "agent.py", "--name", "Carl", "--seconds", "5", cwd=tmp_path)
    file = tmp_path / "agent.py"
    assert said.startswith("agent.py is written.") and "othello_gui.py -d 8 -a agent.py" in said
    assert file.read_text() == AgentFile("graded", "Carl", 5.0).content()
    assert "--force" in ludus("course", "csc384", "agent.py", "--strength", "mcts", code=2, cwd=tmp_path)
    assert file.read_text() == AgentFile("graded", "Carl", 5.0).content()
    ludus("course", "csc384", "agent.py", "--force", "--strength", "mcts", cwd=tmp_path)
    assert "run_ai(strength='mcts', ludus=" in file.read_text()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["csc348", "agent.py"], "did you mean csc384?"),
        (["csc384", "nowhere/agent.py"], "there is no folder 'nowhere'"),
        (["csc384", "agent.py", "--strength", "huge"], "must be graded or heuristic or mcts, not 'huge'"),
        (["csc384"], "the file to write"),
    ],
)
def test_mistakes_are_told_in_a_sentence(arguments, words, tmp_path):
    assert words in ludus("course", *arguments, code=2, cwd=tmp_path)


def test_the_list_of_courses_says_what_each_of_them_offers():
    assert "ludus course csc384 agent.py" in ludus("course", "--help")


# ---- under the manager


@pytest.mark.parametrize("flags", ["-1,0,0,0", "3,1,1,1", ""])  # five fields, and the colour alone
@pytest.mark.parametrize("strength", STRENGTHS)
def test_it_answers_lists_and_tuples_as_either_colour(write, seat, strength, flags):
    file = write(strength)
    dark = seat(file, 1, flags)
    assert dark.name == "Ludus\n"
    assert dark.ask(LISTS) in boards.legal(boards.cells_of(START), 1)
    assert dark.ask(START) in boards.legal(boards.cells_of(START), 1)
    light, (board, _) = seat(file, 2, flags), boards.played(6, 5, 2)
    assert light.ask(board) in boards.legal(boards.cells_of(board), 2)
    assert light.leave() == ("", "")
    assert dark.leave("FINAL 3 1") == ("", "")


@pytest.mark.parametrize(
    "one, other", [("graded", "graded"), ("graded", "heuristic"), ("mcts", "graded"), ("heuristic", "mcts")]
)
def test_a_whole_game_of_file_against_file(write, seat, one, other):
    dark, light = seat(write(one, name="One", seconds=0.1), 1), seat(write(other, name="Other", seconds=0.1), 2)
    assert sum(play(dark, light, 6)) > 8
    assert (dark.name, light.name) == ("One\n", "Other\n")
    assert dark.kill() == light.kill() == (b"", b"")  # nothing but the name and the moves


def test_graded_files_play_4x4_perfectly(write, seat):
    file = write(seconds=60.0)
    assert play(seat(file, 1, "-1,0,1,1"), seat(file, 2, "-1,0,1,1"), 4) == (5, 11)


@pytest.mark.parametrize("minimax", [0, 1])
def test_a_graded_file_plays_exactly_the_search_that_the_flags_ask_for(write, seat, minimax):
    board, color = boards.played(6, 6, 8)
    expected = boards.minimax(boards.cells_of(board), color, color, 3)[0]
    assert seat(write(seconds=100.0), color, f"3,{minimax},0,0").ask(board) == expected


def test_odd_sizes_are_played_at_every_strength(write, seat):
    for strength in STRENGTHS:
        board = boards.start(5)
        assert seat(write(strength), 1).ask(board) in boards.legal(boards.cells_of(board), 1)


def test_lines_that_mean_nothing_are_passed_over(write, seat):
    dark = seat(write(), 1)
    for line in ("", "hello", "'text'", "[]", "{}", "1.5", "((((", "None"):
        dark.write(line)
    assert dark.ask(START) in boards.legal(boards.cells_of(START), 1)
    assert dark.leave() == ("", "")


def test_what_is_printed_by_the_way_does_not_reach_the_manager(write, seat):
    line = "    moves = get_possible_moves(board, color)\n"
    assert line in AgentFile().content()
    chatty = write(change=lambda content: content.replace(line, '    print("thinking")\n' + line, 1))
    dark = seat(chatty, 1)
    assert dark.ask(START) in boards.legal(boards.cells_of(START), 1)
    assert dark.leave() == ("", "thinking\n")


# ---- where Ludus is, and where it is not


def other_python(tmp_path):
    """The same Python under another name, which has no packages."""
    link = tmp_path / "bin" / "python3"
    link.parent.mkdir()
    link.symlink_to(Path(sys.executable).resolve())
    return str(link), "-I", "-S"


def test_a_graded_file_needs_no_ludus(write, seat):
    dark = seat(write(), 1, python=ALONE)
    assert dark.ask(LISTS) in boards.legal(boards.cells_of(START), 1)
    assert dark.leave() == ("", "")


@pytest.mark.parametrize("strength", ["heuristic", "mcts"])
def test_the_others_go_over_to_the_python_that_has_it(write, seat, tmp_path, strength):
    dark = seat(write(strength), 1, python=other_python(tmp_path))
    assert dark.ask(LISTS) in boards.legal(boards.cells_of(START), 1)
    assert dark.leave() == ("", "")


@pytest.mark.parametrize("strength", ["heuristic", "mcts"])
def test_where_it_is_nowhere_they_say_so_and_play_all_the_same(write, seat, tmp_path, strength):
    gone = write(strength, 500.0, lambda content: content.replace(repr(sys.executable), "'/nowhere/python3'"))
    board, color = boards.played(6, 24, 5)
    dark = seat(gone, color, python=other_python(tmp_path))
    assert dark.ask(board) == nodes.search_in_time(board, color, -1, 0, 1, 1, 500.0, values.compute_heuristic)
    rest, errors = dark.leave()
    assert rest == "" and "Ludus is not installed" in errors and "a plain search plays" in errors


def test_whatever_goes_wrong_in_ludus_a_legal_move_is_played(monkeypatch, capsys):
    def broken(*arguments):
        raise RuntimeError("out of luck")

    monkeypatch.setattr("ludus.courses.csc384.strengths.select_move", broken)
    assert pipe.choose(START, [1, -1, 0, 0, 0], "mcts", 0.1) in boards.legal(boards.cells_of(START), 1)
    assert "out of luck" in capsys.readouterr().err
    monkeypatch.setattr("ludus.courses.csc384.strengths.select_move", lambda *arguments: (0, 0))
    assert pipe.choose(START, [1, -1, 0, 0, 0], "mcts", 0.1) in boards.legal(boards.cells_of(START), 1)


def test_a_strength_is_an_agent_of_ludus():
    assert type(agent_of("heuristic")).__name__ == "DeepeningAgent" and type(agent_of("mcts")).__name__ == "MctsAgent"
    assert select_move(LISTS, 1, "heuristic", 0.1) in boards.legal(boards.cells_of(START), 1)
    with pytest.raises(BadOption, match="heuristic or mcts"):
        agent_of("graded")
