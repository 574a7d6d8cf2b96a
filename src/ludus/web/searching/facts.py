"""What searches know, as reports: plain JSON, values for the player to move. What is searched is in jobs.py."""

from __future__ import annotations

from collections.abc import Sequence

from ludus.agents import Decision
from ludus.game import Action, Game, State
from ludus.play import talk
from ludus.search.mcts import Child, Mcts
from ludus.web.searching.tasks import Facts

MOST_EXPECTED = 8  # moves of an expected line
REMEMBERED = 2000  # beginnings of lines


def decision_facts(decision: Decision) -> Facts:
    """What a decision says, as a report."""
    total = max(1, sum(decision.visits.values()))
    looked = sorted({**decision.values, **decision.visits}, key=lambda a: -decision.visits.get(a, 0))
    return {
        "action": int(decision.action),
        "why": str(decision.why),
        "value": number(decision.value),
        "actions": [
            {
                "action": int(action),
                "visits": int(decision.visits.get(action, 0)),
                "share": decision.visits.get(action, 0) / total,
                "value": number(decision.values.get(action)),
                "proven": None,
            }
            for action in looked
        ],
        "nodes": int(decision.nodes),
        "simulations": int(decision.simulations),
        "depth": decision.depth,
    }


def analysis_facts(search: Mcts, lines: Lines, done: int, seconds: float, ended: str) -> Facts:
    """What a search knows so far."""
    children = search.children()
    visited = sum(child.visits for child in children)
    proven = search.proven
    return {
        "kind": "analysis",
        "ended": ended,
        "action": search.best().action if visited else None,
        "value": search.value if proven is None else float(proven),
        "proven": proven,
        "actions": child_rows(children),
        "nodes": search.nodes,
        "bytes": search.bytes,
        "simulations": done,
        "seconds": seconds,
        **lines.facts(search.line()),
    } | speed(done, seconds)


def child_rows(children: Sequence[Child]) -> list[Facts]:
    """The actions that were looked at, the most visited first."""
    total = max(1, sum(child.visits for child in children))
    return [
        {
            "action": child.action,
            "visits": child.visits,
            "share": child.visits / total,
            "value": child.value if child.proven is None else float(child.proven),
            "proven": child.proven,
        }
        for child in sorted(children, key=lambda child: -child.visits)
        if child.visits
    ]


def speed(simulations: int, seconds: float) -> Facts:
    return {"per_second": simulations / seconds if seconds > 0 else 0.0}


def number(value: float | None) -> float | None:
    """A value that JSON can hold."""
    return None if value is None or value != value or abs(value) == float("inf") else float(value)


class Lines:
    """Writes the lines of play that a search expects from one state.

    To find the cell of an action its board must be made, which takes longer than the rest of a report. Lines begin
    alike from report to report, so what was found is remembered.
    """

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.start = game, state
        self.known: dict[tuple[Action, ...], tuple[State, list[int], str]] = {}  # by the beginning of a line

    def facts(self, actions: Sequence[Action]) -> Facts:
        """The actions, their words, and [cell, player, number] of each (no cell: -1), as far as they are legal."""
        if len(self.known) > REMEMBERED:
            self.known.clear()
        line, here, cells, words = [int(action) for action in actions[:MOST_EXPECTED]], self.start, [], []
        for number in range(1, len(line) + 1):
            if tuple(line[:number]) not in self.known and line[number - 1] not in here.actions():
                break
            here, cell, word = self.move(here, tuple(line[:number]))
            cells.append(cell)
            words.append(word)
        return {"line": line, "cells": cells, "words": words}

    def move(self, here: State, path: tuple[Action, ...]) -> tuple[State, list[int], str]:
        """The state after the last action of a beginning, the action's cell and its word."""
        if path not in self.known:
            board = self.game.board(here)
            cell = -1 if board is None else board.cell_of.get(path[-1], -1)
            word = talk.write(self.game, here, path[-1])
            self.known[path] = here.play(path[-1]), [cell, here.player, len(path)], word
        return self.known[path]
