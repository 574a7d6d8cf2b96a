"""Clocks: what `--clock` says, and the clock that stands beside a match."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ludus.agents import TimeLeft
from ludus.errors import BadOption
from ludus.game import Player


@dataclass(frozen=True)
class Timing:
    """The time each player gets: for the whole game and an increment after every move, or for each move."""

    seconds: float
    increment: float = 0.0
    per_move: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 1e6 or not 0 <= self.increment <= 1e6 or (self.per_move and self.increment):
            raise BadOption(f"a clock needs more than 0 seconds and an increment from 0 up; {self} has not")

    def __str__(self) -> str:
        seconds = in_digits(self.seconds)
        return f"{seconds}/move" if self.per_move else f"{seconds}+{in_digits(self.increment)}"


def in_digits(number: float) -> str:
    """A number without an exponent, with all its digits, as read_clock() reads it."""
    digits = f"{Decimal(repr(float(number))):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def read_clock(text: str | None) -> Timing | None:
    """The timing that a text means: "15+1" is 15 seconds and one more after each move, "2/move" two for each move."""
    if text is None or text.strip().lower() in ("", "none"):
        return None
    number = r"(\d+(?:\.\d*)?|\.\d+)"
    if match := re.fullmatch(rf"\s*{number}\s*\+\s*{number}\s*", text):
        return Timing(float(match[1]), float(match[2]))
    if match := re.fullmatch(rf"\s*{number}\s*s?\s*/\s*move\s*", text):
        return Timing(float(match[1]), per_move=True)
    raise BadOption(f"cannot read the clock {text!r}: write 15+1 (seconds + increment), 2/move or none")


class Clock:
    """The clock of one match. It only counts the seconds that it is given, so it can be tested without waiting."""

    def __init__(self, timing: Timing) -> None:
        self.timing = timing
        self.left = [timing.seconds, timing.seconds]

    def shows(self, player: Player) -> TimeLeft:
        """What a player who is to move sees."""
        return TimeLeft(self.left[player], self.timing.increment, 1 if self.timing.per_move else None)

    def press(self, player: Player, seconds: float) -> bool:
        """A player has moved after `seconds`. False if the flag has fallen, else the increment is added."""
        self.left[player] -= seconds
        if self.left[player] <= 0:
            return False
        self.left[player] = self.timing.seconds if self.timing.per_move else self.left[player] + self.timing.increment
        return True
