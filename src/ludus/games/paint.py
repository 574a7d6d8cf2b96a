"""Colour and marks for drawn boards. Without colour the letters and marks say it all."""

from __future__ import annotations

STONES = (".", "X", "O")  # empty, player 0, player 1: the codes 0, 1 and 2 of cells()
_COLORS = ("2", "1;31", "1;36")  # dim, red, cyan


def paint(text: str, code: str, color: bool) -> str:
    """Text between ANSI codes, or plain."""
    return f"\x1b[{code}m{text}\x1b[0m" if color else text


def side(player: int, text: str, color: bool) -> str:
    """Text in the colour of a player."""
    return paint(text, _COLORS[player + 1], color)


def stone(code: int, *, last: bool, won: bool, color: bool) -> str:
    """A cell, three characters wide: ` X `, the last move `[X]`, a winning stone `(X)`."""
    left, right = "[]" if last else "()" if won else "  "
    style = _COLORS[code] + (";7" if last or won else "")
    return paint(left + STONES[code] + right, style, color)
