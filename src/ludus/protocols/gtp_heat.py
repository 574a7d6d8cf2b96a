"""What an agent saw in a state, as the analysis windows of GoGui, HexGui, Sabaki and Lizzie read it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ludus.agents.agent import Decision
from ludus.errors import UnreadableAction
from ludus.game import Action, NativeState, Player, seen_by
from ludus.protocols.gtp_words import COLORS, BoardGame, board_lines, read_color, shape, write_vertex

COMMANDS = """\
gfx/Ludus Heat Map/ludus-heat
cboard/Ludus Heat Map in Colors/ludus-colors
dboard/Ludus Values/ludus-values
pspairs/Ludus Visits/ludus-visits
pspairs/Ludus Points in Percent/ludus-percent
var/Ludus Expected Line/ludus-line
string/Ludus Reason/ludus-why"""  # type/label/command, for GoGui and HexGui


def heat(decision: Decision) -> dict[Action, float]:
    """How much each action was looked at, 0 to 1; how good it looked, where nothing was counted."""
    if decision.visits:
        most = max(1, *decision.visits.values())
        return {action: visits / most for action, visits in decision.visits.items()}
    return {action: (value + 1) / 2 for action, value in decision.values.items()} or {decision.action: 1.0}


def values(decision: Decision) -> dict[Action, float]:
    """The value of each action looked at, for the player to move."""
    alone = {} if decision.value is None else {decision.action: decision.value}
    return decision.values or alone


def pairs(game: BoardGame, numbers: dict[Action, str]) -> str:
    """Points with a word each; a pass or a swap has no place on the board."""
    width, height = shape(game)
    return " ".join(f"{write_vertex(game, a)} {word}" for a, word in numbers.items() if a < width * height)


def draw_heat(game: BoardGame, decision: Decision) -> str:
    """Squares that grow with the heat, and a sentence. HexGui wants just these two lines, in this order."""
    squares = pairs(game, {a: f"{warmth:.3f}" for a, warmth in heat(decision).items() if warmth > 0})
    return f"INFLUENCE {squares}\nTEXT {why(game, decision)}"


def on_board(game: BoardGame, state: NativeState, words: dict[Action, str], empty: str) -> str:
    """A board with a word where each action sets its stone."""
    width, height = shape(game)
    cells, cell_of = [empty] * (width * height), game.board(state).cell_of
    for action, word in words.items():
        if action in cell_of:
            cells[cell_of[action]] = word
    return board_lines(game, cells)


def draw_colors(game: BoardGame, state: NativeState, decision: Decision) -> str:
    """A board of colours, from yellow to red; no colour for moves that the search did not look at."""
    warm = heat(decision)
    shades = {a: f"#ff{int(235 * (1 - math.sqrt(w))):02x}20" for a, w in warm.items() if w > 0}
    return on_board(game, state, shades, '""')


def draw_values(game: BoardGame, state: NativeState, decision: Decision) -> str:
    """A board of values as GoGui draws influence: above 0 is good for Black."""
    found = {a: f"{seen_by(0, state.player, value) + 0.0:.3f}" for a, value in values(decision).items()}
    return on_board(game, state, found, f"{0:.3f}")


def write_visits(game: BoardGame, decision: Decision) -> str:
    """Points and how often they were looked at."""
    return pairs(game, {action: str(visits) for action, visits in decision.visits.items() if visits})


def write_percent(game: BoardGame, decision: Decision) -> str:
    """Points and the share of the score they promise to the player to move."""
    return pairs(game, {action: f"{50 * (value + 1):.0f}" for action, value in values(decision).items()})


def line(game: BoardGame, decision: Decision) -> str:
    """What the agent expects to be played."""
    expected = decision.line if decision.line[:1] == [decision.action] else [decision.action]
    return " ".join(write_vertex(game, action) for action in expected)


def why(game: BoardGame, decision: Decision) -> str:
    """The reason for the choice, in one line."""
    return " ".join(f"{write_vertex(game, decision.action)} {decision.why}".split())


@dataclass(frozen=True)
class Analysis:
    """What is asked for with `lz-analyze` or `kata-analyze` [color] [centiseconds] [interval n] [maxmoves n] …"""

    player: Player | None = None  # who is to move; None: whose turn it is
    seconds: float = 1.0  # between two lines
    most: int = 1000  # actions in a line
    kata: bool = False  # in KataGo's format, which is Leela Zero's with other numbers

    @staticmethod
    def read(words: Sequence[str], kata: bool) -> Analysis:
        """The request that these arguments make; arguments that ask for more than moves are ignored."""
        player, before, numbers = None, "interval", {"interval": 100, "maxmoves": 1000}
        for word in words:
            if word.lower() in ("allow", "avoid"):
                raise UnreadableAction("all moves are analysed, none can be avoided")
            if word.isdecimal() and before in numbers:
                numbers[before] = min(max(1, int(word[:9])), 100_000)
            elif player is None and word.lower() in ("b", "w", *COLORS):
                player, word = read_color(word), "interval"
            before = word.lower()
        return Analysis(player, numbers["interval"] / 100, numbers["maxmoves"], kata)


def info_line(game: BoardGame, decision: Decision, legal: int, asked: Analysis) -> str:
    """All actions looked at, the best first. Priors are uniform, because a decision does not include them."""
    found = values(decision)
    visits = decision.visits or dict.fromkeys(found or [decision.action], max(1, decision.simulations))
    seen = [action for action, count in visits.items() if count > 0 or action == decision.action]
    seen.sort(key=lambda a: (a != decision.action, -visits[a], -found.get(a, -1.0)))
    infos = []
    for place, action in enumerate(seen[: asked.most]):
        share = (found.get(action, 0.0) + 1) / 2
        doubt = 1.96 * math.sqrt(share * (1 - share) / max(1, visits[action]))
        shares = (share, 1 / max(1, legal), max(0.0, share - doubt))  # of the score; the prior; the share at least
        rate, prior, least = (f"{s:.6f}" if asked.kata else round(10_000 * s) for s in shares)
        moves = line(game, decision) if action == decision.action else write_vertex(game, action)
        infos.append(
            f"info move {write_vertex(game, action)} visits {visits[action]} winrate {rate} prior {prior} lcb {least} "
            f"order {place} pv {moves}"
        )
    return " ".join(infos)
