"""Go: captures, suicide, ko, superko, ends and area."""

from copy import copy

import pytest

import ludus
from ludus.errors import BadBoard

go5 = ludus.make("go", size=5)


def board(picture, player=0, game=go5):
    return game.read_board(picture, player=player)


def play(state, moves):
    for word in moves.split():
        state = state.play(state.game.read(word))
    return state


def rows(state):
    n = state.game.size
    return ["".join(".XO"[c] for c in state.cells()[r * n : r * n + n]) for r in reversed(range(n))]


def legal(state, word):
    return state.game.read(word) in state.actions()


def test_a_chain_without_liberties_is_taken_off():
    state = board("""
        . X X . .
        X O O X .
        . X O . .
        . . X . .
        . . . . .
    """)
    assert rows(play(state, "D3")) == [".XX..", "X..X.", ".X.X.", "..X..", "....."]


def test_two_chains_can_be_taken_at_once():
    state = board("""
        . X . X .
        X O . O X
        . X . X .
        . . . . .
        . . . . .
    """)
    assert rows(play(state, "C4"))[1] == "X.X.X"


def test_suicide_is_forbidden_for_one_stone_and_for_many():
    state = board("""
        . O . . .
        O . . . .
        . . . . .
        . . . O O
        . . O X .
    """)
    assert not legal(state, "A5")
    assert not legal(state, "E1")  # the X chain of two would have no liberty
    assert legal(play(state, "pass"), "A5")  # for O it is an own eye


def test_a_stone_without_liberties_is_fine_when_it_captures():
    state = board("""
        O X . . .
        . O . . .
        O . . . .
        . . . . .
        . . . . .
    """)
    assert rows(play(state, "A4"))[:2] == [".X...", "XO..."]


def test_snapback():
    """O takes one stone, and X takes three at once on the point just freed: that is no ko."""
    state = board(
        """
        . . . . .
        . . . . .
        X X X . .
        O O X . .
        X . X . .
        """,
        player=1,
    )
    state = play(state, "B1")
    assert rows(state)[4] == ".OX.." and legal(state, "A1")
    assert rows(play(state, "A1"))[3:] == ["..X..", "X.X.."]


def test_ko_forbids_to_retake_at_once_and_allows_it_later():
    state = board(
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
    """,
        player=1,
    )
    state = play(state, "B4")
    assert rows(state)[1] == "XO.O."
    assert not legal(state, "C4")
    state = play(state, "E1 E2")
    assert legal(state, "C4")
    assert not legal(play(state, "C4"), "B4")


def test_a_pass_lifts_the_ko():
    state = play(board(". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . .", player=1), "B4 pass E1")
    assert legal(state, "C4")


def test_superko_as_a_draw_ends_the_game():
    game, rng = ludus.make("go", size=3, superko="draw"), ludus.Rng(5)
    ended = 0
    for _ in range(300):
        state, seen = game.start(), {tuple([0] * 9)}
        while not state.over:
            actions = state.actions()
            action = rng.choice(actions[:-1] or actions)
            state = state.play(action)
            again = action != 9 and tuple(state.cells()) in seen
            assert again == (state.over and state.score(0) == 0 and state.score(1) == 0)
            seen.add(tuple(state.cells()))
            ended += again
    assert ended > 10


@pytest.mark.parametrize("size", [2, 3, 4])
def test_superko_forbidden_leaves_out_just_the_moves_that_repeat(size):
    """Against the same game with draws: what ends it there by repetition is illegal here, and nothing else."""
    strict, loose, rng = ludus.make("go", size=size), ludus.make("go", size=size, superko="draw"), ludus.Rng(3)
    left_out = 0
    for _ in range(150):
        state, other = strict.start(), loose.start()
        while not state.over:
            repeating = [a for a in other.actions()[:-1] if repeats(other.play(a))]
            left_out += len(repeating)
            assert state.actions() == [a for a in other.actions() if a not in repeating]
            actions = state.actions()
            action = rng.choice(actions[:-1] or actions)
            state, other = state.play(action), other.play(action)
    assert left_out > 0


def repeats(state):
    return state.over and state.score(0) == 0


def test_two_passes_end_the_game_and_komi_decides_an_empty_board():
    state = go5.after("pass pass")
    assert state.over and state.score(1) == 1 and state.margin(1) == 0.5
    assert go5.after("C3 pass pass").margin(0) == 24.5


def test_the_length_cap_ends_the_game():
    state = ludus.make("go", size=5, max_length=3).after("A1 B1 C1")
    assert state.over and state.actions() == []


def test_area_counts_stones_and_what_only_one_side_reaches():
    state = board("""
        . X O . .
        X X O . .
        . X O O O
        X X X X O
        . . . X O
    """)
    assert state.margin(0) == (9 + 5) - (7 + 4) - 0.5 and state.margin(1) == -state.margin(0)


def test_points_that_both_reach_count_for_nobody():
    """As in a seki: B4 and C4 are liberties of both."""
    state = board("""
        X X O O .
        X . . O .
        X X O O .
        X X O O .
        . X O . .
    """)
    assert state.margin(0) == (8 + 1) - (8 + 6) - 0.5


def test_quick_rollouts_do_not_fill_own_eyes():
    """Black owns the board with two eyes. Sensible play keeps them; uniform play often kills itself."""
    game = ludus.make("go", size=5)
    state = board(
        """
        . X . X X
        X X X X X
        X X X X X
        X X X X X
        X X X X X
    """,
        player=0,
        game=game,
    )
    wins, _, losses = ludus.rollouts(state, 500, ludus.Rng(1), "quick")
    assert (wins, losses) == (500, 0)
    assert ludus.rollouts(state, 500, ludus.Rng(1), "uniform")[2] > 50


@pytest.mark.parametrize("superko", ["forbidden", "draw"])
@pytest.mark.parametrize("size", [2, 3, 5, 8, 9, 11, 13])
def test_rollouts_without_chains_end_as_games_played_step_by_step(size, superko):
    """The fast playout must draw the same stones: the same results, and the dice left at the same place."""
    game, dice = ludus.make("go", size=size, superko=superko), ludus.Rng(size)
    for _ in range(60):
        state = game.start()
        for _ in range(dice.below(size * size)):
            if not state.over:
                state = state.play(dice.choice(state.actions()))
        fast, slow = copy(dice), copy(dice)
        assert ludus.rollouts(state, 20, fast, "uniform") == ludus.rollouts(state, 20, slow, "stepwise")
        assert fast.next() == slow.next()


def test_a_stone_without_liberty_cannot_be_drawn():
    with pytest.raises(BadBoard, match="no liberty"):
        board("XO...\nO....\n.....\n.....\n.....")


def test_moves_are_written_without_the_letter_i():
    go19 = ludus.make("go", size=19)
    assert go19.write(0) == "A1" and go19.write(8) == "J1" and go19.write(360) == "T19" and go19.write(361) == "pass"
    assert go19.read("q16") == 15 * 19 + 15


@pytest.mark.parametrize("size, komi", [(2, 0.5), (5, 0.5), (7, 5.5), (9, 5.5), (13, 7.5), (19, 7.5)])
def test_komi_by_size(size, komi):
    assert ludus.make("go", size=size).komi == komi
