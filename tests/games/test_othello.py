"""Othello: flips, passes, both endings; and large boards against rules written here again."""

import pytest

import ludus
from ludus import _core
from ludus.search.mcts import MctsSettings, Rollout

small = ludus.make("othello", size=6)


def flips(picture, move, player=0, game=small):
    """The board after a move, as rows of letters."""
    state = game.read_board(picture, player=player)
    n = game.size
    cells = state.play(game.read(move)).cells()
    return ["".join(".XO"[c] for c in cells[r * n : r * n + n]) for r in range(n)]


def test_a_disc_flips_in_all_eight_directions():
    board = """
        X . X . X .
        . O O O . .
        X O . O X .
        . O O O . .
        X . X . X .
        . . . . . .
    """
    assert flips(board, "c3") == ["X.X.X.", ".XXX..", "XXXXX.", ".XXX..", "X.X.X.", "......"]


def test_a_run_without_an_own_disc_behind_it_stays():
    board = """
        O O O O . X
        . O . . . .
        O . . . . .
        . . . . . .
        O O . O X .
        . . . . . .
    """
    assert small.read("e1") not in small.read_board(board).actions()  # to the left the run ends at the edge
    assert flips(board, "c5")[4] == "OOXXX."  # to the right an X closes it


def test_lines_do_not_wrap_round_an_edge():
    state = small.read_board("""
        . . . . O O
        X . . . . .
        . . . X O .
        . . . . . .
        . . . . . .
        . . . . . .
    """)
    assert [small.write(a) for a in state.actions()] == ["f3"]  # not d1, though a2 follows f1 in memory


def test_flips_along_whole_edges():
    board = """
        . O O O O X
        O . . . . .
        O . . . . .
        O . . . . .
        O . . . . .
        X . . . . .
    """
    assert flips(board, "a1") == ["XXXXXX", "X.....", "X.....", "X.....", "X.....", "X....."]


BLOCKED = """
    X O O O . .
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . .
"""


def test_who_cannot_move_passes_and_the_other_goes_on():
    state = small.read_board(BLOCKED, player=1)
    assert not state.over and [small.write(a) for a in state.actions()] == ["pass"]
    state = state.play(small.read("pass"))
    assert state.player == 0 and [small.write(a) for a in state.actions()] == ["e1"]


def test_without_passing_that_is_the_end():
    game = ludus.make("othello", size=6, passing=False)
    state = game.read_board(BLOCKED, player=1)
    assert state.over and state.actions() == [] and state.score(1) == 1 and state.margin(1) == 2


def test_when_nobody_can_move_the_game_is_over_with_empty_cells_left():
    for passing in (True, False):
        state = ludus.make("othello", size=4, passing=passing).read_board("X X X X\n. . . .\n. . . .\n. . O .")
        assert state.over and state.score(0) == 1 and state.margin(0) == 3 and state.margin(1) == -3


def test_equal_discs_are_a_draw():
    state = ludus.make("othello", size=4).read_board("XXXX\nXXXX\nOOOO\nOOOO")
    assert state.over and state.score(0) == 0 and state.score(1) == 0


def plain_flips(cells, size, player, cell):
    """The discs a move turns, square by square."""
    row, column = divmod(cell, size)
    turned = []
    for down, right in ((d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r):
        run, r, c = [], row + down, column + right
        while 0 <= r < size and 0 <= c < size and cells[r * size + c] == 2 - player:
            run.append(r * size + c)
            r, c = r + down, c + right
        if 0 <= r < size and 0 <= c < size and cells[r * size + c] == player + 1:
            turned += run
    return turned


@pytest.mark.parametrize("size, games", [(4, 300), (6, 60), (8, 25), (10, 8), (12, 4), (14, 3), (16, 2)])
@pytest.mark.parametrize("passing", [True, False])
def test_random_games_against_plain_rules(size, games, passing):
    game, rng = ludus.make("othello", size=size, passing=passing), ludus.Rng(size)
    for _ in range(games):
        state, cells, player = game.start(), game.start().cells(), 0
        while True:
            can = [[i for i in range(size**2) if not cells[i] and plain_flips(cells, size, p, i)] for p in (0, 1)]
            ended = not can[player] and (not passing or not can[1 - player])
            assert state.over == ended and state.cells() == cells
            if ended:
                assert state.margin(0) == cells.count(1) - cells.count(2)
                break
            assert state.player == player and state.actions() == (can[player] or [size**2])
            action = rng.choice(state.actions())
            if action < size**2:
                for i in [action, *plain_flips(cells, size, player, action)]:
                    cells[i] = player + 1
            state, player = state.play(action), 1 - player


def test_quick_play_takes_corners_and_gives_none_away():
    game, rng, quick = ludus.make("othello"), ludus.Rng(1), MctsSettings(judge=Rollout("quick")).native()
    corners, beside = {"a1", "h1", "a8", "h8"}, {"b2": "a1", "g2": "h1", "b7": "a8", "g7": "h8"}
    taken = avoided = 0
    for _ in range(40):
        state = game.start()
        while not state.over:
            action = _core.playout_action(state, quick, rng)
            open_to = {game.write(a) for a in state.actions()}
            chosen = game.write(action)
            assert chosen in open_to
            bad = {cell for cell, corner in beside.items() if state.cells()[game.read(corner)] == 0}
            if open_to & corners:
                assert chosen in corners
                taken += 1
            elif open_to - bad:
                assert chosen not in bad
                avoided += bool(open_to & bad)
            state = state.play(action)
    assert taken > 20 and avoided > 20
