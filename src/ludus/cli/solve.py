"""`ludus solve GAME`: the truth, where it can be proven."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from ludus.cli import options as flags
from ludus.errors import BadOption, whole_option
from ludus.game import Game, State, native
from ludus.search.limits import FOREVER
from ludus.search.solve import MOST_THREADS, Solver
from ludus.system import cores

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]
WORDS = {1: "win", 0: "draw", -1: "loss", None: "unknown"}

MOST = 60  # moves of one value that are printed; --json has them all


@dataclass(frozen=True)
class Solve(flags.Position):
    """The result under perfect play, and the value of every move. Never a guess: what is not proven is unknown."""

    seconds: float = 60.0  # after which the rest is unknown
    table: int = 256  # memory for the solver, in megabytes
    threads: int | None = None  # that work together (Connect Four, Hex); without it one for each core
    json: Flag = False  # print JSON

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= FOREVER:
            raise BadOption(f"seconds must be above 0 and at most {FOREVER:g}, not {self.seconds:g}")
        whole_option("table", self.table, 1, 1 << 20)
        if self.threads is not None:
            whole_option("threads", self.threads, 1, MOST_THREADS)


def main(arguments: list[str]) -> None:
    game, state, options = flags.read_position("solve", Solve, arguments)
    answer = solve(game, state, options)
    if options.json:
        moves = {game.write(action): value for action, value in answer["moves"].items()}
        needs = answer["needs"] and [game.write(action) for action in answer["needs"]]
        print(json.dumps(answer | {"moves": moves, "needs": needs}, indent=1))
    else:
        print(text(game, state, answer))


def solve(game: Game, state: State, options: Solve) -> dict[str, Any]:
    """The value, the score where the game has one, and the value of every action.

    The value of the state comes first, with half of the time, because it matters most; what it needed is remembered.
    """
    solver, began = Solver(options.table << 20, options.threads or cores()), time.perf_counter()
    left = options.seconds
    score: float | None = None
    if game.unit is not None:
        score = native(state).margin(state.player) if state.over else solver.margin(state, left)
    value: int | None
    if score is not None:
        value = (score > 0) - (score < 0)
    else:
        left = max(1e-3, options.seconds - (time.perf_counter() - began))
        value = solver.value(state, left / 2)
    left = max(1e-3, options.seconds - (time.perf_counter() - began))
    moves = solver.actions(state, left) if not state.over else {}
    return {
        "value": best_of(moves) if value is None and moves else value,
        "score": score,
        "moves": moves,
        "needs": solver.needs(state, left) if value is not None and not state.over else None,
        "seconds": round(time.perf_counter() - began, 6),
    }


def best_of(moves: dict[int, int | None]) -> int | None:
    """The value of a state, as far as the values of its moves tell it: a win is a win whatever is unknown."""
    if 1 in moves.values():
        return 1
    known = [value for value in moves.values() if value is not None]
    return max(known) if len(known) == len(moves) else None


def text(game: Game, state: State, answer: dict[str, Any]) -> str:
    lines = [game.draw(state), ""]
    result = WORDS[answer["value"]]
    lead = answer["score"]
    points = "" if lead is None else f", {lead:+g} {game.unit}{'' if abs(lead) == 1 else 's'}"
    if answer["value"] is None and not Solver(1 << 20).can(state):
        result = "unknown, because this board is too large for the solver"
    who = f"player {state.player} to move" if not state.over else "the game is over; for the player to move"
    lines.append(f"{who}: {result}{points}   ({answer['seconds']:.3f} s)")
    for value in (1, 0, -1, None):
        moves = [action for action, found in answer["moves"].items() if found == value]
        if moves:
            more = f" … and {len(moves) - MOST:,} more" if len(moves) > MOST else ""
            lines.append(f"  {WORDS[value]:<8} {' '.join(game.write(action) for action in moves[:MOST])}{more}")
    if answer["needs"]:
        cells = " ".join(game.write(action) for action in answer["needs"])
        lines.append(f"  the winner needs only {cells}: it would win even if all other cells were the loser's")
    return "\n".join(lines)
