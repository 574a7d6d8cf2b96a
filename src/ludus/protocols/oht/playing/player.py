"""One of our agents behind the states of the online Hex tournament.

A state of the tournament is flat: the number (1 or 2) of the player to move, then the cells row by row, 0, 1 or 2.
Either player may have begun the game, so the mover is what the state says, never what the number of stones suggests.
"""

from __future__ import annotations

import math
import operator
import secrets
from collections.abc import Callable, Sequence
from typing import ClassVar

from ludus._core import Rng
from ludus.agents import Agent, TimeLeft, accept, close, make_agent, reset
from ludus.errors import BadBoard, whole_option, within
from ludus.game import Action, NativeState, Player, native
from ludus.games.hex import Hex
from ludus.play.match import guarded, refuse_action, takes_left, turn_of
from ludus.protocols.oht.playing.link import BadMessage
from ludus.protocols.oht.playing.values import plain, shortened
from ludus.text import STONES


class AgentPlayer:
    """An agent that is asked for one action after the other. It is reset before every game, and every game has random
    numbers of its own."""

    def __init__(self, agent: str | Agent, seed: int | None = None, move_seconds: float | None = None) -> None:
        if move_seconds is not None:
            within("move_seconds", move_seconds, 1e-3, 1e6)
        self.agent = make_agent(agent) if isinstance(agent, str) else agent
        self.left = None if move_seconds is None else TimeLeft(move_seconds, moves=1)
        self._rngs = Rng(secrets.randbits(64) if seed is None else seed)
        self._rng = self._rngs.split()
        self.watch: Callable[[NativeState], None] = lambda state: None  # is shown every state before a decision

    def fresh(self) -> None:
        """A game begins: the agent forgets the last one and gets fresh random numbers."""
        reset(self.agent)
        self._rng = self._rngs.split()

    def decide(self, state: NativeState) -> Action:
        """The agent's action, which is a legal one."""
        self.watch(state)
        with guarded():
            late = (self.left,) if takes_left(self.agent) else ()
            decision = self.agent.decide(state, self._rng, *late)
        action = turn_of(state.player, decision, 0.0, None).action
        if action not in state.actions():
            refuse_action(state, action, state.game)
        return action

    def close(self) -> None:
        """The agent is needed no more: programs that it has started end."""
        close(self.agent)


class HexPlayer(AgentPlayer):
    """Chooses (row, column) for flat states, with any agent and on any size of board.

    The moves are followed from state to state, so that an agent which keeps its search tree finds it again.
    """

    game: ClassVar[str] = Hex.name
    title: ClassVar[str] = Hex().spoken_name

    def __init__(self, agent: str | Agent, seed: int | None = None, move_seconds: float | None = None) -> None:
        super().__init__(agent, seed, move_seconds)
        self._size: int | None = None  # of the series
        self._accepted: int | None = None  # the size that the agent has accepted
        self.state: NativeState | None = None  # as far as it is known: after our own last action, at the latest

    def begin_series(self, params: Sequence[int]) -> None:
        """A series begins, with what the server says about the board: [size]."""
        if len(params) != 1:
            raise BadMessage(f"the server tells of a board {shortened(params)}, but that of Hex has one size, [K]")
        self.start_series(params[0])

    def start_series(self, size: int) -> None:
        """A series on a board of this size begins; refuses what the agent cannot play."""
        self._accept(size)
        self._size = size

    def _accept(self, size: int) -> None:
        whole_option("size", size, 3, 19)
        accept(self.agent, Hex(size))
        self._accepted = size

    def start_game(self, starter: int | None = None) -> None:
        """A game begins. Who has the first move does not matter here: every state says whose turn it is."""
        self.fresh()
        self.state = None

    def choose(self, flat: Sequence[int]) -> tuple[int, int]:
        """Row and column of the agent's action, plain integers from 0."""
        mover, cells = read_flat(flat, self._size)
        size = math.isqrt(len(cells))
        if self._accepted != size:
            self._accept(size)
        state = self.state = follow(self.state, cells, mover) or begin(cells, mover)
        action = self.decide(state)
        self.state = native(state.play(action))
        return divmod(action, size)


def read_flat(flat: Sequence[int], size: int | None = None) -> tuple[Player, list[int]]:
    """The player to move (0 or 1) and the cells of a flat state; `size` is that of the series, if it is known."""
    try:
        number, *cells = [operator.index(value) for value in plain(flat)]
    except (TypeError, ValueError):
        raise BadBoard(f"a state is a list of whole numbers, not {shortened(flat)}") from None
    side = math.isqrt(len(cells)) if size is None else size
    if len(cells) != side**2 or number not in (1, 2) or not set(cells) <= {0, 1, 2}:
        raise BadBoard(
            f"a state on {side}×{side} is the player to move, 1 or 2, and {side**2} cells, 0, 1 or 2; "
            f"{shortened(plain(flat))} is not"
        )
    return number - 1, cells


def follow(known: NativeState | None, cells: list[int], mover: Player) -> NativeState | None:
    """The state with these cells, if it is the known one or one action further; else None."""
    if known is None or len(known.cells()) != len(cells):
        return None
    changed = [cell for cell, code in enumerate(known.cells()) if code != cells[cell]]
    state = known
    if len(changed) == 1 and changed[0] in known.actions():
        state = native(known.play(changed[0]))
    return state if state.cells() == cells and state.player == mover else None


def begin(cells: list[int], mover: Player) -> NativeState:
    """The state with these cells, in a game that was begun by whoever must have begun it."""
    behind = cells.count(mover + 1) < cells.count(2 - mover)
    size, starter = math.isqrt(len(cells)), 1 - mover if behind else mover
    game = Hex(size, starter=starter)
    stones = [cell for cell, code in enumerate(cells) if code]
    if len(stones) == behind:  # an empty board, or one stone of the other player
        return native(game.after(stones))
    rows = ["".join(STONES[code] for code in cells[row * size : (row + 1) * size]) for row in range(size)]
    return game.read_board("\n".join(rows), mover)
