"""The game on the table, as GTP moves it: by either colour at any time, and back again.

Where it is the other's turn, it depends on the game. In Go the position becomes a new one with the colour that was
named to move: so stones can be set in a row, and games go on after two passes; superko forgets what was before. In
Othello the other passes silently when it cannot move, so passes may be left out. Elsewhere the move is illegal.
After the end a pass is always taken, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ludus.errors import BadOption
from ludus.game import Action, Game, NativeState, Player, native, rebuild
from ludus.games.go import Go
from ludus.protocols.gtp_lines import Refusal
from ludus.protocols.gtp_words import COLORS, BoardGame, board_game, board_lines, pass_action, resized


class Table:
    """A game and its moves so far."""

    def __init__(self, game: Game) -> None:
        self.game = board_game(game)
        self.komi_told: float | None = None
        self.states: list[NativeState] = []  # one after every move, so that each can be taken back
        self.clear()

    @property
    def state(self) -> NativeState:
        """The position on the board."""
        return self.states[-1]

    def clear(self) -> None:
        """A new game."""
        self.states = [self.game.start()]

    def start(self, game: BoardGame) -> None:
        """A new game, perhaps on another board."""
        self.game = game
        self.clear()

    def resized(self, width: int, height: int | None = None) -> BoardGame:
        """The game on another board. Of all options only the size changes; a komi that was set stays."""
        try:
            game = resized(self.game, width, height)
            if isinstance(game, Go) and self.komi_told is not None:
                game = replace(game, komi=self.komi_told)
        except BadOption:
            raise Refusal("unacceptable size") from None
        return game

    def like(self, game: Game) -> BoardGame:
        """The game of a file; in Go with the rules of the one on the table."""
        if not isinstance(game, Go):
            return board_game(game)
        own = self.resized(game.size)
        assert isinstance(own, Go)
        return replace(own, komi=game.komi)

    def take(self, other: Table) -> None:
        """From here on the game of another table is on this one."""
        self.game, self.states = other.game, other.states
        self.komi_told = self.game.komi if isinstance(self.game, Go) else None

    def set_komi(self, points: float) -> None:
        """Other points for White in a game of Go; the moves so far stay."""
        assert isinstance(self.game, Go)
        try:
            self.game = replace(self.game, komi=points)
        except BadOption as error:
            raise Refusal(str(error)) from None
        self.komi_told = points
        again = {id(state): rebuilt(self.game, state) for state in self.states}
        self.states = [again[id(state)] for state in self.states]

    def turn_of(self, player: Player) -> NativeState:
        """The position with a player to move, or the end of the game."""
        state, silent = self.state, pass_action(self.game)
        if state.over or state.player == player:
            return state
        if isinstance(self.game, Go):
            return self.set_up(player)
        if silent is None or silent not in state.actions():
            raise Refusal(f"illegal move: it is {COLORS[state.player]}'s turn")
        return state.play(silent)

    def set_up(self, player: Player) -> NativeState:
        """The stones on the board as a new position, with a player to move."""
        return self.drawn(self.state.cells(), player)

    def drawn(self, cells: Sequence[int], player: Player) -> NativeState:
        """A position of stones: 0 empty, 1 Black, 2 White, cell by cell."""
        stones = board_lines(self.game, [".XO"[cell] for cell in cells])
        return native(self.game.read_board(stones, player))

    def arrange(self, cells: Sequence[int], player: Player) -> None:
        """Other stones on the board, all at once."""
        self.states.append(self.drawn(cells, player))

    def set_handicap(self, points: Sequence[Action]) -> None:
        """Stones for Black on an empty board of Go; White is to move."""
        if any(self.state.cells()):
            raise Refusal("board not empty")
        self.arrange([int(cell in points) for cell in range(len(self.state.cells()))], 1)

    def play(self, player: Player, action: Action) -> None:
        """A move of either colour."""
        state = self.turn_of(player)
        if state.over and action == pass_action(self.game):
            self.stay()
            return
        if state.over and isinstance(self.game, Go):
            state = self.set_up(player)
        if action not in state.actions():
            raise Refusal("illegal move")
        self.states.append(state.play(action))

    def stay(self) -> None:
        """A move that changes nothing but can be taken back, such as a resignation."""
        self.states.append(self.state)

    def undo(self) -> None:
        """Takes the last move back, with its silent pass."""
        if len(self.states) == 1:
            raise Refusal("cannot undo")
        self.states.pop()


def rebuilt(game: Game, state: NativeState) -> NativeState:
    """The same moves in a game with other options."""
    return native(rebuild(game, state.origin, state.history))
