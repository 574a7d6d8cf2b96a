"""The course's manager and its command line: its output, its flags, and sentences where the original crashes."""

import shutil
import time

import pytest

from ludus.courses.csc384 import othello_game
from ludus.courses.csc384.files import AgentFile
from ludus.courses.csc384.othello_game import (
    AiFailedError,
    AiPlayerInterface,
    ColumbiaPlayer,
    InvalidMoveError,
    OthelloGameManager,
    Player,
    play_game,
)
from ludus.protocols.program import Program
from tests.cli.test_cli import ludus

needs_python3 = pytest.mark.skipif(shutil.which("python3") is None, reason="the manager runs `python3`; it is not here")

FIRST = """
import sys
print("First")
flags = input()
sys.stderr.write(f"heard {flags}\\n")  # in one piece: two programs write to the same place
def captures(b, i, j, c):
    for u in (-1, 0, 1):
        for v in (-1, 0, 1):
            x, y, run = i + u, j + v, 0
            while 0 <= x < len(b) and 0 <= y < len(b) and b[y][x] == 3 - c:
                x, y, run = x + u, y + v, run + 1
            if run and 0 <= x < len(b) and 0 <= y < len(b) and b[y][x] == c:
                return True
while True:
    score, board = input(), eval(input())
    sys.stderr.write(f"{score} {type(board).__name__} {type(board[0]).__name__}\\n")
    color = int(flags[0])
    n = range(len(board))
    print(*next((i, j) for i in n for j in n if board[j][i] == 0 and captures(board, i, j, color)))
"""
SINS = {
    "Quitter": "print('Quitter')",
    "Cheater": "print('Cheater'); input(); input(); input(); print('0 0')\nimport time; time.sleep(60)",
    "Outsider": "print('Outsider'); input(); input(); input(); print('-1 7')\nimport time; time.sleep(60)",
    "Talker": "print('Talker'); input(); input(); input(); print('I pass, thank you')\nimport time; time.sleep(60)",
    "Sleeper": "import time\nprint('Sleeper'); input(); time.sleep(60)",
}
GAME_4X4 = """\
AI introduced itself as: First
AI introduced itself as: First
(2, 2)
First (dark) plays 0,1
(4, 1)
First (light) plays 0,0
(3, 3)
First (dark) plays 1,0
(5, 2)
First (light) plays 0,2
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.py").write_text(FIRST)
    for name, code in SINS.items():
        (tmp_path / f"{name}.py").write_text(code)
    return tmp_path


# ---- the game


def test_the_game_begins_as_lists_and_goes_on_as_tuples():
    game = OthelloGameManager(4)
    assert game.board == [[0, 0, 0, 0], [0, 2, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]] and game.current_player == 1
    game.play(1, 0)
    assert game.board == ((0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0)) and game.current_player == 2
    assert game.get_possible_moves() == [(0, 0), (0, 2), (2, 0)]
    assert OthelloGameManager().dimension == 6


def test_odd_boards_have_their_discs_off_the_middle_and_2x2_is_over_at_once(capsys):
    assert [row.count(0) for row in OthelloGameManager(5).board] == [5, 3, 3, 5, 5]
    assert OthelloGameManager(2).get_possible_moves() == []
    OthelloGameManager(2).print_board()
    assert capsys.readouterr().out == "2 1\n1 2\n"
    with pytest.raises(ValueError, match="2 or more"):
        OthelloGameManager(1)


@pytest.mark.parametrize("move, words", [((1, 1), "Occupied square."), ((0, 0), "Invalid Move."), ((4, -1), "not on")])
def test_illegal_moves_are_refused(move, words):
    with pytest.raises(InvalidMoveError, match=words):
        OthelloGameManager(4).play(*move)


# ---- programs


@needs_python3
def test_a_game_is_printed_as_the_manager_prints_it(folder, capfd):
    players = [AiPlayerInterface("first.py", color, 5, caching=True) for color in (1, 2)]
    winner = play_game(OthelloGameManager(4), *players)
    out, err = capfd.readouterr()
    assert out.startswith(GAME_4X4)
    dark, light = map(int, out.splitlines()[-1].split()[3].split(":"))
    assert out.splitlines()[-1] == f"FINAL: First (dark) {dark}:{light} First (light)"
    assert winner == (0 if dark == light else 1 if dark > light else 2)
    assert "heard 1,5,0,1,0" in err and "heard 2,5,0,1,0" in err  # what a program prints for its author is shown
    assert err.count("list list") == 1 and "SCORE 2 2 list list" in err and "SCORE 4 1 tuple tuple" in err


@needs_python3
def test_columbias_programs_are_told_their_colour_only(folder, capfd):
    play_game(OthelloGameManager(4), ColumbiaPlayer("first.py", 1), ColumbiaPlayer("first.py", 2))
    out, err = capfd.readouterr()
    assert "heard 1\n" in err and "heard 2\n" in err
    assert out.startswith(2 * "AI introduced itself as: First\n" + "First (dark) plays 0,1\nFirst (light) plays 0,0\n")


@needs_python3
@pytest.mark.parametrize(
    "sinner, words",
    {
        "Quitter": "Quitter (dark) loses: python3 Quitter.py exited with code 0",
        "Cheater": "Cheater (dark) loses: 0,0 is not a legal move. Invalid Move.",
        "Outsider": "Outsider (dark) loses: -1,7 is not a legal move. Column -1, row 7 is not on the board.",
        "Talker": "Talker (dark) loses: Talker answered 'I pass, thank you', not a column and a row",
        "Sleeper": "Sleeper (dark) timed out!",
    }.items(),
)
def test_whoever_fails_loses_and_a_sentence_says_why(folder, capfd, monkeypatch, sinner, words):
    monkeypatch.setattr(AiPlayerInterface, "TIMEOUT", 1 if sinner == "Sleeper" else 20)
    players = AiPlayerInterface(f"{sinner}.py", 1, -1), AiPlayerInterface("first.py", 2, -1)
    assert play_game(OthelloGameManager(4), *players) == 2
    out, err = capfd.readouterr()
    assert words in out
    assert out.endswith(f"First (light) wins.\nFINAL: {sinner} (dark) 2:2 First (light)\n")
    assert ("Sleeper timed out." in err) == (sinner == "Sleeper")


@needs_python3
def test_a_program_that_has_left_before_it_is_told_its_colour_loses_its_game(folder, capfd, monkeypatch):
    def read_line(program, seconds, read=Program.read_line):
        line = read(program, seconds)
        while program.alive:
            time.sleep(0.01)
        return line

    with monkeypatch.context() as patch:
        patch.setattr(Program, "read_line", read_line)
        dark = AiPlayerInterface("Quitter.py", 1, -1)
    assert play_game(OthelloGameManager(4), dark, AiPlayerInterface("first.py", 2, -1)) == 2
    assert "Quitter (dark) loses: python3 Quitter.py exited with code 0" in capfd.readouterr().out


@needs_python3
def test_a_program_that_never_says_its_name_is_not_waited_for(folder, monkeypatch):
    (folder / "silent.py").write_text("raise SystemExit(3)")
    with pytest.raises(AiFailedError, match=r"silent\.py did not begin: .* exited with code 3"):
        AiPlayerInterface("silent.py", 1, -1)
    monkeypatch.setattr(othello_game, "START_SECONDS", 0.2)
    (folder / "mute.py").write_text("import time; time.sleep(60)")
    with pytest.raises(AiFailedError, match="did not begin"):
        AiPlayerInterface("mute.py", 1, -1)


# ---- people


def test_a_person_types_a_column_and_a_row_or_a_cell(monkeypatch, capsys):
    lines = iter(["", "z9", "1 1", "1,0", "a1", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    assert play_game(OthelloGameManager(4), Player(1), Player(2, "Ann")) is None
    out = capsys.readouterr().out
    assert " 1  .  *  .  ." in out and "Moves: a2 (0 1), b1 (1 0), c4 (2 3), d3 (3 2)" in out
    assert "cannot read 'z9': type a column and a row from 0 to 3" in out and "1 1 is not legal here" in out
    assert "Human (dark) plays 1,0" in out and "Ann (light) plays 0,0" in out
    assert out.endswith("The game was not finished.\n")


# ---- the command line


@needs_python3
def test_the_flags_of_the_course_reach_both_programs(folder):
    out = ludus("othello", "-d", "4", "-a", "first.py", "-b", "first.py", "-l", "5", "-m", "-c", "-o", cwd=folder)
    assert out.startswith(GAME_4X4) and "FINAL: First (dark)" in out
    assert ludus("othello", "--dimension=4", "-a", "first.py", "-b", "first.py", "--limit=5", "-mco", cwd=folder) == out


@needs_python3
def test_one_agent_is_light_and_the_person_is_dark(folder):
    out = ludus("othello", "-d", "4", "-a", "first.py", cwd=folder, input="a2\n")
    assert "Human (dark) plays 0,1\n(4, 1)\nFirst (light) plays 0,0" in out
    assert out.endswith("The game was not finished.\n")


@needs_python3
def test_a_person_may_be_light(folder):
    out = ludus("othello", "-d", "4", "-a", "first.py", "-b", "person", cwd=folder, input="a1\n")
    assert "First (dark) plays 0,1\n" in out and "Human (light) plays 0,0\n" in out
    assert "First (dark) plays 0,1\n" in ludus("othello", "first.py", "person", cwd=folder, input="quit\n")


def test_without_agents_two_people_play(folder):
    out = ludus("othello", "-d", "4", cwd=folder, input="a2\n0 2\nquit\n")
    assert "Human (dark) plays 0,1" in out and "Human (light) plays 0,2" in out


def test_agents_of_ludus_play_too(folder):
    out = ludus("othello", "-d", "6", "-a", "alphabeta:depth=2", "-b", "random", "--seconds=5", cwd=folder)
    assert out.startswith("AI introduced itself as: alphabeta:depth=2\nAI introduced itself as: random\n")
    assert out.splitlines()[-1].startswith("FINAL: alphabeta:depth=2 (dark) ")


@needs_python3
def test_files_alone_are_the_columbia_dialect_on_4x4(folder):
    (folder / "strict.py").write_text(FIRST.replace("flags = input()", "flags = input(); assert flags in '12', flags"))
    out = ludus("othello", "strict.py", "strict.py", cwd=folder)
    assert "(2, 2)" not in out and "loses" not in out and "FINAL: First (dark)" in out
    assert "Human (dark) plays 0,1" in ludus("othello", "strict.py", cwd=folder, input="a2\n")
    assert ludus("othello", "-d", "4", "--columbia", "-a", "strict.py", "-b", "strict.py", cwd=folder) == out


@needs_python3
def test_the_agent_file_plays_on_odd_boards_and_from_another_folder(folder, tmp_path_factory):
    file = tmp_path_factory.mktemp("elsewhere") / "agent.py"
    file.write_text(AgentFile(seconds=0.2).content())
    out = ludus("othello", "-d", "5", "-a", str(file), "-b", str(file), "-l", "2", cwd=folder)
    assert out.startswith("AI introduced itself as: Ludus\n") and "FINAL: Ludus (dark) " in out and "loses" not in out


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "please provide a board size"),
        (["-a", "first.py"], "please provide a board size"),
        (["-d", "0"], "from 2 to 26, not 0"),
        (["-d", "six"], "-d must be a whole number, not 'six'"),
        (["-d", "6", "--caching"], "option --caching not recognized"),
        (["-d", "6", "-a", "nowhere.py"], "there is no file nowhere.py"),
        (["-d", "6", "-a", "mtcs"], "did you mean mcts?"),
        (["-d", "5", "-a", "mcts"], "even size"),
        (["-d", "6", "-b", "mcts"], "with -b there must be -a"),
        (["-d", "6", "-a", "mcts", "-l", "4"], "alphabeta:depth=5"),
        (["-d", "6", "-a", "random", "--seconds=soon"], "--seconds must be a number above 0, not soon"),
        (["one.py", "two.py", "three.py"], "two agents can play, not 3"),
        (["one.py", "-a", "two.py"], "but not both"),
        (["random", "random", "-m"], "told their colour only"),
    ],
)
def test_mistakes_are_told_in_a_sentence(folder, arguments, words):
    assert words in ludus("othello", *arguments, code=2, cwd=folder)


def test_help_names_every_flag():
    text = ludus("othello", "-h")
    assert text == ludus("othello", "--help")
    assert all(f"  {flag}" in text for flag in ("-d", "-a", "-b", "-l", "-m", "-c", "-o", "--web", "--columbia"))
