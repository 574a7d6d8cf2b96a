"""The side of the course's manager, byte for byte: `python3 FILE`, its name, a line of flags, then boards for moves."""

import re
import subprocess
import sys

from tests.courses import csc384_boards as boards


class Seat:
    """A program that plays one colour. Everything that it writes to its standard output is kept."""

    def __init__(self, file, color, flags="-1,0,0,0", python=(sys.executable,), cwd=None, **more):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen([*python, str(file)], cwd=cwd, **pipes, **more)
        self.color = color
        self.name = self.process.stdout.readline().decode("ascii")
        self.said = [self.name]
        self.write(f"{color},{flags}" if flags else str(color))

    def write(self, line):
        self.process.stdin.write(f"{line}\n".encode("ascii"))
        self.process.stdin.flush()

    def ask(self, board):
        dark, light = (sum(row.count(disc) for row in board) for disc in (1, 2))
        self.write(f"SCORE {dark} {light}")
        self.write(str(board))
        self.said.append(self.process.stdout.readline().decode("ascii"))
        assert re.fullmatch(r"\d+ \d+\n", self.said[-1]), (self.said[-1], self.process.stderr.read())
        return tuple(map(int, self.said[-1].split()))

    def leave(self, last=None):
        """The manager is gone, perhaps after a last line. Returns what the program says then, and to its errors."""
        rest, errors = self.process.communicate(f"{last}\n".encode() if last else None, timeout=60)
        assert self.process.returncode == 0, errors
        return rest.decode(), errors.decode()

    def kill(self):
        """As the manager ends every game."""
        self.process.kill()
        return self.process.communicate(timeout=60)


def play(dark, light, size):
    """A whole game; refuses an illegal move. The first board is lists, all others are tuples. The final discs."""
    board, color, seats = [list(row) for row in boards.start(size)], 1, {1: dark, 2: light}
    while moves := boards.legal(boards.cells_of(board), color):
        move = seats[color].ask(board)
        assert move in moves
        board = boards.board_of(boards.after(boards.cells_of(board), move, color))
        color = 3 - color
    return tuple(sum(row.count(disc) for row in board) for disc in (1, 2))
