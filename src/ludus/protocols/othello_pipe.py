"""The pipe of the Othello course, both ways: programs written for it as our agents, our agents for its manager.

The program writes its name, reads `color,limit,minimax,caching,ordering` (or the colour alone), and then, turn by
turn, reads `SCORE dark light` and a board, and answers `column row`. Nobody tells it that the game is over.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import TextIO

from ludus._core import Rng
from ludus.agents import Agent, AgentFailed, Decision, TimeLeft, close, make_agent
from ludus.agents.depth import AlphaBetaAgent, DeepeningAgent, MinimaxAgent
from ludus.errors import BadOption, LudusError
from ludus.game import Action, Game, NativeState, Player, State, native
from ludus.games.othello import Othello
from ludus.protocols.othello_lines import Board, Move, read_board, read_flags, read_move, write_flags, write_question
from ludus.protocols.othello_rules import find_lines, get_possible_moves
from ludus.protocols.program import Program, shorten, split
from ludus.search.limits import refuse_finished

SLACK = 0.8  # the share of the manager's seconds that an agent of ours may use
USUAL = 0.4  # and the share that it plans to use by default


# ---- others' programs as agents


@dataclass
class OthelloPipeAgent:
    """A program written for the manager of the Othello course. It is started anew for every game."""

    command: str
    seconds: float = 10.0  # per move
    depth: int = -1  # the depth limit that it is told; -1: none
    minimax: bool = False  # it is told to use minimax instead of alpha-beta
    caching: bool = False  # it is told to remember positions
    ordering: bool = False  # it is told to order moves
    columbia: bool = False  # it is told its colour only
    memory: int = 4096  # megabytes
    start_seconds: float = 60.0  # until it has said its name
    _ready: Program | None = field(default=None, init=False, repr=False, compare=False)  # has no colour yet
    _failed: AgentFailed | None = field(default=None, init=False, repr=False, compare=False)  # at its start
    _playing: dict[Player, Program] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        split(self.command)  # refuses what cannot be run, before a game begins
        for name in ("seconds", "start_seconds"):
            if not getattr(self, name) > 0:
                raise BadOption(f"{name} must be a number above 0, not {getattr(self, name)!r}")

    def accept(self, game: Game) -> None:
        """Refuses what is not Othello."""
        othello(game)

    def reset(self) -> None:
        """A new game begins: the old program is ended, a new one started before the clock runs."""
        self.close()
        self._start()

    def _start(self) -> None:
        """Starts a program and waits until it has said its name. If it fails, decide() raises the error."""
        self._ready = Program(self.command, self.memory)
        try:
            self._ready.read_line(self.start_seconds)
        except AgentFailed as failed:
            self._failed = failed

    def close(self) -> None:
        """Ends the programs."""
        for program in [self._ready, *self._playing.values()]:
            if program:
                program.close()
        self._ready, self._failed, self._playing = None, None, {}

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        game = game_of(state)
        refuse_finished(state)
        if list(state.actions()) == [game.size**2]:
            return Decision(game.size**2, "there is nothing else to do")
        try:
            program = self._program_of(state.player)
            began = time.perf_counter()
            limit = min(self.seconds, left.seconds) if left else self.seconds
            program.send(questions(native(state)), limit)
            reply = program.read_line(limit - (time.perf_counter() - began))
            action = read_reply(reply, state, game, program)
        except AgentFailed:
            self.close()
            raise
        return Decision(action, f"the program says {shorten(reply)}", seconds=time.perf_counter() - began)

    def _program_of(self, player: Player) -> Program:
        """The program that plays for a player, after it has been given its colour."""
        if player not in self._playing:
            if self._ready is None:  # reset() was not called, or it plays against itself
                self._start()
            if self._failed:
                raise self._failed
            assert self._ready
            self._playing[player], self._ready = self._ready, None
            self._playing[player].send(self._color_line(player), self.seconds)
        return self._playing[player]

    def _color_line(self, player: Player) -> str:
        if self.columbia:
            return str(player + 1)
        return write_flags(player + 1, self.depth, self.minimax, self.caching, self.ordering)


def game_of(state: State) -> Othello:
    """The game of a state, which must be Othello."""
    return othello(getattr(state, "game", None))


def othello(game: object) -> Othello:
    """The game, if it is Othello."""
    if not isinstance(game, Othello):
        raise LudusError(f"programs of the Othello course play othello only, not {getattr(game, 'name', game)}")
    return game


def questions(state: NativeState) -> str:
    """The two lines that ask for a move. Until a move has been played the manager's board is lists, then tuples."""
    cells, size = state.cells(), game_of(state).size
    rows = [cells[row * size : (row + 1) * size] for row in range(size)]
    return write_question(rows if not state.history else tuple(map(tuple, rows)))


