"""Twins: OpenSpiel's game for each of ours that it has too, with our rules.

Each side's state is reached by replaying the other side's actions, so both always look at the same position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from ludus.errors import LudusError
from ludus.game import Action, Game, State, native
from ludus.games.connect_four import ConnectFour
from ludus.games.go import Go
from ludus.games.hex import Hex
from ludus.games.nim import Nim
from ludus.games.othello import Othello
from ludus.games.tic_tac_toe import TicTacToe
from ludus.protocols.openspiel import OpenSpielGame, OpenSpielState, load_spiel
from ludus.protocols.openspiel_types import Options, SpielGame, SpielState


@dataclass(frozen=True)
class Twin:
    """OpenSpiel's game for a game of ours."""

    game: Game
    spiel: SpielGame
    options: Options = field(default_factory=dict)
    turned: int = 0  # the size of a board to transpose, because player 0 starts in OpenSpiel's Hex; 0: none

    def translate(self, action: Action) -> Action:
        """OpenSpiel's action for one of ours, or the other way round."""
        if action >= self.turned**2:
            return action
        row, column = divmod(action, self.turned)
        return column * self.turned + row

    def follow(self, state: State) -> SpielState:
        """OpenSpiel's state for one of ours."""
        if isinstance(state, OpenSpielState):
            return state.spiel.clone()
        if native(state).origin is not None:
            raise LudusError("OpenSpiel can follow a game only from its start, not from a drawn board")
        spiel = self.spiel.new_initial_state()
        for action in native(state).history:
            spiel.apply_action(self.translate(action))
        if spiel.is_terminal():
            raise LudusError("the game is over by OpenSpiel's rules")
        return spiel

    def lead(self, spiel: SpielState) -> State:
        """Our state for one of OpenSpiel's."""
        if isinstance(self.game, OpenSpielGame):
            return OpenSpielState(self.game, spiel.clone())
        return self.game.after([self.translate(action) for action in spiel.history()])

    def refuse_other(self, spiel: SpielState) -> None:
        """Says so if a state is of another game."""
        played = spiel.get_game()
        same = played.get_type().short_name == self.spiel.get_type().short_name
        given = played.get_parameters()
        if not same or any(given.get(name) != value for name, value in self.options.items()):
            raise LudusError(f"this bot plays {self.spiel}, not {played}")


def game_of(state: State) -> Game:
    """The game of a state that OpenSpiel might know."""
    game = getattr(state, "game", None)
    if not isinstance(game, Game):
        raise LudusError("OpenSpiel's bots play its own games and those of ours that it has, not games in Python")
    return game


@lru_cache(maxsize=32)
def twin_of(game: Game) -> Twin:
    """OpenSpiel's game with the same rules, or a sentence why there is none."""
    if isinstance(game, OpenSpielGame):
        return Twin(game, game.spiel, game.spiel.get_parameters())
    name, options = rules_of(game)
    turned = game.size if isinstance(game, Hex) and game.starter == 1 else 0
    return Twin(game, load_spiel(name, options), options, turned)


def rules_of(game: Game) -> tuple[str, Options]:
    """OpenSpiel's name and options for a game of ours. Actions have the same numbers."""
    match game:
        case TicTacToe(width=3, height=3, line=3):
            return "tic_tac_toe", {}
        case TicTacToe():
            return "mnk", {"m": game.width, "n": game.height, "k": game.line}
        case ConnectFour():
            return "connect_four", {"columns": game.width, "rows": game.height, "x_in_row": game.line}
        case Othello(size=8, passing=True):
            return "othello", {}
        case Othello():
            raise LudusError("OpenSpiel's Othello is 8x8 and with passing; it cannot play this one")
        case Hex():  # who joins which sides there depends on who starts
            return "hex", {"board_size": game.size, "swap": game.swap}
        case Nim() if game.most >= game.stones:
            return "nim", {"pile_sizes": str(game.stones), "is_misere": False}
        case Nim():
            raise LudusError("in OpenSpiel's Nim all stones may be taken at once: it needs most >= stones")
        case Go():
            return "go", {"board_size": game.size, "komi": float(game.komi or 0), "max_game_length": game.max_length}
    raise LudusError(f"OpenSpiel has no game like {game.name}")
