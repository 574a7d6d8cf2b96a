"""Other people's programs as our agents: whatever speaks GTP and plays Go, Hex, Othello or Connect Four.

The program keeps its process from game to game and is told only the moves that it does not know yet. Whatever goes
wrong in between loses it the game, with a sentence: it answers too late, crashes, breaks the protocol, refuses a legal
move (programs differ in superko and suicide), plays an illegal one, or resigns.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

from ludus._core import Rng
from ludus.agents.agent import AgentFailed, Decision, TimeLeft
from ludus.errors import BadOption, LudusError, UnreadableAction
from ludus.game import Action, Game, NativeState, Player, State, native
from ludus.games.go import Go
from ludus.games.othello import Othello
from ludus.protocols.gtp_time import NO_LIMIT, left_words, settings_words
from ludus.protocols.gtp_words import COLORS, BoardGame, board_game, pass_action, read_vertex, size_words, write_vertex
from ludus.protocols.program import Program, shorten, split
from ludus.search.limits import refuse_finished

MAX_ANSWER = 256 * 1024  # characters of one answer, and of what stands before it
SKIPPED = 1000  # lines that may stand before an answer


class Refused(Exception):
    """The program answered with a question mark."""


class Conversation:
    """GTP with a running program: a command, then its answer."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: set[str] = set()  # commands
        self.game: BoardGame | None = None  # on its board
        self.history: list[Action] = []  # what it has been told or has played
        self.clocked = False

    def ask(self, command: str, until: float) -> str:
        """The answer to a command, before a moment of time.monotonic()."""
        self.program.send(command, max(0.0, until - time.monotonic()))
        lines = [self.first_line(until)]
        size = 0
        while line := self.program.read_line(max(0.0, until - time.monotonic())):
            lines.append(line)
            size += len(line) + 1
            if size > MAX_ANSWER:
                raise AgentFailed("rubbish", f"{self.program} does not end its answer to {command!r}")
        text = "\n".join(lines)
        answer = re.sub(r"^[=?]\d*", "", text).strip()
        if text[0] == "?":
            raise Refused(shorten(answer, 120) or "no reason given")
        return answer

    def first_line(self, until: float) -> str:
        """The line that begins an answer; what a program says before it is passed over."""
        for _ in range(SKIPPED):
            line = self.program.read_line(max(0.0, until - time.monotonic()))
            if line.startswith(("=", "?")):
                return line
        raise AgentFailed("rubbish", f"{self.program} does not answer as GTP wants: with = or ?")

    def must(self, command: str, until: float) -> str:
        """The answer to a command that no program may refuse."""
        try:
            return self.ask(command, until)
        except Refused as refused:
            raise AgentFailed("rubbish", f"{self.program} refused {command!r}: {refused}") from None


