"""Othello's patterns on 8×8: what they look at, what they weigh, and how near they come to the truth."""

import numpy as np
import pytest

import ludus
from ludus import _core, search
from ludus.games.othello import WEIGHTS
from ludus.search.solve import Solver

GAME = ludus.make("othello")


def margin(state, name="estimate"):
    return search.minimax(state, 0, name, utility="margin").value


def played(seed, plies):
    """A position of a game between alpha-betas, after six random plies."""
    rng, state = ludus.Rng(seed), GAME.start()
    for ply in range(plies):
        if not state.over:
            state = state.play(rng.choice(state.actions()) if ply < 6 else search.alphabeta(state, 2).action)
    return state


def words(state):
    """The discs of the player to move and of the other as two words."""
    return np.packbits(state.planes()[:2].reshape(2, 64).astype(bool), axis=1, bitorder="little").view(np.uint64).T


def test_a_place_shows_a_number_that_is_the_same_on_mirrored_edges():
    left, right = (
        GAME.read_board(f"{row}\n" + 7 * ". . . . . . . .\n") for row in ("X O . . . . . .", ". . . . . . O X")
    )
    seen, mirrored = (_core.othello_patterns(words(state))[0] for state in (left, right))
    assert sorted(seen) == sorted(mirrored) and len(set(seen)) > 10
    other = GAME.read_board("O X . . . . . .\n" + 7 * ". . . . . . . .\n")
    assert sorted(_core.othello_patterns(words(other))[0]) != sorted(seen)


@pytest.mark.parametrize("plies", [0, 11, 25, 40, 55])
def test_the_margin_is_the_sum_of_the_weights_of_all_places(plies):
    state = played(3, plies)
    weights = np.load(WEIGHTS)["weights"]
    stage = plies * len(weights) // 61
    total = weights[stage][_core.othello_patterns(words(state))].sum()
    assert margin(state) == pytest.approx(total / 16)


def test_the_eight_images_of_a_position_have_one_value():
    cells = np.array(played(5, 30).cells()).reshape(8, 8)
    images = [np.rot90(board, turns) for board in (cells, cells.T) for turns in range(4)]
    boards = ["\n".join(" ".join(".XO"[cell] for cell in row) for row in image) for image in images]
    assert len({margin(GAME.read_board(board)) for board in boards}) == 1


def test_it_comes_near_the_solved_margin():
    """The mean error was 6.6 discs, that of the hand-fitted estimate as a guess at the margin 20."""
    solver, states = Solver(), [played(seed, 48) for seed in range(60)]
    errors = [abs(margin(s) - solver.margin(s)) for s in states if not s.over]
    assert len(errors) > 50 and np.mean(errors) < 9


def test_boards_without_patterns_have_another_estimate():
    for game in (ludus.make("othello", size=6), ludus.make("othello", passing=False)):
        state = game.start()
        assert margin(state) == pytest.approx(search.minimax(state, 0).value * game.size**2)


def test_weights_of_other_patterns_are_refused():
    with pytest.raises(ludus.LudusError, match="other patterns"):
        _core.load_othello_patterns(np.zeros((10, 7), np.int16))
