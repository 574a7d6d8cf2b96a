"""GTP in transcripts: handicap, game files, the clocks of KGS, Connect Four, boards that an agent cannot play on."""

import json
import random
import re
import sys

import pytest

from ludus.agents import TimeLeft
from ludus.errors import LudusError
from tests.cli.test_cli import ludus as cli
from tests.protocols.test_gtp_engine import Puppet, engine, first, follow

# ---------------------------------------------------------------------------------------------- handicap


def test_fixed_handicap_stands_on_the_points_of_the_protocol():
    follow(
        engine("go", "random", size=19),
        """
        > fixed_handicap 2
        = D4 Q16
        > fixed_handicap 2
        ? board not empty
        > clear_board
        =
        > fixed_handicap 3
        = D4 Q16 D16
        > clear_board
        =
        > fixed_handicap 5
        = D4 Q16 D16 Q4 K10
        > clear_board
        =
        > fixed_handicap 8
        = D4 Q16 D16 Q4 D10 Q10 K4 K16
        > undo
        =
        > fixed_handicap 9
        = D4 Q16 D16 Q4 D10 Q10 K4 K16 K10
        > clear_board
        =
        > fixed_handicap 10
        ? invalid number of stones
        > fixed_handicap 1
        ? invalid number of stones
        > fixed_handicap two
        ? syntax error
        > boardsize 9
        =
        > fixed_handicap 4
        = C3 G7 C7 G3
        > gogui-rules_side_to_move
        = white
        > gogui-rules_board
        = . . . . . . . . .
        . . . . . . . . .
        . . X . . . X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . X . .
        . . . . . . . . .
        . . . . . . . . .
        > boardsize 8
        =
        > fixed_handicap 5
        ? invalid number of stones
        > boardsize 5
        =
        > fixed_handicap 2
        ? invalid number of stones
        """,
    )


def test_free_handicap_is_chosen_by_the_engine_or_by_the_controller():
    follow(
        engine("go", "random", size=9),
        """
        > place_free_handicap 3
        = C3 G7 C7
        > clear_board
        =
        > place_free_handicap 30
        = C3 G7 C7 G3 C5 G5 E3 E7 E5
        > clear_board
        =
        > set_free_handicap a1 b2 c3
        =
        > gogui-rules_side_to_move
        = white
        > set_free_handicap a1 b2
        ? board not empty
        > undo
        =
        > set_free_handicap a1
        ? bad vertex list
        > set_free_handicap a1 a1
        ? bad vertex list
        > set_free_handicap a1 pass
        ? bad vertex list
        > set_free_handicap a1 z9
        ? syntax error: 'z9' is no point of this board
        """,
    )
    e = engine("go", "mcts:simulations=60", size=9)
    e.answer("fixed_handicap 4")
    assert re.match(r"= [A-J]\d", e.answer("genmove w"))
    assert engine("hex").answer("fixed_handicap 2") == "? unknown command\n\n"


# -------------------------------------------------------------------------------------------- game files

GAME = "(;GM[1]SZ[5]KM[0.5];B[cc];W[cb];B[bb](;W[dd];B[])(;W[aa]))"


def written(tmp_path, text, name="a game.sgf"):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return tmp_path / name


def test_a_game_file_is_loaded_to_its_end_or_up_to_a_move(tmp_path):
    file = written(tmp_path, GAME)
    e = engine("go", "random", size=9)
    follow(
        e,
        f"""
        > loadsgf {file}
        =
        > gogui-rules_board
        = . . . . .
        . X O . .
        . . X . .
        . . . O .
        . . . . .
        > gogui-rules_side_to_move
        = white
        > undo
        =
        > gogui-rules_side_to_move
        = black
        > loadsgf {file} 3
        =
        > gogui-rules_board
        = . . . . .
        . . O . .
        . . X . .
        . . . . .
        . . . . .
        > loadsgf {file} 1
        =
        > gogui-rules_board
        = . . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        > play b e5
        =
        """,
    )
    assert (e.table.game.size, e.table.game.komi) == (5, 0.5)


