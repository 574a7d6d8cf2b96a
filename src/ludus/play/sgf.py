"""Records as SGF, the game files of Go and Hex programs."""

from __future__ import annotations

from ludus.errors import LudusError
from ludus.game import Action, Game
from ludus.play.clock import read_clock
from ludus.play.record import RULES, Record

KINDS = {"go": 1, "hex": 11}  # SGF's numbers of the games


def write_sgf(record: Record, game: Game) -> str:
    """A record of Go or Hex as an SGF text. Black is player 0."""
    if game.name not in KINDS:
        raise LudusError(f"SGF files are for Go and Hex, not for {game.name}")
    size: int = game.size  # type: ignore[attr-defined]
    head = {
        "FF": "4", "GM": str(KINDS[game.name]), "CA": "UTF-8", "AP": "Ludus", "SZ": str(size),
        "PB": record.agents[0], "PW": record.agents[1], "RE": result(record, game),
    }  # fmt: skip
    if game.name == "go":
        head |= {"KM": f"{game.komi:g}", "RU": "Chinese"}  # type: ignore[attr-defined]
    if timing := read_clock(record.clock):
        head["TM"] = "0" if timing.per_move else f"{timing.seconds:g}"
        head["OT"] = f"{timing.seconds:g} per move" if timing.per_move else f"{timing.increment:g} fischer"
    nodes = ["".join(f"{key}[{escape(value)}]" for key, value in head.items())]
    for index, (state, action) in enumerate(zip(record.replay(game), record.actions, strict=False)):
        node = f"{'BW'[state.player]}[{point(game, size, action)}]"
        turn = record.turns[index - len(record.opening)] if index >= len(record.opening) else None
        if turn is not None and turn.left is not None:
            node += f"{'BW'[state.player]}L[{turn.left:.1f}]"
        if turn is not None and turn.value is not None:
            node += f"C[{escape(f'worth {turn.value:+.2f} to the mover, {turn.seconds:.2f} s')}]"
        nodes.append(node)
    return "(" + "".join(f";{node}\n" for node in nodes) + ")\n"


def result(record: Record, game: Game) -> str:
    """The result as SGF writes it: B+3.5, W+R, W+T (time), B+F (forfeit), 0 (draw)."""
    if record.score == 0:
        return "0"
    winner = "B" if record.score > 0 else "W"
    if record.end != RULES:
        return f"{winner}+" + {"resign": "R", "flag": "T"}.get(record.end, "F")
    if game.name == "hex":
        return f"{winner}+"
    margin = game.after(record.actions).margin(0)  # type: ignore[attr-defined]
    return f"{winner}+{abs(margin):g}"


def point(game: Game, size: int, action: Action) -> str:
    """A point as SGF writes it: Hex as people do; Go by two letters from the top left, nothing for a pass."""
    if game.name == "hex":
        return "swap-pieces" if action == size * size else game.write(action)
    if action == size * size:
        return ""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[action % size] + letters[size - 1 - action // size]


def escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
