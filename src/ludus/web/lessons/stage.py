"""What every lesson stands on: a small game, the position it begins in, names for players, and positions as JSON.

A lesson sends many positions that differ by one move, so all but the first are sent as changes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ludus.errors import BadOption
from ludus.game import Action, Game, Player, State
from ludus.games import ALL
from ludus.play import talk
from ludus.play.talk import title_of
from ludus.search import refuse_finished
from ludus.web.layout import position_of

Json = dict[str, Any]

MOST_ACTIONS = 40  # legal at once: more children than that cannot be read on any wall
MOST_MOVES = 100  # that lead to the start position
# What a position has for people who play; nobody plays on the board of a lesson.
UNUSED: Json = {"cell_of": {}, "others": [], "names": {}, "aim": "", "words": ""}


@dataclass
class Stage:
    """A game in the position where a lesson begins."""

    game: Game
    state: State
    layouts: dict[str, Json] = field(default_factory=dict)  # of all positions so far

    @cached_property
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


def changes(before: Json, after: Json) -> Json:
    """How a position differs from the one before; its pieces by what is gone and what is new."""
    old, new = ({tuple(piece) for piece in position["pieces"]} for position in (before, after))
    apart: Json = {key: value for key, value in after.items() if before.get(key) != value and key != "pieces"}
    if old - new:
        apart["gone"] = sorted(cell for cell, _, _ in old - new)
    if new - old:
        apart["new"] = [list(piece) for piece in after["pieces"] if tuple(piece) in new - old]
    return apart


# ------------------------------------------------------------------------------------------- at the door


def stage_after(game: Game, moves: str) -> Stage:
    """The stage after some moves; refuses what is no small game and what is no position of it."""
    if game.name in ALL and game.num_actions > 100 * MOST_ACTIONS:  # too many even to list them
        refuse_large(game, game.num_actions)
    state = position_after(game, moves)
    refuse_finished(state)
    refuse_large(game, len(state.actions()))
    return Stage(game, state)


def refuse_large(game: Game, count: int) -> None:
    """Refuses a position with more moves than a tree can show."""
    if count > MOST_ACTIONS:
        raise BadOption(
            f"{title_of(game)} has {count:,} possible moves in this position; a lesson draws at most {MOST_ACTIONS}, "
            "so choose a smaller game or a later position"
        )


def position_after(game: Game, moves: str) -> State:
    """The state after moves as people write them, with spaces, commas or full stops between them."""
    words = [word for word in re.split(r"[\s,.]+", moves) if word]
    if len(words) > MOST_MOVES:
        raise BadOption(f"a lesson begins after at most {MOST_MOVES} moves, not {len(words)}")
    state = game.start()
    for word in words:
        state = state.play(talk.read(game, state, word))
    return state
