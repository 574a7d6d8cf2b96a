"""What every lesson stands on: a small game, the position it begins in, names for players, and positions as JSON.

A lesson sends many positions that differ by one move, so all but the first are sent as changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ludus.errors import BadOption, BrokenGame, LudusError, UnknownGame
from ludus.game import Action, Game, Player, State
from ludus.games import ALL, class_of, find, make
from ludus.play import talk
from ludus.search import refuse_finished
from ludus.text import did_you_mean
from ludus.web.layout import position_of

Json = dict[str, Any]

MOST_ACTIONS = 40  # legal at once: more children than that cannot be read on any wall
MOST_MOVES = 100  # that lead to the start position
OFFERED = [  # the games that the page lists; its address may name any other small one
    ("Nim with 7 stones", "nim", {"stones": 7}),
    ("Tic-tac-toe", "tic_tac_toe", {}),
    ("Hex 3 × 3", "hex", {"size": 3}),
    ("Hex 4 × 4", "hex", {"size": 4}),
    ("Hex 5 × 5", "hex", {"size": 5}),
    ("Connect Four, 4 × 4", "connect_four", {"width": 4, "height": 4}),
    ("Othello 4 × 4", "othello", {"size": 4}),
    ("Ledge with 6 cells", "ledge", {"coins": ". c . c G c"}),
]
UNUSED = {"cell_of": {}, "others": [], "names": {}, "aim": ""}  # nobody plays on the board of a lesson


@dataclass
class Stage:
    """A game in the position where a lesson begins."""

    game: Game
    state: State
    layouts: dict[str, Json] = field(default_factory=dict)  # of all positions so far

    @property
    def players(self) -> tuple[str, str]:
        """What people call the two players."""
        return talk.names_of(self.game.board(self.state))

    def name(self, player: Player) -> str:
        return self.players[player]

    def write(self, state: State, action: Action) -> str:
        return talk.write(self.game, state, action)

    def position(self, state: State) -> Json:
        """A position for a board on which nobody plays."""
        layout, position = position_of(self.game, state)
        if layout is not None:
            self.layouts[layout["id"]] = layout
        return position | UNUSED


def changes(before: Json, after: Json, silent: bool = False) -> Json:
    """How a position differs from the one before; its pieces by what is gone and what is new.

    With `silent` it has no words: it is seen for a moment only.
    """
    old, new = ({tuple(piece) for piece in position["pieces"]} for position in (before, after))
    apart: Json = {key: value for key, value in after.items() if before.get(key) != value and key != "pieces"}
    if silent:
        apart.pop("words", None)
    if old - new:
        apart["gone"] = sorted(cell for cell, _, _ in old - new)
    if new - old:
        apart["new"] = [list(piece) for piece in after["pieces"] if tuple(piece) in new - old]
    return apart


# ------------------------------------------------------------------------------------------- at the door


def offered(visitors: Sequence[str]) -> list[Json]:
    """The games that the page lists, those of visitors last."""
    listed = [{"title": title, "game": name, "options": options} for title, name, options in OFFERED]
    return listed + [{"title": name, "game": name, "options": {}} for name in named(visitors)]


def named(visitors: Sequence[str]) -> dict[str, str]:
    """The games of visitors by the names that pages use: the class in "my_game.py:MyState"."""
    return {text.rpartition(":")[2]: text for text in visitors}


def stage_of(request: Json, visitors: Sequence[str]) -> Stage:
    """The stage that a request asks for; refuses what is no small game and what is no position of it."""
    game = game_of(request.get("game"), request.get("options", {}), named(visitors))
    try:
        if game.name in ALL and game.num_actions > 100 * MOST_ACTIONS:  # too many even to list them
            refuse_large(game, game.num_actions)
        state = position_after(game, request.get("moves", ""))
        refuse_finished(state)
        refuse_large(game, len(state.actions()))
        return Stage(game, state)
    except LudusError:
        raise
    except Exception as error:  # whatever a visitor's game does
        raise BrokenGame(f"the game {game} failed: {type(error).__name__}: {error}") from error


def game_of(name: object, options: object, visitors: dict[str, str]) -> Game:
    """A game of ours, or one that the server was started with; a page can name no other file."""
    if not isinstance(name, str) or len(name) > 100:
        raise UnknownGame(f"a lesson needs the name of a game; there are {', '.join([*ALL, *visitors])}")
    simple = isinstance(options, dict) and len(options) <= 10
    if not simple or not all(isinstance(v, bool | int | float | str) and len(str(v)) <= 100 for v in options.values()):
        raise BadOption("the options of a game are a few names with numbers, switches or short texts")
    if name in visitors:
        return make(loaded(visitors[name]), **options)
    if re.search(r"[:/\\]", name):
        raise UnknownGame(f"there is no game {name!r}; {did_you_mean(name, [*ALL, *visitors])}")
    return make(find(name).name, **options)


@lru_cache(maxsize=100)
def loaded(text: str) -> type:
    """The class of a visitor's game; its file is read once."""
    return class_of(text)


def refuse_large(game: Game, count: int) -> None:
    """Refuses a position with more moves than a tree can show."""
    if count > MOST_ACTIONS:
        raise BadOption(
            f"{describe(game)} has {count:,} possible moves in this position; a lesson draws at most {MOST_ACTIONS}, "
            "so choose a smaller game or a later position"
        )


def describe(game: Game) -> str:
    """A game with its options in words."""
    options = ", ".join(f"{name} {value}" for name, value in game.chosen_options().items())
    return f"{game.title.replace('_', ' ')} ({options})" if options else game.title


def position_after(game: Game, moves: object) -> State:
    """The state after moves as people write them, with spaces, commas or full stops between them."""
    if not isinstance(moves, str) or len(moves) > 2000:
        raise BadOption("the moves of the start position are a text such as 'b2 a1'")
    words = [word for word in re.split(r"[\s,.]+", moves) if word]
    if len(words) > MOST_MOVES:
        raise BadOption(f"a lesson begins after at most {MOST_MOVES} moves, not {len(words)}")
    state = game.start()
    for word in words:
        state = state.play(talk.read(game, state, word))
    return state
