"""A newcomer's mistake gets one sentence, and every kind of terminal can show the output."""

import os
import subprocess

import pytest

from tests.cli.test_cli import LUDUS, ludus

NIM = ("match", "random", "random", "--game", "nim", "--games", "2")
TOO_LARGE = str(2**64)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("columns", ["", "wide", "0", "-5", "7", "²", "9" * 30])
def test_a_screen_width_that_is_no_number_is_ignored(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    assert "random" in ludus(*NIM)
    assert "--games" in ludus("match", "--help")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "UTF-8"])
@pytest.mark.parametrize(
    "arguments",
    [
        NIM,
        (*NIM, "--show"),
        ("tournament", "random", "greedy", "flat:games=1", "--game", "hex", "--size", "3", "--games", "2"),
        ("--help",),
        ("match", "--help"),
        ("games",),
        ("agents",),
        ("zoo",),
        ("solve", "nim", "--stones", "200", "--most", "199"),
    ],
)
def test_any_terminal_can_show_it(arguments, encoding):
    done = subprocess.run(
        [LUDUS, *arguments], capture_output=True, timeout=300, env=os.environ | {"PYTHONIOENCODING": encoding}
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr and done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_complaints_can_be_printed_in_any_encoding(encoding, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    assert "--size must be a whole number, not 'x'" in ludus(*NIM[:4], "hex", "--size", "x", code=2)
    assert "unrecognized options: --siz" in ludus(*NIM[:4], "hex", "--siz", "3", code=2)


@pytest.mark.parametrize(
    "arguments",
    [
        (*NIM, "--seed", TOO_LARGE),
        (*NIM, "--seed", "-1"),
        ("topp", "nowhere", "--seed", TOO_LARGE),
        ("check", "nim", "--seed", TOO_LARGE),
        ("explain", "hex", "--seed", TOO_LARGE),
        ("gtp", "go", "--seed", TOO_LARGE),
        ("play", "nim", "--seed", TOO_LARGE),
        ("othello-agent", "--seed", TOO_LARGE),
        ("demo", "--seed", TOO_LARGE),
    ],
)
def test_a_seed_has_64_bits(arguments):
    assert "seed must be a whole number from 0 to 18446744073709551615" in ludus(*arguments, code=2)


def test_the_largest_seed_plays():
    assert "random scored" in ludus(*NIM, "--seed", str(2**64 - 1))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solve", "nim", "--seconds", "0"), "seconds must be above 0"),
        (("solve", "nim", "--table", "0"), "table must be a whole number from 1 to 1048576, not 0"),
        ((*NIM, "--games", "9" * 20), "games must be a whole number from 1 to 1000000"),
        ((*NIM, "--workers", "100000"), "workers must be a whole number from 0 to 1024"),
        ((*NIM, "--pause", "nan"), "pause must be a number from 0 to 3600"),
        ((*NIM, "--show", "-2"), "show is how many games to draw, 0 or more, not -2"),
        (("oht", "serve", "--port", "80x"), "--port must be a whole number or None, not '80x'"),
        (("oht", "serve", "--port", "-1"), "ludus oht: port must be a whole number from 0 to 65535, not -1"),
        (("oht", "serve", "--league-every", "x"), "--league-every must be a number or None, not 'x'"),
        (
            (
                "oht",
                "serve",
                *(word for port in ("", "json-", "league-", "api-") for word in (f"--{port}port", "None")),
            ),
            "a server needs a port",
        ),
        (
            ("oht", "play", "--server", "h", "--agent", "random", "--protocol", "xml"),
            "--protocol must be json or text, not 'xml'",
        ),
        (("topp",), "RUN"),
        (("check",), "GAME"),
        (("play", "hex", "--size", "7", "--against", "zoo:hex5"), "hex"),
    ],
)
def test_mistakes_get_the_sentence_that_fits_them(arguments, words):
    said = ludus(*arguments, code=2)
    assert words in said and len(said.strip().splitlines()) == 1


def test_a_valid_number_of_seconds_is_not_blamed():
    assert "60" not in ludus("solve", "nim", "--table", "0", code=2)


def test_a_folder_that_cannot_be_made_is_named_without_a_number():
    said = ludus(*NIM, "--out", "/dev/null/here", code=1)
    assert "/dev/null" in said and "Errno" not in said


BROKEN = """
class Broken:
    num_actions = 2

    def __init__(self, left=3, player=0):
        self.left, self.player = left, player

    @property
    def over(self):
        return self.left <= 0

    def score(self, player):
        return 1 if player else -1

    def actions(self):
        return [] if self.over else [0, 1]

    def play(self, action):
        return Broken(self.left - action - 1, 1 - self.player)
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("return 1 if player else -1", "raise RuntimeError('no idea')", "score(0) raised RuntimeError: no idea (after"),
        ("return 1 if player else -1", "return None", "score(0) must be +1, 0 or -1, not None (after"),
        ("return self.left <= 0", "return 1 / 0", "its first state raised ZeroDivisionError"),
        ("return [] if self.over", "return 1 / 0 if self.over", "actions() raised ZeroDivisionError"),
        ("num_actions = 2", "num_actions = 2\n    def draw(self): raise KeyError('x')", "draw() raised KeyError"),
    ],
)
def test_check_names_the_part_that_raised_and_the_state(old, new, words, tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN.replace(old, new))
    assert words in ludus("check", "broken.py:Broken", code=2)


def test_a_game_whose_first_state_fails_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN.replace("return self.left <= 0", "return 1 / 0"))
    said = ludus("match", "random", "random", "--game", "broken.py:Broken", code=2)
    assert "broken.py:Broken cannot be made: ZeroDivisionError" in said


def test_a_game_that_raises_while_a_person_plays_it_is_told_in_a_sentence(tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN.replace("return Broken(", "1 / (self.left - 3)\n        return Broken("))
    said = ludus("play", "broken.py:Broken", "--against", "random", code=2, input="0\n" * 9)
    assert "Broken raised ZeroDivisionError" in said and "Traceback" not in said


def test_solve_keeps_its_time_and_prints_some_dozens_of_moves():
    text = ludus("solve", "nim", "--stones", "1000000", "--most", "1000000", "--seconds", "2")
    assert "to move: win" in text and len(text) < 3000
    seconds = float(text.partition("to move: win   (")[2].partition(" s)")[0])
    assert seconds < 40  # two, and some more on a busy machine; without a limit, minutes
    assert " … and " in text and " more\n" in text
