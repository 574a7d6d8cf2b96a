"""The solvers against known facts, against minimax, and against each other."""

import time

import pytest

import ludus
from ludus import _core, search
from ludus.errors import BadOption
from ludus.search.solve import Solver
from tests.python_games import Greed, Noughts
from tests.search.truth import truths


def random_state(game, plies, seed):
    """A position so many random plies into a game; None if the game was over before."""
    state, rng = game.start(), ludus.Rng(seed)
    for _ in range(plies):
        if state.over:
            return None
        state = state.play(rng.choice(state.actions()))
    return None if state.over else state


# ------------------------------------------------------------------------------------------------ Hex

OPENINGS = {  # the first moves that win for the player who joins top and bottom
    3: "c1 a2 b2 c2 a3",
    4: "d1 c2 b3 a4",
    5: "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
    6: "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6",
}


@pytest.mark.parametrize("size", OPENINGS)
def test_hex_openings(size):
    game = ludus.make("hex", size=size)
    values = Solver().actions(game.start())
    assert {game.write(a) for a, value in values.items() if value == 1} == set(OPENINGS[size].split())
    assert None not in values.values()


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_the_first_player_wins_hex_and_the_swap_turns_that_round(size):
    assert Solver().value(ludus.make("hex", size=size).start()) == 1
    assert Solver().value(ludus.make("hex", size=size, starter=1).start()) == 1
    assert Solver().value(ludus.make("hex", size=size, swap=True).start()) == -1


def test_hex_openings_of_the_other_player_are_mirrored():
    game, mirror, solver = ludus.make("hex", size=4), ludus.make("hex", size=4, starter=1), Solver()
    ours, theirs = solver.actions(game.start()), Solver().actions(mirror.start())
    assert all(ours[r * 4 + c] == theirs[c * 4 + r] for r in range(4) for c in range(4))


def test_hex_agrees_with_minimax_on_every_position_of_3x3():
    solver = Solver(1 << 20)
    for state, value in truths(ludus.make("hex", size=3).start()).items():
        assert solver.value(state) == value


@pytest.mark.parametrize("size, plies", [(4, 4), (5, 11)])
def test_hex_agrees_with_alphabeta_in_the_middle_of_a_game(size, plies):
    game, solver = ludus.make("hex", size=size), Solver(1 << 20)
    for seed in range(60):
        if state := random_state(game, plies, seed):
            assert solver.value(state) == search.alphabeta(state, estimate="none").value


@pytest.mark.parametrize(("size", "plies"), [(4, 2), (4, 5), (5, 6), (6, 9), (9, 40)])
def test_the_winner_of_a_hex_position_needs_no_more_cells_than_the_solver_says(size, plies):
    """With all other empty cells given to the loser, a fresh solver finds the same winner; some are given away."""
    game, solver, given = ludus.make("hex", size=size), Solver(1 << 20), 0
    for seed in range(40):
        state = random_state(game, plies, seed)
        if state is None:
            continue
        wins, needs = solver.value(state) == 1, solver.needs(state)
        assert needs is not None and set(needs) <= set(state.actions())
        loser = 1 - state.player if wins else state.player
        cells = state.cells()
        for cell in set(state.actions()) - set(needs):
            cells[cell], given = 1 + loser, given + 1
        poorer = _core.hex(game, size, False, None, cells, state.player)  # no game by turns leads to it
        if poorer.over:
            assert poorer.score(1 - loser) == 1
        else:
            assert (Solver(1 << 20).value(poorer) == 1) == wins, game.draw(state)
    assert given > 40


def test_only_hex_says_what_the_winner_needs():
    assert Solver().needs(ludus.make("connect_four").after("4 4 4 4 4 2 1 7 1 1 3 3 3 5")) is None
    assert Solver().needs(ludus.make("hex", size=4, swap=True).start()) is None
    assert Solver().needs(ludus.make("hex", size=11).start(), seconds=0.01) is None


def test_hex_agrees_with_itself_one_ply_on():
    game, solver = ludus.make("hex", size=6), Solver()
    for seed in range(25):
        if state := random_state(game, 8, seed):
            assert solver.value(state) == max(solver.actions(state).values())


