"""Recorded games on the screen: who moves, which move it is, the board after it, and who won."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from ludus.game import Action, Game, State
from ludus.play import talk

if TYPE_CHECKING:
    from ludus.play.record import Record


class Viewer:
    """Draws the first games of a tournament in their order, each as soon as it and those before it are finished."""

    def __init__(self, game: Game, numbers: Iterable[int], pause: float, to: TextIO | None = None) -> None:
        self.game, self.pause, self.to = game, pause, to
        self.wanted = list(numbers)[::-1]  # of the games that are still to be drawn, the next one last
        self.ready: dict[int, Record] = {}

    def see(self, records: Iterable[Record]) -> None:
        """Some games are finished, now or long ago."""
        self.ready |= {record.number: record for record in records}
        while self.wanted and self.wanted[-1] in self.ready:
            show_game(self.game, self.ready[self.wanted.pop()], self.pause, self.to)


def show_game(game: Game, record: Record, pause: float = 0.0, to: TextIO | None = None) -> None:
    """Draws a finished game, move by move."""
    signs = [talk.name_player(game, player) for player in (0, 1)]
    players = [f"{agent} ({sign})" for agent, sign in zip(record.agents, signs, strict=True)]
    name = f"game {record.number}"
    print(f"{name}: {players[0]} against {players[1]}\n", file=to or sys.stdout)
    show_moves(game, record.replay(game), record.actions, players, len(record.opening), pause, to)
    why = f": {players[record.fault]} lost by {record.end}, {record.why}" if record.fault is not None else ""
    say_result(name, players, record.score, len(record.actions), why, to)


def show_game_of(
    game: Game,
    name: str,
    opening: Sequence[Action],
    actions: Sequence[Action],
    pause: float,
    start: State | None = None,
) -> None:
    """Draws a finished game of self-play, move by move, from the game's start or a given one."""
    players, both = [talk.name_player(game, player) for player in (0, 1)], [*opening, *actions]
    print(f"\n{name}:\n")
    states = list(game.states(both, start))
    show_moves(game, states, both, players, len(opening), pause)
    say_result(name, players, states[-1].score(0), len(both), "", None)


def say_result(name: str, players: Sequence[str], score: float, moves: int, why: str, to: TextIO | None) -> None:
    """Who won a game, after how many moves."""
    result = f"{players[0 if score > 0 else 1]} wins" if score else "a draw"
    print(f"{name}: {result} after {moves} moves{why}\n", file=to or sys.stdout, flush=True)


def show_moves(
    game: Game,
    states: Iterable[State],
    actions: Sequence[Action],
    players: Sequence[str],
    opening: int,
    pause: float,
    to: TextIO | None = None,
) -> None:
    """Draws the start and every move, with its number and who made it; the first `opening` moves were random."""
    say = functools.partial(print, file=to or sys.stdout, flush=True)
    before: State | None = None
    for number, state in enumerate(states):
        if before is not None:
            note = " (random opening)" if number <= opening else ""
            move = talk.write(game, before, actions[number - 1])
            say(f"move {number}: {players[before.player]} plays {move}{note}")
        say(talk.draw(game, state) + "\n")
        before = state
        time.sleep(pause)
