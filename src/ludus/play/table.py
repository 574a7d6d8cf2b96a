"""A person and an agent at one table. Lines come in and text goes out through two functions, so no terminal is needed.

A wrong word never ends the game: it gets a sentence, and the person is asked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ludus._core import Rng
from ludus.agents import Agent, AgentFailed, TimeLeft, reset, write_agent
from ludus.errors import LudusError
from ludus.game import Action, Game, Player, State, seen_by
from ludus.play import talk
from ludus.play.clock import Clock, Timing
from ludus.play.match import GRACE, ask, interrupted_after, refuse_action, take_turn
from ludus.play.record import RULES, Record, Turn

HELP = "Commands: hint (what the machine would play), undo (your last move and the answer), board, resign, quit, ?"
COMMANDS = {  # what the person may type instead of a move, and the method for it
    "?": "help", "help": "help", "hint": "hint", "undo": "undo", "board": "board", "resign": "resign",
    "quit": "leave", "exit": "leave", "q": "leave",
}  # fmt: skip
LEFT = "left"  # the end of a game that the person left unfinished


@dataclass
class Table:
    """One game between a person and an agent."""

    game: Game
    agent: Agent
    person: Player
    say: Callable[[str], None]  # prints
    hear: Callable[[str], str]  # prints a prompt and returns a line; raises EOFError and KeyboardInterrupt
    adviser: Callable[[], Agent] | None = None  # makes the agent that gives hints; None: the other player gives them
    timing: Timing | None = None
    seed: int = 0
    now: Callable[[], float] = time.perf_counter
    end: str = ""  # how the game ended, as in a Record
    fault: Player | None = None  # who lost it, if not by the rules
    why: str = ""
    turns: list[Turn] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.states: list[State] = [self.game.start()]
        self.signs = [talk.name_player(self.game, player) for player in (0, 1)]
        self.name = write_agent(self.agent)
        self.clock = Clock(self.timing) if self.timing else None
        self.rng = Rng(self.seed)
        self.helper: Agent | None = None
        self.warned = False  # has Ctrl-C been pressed just before?

    @property
    def state(self) -> State:
        return self.states[-1]

    def play(self) -> None:
        """Plays the game to its end and says who won."""
        reset(self.agent)
        self.greet()
        while not self.end:
            if self.state.over:
                self.end = RULES
            elif self.state.player == self.person:
                self.person_moves()
            else:
                self.machine_moves()
        self.say("\n" + talk.paragraph(self.verdict()))

    def greet(self) -> None:
        turn = "first" if self.state.player == self.person else "second"
        self.say(f"You are {self.signs[self.person]} and move {turn}; {self.signs[1 - self.person]} is {self.name}.")
        if rules := self.game.aim:
            self.say(talk.paragraph(rules))
        middle = self.state.actions()[len(self.state.actions()) // 2]
        self.say(f"Type a move, such as {talk.write(self.game, self.state, middle)}, or ? for help.")
        self.board()

    # ----------------------------------------------------------------------------- the two players

    def person_moves(self) -> None:
        """Hears what the person says until it is a move, or the end."""
        left, began = self.left(self.person), self.now()
        if len(self.state.actions()) == 1:
            self.say(f"Your only move is {talk.write(self.game, self.state, self.state.actions()[0])}.")
        try:
            with interrupted_after(left.seconds + GRACE if left else None):
                action = self.hear_move(began)
        except AgentFailed:  # the flag fell before a move was typed
            self.lose(self.person, "flag", "")
            return
        seconds = self.now() - began
        if self.clock and not self.clock.press(self.person, seconds):
            if self.end != LEFT:
                self.lose(self.person, "flag", "")
        elif action is not None:
            shown = None if left is None else round(left.seconds - seconds, 4)
            self.move(Turn(self.person, action, round(seconds, 4), shown))

    def hear_move(self, began: float) -> Action | None:
        """The person's move; none if the game ends without it. Commands are carried out on the way."""
        while not self.end:
            line = self.listen(began)
            if line.lower() in COMMANDS:
                getattr(self, COMMANDS[line.lower()])()
            elif line:
                try:
                    return talk.read(self.game, self.state, line)
                except LudusError as error:
                    self.say(f"{error}. Type ? for help.")
        return None

    def listen(self, began: float) -> str:
        """One line from the person, or nothing. At the end of the input, or after Ctrl-C twice in a row, they leave."""
        left = f", {max(0.0, self.clock.left[self.person] - self.now() + began):.0f} s left" if self.clock else ""
        try:
            line = self.hear(f"your move ({self.signs[self.person]}{left})> ").strip()
        except EOFError:
            self.leave()
            return ""
        except KeyboardInterrupt:
            self.hear_break()
            return ""
        self.warned = False
        return line

    def hear_break(self) -> None:
        """Ctrl-C: a question the first time, an answer the second."""
        if self.warned:
            self.leave()
            return
        self.warned = True
        self.say("\nThe game goes on. Press Ctrl-C again, or type quit, to leave it.")

    def machine_moves(self) -> None:
        """The agent decides; if it fails, it loses."""
        player = self.state.player
        sign = self.signs[player]
        self.say(f"{sign} is thinking …")
        try:
            turn, decision = take_turn(self.game, self.state, self.agent, self.rng, self.clock, self.now)
        except AgentFailed as failed:
            self.lose(player, failed.kind, str(failed))
            return
        except KeyboardInterrupt:  # it thinks again
            self.hear_break()
            return
        shown = f", {self.clock.left[player]:.0f} s left" if self.clock else ""
        because = f": {decision.why}" if decision.why else ""
        self.say(
            f"{sign} plays {talk.write(self.game, self.state, turn.action)}{because} ({turn.seconds:.1f} s{shown})"
        )
        self.move(turn)

    def move(self, turn: Turn) -> None:
        self.states.append(self.state.play(turn.action))
        self.turns.append(turn)
        self.board()

    def left(self, player: Player) -> TimeLeft | None:
        return self.clock.shows(player) if self.clock else None

    # ----------------------------------------------------------------------------- what the person may say

    def help(self) -> None:
        self.say(talk.paragraph(f"Moves: {talk.listed(self.game, self.state)}"))
        self.say(talk.paragraph(HELP))

    def board(self) -> None:
        self.say("\n" + talk.draw(self.game, self.state).rstrip("\n") + "\n")

    def hint(self) -> None:
        """What the machine would play, and why. The clock goes on."""
        if self.helper is None:
            self.helper = self.adviser() if self.adviser else self.agent
        self.say("One moment …")
        try:
            decision = ask(self.helper, self.state, self.rng.split(), None)
            if decision.action not in self.state.actions():
                refuse_action(self.state, decision.action, self.game)
            self.say(talk.advice(self.game, self.state, self.name, decision))
        except LudusError as error:
            self.say(f"There is no hint: {error}.")
        except KeyboardInterrupt:
            self.hear_break()

    def undo(self) -> None:
        """Back to the person's last turn. Time that was spent stays spent."""
        own = [i for i, state in enumerate(self.states[:-1]) if state.player == self.person]
        if not own:
            self.say("There is no move of yours to take back.")
            return
        del self.states[own[-1] + 1 :], self.turns[own[-1] :]
        self.board()

    def resign(self) -> None:
        self.lose(self.person, "resign", "")

    def leave(self) -> None:
        self.end = LEFT

    def lose(self, player: Player, end: str, why: str) -> None:
        self.end, self.fault, self.why = end, player, why

    # ----------------------------------------------------------------------------- the end

    def verdict(self) -> str:
        """How it ended, in a sentence."""
        if self.end == LEFT:
            return "Goodbye. The game was not finished."
        if self.end == RULES:
            score = self.state.score(self.person)
            if score == 0:
                return "A draw."
            if score > 0:
                return f"You win{talk.margin(self.game, self.state, self.person)}. Well played!"
            return f"{self.name} wins{talk.margin(self.game, self.state, 1 - self.person)}."
        if self.fault == self.person:
            reason = "Your time is up" if self.end == "flag" else "You resigned"
            return f"{reason}: {self.name} wins."
        return f"You win, because {self.name} failed: {self.why}."

    def record(self) -> Record | None:
        """The record of the game; None if it was not finished."""
        if self.end in ("", LEFT):
            return None
        names = (self.name, "person") if self.person == 1 else ("person", self.name)
        score = self.state.score(0) if self.fault is None else seen_by(0, self.fault, -1.0)
        return Record(
            self.game.identity(), names, self.seed, str(self.timing) if self.timing else None, (), tuple(self.turns),
            score, self.end, self.fault, self.why,
        )  # fmt: skip