@dataclass
class GtpAgent:
    """A program that speaks GTP: `gtp:"gnugo --mode gtp --chinese-rules"`."""

    command: str  # the program and its arguments
    seconds: float = 60.0  # the longest wait for a move when there is no clock
    memory: int = 4096  # megabytes the program may use
    _talk: Conversation | None = field(default=None, init=False, repr=False, compare=False)
    _fresh: bool = field(default=True, init=False, repr=False, compare=False)  # the next move is of a new game

    def __post_init__(self) -> None:
        split(self.command)  # refuses what cannot be run, before a game begins
        if not isinstance(self.seconds, int | float) or not 0 < self.seconds <= 1e6:
            raise BadOption(f"seconds must be a number above 0, not {self.seconds!r}")

    def accept(self, game: Game) -> None:
        """Refuses games that GTP has no words for."""
        board_game(game)

    def reset(self) -> None:
        """A new game begins. The program stays."""
        self._fresh = True

    def close(self) -> None:
        """Ends the program."""
        if self._talk is not None:
            self._talk.program.close()
        self._talk = None

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        """The program's move; with a clock it has the time that the clock shows, else `seconds`."""
        refuse_finished(state)
        began, here = time.monotonic(), native(state)
        game, moves = board_game(here.game), moves_of(here)
        if list(here.actions()) == [pass_action(game)]:
            return Decision(here.actions()[0], "there is no other move")
        allowed = self.seconds if left is None else left.seconds
        until = began + allowed
        try:
            talk = self.conversation(until)
            self.follow(talk, game, moves, left, until)
            action = self.genmove(talk, game, here, left, until)
        except BaseException as error:
            kind = error.kind if isinstance(error, AgentFailed) else "exception"
            if kind not in ("illegal", "resign"):
                self.close()  # its late answer must not be taken for the answer to a later command
            if kind == "flag":
                reason = f"{shorten(self.command, 80)} gave no move within {allowed:.3g} s"
                raise AgentFailed("flag", reason) from None
            raise
        return Decision(action, f"{shorten(self.command, 60)} says so", seconds=time.monotonic() - began)

    def conversation(self, until: float) -> Conversation:
        """The running program, started again if it has ended."""
        if self._talk is None or not self._talk.program.alive:
            self.close()
            self._talk = Conversation(Program(self.command, self.memory))
            self._talk.known = set(self._talk.must("list_commands", until).split())
        return self._talk

    def follow(
        self,
        talk: Conversation,
        game: BoardGame,
        moves: list[tuple[Player, Action]],
        left: TimeLeft | None,
        until: float,
    ) -> None:
        """Brings the program's board to the state: by the new moves, or from the start where it has seen others."""
        history = [action for _, action in moves]
        if self._fresh or talk.game != game or history[: len(talk.history)] != talk.history:
            begin(talk, game, until)
            set_clock(talk, left, until)
            self._fresh = False
        for player, action in moves[len(talk.history) :]:
            tell(talk, game, player, action, until)
            talk.history.append(action)

    def genmove(
        self, talk: Conversation, game: BoardGame, state: NativeState, left: TimeLeft | None, until: float
    ) -> Action:
        """Asks for a move. The program has then played it on its own board."""
        color = COLORS[state.player]
        if left is not None and "time_left" in talk.known:
            talk.must(left_words(color, left), until)
        word = talk.must(f"genmove {color}", until)
        if word.lower() == "resign":
            raise AgentFailed("resign", f"{talk.program} resigned")
        try:
            action = read_vertex(game, word)
        except UnreadableAction:
            raise AgentFailed("rubbish", f"{talk.program} answered genmove with {shorten(word, 40)!r}") from None
        if action not in state.actions():
            self._fresh = True
            more = "; rules of superko and suicide differ" if isinstance(game, Go) else ""
            raise AgentFailed("illegal", f"{talk.program} played {word}, which is not legal here{more}")
        talk.history.append(action)
        return action


def moves_of(state: NativeState) -> list[tuple[Player, Action]]:
    """All moves of a game so far, and who made them."""
    if state.origin is not None:
        raise LudusError("GTP programs play from the start of a game, not from a drawn board")
    states = board_game(state.game).states(state.history)
    return [(at.player, action) for at, action in zip(states, state.history, strict=False)]


def begin(talk: Conversation, game: BoardGame, until: float) -> None:
    """A new game on the program's board."""
    title = game.name.capitalize()
    if "set_game" in talk.known:
        talk.must(f"set_game {title}", until)
    if "gogui-rules_game_id" in talk.known and (plays := talk.must("gogui-rules_game_id", until)) != title:
        raise AgentFailed("rubbish", f"{talk.program} plays {shorten(plays, 40)}, not {title}")
    talk.must(f"boardsize {size_words(game)}", until)
    talk.must("clear_board", until)
    if isinstance(game, Go):
        talk.must(f"komi {game.komi:g}", until)
    talk.game, talk.history = game, []


def set_clock(talk: Conversation, left: TimeLeft | None, until: float) -> None:
    """Tells the program how much time it has for the game, if it wants to know."""
    if "time_settings" in talk.known and (left is not None or talk.clocked):
        talk.must(NO_LIMIT if left is None else settings_words(left), until)
        talk.clocked = left is not None


def tell(talk: Conversation, game: BoardGame, player: Player, action: Action, until: float) -> None:
    """Plays a move on the program's board."""
    word = write_vertex(game, action)
    try:
        talk.ask(f"play {COLORS[player]} {word}", until)
    except Refused as refused:
        if isinstance(game, Othello) and word == "pass":
            return  # some programs, such as grhino, pass by themselves where there is no other move
        more = " (rules of superko and suicide differ)" if isinstance(game, Go) else ""
        raise AgentFailed(
            "rubbish", f"{talk.program} refused the legal move {COLORS[player]} {word}: {refused}{more}"
        ) from None
