"""Hex: chains that join and chains that nearly do, either starter, the swap, the diamond."""

import pytest

import ludus
from ludus.errors import BadBoard

hex3, hex5 = ludus.make("hex", size=3), ludus.make("hex", size=5)


def test_a_chain_from_top_to_bottom_wins_for_player_0():
    state = hex5.read_board("""
        O . X . .
         O . X . .
          . X . . .
           . X . O .
            X . O . .
    """)
    assert state.over and state.score(0) == 1 and state.score(1) == -1


def test_a_chain_from_left_to_right_wins_for_player_1():
    state = hex5.read_board("""
        X . . . .
         X . O O O
          X O . . .
           O X . . .
            X . . . .
    """)
    assert state.over and state.score(1) == 1


def test_a_chain_that_nearly_joins_does_not():
    """(r, c) touches (r+1, c-1) but not (r+1, c+1)."""
    state = hex5.read_board(
        """
        X . . . O
         . X . . O
          . . X . O
           . . . X O
            . . . . X
    """,
        player=1,
    )
    assert not state.over
    assert not hex3.after("a1 a2 b2 c1").over
    assert hex3.after("a1 c1 b1 c2 a2 c3 a3").over  # straight down


def test_the_top_row_alone_joins_nothing():
    assert not hex5.after("a1 a2 b1 b2 c1 c2 d1 d2 e1").over


def test_touching_cells_are_the_six_of_the_rules():
    centre = hex5.read("c3")
    assert [hex5.write(i) for i in hex5.neighbours(centre)] == ["c2", "d2", "b3", "d3", "b4", "c4"]
    assert [hex5.write(i) for i in hex5.neighbours(0)] == ["b1", "a2"]


def joined(game, cells, player):
    """Does a player have a chain? The slow way: grow a set until it stops."""
    n, code = game.size, player + 1
    across = (lambda i: i // n) if player == 0 else (lambda i: i % n)
    reached = {i for i in range(n * n) if cells[i] == code and across(i) == 0}
    while more := {k for i in reached for k in game.neighbours(i) if cells[k] == code} - reached:
        reached |= more
    return any(across(i) == n - 1 for i in reached)


@pytest.mark.parametrize("size, games", [(3, 300), (5, 200), (8, 30), (9, 20), (11, 10), (13, 5), (19, 2)])
def test_random_games_end_exactly_when_a_chain_stands(size, games):
    game, rng = ludus.make("hex", size=size), ludus.Rng(size)
    for _ in range(games):
        state = game.start()
        while not state.over:
            mover = state.player
            state = state.play(rng.choice(state.actions()))
            assert state.over == joined(game, state.cells(), mover)
        assert state.score(mover) == 1 and not joined(game, state.cells(), 1 - mover)


@pytest.mark.parametrize("options", [{"size": 4}, {"size": 7}, {"size": 10}, {"size": 4, "swap": True, "starter": 1}])
def test_the_shortcut_to_the_end_has_the_same_chances_as_step_by_step(options):
    """Filling the board at once and playing stone by stone: the same share of wins, within four standard errors."""
    start, n = ludus.make("hex", **options).start(), 40_000
    for moves in range(4):
        fast = ludus.rollouts(start, n, ludus.Rng(1), "uniform")[0]
        slow = ludus.rollouts(start, n, ludus.Rng(2), "stepwise")[0]
        assert abs(fast - slow) < 4 * (n / 2) ** 0.5
        start = start.play(start.actions()[moves * 3])


def test_either_player_may_start():
    state = ludus.make("hex", size=3, starter=1).after("a2 a1 b2 a3 c2")
    assert state.over and state.score(1) == 1


def test_swap_takes_the_first_stone_over_mirrored():
    game = ludus.make("hex", size=5, swap=True)
    assert game.write(25) == "swap" and 25 not in game.start().actions()
    state = game.after("e2 swap")
    assert state.cells().index(2) == game.read("b5") and state.cells().count(1) == 0
    assert state.player == 0 and 25 not in state.actions()
    assert 25 not in game.after("e2 a1 a2").actions()
    assert "[O]" in game.draw(state)


def test_the_diamond_has_one_cell_on_top_and_shows_whose_sides_are_whose():
    state = hex3.after("b2 a1 c1 b1 a3")
    assert hex3.draw(state, color=False).splitlines() == [
        "      1 O/ O \\X a",
        "    2 O/ .   O \\X b",
        "  3 O/[X] (X) (X)\\X c",
        "      X\\ .   . /O",
        "        X\\ . /O",
    ]


@pytest.mark.parametrize("moves", ["", "c3", "c3 b2 d4 a5 e1"])
def test_a_drawing_can_be_read_again(moves):
    state = hex5.after(moves)
    for color in (False, True):
        assert hex5.read_board(hex5.draw(state, color=color)) == state


def test_a_diamond_of_another_size_is_refused():
    with pytest.raises(BadBoard, match="9 lines"):
        hex5.read_board(hex3.draw(hex3.start(), color=False))
