"""Game files for the GTP engine: `loadsgf` puts the position of a file on the table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.games.go import Go
from ludus.play.record import BadRecord
from ludus.play.sgf import COLORS, Files, moves_of, parse, tree_of
from ludus.protocols.gtp_lines import Refusal, whole
from ludus.protocols.gtp_table import Table

LARGEST = 4 << 20  # bytes of a game file


def load(table: Table, words: Sequence[str]) -> Table:
    """A new table with the last position of the first game in a file, or with that before a move.

    The words are the name of the file, which may hold spaces, and the number of the move, if one is given.
    """
    numbered = len(words) > 1 and words[-1].isdecimal()
    name, number = " ".join(words[:-1] if numbered else words), whole(words[-1]) if numbered else None
    try:
        path = Path(name)
        if not path.is_file() or path.stat().st_size > LARGEST:
            raise Refusal("cannot load file")
        tree, files = tree_of(next(parse(path.read_bytes())))
        return follow(table, tree, files, number)
    except Refusal:
        raise
    except (LudusError, ValueError, LookupError) as error:  # sgfmill's, too
        raise Refusal(f"cannot load file: {str(error) or 'a property has a bad value'}") from None
    except OSError:
        raise Refusal("cannot load file") from None


def follow(table: Table, tree: Any, files: Files, number: int | None) -> Table:
    """The moves of the main line on a new table; stones that are set up make a new position in Go."""
    moves = moves_of(tree, setup=files.kind is Go)
    game = files.game(tree.get_root(), moves)
    if type(game) is not type(table.game):
        raise BadRecord(f"it is a game of {files.kind.__name__}")
    loaded, played = Table(table.like(game)), 0
    for node in tree.get_main_sequence():
        color, text = node.get_raw_move()
        if node.has_setup_stones():
            arrange(loaded, node)
        if color is None:
            continue
        played += 1
        if number is not None and played >= number:
            break
        if text.lower() == b"resign":
            loaded.stay()
            continue
        try:
            loaded.play(COLORS.index(color), files.read(game, text))
        except (LudusError, ValueError) as error:
            shown = f"{color.upper()}[{text.decode(errors='replace')}]"
            raise BadRecord(f"move {played} ({shown}) cannot be played: {error}") from None
    return loaded


def arrange(table: Table, node: Any) -> None:
    """Sets up stones as a node of a game file says; where it does not say who moves, White does after Black's alone."""
    stones = dict(enumerate(table.state.cells()))
    black, white, empty = node.get_setup_stones()
    for code, points in ((0, empty), (1, black), (2, white)):
        stones |= {row * table.game.planes_shape[1] + column: code for row, column in points}
    alone = 2 not in stones.values()
    player = COLORS.index(node.get("PL")) if node.has_property("PL") else int(alone)
    table.arrange([stones[cell] for cell in sorted(stones)], player)