# --------------------------------------------------------------------------------------- Connect Four


@pytest.mark.parametrize("width, height, line", [(4, 4, 4), (5, 4, 4), (4, 5, 4), (5, 4, 3), (6, 3, 4), (4, 3, 3)])
def test_connect_four_agrees_with_alphabeta_on_small_boards(width, height, line):
    game, solver = ludus.make("connect_four", width=width, height=height, line=line), Solver(1 << 22)
    for plies in range(0, width * height, 2):
        for seed in range(8):
            if state := random_state(game, plies, seed):
                assert solver.value(state) == search.alphabeta(state, estimate="none").value


def test_connect_four_agrees_with_alphabeta_late_in_a_game():
    game, solver = ludus.make("connect_four"), Solver(1 << 22)
    for seed in range(40):
        if state := random_state(game, 26, seed):
            assert solver.value(state) == search.alphabeta(state, estimate="none").value


def test_connect_four_with_fourteen_stones():
    """Well-known lines: after the best opening in the centre the first player still wins, and agrees one ply on."""
    game, solver = ludus.make("connect_four"), Solver()
    state = game.after("4 4 4 4 4 2 1 7 1 1 3 3 3 5")
    values = solver.actions(state)
    assert solver.value(state) == max(values.values()) == 1
    for seed in range(3):
        if state := random_state(game, 16, seed):
            assert solver.value(state) == max(solver.actions(state).values())


# -------------------------------------------------------------------------------------------- Othello


def test_othello_4x4():
    solver = Solver()
    start = ludus.make("othello", size=4).start()
    assert solver.value(start) == -1 and solver.margin(start) == -8  # the second player wins by 8 discs


@pytest.mark.parametrize("passing", [True, False])
def test_othello_4x4_agrees_with_minimax_everywhere(passing):
    game, solver = ludus.make("othello", size=4, passing=passing), Solver(1 << 22)
    table = truths(game.start())
    for i, (state, value) in enumerate(table.items()):
        if i % 7 == 0:
            assert solver.value(state) == value


def best_margin(state, known):
    """The final lead of the player to move, by plain search."""
    if state not in known:
        if state.over:
            known[state] = state.margin(state.player)
        else:
            known[state] = max(
                best_margin(c, known) if c.player == state.player else -best_margin(c, known)
                for c in (state.play(a) for a in state.actions())
            )
    return known[state]


@pytest.mark.parametrize(
    "size, empties, passing", [(6, 8, True), (6, 8, False), (8, 7, True), (8, 7, False), (10, 6, True)]
)
def test_othello_margins_agree_with_plain_search_late_in_a_game(size, empties, passing):
    game, solver, seen = ludus.make("othello", size=size, passing=passing), Solver(1 << 22), 0
    for seed in range(12):
        state = random_state(game, size * size - 4 - empties, seed)
        if state and state.cells().count(0) <= empties + 2:
            seen += 1
            assert solver.margin(state) == best_margin(state, {})
    assert seen >= 3


def test_othello_with_sixteen_empties():
    game, solver = ludus.make("othello"), Solver()
    state = random_state(game, 44, 5)
    value, margin = solver.value(state), solver.margin(state)
    assert value == (margin > 0) - (margin < 0)
    children = [state.play(a) for a in state.actions()]
    assert margin == max(solver.margin(c) * (1 if c.player == state.player else -1) for c in children)


# --------------------------------------------------------------------- Nim, Ledge, Tic-tac-toe, Go, Python


def test_nim_theory_and_search_agree():
    solver = Solver()
    for most in (1, 2, 3, 5, 8):
        for stones in range(1, 25):
            start = ludus.make("nim", stones=stones, most=most).start()
            lost = stones % (most + 1) == 0
            assert (
                solver.value(start)
                == (-1 if lost else 1)
                == search.alphabeta(start, estimate="none", table=1 << 10).value
            )
    assert solver.value(ludus.make("nim", stones=1_000_000, most=999).start()) == -1


