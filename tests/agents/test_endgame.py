"""Exact play when few cells are empty."""

from types import SimpleNamespace

import pytest

import ludus
from ludus.agents import DeepeningAgent, MctsAgent, TimeLeft, mcts
from ludus.agents.endgame import Endgame
from ludus.search.solve import Solver
from tests.python_games import Noughts

othello = ludus.make("othello", size=6)


def late(empty, seed):
    """A random state of 6x6 with at most so many empty cells, not yet over."""
    rng, state = ludus.Rng(seed), othello.start()
    while state.cells().count(0) > empty:
        state = state.play(rng.choice(state.actions()))
        if state.over:
            return late(empty, seed + 100)
    return state


def test_a_proven_win_is_kept():
    solver, seen = Solver(), set()
    for seed in range(12):
        state = late(10, seed)
        value, decision = solver.value(state), Endgame().decide(state, 5.0)
        seen.add(value)
        if value < 0:
            assert decision is None  # a lost game is left to those who hope for mistakes
        else:
            child = state.play(decision.action)
            found = solver.value(child)
            assert (found if child.player == state.player else -found) == value == decision.value
    assert {1, -1} <= seen


def test_nothing_is_asked_early_without_time_or_of_games_written_in_python():
    assert ludus.make("othello").start().cells().count(0) > ludus.make("othello").solver_reach
    assert Endgame().decide(ludus.make("othello").start(), 5.0) is None
    assert Endgame().decide(late(10, 0), 0.0) is None
    assert Endgame().decide(Noughts(), 5.0) is None


def test_agents_play_the_end_exactly():
    state = next(s for s in (late(9, seed) for seed in range(50)) if Solver().value(s) == 1)
    clock = TimeLeft(60.0, 0.0, None)
    for agent in (DeepeningAgent(seconds=2), MctsAgent(seconds=2, endgame=True)):
        assert agent.decide(state, ludus.Rng(1)).why == "a proven win"
        assert agent.decide(state, ludus.Rng(1), clock).why == "a proven win"
    assert "nodes" in DeepeningAgent(seconds=2, endgame=False).decide(state, ludus.Rng(1)).why
    assert MctsAgent(simulations=50, endgame=True).decide(state, ludus.Rng(1)).simulations == 50


@pytest.mark.parametrize("left", [None, TimeLeft(8.0, moves=1), TimeLeft(60.0, 1.0)])
def test_what_the_solver_has_used_is_no_longer_there_for_the_tree(monkeypatch, left):
    class Clock:
        """A search whose time passes as it is told; two moves stay equally good, so that it never stops early."""

        seconds, proven = 0.0, None

        def run(self, simulations, seconds, threads):
            self.seconds += seconds
            return 1

        def children(self):
            return [SimpleNamespace(visits=1, value=0.0)] * 2

    def thinks(used):
        clock = Clock()
        monkeypatch.setattr(mcts.time, "perf_counter", lambda: clock.seconds)
        agent = MctsAgent(seconds=None if left else 5.0, endgame=True)
        assert list(agent.think(clock, ludus.make("othello").start(), left, 0.1, used))
        return clock.seconds

    assert thinks(2.0) == pytest.approx(thinks(0.0) - 2.0)


def test_a_won_opening_is_played_by_the_book_whatever_the_other_player_does():
    """Every reply is answered with a move that the book proves, up to eleven stones."""
    game, rng, judge = ludus.make("connect_four"), ludus.Rng(3), Solver(1 << 20)
    for _ in range(30):
        state, endgame = game.start(), Endgame()
        while not state.over and 42 - state.cells().count(0) <= 10:
            decision = endgame.decide(state, 0.05)
            assert decision is not None and decision.why == "a proven win, from the book"
            state = state.play(decision.action)
            assert state.over or judge.value(state, 1e-9) == -1
            if not state.over:
                state = state.play(rng.choice(state.actions()))


def test_a_position_that_no_book_knows_costs_no_time_at_the_beginning():
    assert Endgame().decide(ludus.make("connect_four").after("123456"), 1000.0) is None


def test_after_a_proven_win_the_solver_gets_more_of_the_time():
    state = next(s for s in (late(9, seed) for seed in range(50)) if Solver().value(s) == 1)
    endgame = Endgame()
    assert endgame.part(state, 0.25) == 0.25
    decision = endgame.decide(state, 5.0)
    after = state.play(decision.action)
    later = after.play(after.actions()[0])
    assert endgame.part(later, 0.25) > 0.5 and endgame.part(state, 0.25) == 0.25
