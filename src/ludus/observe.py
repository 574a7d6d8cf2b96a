"""What a network sees of a state whose class says nothing about it: the numbers in its fields."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.errors import LudusError

SMALL = range(-1, 7)  # values that have a plane of their own: marks on a board, coins in a pile


def observe(state: Any) -> NDArray[np.float32]:
    """Planes (10, 1, n) of the n numbers in a state: is it -1, 0, … 6, how large is it, and who is to move."""
    numbers = np.array(numbers_in(fields_of(state)), np.float32)
    if len(numbers) == 0:
        raise LudusError(
            f"no numbers were found in the fields of {type(state).__name__}; give it planes(), "
            "an array (planes, rows, columns) of what the player to move sees"
        )
    marks = [numbers == value for value in SMALL]
    size, player = np.clip(numbers, -1e3, 1e3) / 8, np.full_like(numbers, state.player)
    planes: NDArray[np.float32] = np.stack([*marks, size, player]).astype(np.float32)[:, None, :]
    return planes


def fields_of(state: Any) -> list[Any]:
    """The values of a state's own attributes, by their names."""
    named = dict(getattr(state, "__dict__", {}))
    for kind in type(state).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        named |= {name: getattr(state, name, None) for name in ((slots,) if isinstance(slots, str) else slots)}
    return [named[name] for name in sorted(named) if not name.startswith("__")]


def numbers_in(value: Any) -> list[float]:
    """All numbers in a value, in order; the letters of a text count as numbers."""
    if value is None:
        return [0.0]
    if isinstance(value, bool | int | float | np.number):
        return [float(value)]
    if isinstance(value, str):
        return [{" ": 0.0, ".": 0.0, "-": 0.0}.get(letter, float(ord(letter) % 8)) for letter in value]
    if isinstance(value, np.ndarray):
        return [float(number) for number in value.reshape(-1)]
    if isinstance(value, list | tuple):
        return [number for part in value for number in numbers_in(part)]
    if isinstance(value, dict):
        return [number for key in sorted(value, key=str) for number in numbers_in(value[key])]
    return []
