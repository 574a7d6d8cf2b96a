"""Targets: what other programs say. GTP in both directions, and the pipes of the Othello courses."""

import contextlib
import io
from unittest.mock import patch

import ludus
from ludus.agents import AgentFailed, Decision, TimeLeft
from ludus.courses.csc384 import pipe
from ludus.errors import LudusError
from ludus.protocols import gtp_agent
from ludus.protocols.gtp_agent import GtpAgent
from ludus.protocols.gtp_engine import GtpEngine
from ludus.protocols.gtp_lines import read_command
from ludus.protocols.othello_lines import read_flags
from ludus.protocols.othello_pipe import agent_for, read_reply, serve
from tests.fuzz.contract import attempt, check, check_sentence, choice, pieces, target
from tests.fuzz.texts import WITH_WORDS

OTHELLO = ludus.make("othello")


class Seer:
    """An agent that answers at once, and has seen something of every kind."""

    def decide(self, state, rng, left=None):
        actions = list(state.actions())
        values = {action: 0.1 * place for place, action in enumerate(actions[:5])}
        visits = {action: 3 - place for place, action in enumerate(actions[:3])}
        return Decision(actions[0], "it stands first", 0.1, values, visits, actions[:1], nodes=7, simulations=6)


class Watched(GtpEngine):
    """The engine reports whatever an agent raises; here the agent raises nothing, so all but refusals are its own."""

    def run(self, name, words):
        try:
            return super().run(name, words)
        except LudusError as error:
            check_sentence(str(error))
            raise
        except Exception as error:
            self.fault = error
            raise


@target("gtp-commands", largest=512)
def gtp_commands(data: bytes) -> None:
    """Every line gets one answer, and a refusal says why."""
    game, data = choice(data, WITH_WORDS)
    engine = Watched(game, Seer(), ludus.Rng(1))
    engine.fault = None
    for line in pieces(data):
        text = line.decode("utf-8", "replace")
        label, name, _ = read_command(text)
        answer = engine.answer(text)
        if engine.fault:
            raise engine.fault
        if not label and not name:
            check(answer is None, "a line without a command was answered")
            continue
        check(answer[0] in "=?" and answer.endswith("\n\n"), f"this is no answer: {answer!r}")
        check("\n\n" not in answer[:-2], f"an answer ends in its middle: {answer!r}")
        if not engine.running:
            return


class Scripted:
    """An outside program that says what it was going to say, whatever it hears."""

    alive = True

    def __init__(self, lines):
        self.lines = iter(lines)

    def send(self, line, seconds):
        check("\n" not in line, "two commands in one line")

    def read_line(self, seconds):
        for line in self.lines:
            try:
                return line.decode().removesuffix("\r")
            except UnicodeDecodeError:
                raise AgentFailed("rubbish", "bytes that are no text") from None
        raise AgentFailed("crash", "the program has ended")

    def close(self):
        self.alive = False

    def __str__(self):
        return "the program"


@target("gtp-answers", largest=512)
def gtp_answers(data: bytes) -> None:
    """An outside program's answers give legal moves, or end the game with a sentence."""
    game, data = choice(data, WITH_WORDS)
    left, data = choice(data, [None, TimeLeft(10.0), TimeLeft(10.0, 0.0, 3)])
    with (
        patch.object(gtp_agent, "Program", lambda command, memory: Scripted(pieces(data))),
        patch.object(gtp_agent, "split", lambda command: None),
    ):
        agent, state = GtpAgent("program"), game.start()
        for _ in range(3):
            decision = attempt(lambda state=state: agent.decide(state, ludus.Rng(1), left))
            if decision is None:
                return
            check(decision.action in state.actions(), f"{decision.action} is not legal")
            state = state.play(decision.action)
            if state.over:
                return


@target("othello-manager", largest=512)
def othello_manager(data: bytes) -> None:
    """Our program for the Othello course answers with moves alone, whatever the manager writes."""
    said = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):
        serve(Seer(), io.StringIO(data.decode("utf-8", "replace")), said, "Ludus", 0.01, ludus.Rng(1))
    for move in said.getvalue().splitlines()[1:]:
        column, row = move.split()
        check(column.isdecimal() and row.isdecimal(), f"{move!r} is no move")
    flags = read_flags(data.decode("utf-8", "replace"))
    if flags:
        attempt(lambda: agent_for(flags, 1.0))


@target("othello-answers", largest=64)
def othello_answers(data: bytes) -> None:
    """A program of the Othello course answers with a legal move, or loses the game."""
    state = OTHELLO.start()
    action = attempt(lambda: read_reply(data.decode("utf-8", "replace"), state, OTHELLO, "the program"))
    check(action is None or action in state.actions(), f"{action} is not legal")


@target("csc384-pipe")
def csc384_pipe(data: bytes) -> None:
    """The agent file of that course, alone with its manager: it says moves or nothing, and never ends."""
    said, given = io.StringIO(), io.StringIO(data.decode("utf-8", "replace"))
    with (
        patch.object(pipe, "search_in_time", lambda board, color, *_: next(iter(legal(board, color)), None)),
        patch("sys.stdin", given),
        patch("sys.stdout", said),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        pipe.run_ai()
    check(all(len(move.split()) == 2 for move in said.getvalue().splitlines()[1:]), "this is no move")


def legal(board, color):
    return pipe.get_possible_moves(board, color)
