"""Exercises on disk: labels that took the solver hours are not made twice. A line of JSON for every block of them."""

from __future__ import annotations

import json
import math
import zlib
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.game import Game
from ludus.system import json_lines


@dataclass(frozen=True)
class Block:
    """Some exercises, a row for each in every column."""

    planes: NDArray[np.float32]
    policies: NDArray[np.float32]
    legal: NDArray[np.bool_]
    players: NDArray[np.int8]
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.planes)


TYPES: dict[str, type] = {
    "planes": np.float32, "policies": np.float32, "legal": np.bool_, "players": np.int8, "scores": np.float32,
}  # fmt: skip


class ExerciseFile:
    """The file of one training. Whatever was written whole can be read again."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, block: Block, game: Game) -> None:
        """Writes a block down."""
        row: dict[str, Any] = {"count": len(block), "game": game.identity()}
        for field in fields(Block):
            column = getattr(block, field.name).astype(TYPES[field.name])
            row[field.name] = b64encode(zlib.compress(column.tobytes(), 1)).decode()
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")

    def mend(self) -> None:
        """Cuts off a last line that was not written whole, so that what is added later can be read."""
        if not self.path.exists():
            return
        with self.path.open("rb+") as file:
            whole = file.read().rfind(b"\n") + 1
            file.truncate(whole)

    def blocks(self, game: Game) -> Iterator[Block]:
        """The blocks of this game, on a board of this size; a damaged one and all after it are left out."""
        for row in json_lines(self.path):
            try:
                if row["game"] == game.identity():
                    yield read_block(row, game)
            except (KeyError, TypeError, ValueError, OverflowError, NotBase64, zlib.error):
                return


def read_block(row: dict[str, Any], game: Game) -> Block:
    """A block from its line."""
    count, actions = row["count"], game.num_actions
    shapes = {"planes": (count, *game.planes_shape), "policies": (count, actions), "legal": (count, actions)}
    columns = {}
    for name, kind in TYPES.items():
        shape = shapes.get(name, (count,))
        columns[name] = np.frombuffer(unpacked(row[name], math.prod(shape) * np.dtype(kind).itemsize), kind).reshape(
            shape
        )
    return Block(**columns)


def unpacked(text: str, size: int) -> bytes:
    """What a text holds, which must be so many bytes: a damaged one may pretend to hold any number of them."""
    content = zlib.decompressobj().decompress(b64decode(text), size + 1)
    if len(content) != size:
        raise ValueError(f"a column has {len(content)} bytes, not {size}")
    return content
