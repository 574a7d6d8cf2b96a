"""Recorded games on the screen: who moves, which move it is, the board after it, and who won."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from ludus.errors import BadOption, within
from ludus.game import Action, Game, State
from ludus.play import talk

if TYPE_CHECKING:
    from ludus.play.record import Record

EVERY_GAME = 10**9  # what --show means without a number
LONGEST_PAUSE = 3600.0  # seconds


def lone_show(arguments: list[str]) -> list[str]:
    """The arguments, with a number after a --show that stands alone: it asks for every game."""
    result = []
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        number = following.lstrip("+-").isdecimal()
        result.append(f"--show={EVERY_GAME}" if word == "--show" and not number else word)
    return result


def refuse_show(show: int, pause: float) -> None:
    """Refuses a number of games or a pause that cannot be."""
    if show < 0:
        raise BadOption(f"show is how many games to draw, 0 or more, not {show}")
    within("pause", pause, 0, LONGEST_PAUSE)


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
    say = functools.partial(print, file=to or sys.stdout, flush=True)
    say(f"game {record.number}: {players[0]} against {players[1]}\n")
    show_moves(game, record.actions, players, len(record.opening), pause, to)
    moves = f"after {len(record.actions)} moves"
    if record.fault is not None:
        loser, winner = players[record.fault], players[1 - record.fault]
        say(f"game {record.number}: {winner} wins {moves}, because {loser} lost by {record.end}: {record.why}\n")
    elif record.score == 0:
        say(f"game {record.number}: a draw {moves}\n")
    else:
        say(f"game {record.number}: {players[0 if record.score > 0 else 1]} wins {moves}\n")


def show_moves(
    game: Game, actions: Sequence[Action], players: Sequence[str], opening: int, pause: float, to: TextIO | None = None
) -> None:
    """Draws the start and every move, with its number and who made it; `opening` moves are nobody's choice."""
    say = functools.partial(print, file=to or sys.stdout, flush=True)
    before: State | None = None
    for number, state in enumerate(game.states(actions)):
        if before is not None:
            note = " (random opening)" if number <= opening else ""
            move = talk.write(game, before, actions[number - 1])
            say(f"move {number}: {players[before.player]} plays {move}{note}")
        say(talk.draw(game, state) + "\n")
        before = state
        time.sleep(pause)