def every_ledge(length):
    from itertools import product

    for cells in product((0, 1), repeat=length - 1):
        for gold in range(length):
            yield [*cells[:gold], 2, *cells[gold:]]


@pytest.mark.parametrize("length", range(1, 9))
def test_ledge_theory_and_search_agree_on_every_board(length):
    solver = Solver(1 << 20)
    for board in every_ledge(length):
        start = ludus.make("ledge", coins=board).start()
        assert solver.value(start) == search.alphabeta(start, estimate="none", table=1 << 12).value


def test_long_ledges():
    """Any board of length 16 is solved, and a value agrees with the values one move on."""
    solver, rng = Solver(), ludus.Rng(1)
    for _ in range(10):
        board = [rng.below(2) for _ in range(16)]
        board[3 + rng.below(10)] = 2
        state = ludus.make("ledge", coins=board).start()
        assert solver.value(state) == max(solver.actions(state).values())


def test_tic_tac_toe_is_a_draw_everywhere_solved():
    solver = Solver(1 << 22)
    for state, value in truths(ludus.make("tic_tac_toe").start()).items():
        assert solver.value(state) == value
    assert solver.value(ludus.make("tic_tac_toe", width=4, height=4, line=4).start()) == 0
    assert solver.value(ludus.make("tic_tac_toe", width=4, height=3, line=3).start()) == 1


def test_small_go():
    game = ludus.make("go", size=2)
    solver = Solver(1 << 20)
    for i, (state, value) in enumerate(truths(game.start()).items()):
        if i % 20 == 0:
            assert solver.value(state) == value
    assert Solver().value(ludus.make("go", size=9).start(), seconds=1) is None


def test_black_owns_3x3_go():
    """All nine points, starting in the centre; so White wins with a komi above nine."""
    game = ludus.make("go", size=3)
    assert Solver().margin(game.start()) == 8.5 and Solver().margin(ludus.make("go", size=2).start()) is not None
    assert Solver().value(ludus.make("go", size=3, komi=8.5).start()) == 1
    assert Solver().value(ludus.make("go", size=3, komi=9).start()) == 0


def test_python_games_are_solved_too():
    for start in (Noughts(), Greed()):
        for i, (state, value) in enumerate(truths(start).items()):
            if i % 10 == 0:
                assert Solver().value(state) == value


# --------------------------------------------------------------------------------- limits, many at once


@pytest.mark.parametrize(
    "game, options",
    [
        ("hex", {"size": 10}),
        ("hex", {"size": 13}),
        ("connect_four", {"height": 7}),
        ("othello", {}),
        ("go", {"size": 5}),
        ("ledge", {"coins": "c . " * 10 + "G . c ." + " c ." * 5}),
    ],
)
def test_what_is_not_proven_in_time_is_unknown(game, options):
    began = time.perf_counter()
    answer = Solver().value(ludus.make(game, **options).start(), seconds=0.2)
    assert answer is None or game == "ledge"
    assert time.perf_counter() - began < 60  # it would go on for hours


def test_many_states_at_once_come_out_in_order():
    game = ludus.make("hex", size=5)
    states = [game.start().play(a) for a in game.start().actions()]
    alone = [Solver().value(state) for state in states]
    assert Solver().values(states) == Solver().values(states, workers=3) == alone
    assert Solver().values([]) == []


def test_one_solver_answers_for_many_games():
    solver = Solver()
    assert solver.value(ludus.make("hex", size=4).start()) == 1
    assert solver.value(ludus.make("othello", size=4).start()) == -1
    assert solver.value(ludus.make("hex", size=5).start()) == 1


def test_a_finished_game_has_its_score():
    state = ludus.make("nim", stones=1).after("1")
    assert Solver().value(state) == -1 and Solver().actions(state) == {}


def test_mistakes():
    with pytest.raises(BadOption, match="table_bytes"):
        Solver(-1)
    with pytest.raises(BadOption, match="only Othello and Go"):
        Solver().margin(ludus.make("hex").start())
    with pytest.raises(BadOption, match="seconds must be"):
        Solver().value(ludus.make("hex").start(), seconds=-1)
