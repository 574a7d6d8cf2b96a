"""Our agents for other people's programs: an engine that speaks GTP version 2, for Go, Hex, Othello and Connect Four.

It works in GoGui, Sabaki and HexGui. Text goes in and text comes out, so nothing here needs a process.
gtp_table.py says what happens when a colour moves out of turn.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TextIO

from ludus import __version__
from ludus._core import Rng
from ludus.agents.agent import Agent, AgentFailed, Decision, TimeLeft, accept, reset
from ludus.errors import LudusError
from ludus.game import Game, NativeState, Player
from ludus.games.go import Go
from ludus.protocols import gtp_handicap as handicap
from ludus.protocols import gtp_heat as heat
from ludus.protocols.gtp_files import load
from ludus.protocols.gtp_heat import Analysis
from ludus.protocols.gtp_lines import Listener, Refusal, complaint, number, read_command, whole
from ludus.protocols.gtp_table import Table
from ludus.protocols.gtp_time import GtpClock
from ludus.protocols.gtp_words import (
    COLORS,
    BoardGame,
    board_lines,
    pass_action,
    read_color,
    read_vertex,
    result,
    size_words,
    write_vertex,
)

MAX_NODES = 5_000_000  # a tree that is analysed for hours grows no further
ANALYSES = ("analyze", "lz-analyze", "kata-analyze")

Command = Callable[..., str | None]  # None: the command succeeded and has no text to answer
Wait = Callable[[float], bool]  # waits some seconds for the next line; True if there is one


class GtpEngine:
    """One game and one agent, and the commands that others give them."""

    def __init__(self, game: Game, agent: Agent, rng: Rng) -> None:
        self.table, self.agent, self.rng = Table(game), agent, rng
        self.clock = GtpClock()
        self.seen: tuple[NativeState, Decision] | None = None  # the last look at a position
        self.asked = Analysis()  # the last analysis that was asked for
        self.running = True
        self.commands = self.standard_commands() | self.analysis_commands() | self.window_commands()
        reset(agent)

    # ------------------------------------------------------------------------------- lines in, lines out

    def answer(self, line: str) -> str | None:
        """The whole answer to one line; None for a line without a command. An analysis is one look."""
        return "".join(self.pieces(line, lambda seconds: True)) or None

    def serve(self, reader: TextIO, writer: TextIO) -> None:
        """Answers lines until `quit` or their end."""
        lines = Listener(reader)
        while self.running and (line := lines.next()) is not None:
            for piece in self.pieces(line, lines.wait):
                writer.write(piece)
                writer.flush()

    def pieces(self, line: str, wait: Wait) -> Iterator[str]:
        """The answer bit by bit: an analysis goes on until the next line comes."""
        label, name, words = read_command(line)
        if not label and not name:
            return
        try:
            text = self.run(name, words) or ""
        except Exception as error:  # an agent may be anybody's code; the engine reports the error and goes on
            yield f"?{label} {complaint(error)}\n\n"
            return
        yield f"={label} {text}\n"  # an empty answer keeps its space: HexGui reads nothing else
        if name in ANALYSES:
            yield from self.more(wait)
        yield "\n"

    def run(self, name: str, words: list[str]) -> str | None:
        """What a command says."""
        if name not in self.commands:
            raise Refusal("unknown command")
        try:
            inspect.signature(self.commands[name]).bind(*words)
        except TypeError:
            raise Refusal("syntax error") from None
        return self.commands[name](*words)

    # ------------------------------------------------------------------------------------------- commands

    def standard_commands(self) -> dict[str, Command]:
        """The commands of GTP version 2."""
        commands: dict[str, Command] = {
            "protocol_version": lambda: "2",
            "name": lambda: "Ludus",
            "version": lambda: __version__,
            "known_command": lambda name: str(name in self.commands).lower(),
            "list_commands": lambda: "\n".join(self.commands),
            "quit": self.quit,
            "boardsize": self.boardsize,
            "clear_board": self.clear_board,
            "play": self.play,
            "genmove": lambda color: self.move(read_color(color))[0],
            "reg_genmove": self.reg_genmove,
            "undo": self.table.undo,
            "showboard": self.showboard,
            "time_settings": self.time_settings,
            "kgs-time_settings": self.kgs_time_settings,
            "time_left": self.time_left,
            "loadsgf": self.loadsgf,
            "final_score": lambda: result(self.table.state),
        }
        if isinstance(self.table.game, Go):
            commands |= {
                "komi": self.komi,
                "final_status_list": self.final_status_list,
                "fixed_handicap": partial(handicap.fixed, self.table),
                "place_free_handicap": partial(handicap.place, self.table),
                "set_free_handicap": partial(handicap.set_free, self.table),
            }
        return commands

    def analysis_commands(self) -> dict[str, Command]:
        """What Sabaki, Lizzie and others ask for: what the agent sees, in the format of Leela Zero or KataGo."""
        commands: dict[str, Command] = {}
        for maker, kata in (("", False), ("lz-", False), ("kata-", True)):
            commands[f"{maker}analyze"] = partial(self.analyze_first, kata)
            commands[f"{maker}genmove_analyze"] = partial(self.genmove_analyze, kata)
        return commands

    def window_commands(self) -> dict[str, Command]:
        """What the windows of GoGui and HexGui ask for: heat maps, and the rules of games that are not Go."""
        table = self.table
        return {
            "gogui-analyze_commands": lambda: heat.COMMANDS,
            "hexgui-analyze_commands": lambda: heat.COMMANDS,
            "ludus-heat": lambda: heat.draw_heat(table.game, self.look()),
            "ludus-colors": lambda: heat.draw_colors(table.game, table.state, self.look()),
            "ludus-values": lambda: heat.draw_values(table.game, table.state, self.look()),
            "ludus-visits": lambda: heat.write_visits(table.game, self.look()),
            "ludus-percent": lambda: heat.write_percent(table.game, self.look()),
            "ludus-line": lambda: heat.line(table.game, self.look()),
            "ludus-why": lambda: heat.why(table.game, self.look()),
            "gogui-rules_game_id": lambda: table.game.name.capitalize(),
            "gogui-rules_board_size": lambda: size_words(table.game),
            "gogui-rules_board": lambda: board_lines(table.game, [".XO"[cell] for cell in table.state.cells()]),
            "gogui-rules_side_to_move": lambda: COLORS[table.state.player],
            "gogui-rules_legal_moves": lambda: " ".join(write_vertex(table.game, a) for a in table.state.actions()),
            "gogui-rules_final_result": self.final_sentence,
        }

    def quit(self) -> None:
        self.running = False

    def boardsize(self, width: str, height: str | None = None) -> None:
        """A new board; HexGui names both sides."""
        game = self.table.resized(whole(width), None if height is None else whole(height))
        self.refuse_unplayable(game)
        self.table.start(game)
        self.begin()

    def refuse_unplayable(self, game: BoardGame) -> None:
        """Refuses a board that the agent cannot play on, such as a network of another size."""
        try:
            accept(self.agent, game)
        except LudusError as error:
            raise Refusal(f"unacceptable size: {error}") from None

    def clear_board(self) -> None:
        self.table.clear()
        self.begin()

    def begin(self) -> None:
        """A new game: the agent forgets the last one, the clock starts again."""
        self.clock.restart()
        reset(self.agent)

    def komi(self, points: str) -> None:
        self.table.set_komi(number(points))

    def play(self, color: str, vertex: str) -> None:
        player = read_color(color)
        if vertex.lower() == "resign":  # HexGui reports a resignation this way
            self.table.stay()
        else:
            self.table.play(player, read_vertex(self.table.game, vertex))

    def time_settings(self, main: str, period: str, stones: str) -> None:
        self.clock = GtpClock(abs(number(main)), abs(number(period)), whole(stones))

    def kgs_time_settings(self, kind: str, *words: str) -> None:
        self.clock = GtpClock.of_kgs(kind, *words)

    def time_left(self, color: str, seconds: str, stones: str) -> None:
        self.clock.tell(read_color(color), max(0.0, number(seconds)), whole(stones))

    def loadsgf(self, *words: str) -> None:
        loaded = load(self.table, words)
        self.refuse_unplayable(loaded.game)
        self.table.take(loaded)
        self.begin()

    def showboard(self) -> str:
        state = self.table.state
        turn = "the game is over" if state.over else f"{COLORS[state.player]} ({'XO'[state.player]}) to move"
        return f"\n{self.table.game.draw(state, color=False)}\n{turn}"

    def final_sentence(self) -> str:
        """The result in words."""
        if not self.table.state.over:
            return "the game is not over"
        winner, _, points = result(self.table.state).partition("+")
        if winner == "0":
            return "a draw"
        return f"{'Black' if winner == 'B' else 'White'} wins" + (f" by {points}" if points else "")

    def final_status_list(self, status: str) -> str:
        """All stones on the board are alive: captures are played out here."""
        if status not in ("alive", "dead", "seki"):
            raise Refusal("syntax error")
        cells = self.table.state.cells() if status == "alive" else []
        return "\n".join(write_vertex(self.table.game, cell) for cell, stone in enumerate(cells) if stone)

    # ------------------------------------------------------------------------------------ the agent's turn

    def move(self, player: Player) -> tuple[str, Decision | None]:
        """Plays the agent's move: how it is written, and what the agent saw."""
        state, began = self.table.turn_of(player), time.monotonic()
        if self.only_pass(state):
            self.table.stay()
            return "pass", None
        try:
            decision = self.think(state, self.clock.left[player])
        except AgentFailed as failed:
            if failed.kind == "resign":
                return "resign", None
            raise
        self.clock.press(player, time.monotonic() - began)
        self.table.play(player, decision.action)
        return write_vertex(self.table.game, decision.action), decision

    def reg_genmove(self, color: str) -> str:
        """The agent's move, which is not played."""
        state = self.table.turn_of(read_color(color))
        return "pass" if self.only_pass(state) else write_vertex(self.table.game, self.think(state).action)

    def only_pass(self, state: NativeState) -> bool:
        """Is the game over, so that a pass is the only answer?"""
        if state.over and pass_action(self.table.game) is None:
            raise Refusal("the game is over")
        return state.over

    def think(self, state: NativeState, left: TimeLeft | None = None) -> Decision:
        """The agent's decision, which is legal."""
        if state.over:
            raise Refusal("the game is over")
        decision = self.agent.decide(state, self.rng, left)
        if decision.action not in state.actions():
            raise Refusal(f"the agent chose {decision.action!r}, which is not legal here")
        return decision

    # --------------------------------------------------------------------------------- what the agent sees

    def look(self) -> Decision:
        """What the agent sees in the position, thinking as long as its own settings say; kept until the next move."""
        if self.seen is None or self.seen[0] is not self.table.state:
            self.seen = (self.table.state, self.think(self.table.state))
        return self.seen[1]

    def analyze_first(self, kata: bool, *words: str) -> str:
        """The first line of an analysis, which goes on until the next command interrupts it."""
        self.asked = Analysis.read(words, kata)
        return f"\n{self.analyze(self.asked)}"

    def analyze(self, asked: Analysis) -> str:
        """A line of analysis, for which the agent has thought as long as the interval."""
        state = self.table.state if asked.player is None else self.table.turn_of(asked.player)
        self.seen = (state, self.think(state, TimeLeft(asked.seconds, 0.0, 1)))
        return heat.info_line(self.table.game, self.seen[1], len(state.actions()), asked)

    def more(self, wait: Wait) -> Iterator[str]:
        """Further lines of analysis, until the next line comes. A tree that is kept between them grows on."""
        rest = 0.0
        while not wait(rest):
            began = time.monotonic()
            if self.seen is not None and self.seen[1].nodes < MAX_NODES:
                try:
                    yield self.analyze(self.asked) + "\n"
                except Exception:  # GTP has no way to report an error in the middle of an answer
                    return
            rest = max(0.0, self.asked.seconds - (time.monotonic() - began))

    def genmove_analyze(self, kata: bool, *words: str) -> str:
        """The agent's move, which is played, after a line of what it saw."""
        asked, before = Analysis.read(words, kata), self.table.state
        vertex, decision = self.move(before.player if asked.player is None else asked.player)
        seen = heat.info_line(self.table.game, decision, len(before.actions()), asked) + "\n" if decision else ""
        return f"\n{seen}play {vertex}"
