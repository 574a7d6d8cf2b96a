"""Playing: a game between strategies, and strategies that are random, a search, an agent of Ludus or a person.

A strategy is called with the game and the state, and returns a move. The homework's text has these two the other way
round in places; the strategies of this file take them in either order.
"""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from ludus._core import Rng
from ludus.agents import Agent, make_agent
from ludus.courses.aima.views import view_of
from ludus.errors import LudusError

Strategy = Callable[[Any, Any], Any]  # (game, state) -> move
SearchAlgorithm = Callable[[Any, Any], tuple[Any, Any]]  # (game, state) -> (value, move)


def play_game(game: Any, strategies: Mapping[Any, Strategy], verbose: bool = False) -> Any:
    """Plays a game and returns its last state. `strategies` has a strategy for the name of every player."""
    state = game.initial
    while not game.is_terminal(state):
        player = state.to_move
        if player not in strategies:
            raise LudusError(f"nobody plays {player!r}; there are strategies for {', '.join(map(repr, strategies))}")
        move = strategies[player](game, state)
        state = game.result(state, move)
        if verbose:
            print("Player", player, "move:", move)
            print(state)
    return state


def either_order(strategy: Strategy) -> Strategy:
    """The same strategy, which may also be called with the state first."""

    @wraps(strategy)
    def called(game: Any, state: Any) -> Any:
        if is_game(state) and not is_game(game):
            game, state = state, game
        return strategy(game, state)

    return called


def is_game(thing: Any) -> bool:
    return callable(getattr(thing, "actions", None)) and callable(getattr(thing, "result", None))


@either_order
def random_player(game: Any, state: Any) -> Any:
    """Any legal move. `random.seed` makes it play the same again."""
    return random.choice(list(game.actions(state)))


def player(search_algorithm: SearchAlgorithm | str) -> Strategy:
    """The strategy that plays the move of a search, or of an agent of Ludus by its name: "alphabeta:depth=4"."""
    if isinstance(search_algorithm, str):
        return agent_strategy(make_agent(search_algorithm))

    def play(game: Any, state: Any) -> Any:
        return search_algorithm(game, state)[1]

    return either_order(play)


def agent_strategy(agent: Agent) -> Strategy:
    """The strategy of an agent of Ludus."""

    def play(game: Any, state: Any) -> Any:
        view = view_of(game, state)
        return view.move(agent.decide(view.state(state), Rng(random.getrandbits(64))).action, state)

    return either_order(play)


# --------------------------------------------------------------------------------------------------- a person


@either_order
def query_player(game: Any, state: Any) -> Any:
    """Shows the state and its legal moves, and asks for one until a legal one is typed; None if there is none."""
    moves = list(game.actions(state))
    with contextlib.suppress(TypeError):  # there are moves without an order
        moves.sort()
    print("current state:")
    getattr(game, "display", print)(state)
    print("available moves:", moves)
    print()
    if not moves:
        print("no legal moves: passing turn to next player")
        return None
    while True:
        try:
            return read_move(input("Your move? "), moves)
        except EOFError:
            raise LudusError("the input ended before a move was typed") from None
        except LudusError as error:
            print(error)


def read_move(text: str, moves: list[Any]) -> Any:
    """The move that a text means: written out, as in (3, 5), or its beginning where no other move begins so.

    Brackets, quotes and commas may be left out. The text is compared with the moves, never evaluated.
    """
    said = words(text)
    exact = [move for move in moves if repr(move) == text.strip()] or [m for m in moves if words(repr(m)) == said]
    near = exact or [move for move in moves if said and words(repr(move))[: len(said)] == said]
    if len(near) == 1:
        return near[0]
    if near:
        raise LudusError(f"{text.strip()!r} may be any of {near}")
    raise LudusError(f"{text.strip()!r} is not a legal move; choose one of {moves}")


def words(text: str) -> list[str]:
    return re.findall(r"[\w.+-]+", text.casefold())
