"""A C++ game with nothing but what the contract demands plays like any other. It is part of the debug build only."""

import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import pytest

import ludus
from ludus import _core
from ludus.errors import BadOption, LudusError
from ludus.game import Game, empty_cells
from ludus.search import alphabeta, deepening, minimax
from ludus.search.mcts import Forest, Mcts, MctsSettings, Rave, Rollout
from ludus.search.solve import Solver
from ludus.testing import check_game

pytestmark = pytest.mark.skipif(
    not hasattr(_core, "minimal_game"), reason="the minimal C++ game is part of the debug build: run make debug"
)


@dataclass(frozen=True)
class Minimal(Game):
    """Count down by one or two; whoever reaches zero wins."""

    name: ClassVar[str] = "minimal"
    left: int = 10

    def start(self):
        return _core.minimal_game(self, self.left)

    @property
    def num_actions(self):
        return 2


def test_it_keeps_the_contract():
    assert check_game(Minimal(), games=200) > 200


def test_it_can_be_searched_and_solved():
    for left in range(1, 12):
        state = Minimal(left).start()
        truth = -1 if left % 3 == 0 else 1
        assert Solver().value(state) == truth
        assert minimax(state).value == alphabeta(state).value == deepening(state, depth=20).value == truth
        search = Mcts(state, MctsSettings(solver=True), ludus.Rng(1))
        search.run(5000)
        assert search.proven == truth


def test_rules_and_playouts_that_games_can_help_do_without_their_help():
    state = Minimal(10).start()
    search = Mcts(state, MctsSettings(Rave(0.1, 100, True), Rollout("quick")), ludus.Rng(1))
    search.run(2000)
    assert search.best().action == 0  # leaves nine, which is lost


def test_what_it_lacks_is_missing_and_nothing_else_breaks():
    state = Minimal().start()
    assert empty_cells(state) is None
    with pytest.raises(LudusError, match="have no planes"):
        Minimal().planes(state)
    with pytest.raises(BadOption, match="no simple heuristic"):
        minimax(state, 2, "simple")
    forest = Forest([state], MctsSettings(), [ludus.Rng(1)])
    forest.run(50)
    assert sum(child.visits for child in forest.children(0)) > 0


def test_the_asserts_of_the_debug_build_are_on():
    """The compiled search trusts its caller to advance by a legal action; here it checks that."""
    play_illegally = (
        "import ludus; from ludus.search.mcts import Mcts; Mcts(ludus.make('nim').start())._native.advance(99, 1.0)"
    )
    done = subprocess.run([sys.executable, "-c", play_illegally], capture_output=True, text=True)
    assert done.returncode == -signal.SIGABRT and "is_legal" in done.stderr
