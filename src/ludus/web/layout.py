"""A board and a state as JSON, for the page that draws them.

A layout is what stays the same during a game: cells, sides, lines. A page gets it once and knows it by its id. A
position is one state on it: small, and made anew after every move. What a page does with them is in static/board.js.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ludus.game import Game, State
from ludus.games.board import Board, Cell, Point, Side
from ludus.play import talk
from ludus.show.board_svg import in_words

Json = dict[str, Any]
DIGITS = 4  # of a coordinate, after the point


def layout_of(board: Board) -> Json:
    """The geometry of a board with its id. It is shared by all positions on it: look, but do not change it."""
    look = (board.colors, board.signs, board.unit, board.turned_by)
    return _layout(board.cells, board.sides, board.lines, board.dots, board.corners, look, talk.names_of(board))


def position_of(game: Game, state: State) -> tuple[Json | None, Json]:
    """The layout and the position of a state; no layout for a game without a board, which has a text instead."""
    board = game.board(state)
    names = {str(action): talk.write(game, state, action) for action in state.actions()}
    position: Json = {"player": state.player, "over": state.over, "names": names}
    if board is None:
        text = str(talk.draw(game, state, color=False))
        return None, position | _without_board(state, text, game.aim)
    layout = layout_of(board)
    return layout, position | {"layout": layout["id"], "text": None} | _on_board(board)


def _on_board(board: Board) -> Json:
    return {
        "pieces": [[piece.cell, piece.kind, piece.player] for piece in board.pieces],
        "cell_of": {str(action): cell for action, cell in board.cell_of.items()},
        "others": list(board.others),
        "last": list(board.last),
        "won": list(board.won),
        "owners": {str(cell): player for cell, player in board.owners.items()},
        "labels": [{"text": label.text, **_place(label.at)} for label in board.labels],
        "aim": board.aim,
        "words": in_words(board),
    }


def _without_board(state: State, text: str, aim: str) -> Json:
    nothing: Json = {"pieces": [], "cell_of": {}, "last": [], "won": [], "owners": {}, "labels": []}
    return nothing | {"layout": None, "others": list(state.actions()), "aim": aim, "words": text, "text": text}


@lru_cache(maxsize=64)
def _layout(
    cells: tuple[Cell, ...],
    sides: tuple[Side, ...],
    lines: tuple[tuple[Point, Point], ...],
    dots: tuple[Point, ...],
    corners: tuple[float, float, float, float],
    look: tuple[str, tuple[str, str] | None, str | None, float],
    players: tuple[str, str],
) -> Json:
    colors, signs, unit, turned_by = look
    layout: Json = {
        "box": [round(edge, DIGITS) for edge in corners],
        "cells": [{"name": c.name, **_place(c.centre), "outline": _points(c.outline)} for c in cells],
        "sides": [{"player": side.player, "line": _points(side.line)} for side in sides],
        "lines": [[*_points((one, other))[0], *_points((one, other))[1]] for one, other in lines],
        "dots": _points(dots),
        "colors": colors,
        "signs": None if signs is None else list(signs),
        "unit": unit,
        "turned": turned_by,
        "players": list(players),
    }
    return {"id": hashlib.sha256(json.dumps(layout).encode()).hexdigest()[:10]} | layout


def _place(point: Point) -> dict[str, float]:
    return {"x": round(point[0], DIGITS), "y": round(point[1], DIGITS)}


def _points(points: Iterable[Point]) -> list[list[float]]:
    return [[round(x, DIGITS), round(y, DIGITS)] for x, y in points]
