"""`ludus solve GAME`: the truth, where it can be proven."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from ludus.cli.position import Position, read_position
from ludus.errors import BadOption
from ludus.game import Game, State, native
from ludus.search.solve import Solver

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]
WORDS = {1: "win", 0: "draw", -1: "loss", None: "unknown"}


@dataclass(frozen=True)
class Solve(Position):
    """The result under perfect play, and the value of every move. Never a guess: what is not proven is unknown."""

    seconds: float = 60.0  # after which the rest is unknown
    table: int = 256  # memory for the solver, in megabytes
    json: Flag = False  # print JSON


def main(arguments: list[str]) -> None:
    game, state, options = read_position("solve", Solve, arguments)
    if options.seconds <= 0 or not 1 <= options.table <= 1 << 20:
        raise BadOption(f"seconds must be above 0 (not {options.seconds}) and table 1 to 1048576 (not {options.table})")
    answer = solve(game, state, options)
    if options.json:
        print(json.dumps(answer, indent=1))
    else:
        print(text(game, state, answer))


def solve(game: Game, state: State, options: Solve) -> dict[str, Any]:
    """The value, the score where the game has one, and the value of every move."""
    solver, began = Solver(options.table << 20), time.perf_counter()
    left = options.seconds
    score: float | None = None
    if game.unit is not None:
        score = native(state).margin(state.player) if state.over else solver.margin(state, left)
    left = max(1e-3, options.seconds - (time.perf_counter() - began))
    moves = solver.actions(state, left) if not state.over else {}
    value = best_of(moves) if moves else solver.value(state)
    if score is not None:
        value = (score > 0) - (score < 0)
    elif value is None:
        left = options.seconds - (time.perf_counter() - began)
        value = solver.value(state, left) if left > 0 else None
    return {
        "value": value,
        "score": score,
        "moves": {game.write(action): move for action, move in moves.items()},
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
        moves = [move for move, worth in answer["moves"].items() if worth == value]
        if moves:
            lines.append(f"  {WORDS[value]:<8} {' '.join(moves)}")
    return "\n".join(lines)
