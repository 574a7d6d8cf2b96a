"""Computes the book of the Connect Four solver: the true values of positions with few stones.

    .venv/bin/python experiments/connect_four_book.py runs/connect_four_book --minutes 60

The folder keeps one line for every position that was solved, so the script may be killed and goes on where it was. It
first follows perfect play of either side against every reply, then takes all positions with 2, 3, 4 … stones. With
`--write` it solves nothing, and packs what the folder knows into the file that travels with the package.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import ludus
from ludus.game import Action, State
from ludus.search.solve import Solver

GAME = ludus.make("connect_four")
BOOK = Path(__file__).parent.parent / "src" / "ludus" / "games" / "connect_four.book"
TABLE_BYTES = 2 << 30
STONES = 12  # a position with more of them does not fit into a word
STAGES = [*(("perfect", stones) for stones in range(8, 13)), *(("all", stones) for stones in range(2, 9))]
CENTRE_FIRST = sorted(range(GAME.width), key=lambda column: abs(2 * column + 1 - GAME.width))


class OutOfTime(Exception):
    """The minutes are over."""


def key_of(state: State) -> int:
    """A position and its mirror image as one number: each column from the bottom up in base 3, ended by a zero."""
    cells, mine = state.cells(), state.player + 1
    columns = []
    for c in range(GAME.width):
        stones = [cell for cell in reversed(cells[c :: GAME.width]) if cell]
        columns.append([1 if stone == mine else 2 for stone in stones])
    return min(number_of(columns), number_of(columns[::-1]))


def number_of(columns: list[list[int]]) -> int:
    number = 0
    for c, column in enumerate(columns):
        for digit in [*column, 0] if c + 1 < len(columns) else column:
            number = 3 * number + digit
    return number


class Values:
    """The values that are known so far, for the player to move, kept in a file."""

    def __init__(self, folder: Path, end: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path, self.end = folder / "values.txt", end
        lines = self.path.read_text().splitlines(keepends=True) if self.path.exists() else []
        pairs = [line.split() for line in lines if line.endswith("\n")]  # the last line may have been cut by a kill
        self.known = {int(key): int(value) for key, value in pairs}
        self.solver = Solver(TABLE_BYTES)
        self.file = self.path.open("a")
        if lines and not lines[-1].endswith("\n"):
            self.file.write("\n")

    def of(self, state: State, seconds: float | None = None) -> int | None:
        """The value of a position; None if it was not proven in time."""
        if state.over:
            return int(state.score(state.player))
        key = key_of(state)
        if key not in self.known:
            if time.time() > self.end:
                raise OutOfTime
            value = self.solver.value(state, seconds)
            if value is None:
                return None
            self.keep(state, value)
        return self.known[key]

    def keep(self, state: State, value: int) -> None:
        """Writes a value down."""
        if (key := key_of(state)) not in self.known:
            self.known[key] = value
            self.file.write(f"{key} {value}\n")
            self.file.flush()

    def reply(self, state: State, value: int) -> Action:
        """An action that keeps the value of a position: all are tried for a short time, then for longer."""
        actions = [action for action in CENTRE_FIRST if action in state.actions()]
        if value < 0:  # nothing can be spoiled
            return actions[0]
        seconds = 0.05
        while True:
            for action in actions:
                if self.of(state.play(action), seconds) == -value:
                    return action
            seconds *= 4


def perfect_play(values: Values, side: int, stones: int) -> Iterator[State]:
    """Solves the positions that a perfect player of one side meets, and what it makes of them."""
    level = {key_of(GAME.start()): GAME.start()}
    for _ in range(stones):
        after: dict[int, State] = {}
        for state in level.values():
            value = values.of(state)
            assert value is not None
            children = [state.play(action) for action in state.actions()]
            if state.player == side:
                children = [state.play(values.reply(state, value))]
            for child in children:
                if value < 0 and not child.over:
                    values.keep(child, 1)  # every action loses
                if not child.over:
                    after.setdefault(key_of(child), child)
            yield state
        level = after


def all_positions(stones: int) -> Iterator[State]:
    """All positions with so many stones, mirror images once, those that are alike one after the other."""
    level = {key_of(GAME.start()): GAME.start()}
    for _ in range(stones):
        children = (state.play(action) for state in level.values() for action in state.actions())
        level = {key_of(child): child for child in children if not child.over}
    yield from level.values()


def solve(values: Values) -> None:
    """Works through the stages until the time is up."""
    for kind, stones in STAGES:
        began, before = time.process_time(), len(values.known)
        for side in (0, 1) if kind == "perfect" else (0,):
            walk = perfect_play(values, side, stones) if kind == "perfect" else all_positions(stones)
            for state in walk:
                values.of(state)
        print(f"{kind} {stones}: {len(values.known) - before:,} more positions, {len(values.known):,} in all, "
              f"{time.process_time() - began:.0f} s of processor time", flush=True)  # fmt: skip


def write(known: dict[int, int]) -> None:
    """The book: sorted words of 32 bits, each a position and, in the lowest two bits, its value plus one."""
    words = np.array(sorted(4 * key + value + 1 for key, value in known.items()), "<u4")
    words.tofile(BOOK)
    print(f"{len(words):,} positions, {BOOK.stat().st_size:,} bytes in {BOOK.name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    if chosen.write:
        return write(Values(chosen.folder, 0).known)
    try:
        solve(Values(chosen.folder, time.time() + 60 * chosen.minutes))
    except OutOfTime:
        print("the time is up; the same command goes on from here")
    return None


if __name__ == "__main__":
    main()