def read_reply(reply: str, state: State, game: Othello, program: Program) -> Action:
    """The action that a reply `column row` means."""
    try:
        column, row = read_move(reply)
    except ValueError:
        raise AgentFailed("rubbish", f"{program} answered {shorten(reply)!r}, not a column and a row") from None
    action = row * game.size + column
    if not (0 <= column < game.size and 0 <= row < game.size) or action not in state.actions():
        raise AgentFailed("illegal", f"{program} answered {shorten(reply)!r}: column {column}, row {row} is not legal")
    return action


# ---- our agents for the course's manager


def main(agent: str | None = None, name: str = "Ludus", seconds: float = 10.0, seed: int | None = None) -> None:
    """A whole program for the manager: a file needs this function and a call of it, no more."""
    if not seconds > 0:
        raise BadOption(f"seconds must be a number above 0, not {seconds!r}")
    ours = make_agent(agent) if agent else None
    out = sys.stdout
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    try:
        with redirect_stdout(sys.stderr):  # whatever an agent prints, the manager gets moves only
            serve(ours, sys.stdin, out, name, seconds, Rng(time.time_ns() if seed is None else seed))
    except BrokenPipeError:  # the manager is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    finally:
        if ours:
            close(ours)


def serve(
    agent: Agent | None, reader: TextIO, writer: TextIO, name: str, seconds: float = 10.0, rng: Rng | None = None
) -> None:
    """Plays one game through a pipe. Without an agent, the manager's flags say which search plays."""
    rng, player = rng or Rng(0), None
    say(writer, shorten(name) or "Ludus")
    for line in reader:
        if line.startswith("FINAL"):
            return
        if player is None and (flags := read_flags(line)):
            player = flags[0] - 1
            agent = agent or agent_for(flags, seconds)
        elif board := read_board(line):
            agent = agent or agent_for([], seconds)
            move = choose(board, mover(board) if player is None else player, agent, rng, seconds)
            if move:
                say(writer, f"{move[0]} {move[1]}")
        elif not line.startswith("SCORE"):
            note(f"passed over the line {shorten(line)!r}")


def say(writer: TextIO, line: str) -> None:
    writer.write(line + "\n")
    writer.flush()


def note(text: str) -> None:
    print(f"ludus othello-agent: {text}", file=sys.stderr, flush=True)


def agent_for(flags: list[int], seconds: float) -> Agent:
    """The search that the manager's flags ask for; without a limit the strongest that stays well within the time."""
    _, limit, minimax, caching, ordering = (flags + [1, -1, 0, 0, 0][len(flags) :])[:5]
    if limit < 0:
        return DeepeningAgent(seconds=USUAL * seconds)
    if minimax:
        return MinimaxAgent(max(1, limit))
    return AlphaBetaAgent(max(1, limit), caching=bool(caching), ordering=bool(ordering))


def mover(board: Board) -> Player:
    """Whose turn it is where nobody ever passes: each move adds a disc, and dark moves first."""
    return sum(cell != 0 for row in board for cell in row) % 2


def choose(board: Board, player: Player, agent: Agent, rng: Rng, seconds: float) -> Move | None:
    """The agent's move, or another legal one if it fails; None if there is no legal move."""
    legal = moves(board, player + 1)
    if not legal:
        note("there is no legal move on this board")
        return None
    try:
        move = decide(board, player, agent, rng, seconds)
        if move in legal:
            return move
        note(f"the agent chose {move}, which is not legal")
    except Exception as error:  # a size that we do not play, or any error of the agent
        note(f"{type(error).__name__}: {error}")
    return max(legal, key=lambda move: legal[move])


def decide(board: Board, player: Player, agent: Agent, rng: Rng, seconds: float) -> Move:
    """The agent's move, for which it uses at most a safe share of the manager's seconds."""
    action = agent.decide(state_of(board, player), rng, TimeLeft(SLACK * seconds, moves=1)).action
    return action % len(board), action // len(board)


def state_of(board: Board, player: Player) -> NativeState:
    """The state in which a player is to move on a board of the course, whose game has no passing."""
    drawing = "\n".join("".join(".XO"[cell] for cell in row) for row in board)
    return Othello(len(board), passing=False).read_board(drawing, player)


def moves(board: Board, color: int) -> dict[Move, int]:
    """The legal moves on a board of any size, each with how many discs it turns. Plain rules, to fall back on."""
    return {move: sum(map(len, find_lines(board, *move, color))) for move in get_possible_moves(board, color)}
