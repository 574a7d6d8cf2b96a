"""The agent's side of the pipe to the course's manager: its name, a line of flags, then boards for moves.

Ludus has the same for any agent in protocols/othello_pipe.py; this one is plain Python 3.7 and needs nothing of Ludus,
because it becomes a part of the agent files that files.py writes.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from ludus.courses.csc384.nodes import search_in_time
from ludus.courses.csc384.values import compute_heuristic
from ludus.protocols.othello_rules import get_possible_moves

if TYPE_CHECKING:
    from typing import Any, TextIO

    from ludus.protocols.othello_rules import Board, Move

SHARE = 0.6  # of the seconds that a plain search uses; a busy machine may need the rest


def eprint(*args: Any, **kwargs: Any) -> None:
    """Prints to standard error, because standard output belongs to the manager."""
    print(*args, file=sys.stderr, **kwargs)


def run_ai(strength: str = "graded", name: str = "Ludus", seconds: float = 10.0, ludus: str = "") -> None:
    """Plays one game with the manager, which gives `seconds` for a move; `ludus` is a Python that has Ludus."""
    if strength != "graded" and not find_ludus(ludus):
        strength = "plain"
    out, sys.stdout = sys.stdout, sys.stderr  # nothing but the name and moves goes to the manager
    try:
        tell(out, name)
        flags = [1, -1, 0, 0, 0]
        for line in sys.stdin:
            if line.startswith("FINAL"):
                break
            read = read_line(line)
            if read and isinstance(read[0], int):
                flags[: len(read)] = read[:5]
            elif read:
                move = choose(read, flags, strength, seconds)
                if move:
                    tell(out, "{} {}".format(*move))
    except BrokenPipeError:  # the manager is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    finally:
        sys.stdout = out


def tell(out: TextIO, text: str) -> None:
    out.write(text + "\n")
    out.flush()


def read_line(line: str) -> Any:
    """What a line of the manager holds: the rows of a board, the numbers of its flags, or nothing of use."""
    try:
        read = ast.literal_eval(line.strip())
        if isinstance(read, int):
            return [read]
        if all(isinstance(number, int) for number in read):
            return list(read)
        board = tuple(map(tuple, read))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    whole = all(len(row) == len(board) and all(cell in (0, 1, 2) for cell in row) for row in board)
    return board if whole else None


def choose(board: Board, flags: list[int], strength: str, seconds: float) -> Move | None:
    """A legal move, in time, whatever happens; None if there is none."""
    began = time.monotonic()
    color, limit, minimax, caching, ordering = flags
    if strength == "graded":
        return search_in_time(board, color, limit, minimax, caching, ordering, SHARE * seconds)
    try:
        if strength != "plain":
            from ludus.courses.csc384.strengths import select_move

            move: Move = select_move(board, color, strength, seconds)
            if move in get_possible_moves(board, color):
                return move
    except Exception as error:
        eprint(f"{strength} could not be asked for a move, so a plain search plays: {error}")
    return search_in_time(board, color, -1, 0, 1, 1, SHARE * seconds - (time.monotonic() - began), compute_heuristic)


def find_ludus(python: str) -> bool:
    """Is Ludus installed? If another Python has it, that one takes over before the manager has heard anything."""
    try:
        import ludus.courses.csc384.strengths  # noqa: F401

        return True
    except Exception:  # it is not there, or needs a newer Python
        pass
    if python and python != sys.executable and has_ludus(python):
        os.execv(python, [python, os.path.abspath(sys.argv[0])])
    eprint(f"Ludus is not installed for {sys.executable}, so a plain search plays")
    return False


def has_ludus(python: str) -> bool:
    try:
        command, where = [python, "-c", "import ludus.courses.csc384.strengths"], os.path.dirname(python)
        nothing = subprocess.DEVNULL
        return subprocess.call(command, stdin=nothing, stdout=nothing, stderr=nothing, cwd=where, timeout=60) == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