def test_stones_that_a_file_sets_up_are_a_position(tmp_path):
    follow(
        engine("go", "random", size=5),
        f"""
        > loadsgf {written(tmp_path, "(;GM[1]SZ[5]HA[2]AB[bb][dd])")}
        =
        > gogui-rules_side_to_move
        = white
        > loadsgf {written(tmp_path, "(;GM[1]SZ[5]AB[bb][dd]AW[cc]PL[W];W[aa];AE[bb]AB[ee])", "more.sgf")}
        =
        > gogui-rules_board
        = O . . . .
        . . . . .
        . . O . .
        . . . X .
        . . . . X
        """,
    )


def test_hex_files_are_loaded_too(tmp_path):
    e = engine("hex", "random", size=11)
    assert e.answer(f"loadsgf {written(tmp_path, '(;GM[11]SZ[5]RU[swap];B[b1];W[swap-pieces];B[c3])')}") == "= \n\n"
    assert [e.table.game.write(a) for a in e.table.state.history] == ["b1", "swap", "c3"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, ""),
        ("no game at all", ": this is not an SGF game file"),
        ("(;GM[1]SZ[5];B[cc];W[cc])", ": move 2 (W[cc]) cannot be played: illegal move"),
        ("(;GM[1]SZ[5];B[zz])", ": move 1 (B[zz]) cannot be played"),
        ("(;GM[11]SZ[5];B[c3])", ": it is a game of Hex"),
        ("(;GM[2]SZ[8])", ": this file is of game number 2"),
        ("(;GM[1]SZ[50])", ": "),
        ("(;GM[1]SZ[5]AB[zz];B[cc])", ": a property has a bad value"),
        (b"\xff\x00(;", ": "),
    ],
)
def test_a_file_that_cannot_be_loaded_changes_nothing(tmp_path, text, why):
    e = engine("go", "random", size=9)
    e.answer("play b e5")
    file = tmp_path / "none.sgf" if text is None else written(tmp_path, text)
    answer = e.answer(f"loadsgf {file}")
    assert answer.startswith(f"? cannot load file{why}") and answer.count("\n") == 2
    assert e.table.game.size == 9 and len(e.table.state.history) == 1
    assert e.answer(f"loadsgf {tmp_path}") == e.answer("loadsgf") == "? cannot load file\n\n"


# ------------------------------------------------------------------------------------------ clocks of KGS


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ("none", None),
        ("absolute 300", TimeLeft(300.0)),
        ("canadian 0 60 5", TimeLeft(60.0, 0.0, 5)),
        ("byoyomi 0 10 3", TimeLeft(10.0, 0.0, 1)),
        ("byoyomi 20 10 3", TimeLeft(20.0)),
    ],
)
def test_the_clocks_of_kgs_go_to_the_agent(settings, left):
    agent = Puppet(first)
    e = engine("go", agent)
    assert e.answer(f"kgs-time_settings {settings}") == "= \n\n"
    e.answer("genmove b")
    assert agent.lefts == [left]


def test_what_is_left_in_byo_yomi_are_periods_not_stones():
    """On KGS `time_left black 10 3` means ten seconds for this move, and three such periods."""
    agent = Puppet(first)
    e = engine("go", agent)
    e.answer("kgs-time_settings byoyomi 20 10 3"), e.answer("time_left b 10 3")
    e.answer("genmove b")
    e.answer("kgs-time_settings canadian 20 10 3"), e.answer("time_left b 10 3")
    e.answer("genmove b")
    assert agent.lefts == [TimeLeft(10.0, 0.0, 1), TimeLeft(10.0, 0.0, 3)]
    for wrong in ("", "byoyomi 1", "byoyomi 1 2 x", "absolute", "fischer 1 2", "none 3"):
        assert e.answer(f"kgs-time_settings {wrong}") == "? syntax error\n\n"


# ------------------------------------------------------------------------------------------- Connect Four


