"""Game files of Go and Hex: what is written can be read again, and files of other programs, and bad ones."""

import json

import pytest

import ludus
from ludus.play.match import play
from ludus.play.record import AGREED, RULES, UNFINISHED, BadRecord, read_records
from ludus.play.sgf import read_collection, read_sgf, write_sgf
from tests.cli.test_cli import ludus as command
from tests.play.players import Illegal, Scripted

GO9 = """(;GM[1]FF[4]CA[UTF-8]AP[Sabaki:0.52.2]KM[7]SZ[9]DT[2024-05-01]PB[Ann (2k)]PW[Bob \\] jr]RU[Japanese]RE[W+R]
;B[ee]C[A comment [with\\] brackets
and a second line];W[gc]LB[ee:A]TR[gc]
(;B[cg];W[];B[tt])
(;B[gg];W[cc]))
"""
HEX = "(;FF[4]EV[a tournament]PB[one]PW[two]SZ[5:5]GM[11]RE[W+];W[c3];B[swap-pieces];W[b2];B[resign])"


@pytest.mark.parametrize(
    "name, options",
    [
        ("go", {"size": 5}),
        ("go", {"size": 9, "komi": -3.5}),
        ("go", {"size": 19}),
        ("hex", {"size": 3}),
        ("hex", {"size": 11, "starter": 1}),
        ("hex", {"size": 4, "swap": True}),
    ],
)
def test_what_is_written_is_read_again(name, options):
    game = ludus.make(name, **options)
    for seed in range(5):
        record = play(game, [ludus.agents.make_agent("random")] * 2, seed=seed, names=("a ] \\ b", "ö"))
        again, read = read_sgf(write_sgf(record, game))
        assert again == game and read.actions == record.actions
        assert (read.score, read.end, read.agents) == (record.score, record.end, record.agents)
        assert [turn.player for turn in read.turns] == [turn.player for turn in record.turns]
        assert list(read.replay(again))[-1].over


def test_a_swap_is_written_as_other_programs_do_and_read_again():
    game = ludus.make("hex", size=3, swap=True)
    record = play(game, [Scripted(0, 1, 2, 4), Scripted(9, 3, 5, 7)], names=("one", "two"))
    text = write_sgf(record, game)
    assert ";B[a1]" in text and ";W[swap-pieces]" in text
    assert read_sgf(text)[1].actions == record.actions


def test_a_forfeit_is_read_as_a_loss_of_the_one_who_forfeited():
    game = ludus.make("hex", size=3)
    record = play(game, [Scripted(0, 5), Illegal()], names=("one", "two"))
    _, read = read_sgf(write_sgf(record, game))
    assert (read.score, read.end, read.fault) == (1, "forfeit", 1)


def test_a_go_file_of_another_program_is_read_along_its_main_line():
    game, record = read_sgf(GO9)
    assert game == ludus.make("go", size=9, komi=7) and record.agents == ("Ann (2k)", "Bob ] jr")
    assert [game.write(action) for action in record.actions] == ["E5", "G7", "C3", "pass", "pass"]
    assert record.end == RULES  # two passes end it, whatever the file says


def test_a_hex_file_of_another_program_may_begin_with_white_and_end_with_a_resignation():
    game, record = read_sgf(HEX)
    assert game == ludus.make("hex", size=5, swap=True, starter=1)
    assert [game.write(action) for action in record.actions] == ["c3", "swap", "b2"]
    assert (record.score, record.end, record.fault) == (-1, "resign", 0)
    _, letters = read_sgf("(;GM[11]SZ[5];B[cb])")
    assert game.write(letters.actions[0]) == "c2"


