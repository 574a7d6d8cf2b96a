"""Positions from our own games, with the action that a search chose and the result: what networks learn from.

A data set is a list of (state, action, result), the result seen by Black. On disk it is a file of JSON lines, one
for each position, which can be read without running any code; the course's own files are pickles and are not read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ludus._core import Rng
from ludus.agents import MctsAgent
from ludus.courses.brown.go_search_problem import Action, GoState
from ludus.courses.brown.go_utils import course_go
from ludus.courses.brown.states import native_of
from ludus.errors import LudusError, whole_option
from ludus.game import NativeState, native
from ludus.games.go import Go
from ludus.system import read_json, write_whole

Row = tuple[GoState, Action, float]  # a state, what was played there, and the result for Black
OPENING = 8  # random stones at the beginning of a game, at most


def make_dataset(
    games: int = 200,
    size: int = 5,
    simulations: int = 300,
    seed: int = 1,
    report: Callable[[int], None] = lambda games: None,
) -> list[Row]:
    """The positions of games that a tree search plays against itself, each after some random stones."""
    whole_option("games", games, 1, 1_000_000)
    rng, rows = Rng(seed), list[Row]()
    agent = MctsAgent(simulations=simulations, temperature=0.3)
    for number in range(1, games + 1):
        rows += play_game(course_go(size), agent, rng)
        report(number)
    return rows


def play_game(game: Go, agent: MctsAgent, rng: Rng) -> list[Row]:
    """The positions of one game, with the action that the search visited most in each."""
    agent.reset()
    state, seen = open_at_random(game, rng), list[tuple[NativeState, Action]]()
    while not state.over:
        decision = agent.decide(state, rng)
        best = max(decision.visits, key=lambda action: decision.visits[action])
        seen.append((state, best))
        state = state.play(decision.action)
    return [(GoState(position), action, state.score(0)) for position, action in seen]


def open_at_random(game: Go, rng: Rng) -> NativeState:
    """The state after a few random stones, so that games differ."""
    state = native(game.start())
    for _ in range(rng.below(min(OPENING, game.size**2 // 2) + 1)):
        stones = [action for action in state.actions() if action != game.size**2]
        state = state.play(rng.choice(stones))
    return state


def save_dataset(path: str | Path, dataset: Iterable[tuple[Any, Action, float]]) -> None:
    """Writes a data set as JSON lines: size, komi and history of the state, the action and the result."""
    lines = []
    for state, action, result in dataset:
        position = native_of(state)
        if position.origin is not None:
            raise LudusError("only states that know their history can be saved, not boards alone")
        game = position.game
        assert isinstance(game, Go)
        row = {"size": game.size, "komi": game.komi, "history": position.history, "action": int(action)}
        lines.append(json.dumps(row | {"result": float(result)}, separators=(",", ":")) + "\n")
    write_whole(Path(path), "".join(lines))


def load_dataset(path: str | Path) -> list[Row]:
    """The data set in a file of JSON lines."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        return [read_row(line) for line in text.splitlines() if line.strip()]
    except (ValueError, KeyError, TypeError) as error:
        raise LudusError(f"{path} is no data set of JSON lines: {str(error)[:100]}") from None
    except OSError as error:
        raise LudusError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def read_row(line: str) -> Row:
    row = read_json(line)
    state = native(Go(row["size"], row["komi"], "draw").after(row["history"]))
    action, result = int(row["action"]), float(row["result"])
    if action not in state.actions() or not -1 <= result <= 1:
        raise ValueError(f"action {action} or result {result:g} is not possible in {line[:60]}")
    return GoState(state), action, result
