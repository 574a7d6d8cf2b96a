"""Computes the opening book of a solver: the true values of positions with few stones (Connect Four, Hex 7×7).

    .venv/bin/python experiments/opening_book.py connect_four runs/connect_four_book --minutes 60
    .venv/bin/python experiments/opening_book.py hex runs/hex_book --minutes 60

The folder keeps one line for every position that was solved, so the script may be killed and goes on where it was. It
follows perfect play of either side against every reply; for Connect Four it then takes all positions with 2, 3, 4 …
stones. With `--write` it solves nothing, and packs what the folder knows into the file that travels with the package.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np

import ludus
from ludus.agents import make_agent
from ludus.game import Action, Game, State
from ludus.learn.policy_agent import PolicyAgent
from ludus.search.solve import Solver

BOOKS = Path(__file__).parent.parent / "src" / "ludus" / "games"
TABLE_BYTES = 2 << 30


class ConnectFour:
    """How positions of Connect Four are numbered, and which ones the book is for."""

    game: ClassVar[Game] = ludus.make("connect_four")
    file, word = "connect_four.book", "<u4"
    follows_lost = True  # are positions that a player has lost followed further, for errors of the other one?
    stages = (*(("perfect", side, n) for n in range(8, 13) for side in (0, 1)), *(("all", 0, n) for n in range(2, 9)))

    def key(self, state: State) -> int:
        """A position and its mirror image as one number: each column from the bottom up in base 3, ended by a zero."""
        cells, mine = state.cells(), state.player + 1
        columns = []
        for c in range(self.game.width):
            stones = [cell for cell in reversed(cells[c :: self.game.width]) if cell]
            columns.append([1 if stone == mine else 2 for stone in stones])
        return min(self.number(columns), self.number(columns[::-1]))

    def number(self, columns: list[list[int]]) -> int:
        number = 0
        for c, column in enumerate(columns):
            for digit in [*column, 0] if c + 1 < len(columns) else column:
                number = 3 * number + digit
        return number

    def promising(self, state: State) -> list[Action]:
        """The actions, those in the centre first."""
        return sorted(state.actions(), key=lambda column: abs(2 * column + 1 - self.game.width))


class Hex:
    """The same for Hex 7×7, seen by the player to move, who joins top and bottom."""

    game: ClassVar[Game] = ludus.make("hex", size=7)
    file, word = "hex7.book", "<u8"
    follows_lost = False
    stages = tuple(("perfect", side, n) for side, n in ((1, 2), (0, 3), (0, 4), (1, 3), (0, 5), (1, 4)))

    def key(self, state: State) -> int:
        """A position and its half turn as one number: in base 50 how many stones I have, and where all are."""
        cells = np.array(state.cells()).reshape(7, 7)
        seen = cells if state.player == 0 else (3 * (cells > 0) - cells).T
        return min(self.number(seen.ravel()), self.number(seen.ravel()[::-1]))

    def number(self, cells: np.ndarray) -> int:
        mine, theirs = (np.flatnonzero(cells == player).tolist() for player in (1, 2))
        number = len(mine) + 1
        for cell in mine + theirs:
            number = 50 * number + cell + 1
        return number

    def promising(self, state: State) -> list[Action]:
        """The actions, those that a network likes first."""
        policy, _ = network().policy_and_value(state)
        return sorted(policy, key=policy.__getitem__, reverse=True)


@cache
def network() -> PolicyAgent:
    agent = make_agent("zoo:hex7")
    assert isinstance(agent, PolicyAgent)
    return agent


Opening = ConnectFour | Hex
OPENINGS: dict[str, Opening] = {"connect_four": ConnectFour(), "hex": Hex()}


class OutOfTime(Exception):
    """The minutes are over."""


class Values:
    """The values that are known so far, for the player to move, kept in a file."""

    def __init__(self, opening: Opening, folder: Path, end: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.opening = opening
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
        key = self.opening.key(state)
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
        if (key := self.opening.key(state)) not in self.known:
            self.known[key] = value
            self.file.write(f"{key} {value}\n")
            self.file.flush()

    def reply(self, state: State, value: int) -> Action:
        """An action that keeps the value of a position: all are tried for a short time, then for longer."""
        actions = self.opening.promising(state)
        if value < 0:  # nothing can be spoiled
            return actions[0]
        seconds = 0.1
        while True:
            for place, action in enumerate(actions):
                if self.of(state.play(action), max(0.02, seconds / (place + 1))) == -value:
                    return action
            seconds *= 4

    # ---------------------------------------------------------------------------------------- walks

    def perfect_play(self, side: int, stones: int) -> Iterator[State]:
        """Solves the positions that a perfect player of one side meets, and what it makes of them."""
        start, key = self.opening.game.start(), self.opening.key
        level = {key(start): start}
        for _ in range(stones):
            after: dict[int, State] = {}
            for state in level.values():
                value = self.of(state)
                assert value is not None
                children = [state.play(action) for action in state.actions()]
                if state.player == side:
                    if value < 0 and not self.opening.follows_lost:
                        continue
                    children = [state.play(self.reply(state, value))]
                for child in children:
                    if value < 0 and not child.over:
                        self.keep(child, 1)  # every action loses
                    if not child.over:
                        after.setdefault(key(child), child)
                yield state
            level = after
        yield from level.values()

    def all_positions(self, stones: int) -> Iterator[State]:
        """All positions with so many stones, mirror images once, those that are alike one after the other."""
        start, key = self.opening.game.start(), self.opening.key
        level = {key(start): start}
        for _ in range(stones):
            children = (state.play(action) for state in level.values() for action in state.actions())
            level = {key(child): child for child in children if not child.over}
        yield from level.values()


def solve(values: Values) -> None:
    """Works through the stages until the time is up."""
    for kind, side, stones in values.opening.stages:
        began, before = time.process_time(), len(values.known)
        walk = values.perfect_play(side, stones) if kind == "perfect" else values.all_positions(stones)
        for state in walk:
            values.of(state)
        print(f"{kind} {side} {stones}: {len(values.known) - before:,} more positions, {len(values.known):,} in all, "
              f"{time.process_time() - began:.0f} s of processor time", flush=True)  # fmt: skip


def write(opening: Opening, known: dict[int, int]) -> None:
    """The book: sorted words, each a position and, in the lowest two bits, its value plus one."""
    words = np.array(sorted(4 * key + value + 1 for key, value in known.items()), opening.word)
    words.tofile(BOOKS / opening.file)
    print(f"{len(words):,} positions, {words.nbytes:,} bytes in {opening.file}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(OPENINGS))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    opening = OPENINGS[chosen.game]
    if chosen.write:
        return write(opening, Values(opening, chosen.folder, 0).known)
    try:
        solve(Values(opening, chosen.folder, time.time() + 60 * chosen.minutes))
    except OutOfTime:
        print("the time is up; the same command goes on from here")
    return None


if __name__ == "__main__":
    main()
