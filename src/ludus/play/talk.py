"""What is said to a person at the table: names of players, moves in words, boards, rules, results."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Sequence
from typing import Any

from ludus.agents import Decision
from ludus.errors import IllegalAction, LudusError, UnreadableAction
from ludus.game import Action, Game, Player, State, native
from ludus.games.board import Board
from ludus.games.python import PythonGame

WIDTH = 78  # of a line of text
MOST = 150  # moves that are listed


def title_of(game: Game) -> str:
    """A game as people say it, with its size: Hex 7×7."""
    options = game.chosen_options()
    size, width, height = (options.get(key) for key in ("size", "width", "height"))
    name = game.spoken_name
    if isinstance(size, int):
        return f"{name} {size}×{size}"
    if isinstance(width, int) and isinstance(height, int):
        return f"{name} {width}×{height}"
    return name


def name_player(game: Game, player: Player) -> str:
    """X or O where stones have these signs, else player 0 or player 1."""
    return game.signs[player] if game.signs else f"player {player}"


def names_of(board: Board | None) -> tuple[str, str]:
    """What people call the two players of a board: by the colours of their stones, or by who they are."""
    if board is None or board.signs is None:
        return "the first player", "the second player"
    return ("Black", "White") if board.colors == "black and white" else ("Red", "Blue")


def words_of(game: Game, state: State) -> Any:
    """The object that writes and reads moves: the state, if their text depends on the position, else the game."""
    return state if hasattr(state, "write") and hasattr(state, "read") else game


def write(game: Game, state: State, action: Action) -> str:
    """An action as people write it in this position."""
    return str(words_of(game, state).write(action))


def move_in_words(move: str) -> str:
    """A move within a sentence, where a bare number would be misread."""
    return f"the move {move}" if move.isdecimal() else move


def read(game: Game, state: State, text: str) -> Action:
    """The legal action that a text means; refuses any other text with a sentence."""
    try:
        action: Action = words_of(game, state).read(text)
    except LudusError:
        raise
    except Exception as error:  # a visitor's own reading
        raise UnreadableAction(f"cannot read {text!r}: {error}") from None
    if action not in state.actions():
        raise IllegalAction(f"{text} is not legal here; legal: {listed(game, state, 8)}")
    return action


def read_moves(game: Game, text: str) -> list[Action]:
    """The actions of a game from its start that a text such as "c3 b2 d4" means; says which of them is wrong."""
    state, actions = game.start(), []
    for number, word in enumerate(text.replace(",", " ").split(), 1):
        try:
            actions.append(read(game, state, word))
        except LudusError as error:
            raise type(error)(f"move {number}: {error}") from None
        state = state.play(actions[-1])
    return actions


def listed(game: Game, state: State, most: int = MOST) -> str:
    """The legal moves as text, at most `most` of them."""
    words = [write(game, state, action) for action in state.actions()]
    gap = ", " if most < MOST or any(" " in word for word in words) else " "
    return gap.join(words[:most]) + (f"{gap}… ({len(words)} in all)" if len(words) > most else "")


def expected(game: Game, state: State, actions: Sequence[Action], most: int = 8) -> str:
    """A line of play in words, as far as it is legal."""
    words = []
    with contextlib.suppress(IllegalAction):
        for at, action in zip(game.states(actions[:most], state), actions, strict=False):
            words.append(write(game, at, action))
    return " ".join(words) + (" …" if len(actions) > most else "")


def draw(game: Game, state: State, color: bool | None = None) -> str:
    """The board; for a state that cannot draw itself, its members."""
    kind = type(state)
    plain = not hasattr(kind, "draw") and kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__
    if isinstance(game, PythonGame) and plain and hasattr(state, "__dict__"):
        return ", ".join(f"{name} = {value}" for name, value in vars(state).items())
    return game.draw(state, color)


def advice(game: Game, state: State, who: str, decision: Decision) -> str:
    """What a decision says to somebody who has to move: the move, why, what may follow, and the next best."""
    said = [f"{who} would play {write(game, state, decision.action)}: {decision.why or 'it does not say why'}."]
    if len(decision.line) > 1:
        said.append(f"It expects {expected(game, state, decision.line)}.")
    looked = [a for a in decision.values if a in state.actions()]
    best = sorted(looked, key=lambda a: (decision.visits.get(a, 0), decision.values[a]), reverse=True)[:5]
    if len(best) > 1:
        values = ", ".join(f"{write(game, state, a)} {decision.values[a]:+.2f}" for a in best)
        said.append(f"Values for you, from -1 (lost) to +1 (won): {values}.")
    return paragraph(" ".join(said))


def margin(game: Game, state: State, winner: Player) -> str:
    """By how much a game was won, where that is counted."""
    if game.unit is None:
        return ""
    lead = native(state).margin(winner)
    return f" by {lead:g} {game.unit}{'' if lead == 1 else 's'}"


def paragraph(text: str) -> str:
    """Text in lines of a readable length."""
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
