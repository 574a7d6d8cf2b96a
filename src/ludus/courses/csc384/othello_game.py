"""The course's othello_game.py: the manager, its players and play_game, with the same names, arguments and output.

Where the original hangs or dies with a traceback (a program that ends, answers rubbish, or is too late; a person
against a program), this one says a sentence and goes on: whoever fails loses. The pipe is protocols/program.py.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
from typing import TYPE_CHECKING

from ludus.agents import AgentFailed
from ludus.courses.csc384 import terminal
from ludus.courses.csc384.othello_shared import find_lines, get_possible_moves, get_score, play_move
from ludus.errors import LudusError
from ludus.protocols.othello_lines import read_move, write_flags, write_question
from ludus.protocols.program import Program, shorten

if TYPE_CHECKING:
    from ludus.protocols.othello_rules import Board, Move

START_SECONDS = 60.0  # until a program has said its name; the original waits for ever


class InvalidMoveError(RuntimeError):
    """A move that the rules do not allow."""


class AiTimeoutError(RuntimeError):
    """A program did not answer in time."""


class AiFailedError(LudusError):
    """A program has ended, or has answered something that is no move. In the original such a thing is a ValueError."""


class Player:
    """A person at the terminal."""

    def __init__(self, color: int, name: str = "Human") -> None:
        self.name, self.color = name, color

    def get_move(self, manager: OthelloGameManager) -> Move:
        """Shows the board and asks until a legal move is typed; EOFError if the person leaves."""
        return terminal.ask_person(manager.board, manager.current_player, self.name)

    def kill(self, manager: OthelloGameManager) -> None:
        """The game is over."""


class AiPlayerInterface(Player):
    """A program: `python3 FILE` at the other end of a pipe. What it writes to its standard error is shown."""

    TIMEOUT: float = 10

    def __init__(
        self,
        filename: str,
        color: int,
        limit: int,
        minimax: bool = False,
        caching: bool = False,
        ordering: bool = False,
    ) -> None:
        self._start(filename, color, write_flags(color, limit, minimax, caching, ordering))

    def _start(self, filename: str, color: int, flags: str) -> None:
        self.program = Program(f"python3 {shlex.quote(str(filename))}", show_errors=True)
        self.timed_out = False
        try:
            super().__init__(color, shorten(self.program.read_line(START_SECONDS)))
        except AgentFailed as failed:
            self.program.close()
            raise AiFailedError(f"{filename} did not begin: {failed}") from None
        print(f"AI introduced itself as: {self.name}", flush=True)
        with contextlib.suppress(AgentFailed):  # one that has left already loses when it is asked for its first move
            self.program.send(flags, self.TIMEOUT)

    def get_move(self, manager: OthelloGameManager) -> Move:
        """The program's answer, a column and a row; it may still be illegal."""
        self.tell_score(manager)
        try:
            self.program.send(write_question(manager.board), self.TIMEOUT)
            reply = self.program.read_line(self.TIMEOUT)
        except AgentFailed as failed:
            if failed.kind == "flag":
                self.timeout()
                raise AiTimeoutError(str(failed)) from None
            raise AiFailedError(str(failed)) from None
        try:
            return read_move(reply)
        except ValueError:
            raise AiFailedError(f"{self.name} answered {shorten(reply)!r}, not a column and a row") from None

    def tell_score(self, manager: OthelloGameManager) -> None:
        print(get_score(manager.board), flush=True)

    def timeout(self) -> None:
        """The program was too late: it is ended."""
        sys.stderr.write(f"{self.name} timed out.\n")
        self.timed_out = True
        self.program.close()

    def kill(self, manager: OthelloGameManager) -> None:
        """Ends the program. As in the original, it hears nothing of it."""
        self.program.close()


class ColumbiaPlayer(AiPlayerInterface):
    """A program written for the older course at Columbia, which is told its colour only."""

    def __init__(self, filename: str, color: int) -> None:
        self._start(filename, color, str(color))

    def tell_score(self, manager: OthelloGameManager) -> None:
        """The older manager prints no scores."""


class OthelloGameManager:
    """A game: its board (lists until a move has been played, then tuples) and whose turn it is."""

    def __init__(self, dimension: int = 6) -> None:
        self.dimension = dimension
        self.board: Board = self.create_initial_board()
        self.current_player = 1

    def create_initial_board(self) -> Board:
        """Four discs crosswise in the middle; on an odd size a little up and to the left of it."""
        board = [[0] * self.dimension for _ in range(self.dimension)]
        middle = self.dimension // 2
        if middle < 1:
            raise ValueError(f"a board needs a size of 2 or more, not {self.dimension}")
        board[middle - 1][middle - 1] = board[middle][middle] = 2
        board[middle][middle - 1] = board[middle - 1][middle] = 1
        return board

    def print_board(self) -> None:
        for row in self.board:
            print(" ".join(map(str, row)))

    def play(self, i: int, j: int) -> None:
        """The player to move sets a disc in column i, row j."""
        if not (0 <= i < self.dimension and 0 <= j < self.dimension):
            raise InvalidMoveError(f"Column {i}, row {j} is not on the board.")
        if self.board[j][i] != 0:
            raise InvalidMoveError("Occupied square.")
        if not find_lines(self.board, i, j, self.current_player):
            raise InvalidMoveError("Invalid Move.")
        self.board = play_move(self.board, self.current_player, i, j)
        self.current_player = 3 - self.current_player

    def get_possible_moves(self) -> list[Move]:
        return get_possible_moves(self.board, self.current_player)


def play_game(game: OthelloGameManager, player1: Player, player2: Player) -> int | None:
    """Plays a game to its end and prints it. The colour that won, 0 for a draw; None if a person left."""
    players = {1: player1, 2: player2}
    winner: int | None = None
    try:
        while game.get_possible_moves():
            player, color = players[game.current_player], terminal.COLORS[game.current_player]
            try:
                i, j = player.get_move(game)
                print(f"{player.name} ({color}) plays {i},{j}", flush=True)
                game.play(i, j)
            except AiTimeoutError:
                print(f"{player.name} ({color}) timed out!")
                return print_final(game, player1, player2, 3 - game.current_player)
            except InvalidMoveError as wrong:
                print(f"{player.name} ({color}) loses: {i},{j} is not a legal move. {wrong}")
                return print_final(game, player1, player2, 3 - game.current_player)
            except AiFailedError as failed:
                print(f"{player.name} ({color}) loses: {failed}")
                return print_final(game, player1, player2, 3 - game.current_player)
        dark, light = get_score(game.board)
        winner = print_final(game, player1, player2, 0 if dark == light else 1 if dark > light else 2)
    except EOFError:
        print("\nThe game was not finished.")
    finally:
        player1.kill(game)
        player2.kill(game)
    return winner


def print_final(game: OthelloGameManager, player1: Player, player2: Player, winner: int) -> int:
    """Prints the manager's last line; where it does not say who won by itself, that comes before it."""
    dark, light = get_score(game.board)
    if (winner == 1) != (dark > light) or (winner == 2) != (light > dark):
        print(f"{(player1 if winner == 1 else player2).name} ({terminal.COLORS[winner]}) wins.")
    print(f"FINAL: {player1.name} (dark) {dark}:{light} {player2.name} (light)", flush=True)
    return winner
