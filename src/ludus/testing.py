"""The contract of a game, made executable: check_game plays random games and checks every state."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ludus._core import Rng, rollouts
from ludus.errors import BadOption, BrokenGame, IllegalAction, LudusError
from ludus.game import Action, Game, Observed, State, past_of
from ludus.games import make

Answer = TypeVar("Answer")
LONGEST = 100_000  # actions; a game that goes on longer counts as endless


def check_game(game: Game | type | str, games: int = 1000, seed: int = 0) -> int:
    """Plays random games and raises BrokenGame, in one sentence, when one breaks the contract.

    Returns how many states were checked. Give it a game, its name, or a class of states.
    """
    if not isinstance(game, Game):
        try:
            game = make(game)
        except LudusError:
            raise
        except Exception as error:  # a visitor's own code
            raise BrokenGame(f"{game}: its first state raised {type(error).__name__}: {error}") from error
    if games < 1:
        raise BadOption(f"games must be 1 or more, not {games}")
    rng = Rng(seed)
    seen = 0
    for number in range(games):
        seen += _Check(game, thorough=number % 10 == 0).play_one(rng)
    total = sum(rollouts(game.start(), 10, rng))
    if total != 10:
        raise BrokenGame(f"10 rollouts of {game} gave {total} results")
    return seen


class _Check:
    """One random game, checked from its first state to its last."""

    def __init__(self, game: Game, thorough: bool) -> None:
        self.game = game
        self.thorough = thorough  # also make the costly checks, at some states of this game
        self.moves: list[Action] = []

    def need(self, fine: bool, complaint: str) -> None:
        if not fine:
            raise BrokenGame(f"{self.game}: {complaint} (after {self.played()})")

    def played(self) -> str:
        """The last moves in words, or in numbers if the game cannot write them."""
        moves = self.moves[-40:]
        try:
            return " ".join(self.game.write(action) for action in moves) or "the start"
        except Exception:  # a visitor's own writing
            return f"actions {moves}"

    def ask(self, what: str, question: Callable[[], Answer]) -> Answer:
        """What a part of the game answers; an exception is a breach of the contract."""
        try:
            return question()
        except Exception as error:
            self.need(False, f"{what} raised {type(error).__name__}: {error}")
            raise

    def play_one(self, rng: Rng) -> int:
        """Plays a random game. Returns how many states were checked."""
        state = self.ask("start()", self.game.start)
        self.need(state is not None, "start() must return a state")
        while True:
            actions = self.check_state(state)
            early = len(self.moves) < 1000  # these checks replay the game, so a long one would take forever
            if early and ((self.thorough and rng.below(5) == 0) or not actions):
                self.check_thoroughly(state, rng)
            if not actions:
                break
            action = rng.choice(actions)
            following = self.ask(f"play({action})", partial(state.play, action))
            self.check_old_state(state, actions, following)
            self.moves.append(action)
            self.need(len(self.moves) < LONGEST, f"the game does not end within {LONGEST} actions")
            state = following
        return len(self.moves) + 1

    def check_state(self, state: State) -> Sequence[Action]:
        """What must hold for every state. Returns its legal actions."""
        player, over = self.ask("player", lambda: state.player), self.ask("over", lambda: state.over)
        self.need(not callable(player), "player must be a property or attribute, not a method")
        self.need(not callable(over), "over must be a property or attribute, not a method")
        self.need(player in (0, 1), f"player must be 0 or 1, not {player!r}")
        self.need(over in (True, False), f"over must be True or False, not {over!r}")
        actions = self.ask("actions()", state.actions)
        self.need(isinstance(actions, Sequence), f"actions() must return a list of whole numbers, not {actions!r}")
        if over:
            self.need(len(actions) == 0, "actions() must be empty once the game is over")
            self.check_score(state)
            return []
        self.need(len(actions) > 0, "actions() is empty although the game is not over")
        self.need(all(isinstance(a, int) for a in actions), f"actions must be whole numbers, not {actions!r}")
        self.need(list(actions) == sorted(set(actions)), f"actions() must be ascending, not {list(actions)}")
        self.need(actions[0] >= 0, f"actions must not be negative, but {actions[0]} is legal")
        if self.knows_num_actions():
            top = self.game.num_actions
            self.need(actions[-1] < top, f"action {actions[-1]} is not below num_actions, which is {top}")
        return actions

    def knows_num_actions(self) -> bool:
        try:
            return self.game.num_actions > 0
        except LudusError:
            return False

    def check_score(self, state: State) -> None:
        first, second = (self.ask(f"score({player})", partial(state.score, player)) for player in (0, 1))
        self.need(isinstance(first, int | float), f"score(0) must be +1, 0 or -1, not {first!r}")
        self.need(isinstance(second, int | float), f"score(1) must be +1, 0 or -1, not {second!r}")
        self.need(first in (-1, 0, 1), f"score(0) must be +1, 0 or -1, not {first!r}")
        self.need(first == -second, f"scores must add up to zero, but score(0) is {first} and score(1) is {second}")

    def check_old_state(self, state: State, actions: Sequence[Action], following: State) -> None:
        """play() must not have changed the state it was called on."""
        self.need(following is not None, "play() must return the next state")
        self.need(following is not state, "play() must return a new state and leave the old one as it is")
        self.need(
            not state.over and list(state.actions()) == list(actions), "play() changed the state it was called on"
        )

    def check_thoroughly(self, state: State, rng: Rng) -> None:
        """The checks that cost more: writing, drawing, observing, copying, replaying, turning."""
        self.check_text(state)
        self.check_board(state)
        self.check_replay(state)
        if isinstance(state, Observed):
            self.check_planes(state)
            self.check_symmetries(state, rng)
        if past_of(state) is not None:
            self.check_native(state, rng)

    def check_text(self, state: State) -> None:
        for action in state.actions():
            text = self.ask(f"write({action})", partial(self.game.write, action))
            back = self.ask(f"read({text!r})", partial(self.game.read, text))
            self.need(back == action, f"action {action} is written {text!r}, which reads as another")
        picture = self.ask("draw()", partial(self.game.draw, state, color=False))
        self.need(isinstance(picture, str) and picture != "", f"draw() must return a text, not {picture!r}")

    def check_board(self, state: State) -> None:
        """A board, if the game has one, must have a cell for every legal action, or list it among the others."""
        try:
            board = self.game.board(state)
        except LudusError:
            raise
        except Exception as error:
            self.need(False, f"board() raised {type(error).__name__}: {error}")
            raise
        if board is None:
            return
        for action in state.actions():
            places = (action in board.cell_of) + (action in board.others)
            self.need(places == 1, f"board() must have action {action} either in cell_of or in others")
            self.need(
                board.names.get(action) == self.game.write(action),
                f"board() names action {action} differently",
            )
        illegal = {*board.cell_of, *board.others} - set(state.actions())
        self.need(not illegal, f"board() has a place for action {min(illegal, default=0)}, which is not legal")
        used = {*board.cell_of.values(), *board.last, *board.won, *board.owners, *(p.cell for p in board.pieces)}
        wrong = used - set(range(len(board.cells)))
        self.need(not wrong, f"board() refers to cell {min(wrong, default=0)}, but has {len(board.cells)} cells")
        self.need(all(len(cell.outline) > 2 for cell in board.cells), "board() has a cell with fewer than 3 corners")
        players = {*(p.player for p in board.pieces), *(side.player for side in board.sides), *board.owners.values()}
        self.need(players <= {None, 0, 1}, "board() has pieces or sides of a player other than 0 and 1")

    def check_replay(self, state: State) -> None:
        again = self.game.start()
        for action in self.moves:
            again = again.play(action)
        same = (again.player, again.over, list(again.actions())) == (state.player, state.over, list(state.actions()))
        self.need(same, "the same actions from the start led to another state")
        if type(state).__eq__ is not object.__eq__:
            self.need(again == state, "the same actions led to a state that is not equal")
            if type(state).__hash__ is not None:
                self.need(hash(again) == hash(state), "equal states have different hashes")

    def check_planes(self, state: State) -> None:
        planes = self.ask("planes()", partial(self.game.planes, state))
        self.need(planes.shape == self.game.planes_shape, f"planes() changed its shape to {planes.shape}")
        self.need(math.isfinite(float(planes.sum())), "planes() holds numbers that are not finite")

    def check_symmetries(self, state: State, rng: Rng) -> None:
        """Playing the turned actions must lead to the turned state."""
        import numpy as np

        if not self.knows_num_actions():
            return
        symmetry = rng.choice(self.game.symmetries)
        game = self.game
        if symmetry.swaps_players:
            game = replace(game, **{"starter": 1 - getattr(game, "starter", 0)})
        turned = game.start()
        for action in self.moves:
            turned = turned.play(int(symmetry.actions[action]))
        actions = sorted(int(symmetry.actions[a]) for a in state.actions())
        self.need(actions == list(turned.actions()), "a symmetry turns the legal actions wrongly")
        planes = symmetry.turn_planes(self.game.planes(state))
        self.need(np.array_equal(planes, self.game.planes(turned)), "a symmetry turns the planes wrongly")
        self.need((turned.player != state.player) == symmetry.swaps_players, "a symmetry gets the player wrong")
        if state.over:
            other = 1 if symmetry.swaps_players else 0
            self.need(turned.score(other) == state.score(0), "a symmetry changes the score")

    def check_native(self, state: State, rng: Rng) -> None:
        """What states of the compiled games promise on top: they can be copied and pickled, and refuse bad actions."""
        self.need(copy.deepcopy(state) == state, "a copy is not equal")
        self.need(pickle.loads(pickle.dumps(state)) == state, "a pickled and unpickled state is not equal")
        legal = set(state.actions())
        for action in {-1, self.game.num_actions, rng.below(self.game.num_actions)} - legal:
            try:
                state.play(action)
            except IllegalAction:
                continue
            self.need(False, f"action {action} is not legal, but play() accepted it")
