"""Text for terminals: colour, the marks of drawn boards, and suggestions for unknown words."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Iterable
from typing import TextIO

ANSI = re.compile(r"\x1b\[[0-9;]*m")  # a colour code
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


def plain(text: str) -> str:
    """Text without its colour codes."""
    return ANSI.sub("", text)


def wants_color(color: bool | None) -> bool:
    """Should text be coloured? `color` decides; if it is None, the kind of terminal does."""
    if color is not None:
        return color
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


# What a terminal that cannot show a character gets instead of it.
_ASCII = {
    "…": "...", "–": "-", "−": "-", "×": "x", "·": ".", "→": "->", "±": "+/-", "½": "1/2", "≤": "<=", "≥": ">=",
    "█": "#", "│": "|", "─": "-", "╭": "+", "╮": "+", "╰": "+", "╯": "+",
}  # fmt: skip


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """The error handler "ludus-ascii" for encoding: characters that an encoding lacks, in plain ASCII."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_ASCII.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def never_fail_to_print(*streams: TextIO) -> None:
    """Lets streams replace what their encoding cannot show (an ASCII or Latin-1 terminal) instead of failing."""
    codecs.register_error("ludus-ascii", _in_ascii)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="ludus-ascii")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """ "did you mean hex? There are nim, hex and go", or the list alone where no known word is near."""
    from difflib import get_close_matches

    known = list(known)
    near = get_close_matches(word, known, n=1, cutoff=0.4)
    return (f"did you mean {near[0]}? There are " if near else "there are ") + ", ".join(known)
