"""A game written in Python may have members of any name; none of them makes it a compiled one."""

import ludus
from ludus.agents import make_agent
from ludus.agents.agent import TimeLeft
from ludus.game import empty_cells, past_of
from ludus.search import alphabeta
from ludus.search.solve import Solver
from ludus.testing import check_game


class Diary:
    """Take one or two of nine stones, the last one wins. Its members have names that compiled states use, too."""

    num_actions = 2

    def __init__(self, history=()):
        self.history = history  # of stones taken, not of actions
        self.game = "a diary"
        self.left = 9 - sum(history)
        self.player = len(history) % 2

    def cells(self):
        return [["x"] * self.left]

    @property
    def over(self):
        return self.left == 0

    def score(self, player):
        return -1 if player == self.player else 1

    def actions(self):
        return list(range(min(2, self.left)))

    def play(self, action):
        return Diary((*self.history, action + 1))


def test_it_keeps_the_contract():
    assert check_game(Diary, games=50) > 50


def test_it_is_searched_and_solved():
    start = ludus.make(Diary).start()
    assert alphabeta(start).value == -1
    assert Solver().value(start) == -1
    assert Solver().value(start.play(0)) == 1


def test_agents_play_it():
    for text in ("mcts:simulations=200,growth=0.1", "deepening:seconds=0.05", "alphabeta:depth=9"):
        agent, state = make_agent(text), ludus.make(Diary).start()
        while not state.over:
            decision = agent.decide(state, ludus.Rng(1), TimeLeft(5.0))
            state = state.play(decision.action)


def test_it_has_no_past_and_no_cells_that_we_could_read():
    start = ludus.make(Diary).start()
    assert past_of(start) is None and empty_cells(start) is None
    hex_state = ludus.make("hex", size=3).after("a1 b2")
    assert past_of(hex_state).history == [0, 4] and empty_cells(hex_state) == 7
