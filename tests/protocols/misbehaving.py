"""A program for the Othello pipe that plays legal random moves and, in many games, does one bad thing.

    python3 -S -E misbehaving.py FOLDER [SIN [TURN]]

A sin is committed on the given turn (0: before the name is said). Without a sin, the processes are counted by files in
the folder: every other one has none, and the others commit all of SINS one after the other, on an early turn.
"""

import ast
import os
import signal
import sys
import time
from random import Random

SINS = [
    "hang", "deaf", "late", "rubbish", "bytes", "flood", "chatter", "exit", "kill", "illegal", "mute",
    "sleeper", "daemon",
]  # fmt: skip


def main(arguments):
    number = 0 if len(arguments) > 1 else number_in(arguments[0])
    dice = Random(number)
    sin = arguments[1] if len(arguments) > 1 else SINS[number // 2 % len(SINS)] if number % 2 else "none"
    turn = int(arguments[2]) if len(arguments) > 2 else 1 + number // (2 * len(SINS)) % 3
    if turn == 0:
        commit(sin)
    say("Misbehaving")
    color = int(sys.stdin.readline().split(",")[0])
    for number, _ in enumerate(sys.stdin, start=1):  # the line with the score
        board = ast.literal_eval(sys.stdin.readline())
        if number == turn:
            commit(sin)
        column, row = dice.choice(moves(board, color))
        say(f"{column} {row}")


def number_in(folder):
    """How many processes were there before this one? Each makes a file, and no two of them the same."""
    number = 0
    while True:
        try:
            os.close(os.open(os.path.join(folder, str(number)), os.O_CREAT | os.O_EXCL))
            return number
        except FileExistsError:
            number += 1


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def commit(sin):
    """Does one bad thing. After some of them the game goes on."""
    if sin == "hang":
        time.sleep(60)
    if sin == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)
    if sin == "late":
        time.sleep(1)
    if sin == "rubbish":
        say("I think I shall take the corner")
    if sin == "bytes":
        os.write(1, b"\xff\xfe\x00\n")
    if sin == "flood":
        os.write(1, b"7" * 2**20)
        time.sleep(60)
    if sin == "chatter":
        while True:
            os.write(1, b"0 0\n" * 1000)
    if sin == "exit":
        print("I have had enough", file=sys.stderr)
        os._exit(3)
    if sin == "kill":
        os.kill(os.getpid(), signal.SIGSEGV)
    if sin == "illegal":
        say("0 99")
    if sin == "mute":
        os.close(1)
        time.sleep(60)
    if sin == "sleeper" and os.fork() == 0:
        time.sleep(60)
    if sin == "daemon":
        daemon()
    if sin == "memory":
        hog = [bytearray(2**20) for _ in range(100_000)]
        say(str(len(hog)))


def daemon():
    """Leaves a process behind that has another parent, a session of its own and no pipes."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            time.sleep(60)
        os._exit(0)
    os.wait()


def moves(board, color):
    """The legal moves (column, row)."""
    size = len(board)

    def turns(column, row, right, down):
        for steps in range(1, size):
            x, y = column + steps * right, row + steps * down
            if not (0 <= x < size and 0 <= y < size) or board[y][x] == 0:
                return False
            if board[y][x] == color:
                return steps > 1
        return False

    ways = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
    cells = [(column, row) for column in range(size) for row in range(size) if board[row][column] == 0]
    return [cell for cell in cells if any(turns(*cell, *way) for way in ways)]


if __name__ == "__main__":
    main(sys.argv[1:])
