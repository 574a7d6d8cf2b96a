"""A finished game as something a page can replay: every position, every move in words, and its link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.errors import LudusError
from ludus.game import Action, Game
from ludus.play import talk
from ludus.web.layout import position_of
from ludus.web.library import Library
from ludus.web.link import write_link

MOST_CELLS = 400_000  # cells in all positions of a replay together; of a longer game the first moves are shown
UNUSED = ("cell_of", "others", "names")  # what only somebody who is to move needs


def replay_of(library: Library, game: Game, actions: Sequence[Action], opening: int = 0) -> dict[str, Any]:
    """The positions of a game from its start, as layout and positions for BoardView, and its moves."""
    states = list(game.states(actions))
    layout, first = position_of(game, states[0])
    most = max(1, MOST_CELLS // len(layout["cells"]) if layout else 2000)
    positions = [first, *(position_of(game, state)[1] for state in states[1:most])]
    names = talk.names_of(game.board(states[0]))
    return {
        "layout": layout,
        "positions": [{key: [] if key == "others" else {} if key in UNUSED else value for key, value in p.items()}
                      for p in positions],
        "moves": [talk.write(game, state, action) for state, action in zip(states, actions, strict=False)],
        "players": [state.player for state in states[:-1]],
        "called": list(names),
        "opening": opening,
        "link": link_of(library, game, actions),
        "result": result_of(game, states[-1], names),
    }  # fmt: skip


def link_of(library: Library, game: Game, actions: Sequence[Action]) -> str | None:
    """The address of the game; None if pages do not know it."""
    try:
        return write_link(library, game, actions)
    except LudusError:
        return None


def result_of(game: Game, last: Any, names: tuple[str, str]) -> str:
    """Who won, as people say it; empty if the game was not played to its end."""
    if not last.over:
        return ""
    score = last.score(0)
    if score == 0:
        return "A draw"
    winner = 0 if score > 0 else 1
    return f"{names[winner][0].upper()}{names[winner][1:]} wins{talk.margin(game, last, winner)}"