@pytest.mark.parametrize(
    "told, score, end",
    [
        ("B+3.5", 1, AGREED), ("W+Resign", -1, "resign"), ("W+T", -1, "flag"), ("0", 0, AGREED),
        ("Void", 0, UNFINISHED), ("?", 0, UNFINISHED),
    ],
)  # fmt: skip
def test_a_game_that_is_not_over_has_the_result_its_file_tells(told, score, end):
    game, record = read_sgf(f"(;SZ[5]RE[{told}];B[cc])")
    assert (record.score, record.end) == (score, end)
    assert read_sgf(write_sgf(record, game))[1] == record


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "not an SGF game file: no SGF data found"),
        ("hello", "not an SGF game file"),
        ("(;B[aa]", "unexpected end of SGF data"),
        ("(;SZ[40])", "size out of range: 40"),
        ("(;SZ[9]KM[375])", "komi must be a number from -81 to 81, not 375"),
        ("(;SZ[9]KM[much])", "KM must be a number, not 'much'"),
        ("(;SZ[9]AB[cc][gg];W[aa])", "this file sets up stones (AB, AW or AE)"),
        ("(;SZ[9];B[aa];B[bb])", "move 2 (B[bb]) is out of turn: White is to move"),
        ("(;SZ[9];B[aa];W[aa])", "move 2 (W[aa]) cannot be played: A9 (action 72) is not legal here"),
        ("(;SZ[9];B[zz])", "move 1 (B[zz]) cannot be played: it is no point of this board"),
        ("(;SZ[9];B[];W[];B[aa])", "move 3 (B[aa]) cannot be played: the game is over"),
        ("(;GM[2]SZ[8])", "game number 2 (GM); games that can be read are 1 (Go) and 11 (Hex)"),
        ("(;GM[x]SZ[8])", "GM must be a number, not 'x'"),
        ("(;GM[11]SZ[9:11])", "boards are square here, but this file has 9:11 cells"),
        ("(;GM[11]SZ[5];B[f6])", "move 1 (B[f6]) cannot be played: cannot read 'f6'"),
        ("(;GM[11]SZ[5];B[a1];W[swap-sides])", "only a swap of pieces can be read"),
        ("(;GM[11]SZ[2])", "size must be a whole number from 3 to 19, not 2"),
    ],
)
def test_a_file_that_cannot_be_read_gets_one_sentence(text, sentence):
    with pytest.raises(BadRecord) as caught:
        read_sgf(text)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_records_are_read_from_lines_of_json_and_from_game_files(tmp_path):
    game = ludus.make("hex", size=3)
    record = play(game, [ludus.agents.make_agent("random")] * 2, seed=1)
    (tmp_path / "games.jsonl").write_text(record.line() + "\n" + record.line()[:50])
    (tmp_path / "two.sgf").write_text(write_sgf(record, game) + GO9)
    assert read_records(tmp_path / "games.jsonl") == [record]
    assert [r.game["name"] for r in read_records(tmp_path / "two.sgf")] == ["hex", "go"]
    assert len(list(read_collection(GO9 + HEX))) == 2
    (tmp_path / "bad.jsonl").write_text("{}\n")
    (tmp_path / "bad.sgf").write_bytes(b"\xff\x00")
    (tmp_path / "x.txt").write_text("")
    for name, sentence in {
        "bad.jsonl": "not the record of a match",
        "bad.sgf": "not an SGF game file",
        "x.txt": "read from .jsonl and .sgf files",
        "none.sgf": "no such file",
    }.items():
        with pytest.raises(BadRecord, match=sentence):
            read_records(tmp_path / name)


def test_a_position_comes_from_a_game_file(tmp_path):
    (tmp_path / "game.sgf").write_text("(;GM[11]SZ[4];B[b2];W[c3];B[d1])")
    answer = json.loads(command("solve", "--sgf", "game.sgf", "--move", "0", "--json", cwd=tmp_path))
    assert [move for move, value in answer["moves"].items() if value == 1] == ["d1", "c2", "b3", "a4"]
    assert len(json.loads(command("solve", "--sgf=game.sgf", "--json", cwd=tmp_path))["moves"]) == 13
    told = ["--agent", "mcts:simulations=50", "--json"]
    assert len(json.loads(command("explain", "--sgf", "game.sgf", "--move", "1", *told, cwd=tmp_path))["moves"]) == 15


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["--sgf", "none.sgf"], "ludus solve: cannot read none.sgf: no such file or directory\n"),
        (["--sgf", "bad.sgf"], "ludus solve: bad.sgf: this is not an SGF game file: no SGF data found\n"),
        (["hex", "--sgf", "game.sgf"], "a game file says which game it is of: ludus solve --sgf game.sgf\n"),
        (["--sgf", "game.sgf", "--move", "9"], "game.sgf has 1 moves, so --move is a number from 0 to 1, not 9\n"),
        (["--sgf", "game.sgf", "--position", "a1"], "leave out --position, or say --move N\n"),
        (["hex", "--move", "1"], "say --sgf FILE, too\n"),
        (["--sgf", "."], "is a directory\n"),
    ],
)
def test_a_bad_game_file_is_refused_in_one_sentence(tmp_path, arguments, sentence):
    (tmp_path / "game.sgf").write_text("(;GM[11]SZ[4];B[b2])")
    (tmp_path / "bad.sgf").write_text("nothing")
    said = command("solve", *arguments, code=2, cwd=tmp_path)
    assert said.endswith(sentence) and said.count("\n") == 1
