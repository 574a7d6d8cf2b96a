"""Several solvers on one question: the same answers, and together hardly more work than one alone."""

import time

import pytest

import ludus
from ludus.cli import solve as command
from ludus.errors import BadOption
from ludus.search.solve import Solver

connect_four, hex5 = ludus.make("connect_four"), ludus.make("hex", size=5)
# Thirteen stones, so that no book knows them.
POSITIONS = [
    "4 4 4 4 4 2 1 7 1 1 3 3 3",
    "2 6 2 6 2 6 6 2 1 7 7 1 4",
    "5 5 3 6 6 4 2 7 6 7 3 2 2",
    "6 4 1 2 6 4 7 6 1 1 6 5 3",
]


def nodes_of(solver, game):
    return solver.compiled(game.start()).nodes


@pytest.mark.parametrize("threads", [2, 4])
def test_all_openings_of_hex_have_the_same_values(threads):
    openings = [hex5.start().play(action) for action in hex5.start().actions()]
    alone, together = Solver(1 << 22), Solver(1 << 22, threads)
    assert [together.value(state) for state in openings] == [alone.value(state) for state in openings]


@pytest.mark.parametrize("threads", [2, 4])
def test_positions_of_connect_four_have_the_same_values_and_lengths(threads):
    alone, together = Solver(1 << 22), Solver(1 << 22, threads)
    for position in POSITIONS:
        state = connect_four.after(position)
        assert together.value(state) == alone.value(state)
        assert together.plies(state) == alone.plies(state)


def test_the_cells_that_the_winner_needs_are_enough_whoever_found_them():
    state = hex5.after("c3 b3")
    solver = Solver(1 << 22, 2)
    value, needs = solver.value(state), solver.needs(state)
    winner = state.player if value > 0 else 1 - state.player
    cells = [c or (0 if i in needs else 2 - winner) for i, c in enumerate(state.cells())]
    board = "\n".join(" ".join(".XO"[c] for c in cells[5 * r : 5 * r + 5]) for r in range(5))
    assert needs and set(needs) <= set(state.actions())
    assert all(cells[i] in (0, state.cells()[i], 2 - winner) for i in range(25)), board


def test_two_solvers_share_the_work():
    """Each of them alone would look at all positions, and both at twice as many as one."""
    game = ludus.make("hex", size=6)
    states = [game.after(opening) for opening in ("a1", "b2", "c1", "a6", "b4")]
    alone, together = Solver(1 << 24), Solver(1 << 24, 2)
    assert [together.value(state) for state in states] == [alone.value(state) for state in states]
    assert nodes_of(together, game) < 1.6 * nodes_of(alone, game)


def test_all_stop_when_the_time_is_up():
    game = ludus.make("hex", size=11)
    solver = Solver(1 << 22, 3)
    assert solver.value(game.start(), seconds=0.1) is None
    before = nodes_of(solver, game)
    time.sleep(0.1)
    assert nodes_of(solver, game) == before > 0


def test_games_without_a_solver_of_their_own_are_solved_by_one_thread():
    assert Solver(1 << 20, 4).value(ludus.make("tic_tac_toe").start()) == 0
    assert Solver(1 << 20, 4).margin(ludus.make("othello", size=4).start()) == -8


@pytest.mark.parametrize("threads", [0, -1, 257, 1.5, True, "2"])
def test_a_number_of_threads_that_makes_no_sense_is_refused(threads):
    with pytest.raises(BadOption, match="threads must be a whole number from 1 to 256"):
        Solver(threads=threads)


def test_the_command_takes_a_number_of_threads(capsys):
    command.main(["hex", "--size", "4", "--threads", "2"])
    assert "player 0 to move: win" in capsys.readouterr().out
    with pytest.raises(BadOption, match="threads must be"):
        command.main(["hex", "--size", "4", "--threads", "0"])
