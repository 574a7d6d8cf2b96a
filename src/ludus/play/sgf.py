"""Game files of Go and Hex programs (SGF), read and written with sgfmill. Black is player 0.

sgfmill knows the format and the points of Go. Hex files name cells as people do, so their moves are read and written
as plain text. Game files are for exchange: of the options of a game they keep the size, the komi and who starts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sgfmill import sgf, sgf_grammar, sgf_properties

from ludus import __version__
from ludus.errors import LudusError, UnreadableAction
from ludus.game import Action, Game, Player, native, seen_by
from ludus.games.go import Go
from ludus.games.grid import LETTERS
from ludus.games.hex import Hex
from ludus.play.clock import read_clock
from ludus.play.record import AGREED, RULES, UNFINISHED, BadRecord, Record, Turn

COLORS = "bw"  # as sgfmill writes them
ENDS = {"r": "resign", "resign": "resign", "t": "flag", "time": "flag", "f": "forfeit", "forfeit": "forfeit"}
Node = Any  # sgfmill has no types: a node of the tree of moves


class GoFiles:
    """Go: two letters from the top left corner, nothing for a pass."""

    number, kind = 1, Go

    def game(self, root: Node, moves: list[tuple[str, bytes]]) -> Game:
        return Go(root.get_size(), number_in(root, "KM") if root.has_property("KM") else None)

    def head(self, game: Game) -> dict[str, Any]:
        assert isinstance(game, Go)
        return {"KM": game.komi, "RU": "Chinese"}

    def write(self, game: Game, action: Action) -> bytes:
        assert isinstance(game, Go)
        if action == game.size**2:
            return b""  # as FF[4] has it; sgfmill would write the older tt
        return bytes(sgf_properties.serialise_go_point(divmod(action, game.size), game.size))

    def read(self, game: Game, text: bytes) -> Action:
        assert isinstance(game, Go)
        point = sgf_properties.interpret_go_point(text, game.size)
        return game.size**2 if point is None else int(point[0] * game.size + point[1])


class HexFiles:
    """Hex: cells as people write them (c2) or by two letters (cb), and the swap as programs call it."""

    number, kind = 11, Hex

    def game(self, root: Node, moves: list[tuple[str, bytes]]) -> Game:
        swap = b"swap" in root.get_raw("RU") if root.has_property("RU") else False
        swap = swap or any(text.startswith(b"swap") for _, text in moves)
        return Hex(root.get_size(), swap, COLORS.index(moves[0][0]) if moves else 0)

    def head(self, game: Game) -> dict[str, Any]:
        return {"RU": "swap"} if getattr(game, "swap", False) else {}

    def write(self, game: Game, action: Action) -> bytes:
        text = game.write(action)
        return b"swap-pieces" if text == "swap" else text.encode()

    def read(self, game: Game, text: bytes) -> Action:
        word = text.decode("ascii", "replace").strip().lower()
        if word == "swap-sides":
            raise UnreadableAction("the players change sides here, but only a swap of pieces can be read")
        if re.fullmatch(r"[a-z]{2}", word):
            word = f"{word[0]}{LETTERS.index(word[1]) + 1}"
        return game.read("swap" if word == "swap-pieces" else word)


Files = GoFiles | HexFiles
FILES: tuple[Files, ...] = (GoFiles(), HexFiles())


def files_of(game: Game) -> Files:
    """How a game is written in game files; refuses a game that has none."""
    for files in FILES:
        if isinstance(game, files.kind):
            return files
    raise LudusError(f"SGF files are for {' and '.join(f.kind.__name__ for f in FILES)}, not for {game.title}")


# ------------------------------------------------------------------------------------------- writing


def write_sgf(record: Record, game: Game) -> str:
    """A record of Go or Hex as the text of a game file."""
    files = files_of(game)
    tree = sgf.Sgf_game(size=game.planes_shape[1], encoding="UTF-8")
    root = tree.get_root()
    root.set_raw("GM", str(files.number).encode())
    head: dict[str, Any] = {"AP": ("Ludus", __version__), "PB": record.agents[0], "PW": record.agents[1]}
    head["RE"] = result(record, game)
    if timing := read_clock(record.clock):
        head |= {"TM": 0.0 if timing.per_move else timing.seconds}
        head |= {"OT": f"{timing.seconds:g} per move" if timing.per_move else f"{timing.increment:g} fischer"}
    for key, value in (head | files.head(game)).items():
        root.set(key, value)
    for index, (state, action) in enumerate(zip(record.replay(game), record.actions, strict=False)):
        node, color = tree.extend_main_sequence(), COLORS[state.player].upper()
        node.set_raw(color, files.write(game, action))
        turn = record.turns[index - len(record.opening)] if index >= len(record.opening) else None
        if turn is not None and turn.left is not None:
            node.set(f"{color}L", round(turn.left, 1))
        if turn is not None and turn.value is not None:
            node.set("C", f"value {turn.value:+.2f} for the mover, {turn.seconds:.2f} s")
    return str(tree.serialise(wrap=None).decode())


def result(record: Record, game: Game) -> str:
    """The result as SGF writes it: B+3.5, W+R, W+T (time), B+F (forfeit), 0 (draw), ? (unfinished)."""
    if record.end == UNFINISHED:
        return "?"
    if record.score == 0:
        return "0"
    winner = "B" if record.score > 0 else "W"
    if record.end == RULES and game.unit is not None:
        *_, last = record.replay(game)
        return f"{winner}+{abs(native(last).margin(0)):g}"
    return f"{winner}+" + {RULES: "", AGREED: "", "resign": "R", "flag": "T"}.get(record.end, "F")


# ------------------------------------------------------------------------------------------- reading


def read_sgf(content: str | bytes) -> tuple[Game, Record]:
    """The first game in a game file, with the record of its main line."""
    return next(read_collection(content))


def read_collection(content: str | bytes) -> Iterator[tuple[Game, Record]]:
    """All games in a game file."""
    for number, tree in enumerate(parse(content)):
        try:
            yield read_game(tree, number)
        except BadRecord:
            raise
        except (ValueError, KeyError, LookupError) as error:  # sgfmill's, and options that a game refuses
            raise BadRecord(f"this SGF file cannot be read: {str(error) or 'a property has a bad value'}") from None


def parse(content: str | bytes) -> Iterator[Any]:
    """The games in a game file as sgfmill parses them, without a look at what they mean."""
    try:
        yield from sgf_grammar.parse_sgf_collection(content.encode() if isinstance(content, str) else content)
    except ValueError as error:
        raise BadRecord(f"this is not an SGF game file: {error}") from None


def tree_of(coarse: Any) -> tuple[Any, Files]:
    """A game that sgfmill has parsed as a tree of nodes, and how its moves are written."""
    head = coarse.sequence[0]
    if match := re.fullmatch(rb"(\d+):(\d+)", head.get("SZ", [b""])[0].strip()):
        if match[1] != match[2]:
            raise BadRecord(f"boards are square here, but this file has {match[0].decode()} cells")
        head["SZ"] = [match[1]]
    tree = sgf.Sgf_game.from_coarse_game_tree(coarse)
    kind = number_in(tree.get_root(), "GM") if "GM" in head else GoFiles.number
    files = next((files for files in FILES if files.number == kind), None)
    if files is None:
        known = " and ".join(f"{f.number} ({f.kind.__name__})" for f in FILES)
        raise BadRecord(f"this file is of game number {kind:g} (GM); games that can be read are {known}")
    return tree, files


def read_game(coarse: Any, number: int) -> tuple[Game, Record]:
    """A game and its record from what sgfmill has parsed."""
    tree, files = tree_of(coarse)
    root, moves = tree.get_root(), moves_of(tree)
    game = files.game(root, moves)
    turns, resigned = turns_of(game, files, moves)
    score, end = ending(
        game, [turn.action for turn in turns], root.get_raw("RE").decode() if root.has_property("RE") else ""
    )
    if resigned is not None and end != RULES:
        score, end = seen_by(0, resigned, -1.0), "resign"
    fault = None if end in (RULES, AGREED, UNFINISHED) else int(score > 0)
    names = tuple(str(root.get(key)) if root.has_property(key) else "" for key in ("PB", "PW"))
    return game, Record(
        game.identity(), (names[0], names[1]), 0, None, (), tuple(turns), score, end, fault, number=number
    )


def number_in(root: Node, key: str) -> float:
    """A property that must be a number."""
    text = bytes(root.get_raw(key)).decode(errors="replace")
    try:
        return float(text)
    except ValueError:
        raise BadRecord(f"{key} must be a number, not {text!r}") from None


def moves_of(tree: Any, setup: bool = False) -> list[tuple[str, bytes]]:
    """The moves of the main line: who, and the text of the move. Files that set up stones need `setup`."""
    moves = []
    for node in tree.get_main_sequence():
        if node.has_setup_stones() and not setup:
            raise BadRecord("this file sets up stones (AB, AW or AE), but only games from an empty board can be read")
        color, text = node.get_raw_move()
        if color is not None:
            moves.append((str(color), bytes(text)))
    return moves


def turns_of(game: Game, files: Files, moves: list[tuple[str, bytes]]) -> tuple[list[Turn], Player | None]:
    """The moves as turns, each checked by the rules; and who resigned, if a move says so."""
    turns: list[Turn] = []
    state = game.start()
    for number, (color, text) in enumerate(moves, 1):
        player, move = COLORS.index(color), f"move {number} ({color.upper()}[{text.decode(errors='replace')}])"
        if text.lower() == b"resign":
            return turns, player
        if not state.over and player != state.player:
            raise BadRecord(f"{move} is out of turn: {('Black', 'White')[state.player]} is to move")
        try:
            action = files.read(game, text)
            *_, state = game.states([action], state)
        except ValueError as error:
            raise BadRecord(f"{move} cannot be played: {str(error) or 'it is no point of this board'}") from None
        turns.append(Turn(player, action, 0.0))
    return turns, None


def ending(game: Game, actions: list[Action], result: str) -> tuple[float, str]:
    """The score of player 0 and how the game ended: by its rules, or else by the result that the file states."""
    state = game.after(actions)
    if state.over:
        return state.score(0), RULES
    match = re.fullmatch(r"([bw])\+(.*)", result.strip().lower())
    if match:
        return (1.0 if match[1] == "b" else -1.0), ENDS.get(match[2], AGREED)
    return 0.0, AGREED if result.strip().lower() in ("0", "draw") else UNFINISHED
