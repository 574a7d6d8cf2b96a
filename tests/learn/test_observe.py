"""A visitor's game that says nothing about what a network sees."""

from dataclasses import dataclass

import numpy as np
import pytest

from ludus.errors import LudusError
from ludus.games.python import PythonGame, numbers_in, observe
from ludus.learn.settings import LearnSettings, NetworkSettings, SearchSettings, TrainSettings
from ludus.learn.trainer import start
from ludus.learn.truth import draw_problems
from ludus.search.solve import Solver
from tests.python_games import Noughts, Subtract


def test_numbers_are_found_in_whatever_holds_them():
    assert numbers_in((1, [2.5, None, True], {"b": 4, "a": 3}, np.array([[5, 6]]))) == [1, 2.5, 0, 1, 3, 4, 5, 6]


def test_different_states_look_different():
    state, seen = Noughts(), set()
    for action in (0, 4, 8):
        state = state.play(action)
        seen.add(observe(state).tobytes())
    assert len(seen) == 3 and observe(state).shape == (18, 1, 10)


@dataclass(frozen=True)
class Letters:
    """A state that is nothing but a text."""

    text: str = ""
    player: int = 0


def test_every_letter_and_sign_looks_different_and_none_looks_like_an_empty_cell():
    signs = [chr(number) for number in range(128)] + list("●○♔♕♖♗♘♙♚♛♜♝♞♟")
    assert len({observe(Letters(sign)).tobytes() for sign in signs}) == len(signs)
    assert not observe(Letters("."))[:, 0, 1].any() and observe(Letters("X"))[:, 0, 1].any()


def test_a_letter_looks_the_same_in_every_state():
    assert (observe(Letters("x.X"))[:, 0, 3] == observe(Letters("X"))[:, 0, 1]).all()


def test_a_game_of_numbers_alone_is_learned_to_perfection(tmp_path):
    game = PythonGame(Subtract)
    settings = TrainSettings(
        episodes=150, checkpoints=2, parallel=4, network=NetworkSettings(hidden=(32,)),
        search=SearchSettings(simulations=40, sigma_decay=1),
        learn=LearnSettings(minibatch=64, minibatches=4, lr=0.01),
    )  # fmt: skip
    trainer = start(tmp_path / "run", "subtract", game, settings)
    trainer.train(lambda played, losses: None)
    for left, player in ((9, 1), (7, 1), (6, 0), (5, 0), (3, 0), (2, 1), (1, 0)):  # leaving a multiple of four wins
        policies, _ = trainer.evaluator.evaluate([Subtract(left, player)])
        legal = Subtract(left, player).actions()
        assert max(legal, key=lambda a, policy=policies[0]: policy[a]) == left % 4 - 1, left


def test_a_state_whose_numbers_come_and_go_is_refused():
    @dataclass(frozen=True)
    class Growing:
        stones: tuple = ()
        player: int = 0
        num_actions = 2
        over = False

        def score(self, player):
            return 0

        def actions(self):
            return [0, 1]

        def play(self, action):
            return Growing((*self.stones, action), 1 - self.player)

    game = PythonGame(Growing)
    game.planes(game.start())
    with pytest.raises(LudusError, match="planes"):
        game.planes(game.start().play(0))


def test_positions_in_which_nothing_can_be_spoiled_count_if_wanted():
    game = PythonGame(Subtract)
    only, every = (draw_problems(game, Solver(), 40, 5.0, 1, every_position=wanted) for wanted in (False, True))
    assert any(len(p.good) == len(game.after(p.actions).actions()) for p in every)
    assert all(len(p.good) < len(game.after(p.actions).actions()) for p in only)
