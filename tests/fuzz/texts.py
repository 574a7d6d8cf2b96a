"""Targets: texts of people. Boards, moves, agents, options of games, clocks, addresses of the page."""

import contextlib
from unittest.mock import patch

import ludus
from ludus.agents.agent import accept
from ludus.agents.parse import make_agent, write_agent
from ludus.errors import LudusError
from ludus.play import talk
from ludus.play.clock import read_clock
from ludus.protocols.gtp_words import read_vertex
from ludus.web.library import Library
from ludus.web.link import nearest_link, read_link, write_link
from tests.fuzz.contract import attempt, check, choice, target, text_of

GAMES = [
    ludus.make("tic_tac_toe"), ludus.make("connect_four"), ludus.make("connect_four", width=4, height=5, line=3),
    ludus.make("othello"), ludus.make("othello", size=6, passing=False), ludus.make("hex", size=5),
    ludus.make("hex", size=4, swap=True), ludus.make("hex", size=3, starter=1), ludus.make("go", size=5),
    ludus.make("go", size=9, superko="draw"), ludus.make("nim"), ludus.make("ledge"),
]  # fmt: skip
WITH_WORDS = [game for game in GAMES if game.name in ("go", "hex", "othello", "connect_four")]
LIBRARY = Library(["tests.python_games:Noughts"])


@contextlib.contextmanager
def no_code():
    """Code that a text names is loaded on purpose, so not by chance while fuzzing."""

    def refuse(where, *_):
        raise LudusError("no code is loaded here")

    with patch("ludus.games.load_class", refuse), patch("ludus.agents.parse.load_class", refuse):
        yield


@target("boards")
def boards(data: bytes) -> None:
    """A drawn board is a position of its game, which can be drawn and read again."""
    game, data = choice(data, GAMES)
    player, data = choice(data, [None, 0, 1, 2])
    state = attempt(lambda: game.read_board(text_of(data), player))
    if state is None:
        return
    check(state.over or len(state.actions()) > 0, "a game goes on without an action")
    drawn = game.draw(state, color=False)
    again = game.read_board(drawn, state.player)
    check(again.cells() == state.cells() if hasattr(state, "cells") else True, f"read again, it differs: {drawn}")
    repr(state), game.board(state)
    for action in state.actions()[:3]:
        state.play(action)


@target("moves", largest=256)
def moves(data: bytes) -> None:
    """Moves as people write them, alone and one after the other; and as other programs write them."""
    game, data = choice(data, GAMES)
    text = text_of(data)
    action = attempt(lambda: game.read(text))
    check(action is None or 0 <= action < game.num_actions, f"{action} is no action")
    check(action is None or game.read(game.write(action)) == action, "written and read again, it is another action")
    actions = attempt(lambda: talk.read_moves(game, text))
    check(actions is None or game.after(actions) is not None, "moves that were read cannot be played")
    attempt(lambda: game.after(text))
    if game in WITH_WORDS:
        vertex = attempt(lambda: read_vertex(game, text))
        check(vertex is None or 0 <= vertex < game.num_actions, f"{vertex} is no action")


@target("agents", largest=512)
def agents(data: bytes) -> None:
    """An agent's text makes an agent, whose own text makes it again."""
    text = text_of(data)
    with no_code():
        agent = attempt(lambda: make_agent(text))
        if agent is None:
            return
        again = make_agent(write_agent(agent))
        check(write_agent(again) == write_agent(agent), "written and read again, it is another agent")
        attempt(lambda: accept(agent, GAMES[5]))


@target("options", largest=256)
def options(data: bytes) -> None:
    """Options of a game as texts, such as size=5,swap=true; a game that can be made can be begun."""
    name, data = choice(data, list(LIBRARY.texts))
    texts = dict(part.partition("=")[::2] for part in text_of(data).split(","))

    def begin():
        game = LIBRARY.make(name, LIBRARY.read_options(name, texts))
        return game, game.start()

    made = attempt(begin)
    if made:
        check(made[1].over or len(made[1].actions()) > 0, "a game begins without an action")
        str(made[0]), repr(made[0]), LIBRARY.changed(made[0])
    with no_code():
        attempt(lambda: ludus.make(text_of(data)) if not data.startswith(b"openspiel") else None)


@target("clocks", largest=64)
def clocks(data: bytes) -> None:
    """The clock of a match, which can be written and read again."""
    timing = attempt(lambda: read_clock(text_of(data)))
    if timing is not None:
        check(read_clock(str(timing)) == timing, f"{timing} read again is another clock")


@target("links", largest=8192)
def links(data: bytes) -> None:
    """The address of a game on the page; a wrong one has a near one that is right."""
    text = text_of(data)
    linked = attempt(lambda: read_link(LIBRARY, text))
    if linked is None:
        linked = attempt(lambda: read_link(LIBRARY, nearest_link(LIBRARY, text, "hex")))
        check(linked is not None, "the nearest link is none")
    check(0 <= linked.selected <= len(linked.actions), "it selects a move that is not there")
    again = read_link(LIBRARY, write_link(LIBRARY, linked.game, linked.actions, linked.selected))
    check((again.game, again.actions) == (linked.game, linked.actions), "written and read again, it is another game")