def test_connect_four_is_played_by_columns():
    follow(
        engine("connect_four", "alphabeta:depth=3"),
        """
        > play b 4
        =
        > play w 4
        =
        > play b 8
        ? syntax error: cannot read '8': say the number of a column, from 1 to 7
        > play w 4
        ? illegal move: it is black's turn
        > play b d1
        ? syntax error: cannot read 'd1': say the number of a column, from 1 to 7
        > play b 3
        =
        > play w 5
        =
        > play b 2
        =
        > reg_genmove w
        = 1
        > play w 7
        =
        > genmove b
        = 1
        > gogui-rules_board
        = . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . O . . .
        X X X X O . O
        > final_score
        = B+
        > genmove w
        ? the game is over
        > boardsize 5 4
        =
        > gogui-rules_board_size
        = 5 4
        > boardsize 40 40
        ? unacceptable size
        """,
    )


def test_the_values_of_columns_stand_where_their_stones_would_land():
    e = engine("connect_four", "alphabeta:depth=2")
    for color, column in (("b", 4), ("w", 4), ("b", 1)):
        e.answer(f"play {color} {column}")
    rows = [line.split() for line in e.answer("ludus-values")[2:].strip().split("\n")]
    assert [len(row) for row in rows] == [7] * 6
    assert rows[5][3] == rows[4][3] == "0.000"  # stones
    heat = e.answer("ludus-heat")
    assert re.fullmatch(r"= INFLUENCE ([1-7] [01]\.\d+ ?)+\nTEXT \d .*\n\n", heat)


def test_an_engine_plays_connect_four_against_an_agent():
    other = f'gtp:"{sys.executable} -m ludus.cli gtp connect_four --agent greedy"'
    told = json.loads(cli("match", other, "random", "--game", "connect_four", "--games", "2", "--json"))
    assert told["games"] == 2 and not any(told["forfeits"].values())


# --------------------------------------------------------------------------- boards an agent cannot play on


class Small(Puppet):
    """Plays on small boards only, as a network of one size does."""

    def accept(self, game):
        if game.size > 5:
            raise LudusError("this network was trained for Hex 5×5")


def test_a_board_that_the_agent_cannot_play_on_is_refused_in_one_sentence(tmp_path):
    e = engine("hex", Small(first), size=5)
    e.answer("play b c3")
    assert e.answer("boardsize 7") == "? unacceptable size: this network was trained for Hex 5×5\n\n"
    assert e.answer(f"loadsgf {written(tmp_path, '(;GM[11]SZ[7];B[c3])')}").startswith("? unacceptable size: this")
    assert e.table.game.size == 5 and len(e.table.state.history) == 1
    assert e.answer("boardsize 4") == "= \n\n"


# ------------------------------------------------------------------------------------------------ garbage


def test_no_garbage_kills_the_engine_or_leaves_it_without_an_answer(tmp_path):
    dice = random.Random(3)
    file = written(tmp_path, GAME)
    words = ["b", "white", "3", "-1", "1e9", "a1", "pass", "none", "byoyomi", str(file), "/dev/zero", "..", "é", "\x07"]
    for game in ("go", "connect_four", "hex"):
        e = engine(game, "random", **({} if game == "connect_four" else {"size": 5}))
        names = [name for name in e.commands if name != "quit"]
        for _ in range(500):
            if dice.random() < 0.3:
                line = "".join(chr(dice.randrange(1, 400)) for _ in range(dice.randrange(30)))
            else:
                line = " ".join([dice.choice(names), *(dice.choice(words) for _ in range(dice.randrange(5)))])
            answer = e.answer(line)
            assert answer is None or (re.match(r"[=?]\d* ", answer) and answer.endswith("\n\n")), line
            assert answer is None or "\n\n" not in answer[:-2], line


def test_no_garbage_in_a_game_file_is_more_than_one_sentence(tmp_path):
    dice = random.Random(5)
    e = engine("go", "random", size=5)
    for number in range(300):
        text = bytearray(GAME.encode())
        for _ in range(dice.randrange(1, 6)):
            at, kind = dice.randrange(len(text)), dice.randrange(3)
            text[at : at + (kind < 2)] = b"" if kind == 0 else bytes([dice.randrange(256)])
        answer = e.answer(f"loadsgf {written(tmp_path, bytes(text))} {number % 7 + 1}")
        assert re.fullmatch(r"= \n\n|\? (cannot load file|unacceptable size).*\n\n", answer), text
