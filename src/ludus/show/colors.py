"""The colours of boards, for SVG and for pictures alike; pairs that colour-blind people can tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ludus.games.board import Board, Piece


@dataclass(frozen=True)
class Paint:
    """The colours of one thing: its face, its edge, and letters on it."""

    face: str
    edge: str
    text: str


PLAYERS = {
    "warm and cool": (Paint("#d55e00", "#a84a00", "#ffffff"), Paint("#0072b2", "#00588a", "#ffffff")),
    "black and white": (Paint("#2b2b2b", "#000000", "#ffffff"), Paint("#ffffff", "#555555", "#222222")),
}
NOBODYS = {
    "stone": Paint("#b9bec4", "#8d939a", "#222222"),
    "counter": Paint("#e3c9a0", "#b5935f", "#222222"),
    "copper": Paint("#cf8a5b", "#96562c", "#222222"),
    "gold": Paint("#ffd447", "#b38a00", "#222222"),
}
CELL = "#fbfaf7"  # an empty cell
WOOD = "#f0e0c0"  # a board of lines
LINE = "#a5a299"
INK = "#55534e"  # labels
LIT = "#ffe68a"  # cells of a winning line or chain
CHOSEN = "#117733"
GOOD, BAD = (17, 119, 51), (136, 34, 85)  # the ends of the heat map: green and purple, over white


def paint_of(board: Board, piece: Piece) -> Paint:
    """The colours of a piece: its player's, or those of its kind."""
    return NOBODYS[piece.kind] if piece.player is None else PLAYERS[board.colors][piece.player]


def heat_color(value: float) -> str:
    """White for 0, green towards +1, purple towards -1."""
    strength = min(1.0, abs(value)) * 0.75
    r, g, b = (round(255 + (end - 255) * strength) for end in (GOOD if value > 0 else BAD))
    return f"#{r:02x}{g:02x}{b:02x}"


def text_on(heat: float) -> str:
    """Letters that can be read on a cell of such heat."""
    return "#ffffff" if abs(heat) > 0.75 else "#222222"


def full_heat(values: Iterable[float], top: float | None) -> float:
    """The value that gets the full colour: `top`, or the largest there is."""
    return top if top is not None else max((abs(value) for value in values), default=1.0) or 1.0
