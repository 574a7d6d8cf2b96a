"""Answers that are no moves: the game is lost, the session ends, and nothing that was sent is ever evaluated."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.protocols.oht.serving.line import Nonsense
from ludus.protocols.oht.serving.text_wire import read_move
from tests.oht.arena import in_arena
from tests.oht.crowd import LENGTH, hear

CODE = "__import__('os').system('touch was_evaluated')"
TEXTS = [
    CODE,
    f"({CODE}, 0)",
    "(exec('1'), 2)",
    "(0, 0) if open('was_evaluated', 'w') else 1",
    " ",
    "(0)",
    "(0, 0, 0)",
    "0",
    "()",
    "None",
    "(1.0, 1.0)",
    "(True, False)",
    "(0, 3)",
    "(-1, 0)",
    "(3, 0)",
    "(999999, 999999)",
    "(0x1, 0)",
    "(1_0, 0)",
    "('0', '0')",
    "(np.int64(1), np.int64(2))",
    "(" + "9" * 900 + ", 0)",
    "(" * 500 + "0, 0" + ")" * 500,
    "[[[[0, 0]]]]",
    "Series start",
    "Tournament end",
    "(0, 0)\0",
    "(0, 0" + " " * 1000 + "x",
    "(٣, ٣)",
    "\x1b[2J\x07",
    "🂡" * 200,
]


@in_arena(settings={"games": 100})
async def test_a_text_that_is_no_move_is_an_illegal_action(arena):
    answers = [*(text.encode() for text in TEXTS), b"\xff\xfe(0, 0)", b"\x80" * 1024]
    for answer in answers:
        link, state = await arena.in_a_game("text", official=True)
        link.send(answer)
        heard = [await link.record() for _ in range(3)]
        link.cut()
        assert heard[0] == b"Illegal action", answer
        assert list(ast.literal_eval(heard[1].decode())) == state
        said = ast.literal_eval(heard[2].decode())  # as the client reads it: a tuple, or what was sent as a text
        assert isinstance(said, tuple | str) and all(len(record) <= 1024 for record in heard)
        await arena.calm()
    assert [game.ended for game in arena.played()] == ["illegal"] * len(answers)
    assert not Path("was_evaluated").exists()


JSONS = [
    b'"' + CODE.encode() + b'"',
    b"[0, 0, 0]",
    b"[0]",
    b"[]",
    b"[0.0, 0.0]",
    b"[true, false]",
    b"[null, null]",
    b"[0, 3]",
    b"[-1, 0]",
    b"[1e400, 0]",
    b"[NaN, Infinity]",
    b"{}",
    b'{"row": 0, "col": 0}',
    b"[[0, 0]]",
    b'["0", "0"]',
    b"[" + b"9" * 1000 + b", 0]",
    b"[" * 1024,
    b"[" * 500 + b"]" * 500,
    b'{"a":' * 200,
    b"0",
    b"null",
    b"true",
    b"[0, 0",
    b"\xff\xfe",
    b'"\\ud800"',
    b"\x80" * 1024,
    b"\0" * 8,
    b" ",
]


@in_arena(settings={"games": 100})
async def test_json_that_is_no_move_is_told_as_an_error(arena):
    for answer in JSONS:
        link, _ = await arena.in_a_game("json", official=True)
        link.send(LENGTH.pack(len(answer)) + answer)
        told = await hear(link)
        link.cut()
        assert told["topic"] == "error", answer
        assert "is not a move" in told["error"] or "is not a legal move" in told["error"], answer
        await arena.calm()
    assert [game.ended for game in arena.played()] == ["illegal"] * len(JSONS)


@in_arena(settings={"games": 100})
async def test_a_length_that_no_answer_has_ends_the_session_at_once(arena):
    """Before the body is read, which may be as long as it likes."""
    async with arena.others():
        for length in (0, -1, -(2**31), 1025, 10**6, 2**31 - 1):
            link, _ = await arena.in_a_game("json")
            link.send(LENGTH.pack(length))
            told = await hear(link)
            assert told["topic"] == "error" and f"{length} bytes" in told["error"]
            link.cut()
            login = await arena.link("json")
            await hear(login)
            login.send(LENGTH.pack(length) + b'"a token"' * 20)
            assert (await hear(login))["topic"] == "error"
            login.cut()


TOKENS = [b"null", b"[]", b"12", b'"\\u0000"', b'"\\ud800"', b'""', b"\xff", b"{" * 1000, b'"' + b"x" * 1000 + b'"']


@in_arena()
async def test_a_token_that_is_none_is_refused(arena):
    for token in TOKENS:
        for door in ("json", "league"):
            link = await arena.link(door)
            await hear(link)
            link.send(LENGTH.pack(len(token)) + token)
            assert (await hear(link))["topic"] == "error", token
            link.cut()


@in_arena()
async def test_a_legal_move_in_an_unusual_spelling_is_a_move(arena):
    """Whatever a client's str() of a pair of whole numbers may be."""
    for spelling in ("(%d, %d)", "[%d, %d]", "%d,%d", " ( %d , %d ) ", "(%d,%d)\n", "(%d, %d,)"):
        link, state = await arena.in_a_game("text")
        link.send((spelling % divmod(state.index(0, 1) - 1, 3)).encode())
        assert await link.record() != b"Illegal action"
        link.cut()


@pytest.mark.parametrize("said", ["({0}1{0},{0}2{0},{0}){0}", "{0}1{0},{0}2{0}", "{0}[{0}1,2{0}]{0}"])
def test_white_space_does_not_count_in_a_move(said):
    assert read_move(said.format(" \t")) == (1, 2)
    with pytest.raises(Nonsense):
        read_move(said.format(" \t") + "x")


def test_a_long_answer_is_read_in_one_go():
    """A pattern that tried every way to divide the white space would need hours for this, and stop the server."""
    code = (
        "from ludus.protocols.oht.serving.line import Nonsense\n"
        "from ludus.protocols.oht.serving.text_wire import read_move\n"
        "for said in ('{}x', '(1,{}x', '1{},x', '1,1{}x', '1,1{},{}x', '1,1,{}){}x'):\n"
        "    try:\n        read_move(said.replace('{}', ' ' * 100_000))\n        raise SystemExit(said)\n"
        "    except Nonsense:\n        pass\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@in_arena()
async def test_a_cell_that_is_taken_is_no_move(arena):
    link, state = await arena.in_a_game("text", official=True)
    move = divmod(state.index(0, 1) - 1, 3)
    link.send(str(move).encode())
    await link.record()
    link.send(str(move).encode())
    assert await link.record() == b"Illegal action"
    link.cut()
    await arena.calm()
    assert move in arena.played()[0].moves and arena.played()[0].ended == "illegal"
