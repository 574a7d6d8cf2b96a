"""The Othello solver against an independent search, and its stable discs against what may still happen."""

import pytest

import ludus
from ludus import _core, search
from ludus.search.solve import Solver
from tests.solve.test_solvers import random_state


def late_states(size, passing, empties, count):
    """Positions of random games with so many empty cells or a few more."""
    game = ludus.make("othello", size=size, passing=passing)
    states = (random_state(game, size * size - 4 - empties, seed) for seed in range(20 * count))
    return [s for s in states if s is not None and s.cells().count(0) <= empties + 2][:count]


@pytest.mark.parametrize("passing", [True, False])
@pytest.mark.parametrize("size, empties, count", [(4, 8, 40), (6, 9, 30), (8, 8, 30), (8, 10, 6), (10, 7, 6)])
def test_margins_and_values_agree_with_alphabeta(size, empties, count, passing):
    """On all levels of the search, by one solver with a small table, whichever of the two is asked first."""
    solver, states = Solver(1 << 18), late_states(size, passing, empties, count)
    assert len(states) >= count // 2
    for i, state in enumerate(states):
        margin = search.alphabeta(state, utility="margin", estimate="none", table=1 << 16).value
        asked = [solver.margin, solver.value] if i % 2 else [solver.value, solver.margin]
        answers = {ask.__name__: ask(state) for ask in asked}
        assert answers == {"margin": margin, "value": (margin > 0) - (margin < 0)}


@pytest.mark.parametrize("passing", [True, False])
@pytest.mark.parametrize("size, plies", [(6, 16), (8, 46)])
def test_a_margin_follows_from_the_margins_one_move_on(size, plies, passing):
    game, seen = ludus.make("othello", size=size, passing=passing), 0
    for seed in range(6):
        if state := random_state(game, plies, seed):
            seen += 1
            solver, margins = Solver(1 << 22), []
            for child in (state.play(a) for a in state.actions()):
                margin = child.margin(child.player) if child.over else solver.margin(child)
                margins.append(margin if child.player == state.player else -margin)
            assert Solver(1 << 22).margin(state) == max(margins)
    assert seen >= 3


def test_turned_and_mirrored_openings_have_the_same_margin():
    game = ludus.make("othello", size=4)
    for opening in ("b1 c1", "b1 a1", "b1 a3"):
        state = game.after(opening)
        for symmetry in game.symmetries:
            image = game.start()
            for move in opening.split():
                image = image.play(int(symmetry.actions[game.read(move)]))
            assert Solver(1 << 18).margin(image) == Solver(1 << 18).margin(state)


def discs(state):
    """The discs of each player as a word."""
    cells = state.cells()
    return [sum(1 << i for i, cell in enumerate(cells) if cell == player + 1) for player in (0, 1)]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_stable_discs_are_never_turned_over(size):
    game, rng, found = ludus.make("othello", size=size), ludus.Rng(size), 0
    for seed in range(150):
        state = random_state(game, rng.below(size * size - 4), seed)
        if state is None:
            continue
        before = discs(state)
        kept = [_core.othello_stable(size, *before), _core.othello_stable(size, *reversed(before))]
        assert all(kept[p] & before[p] == kept[p] for p in (0, 1))
        found += sum(word.bit_count() for word in kept)
        for _ in range(3):
            later = state
            while not later.over:
                later = later.play(rng.choice(later.actions()))
                assert all(kept[p] & discs(later)[p] == kept[p] for p in (0, 1))
    assert found > 100


STABLE = {
    "a corner, and what lies beside it on the edge": (
        """
        X X O . . .
        X . . . . .
        O . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        "a1 b1 a2",
    ),
    "a full edge, whoever has the corners": (
        """
        O X X O X O
        . . . . . .
        . . X . . .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        "b1 c1 e1",
    ),
    "no disc of an edge that may still be bracketed": (
        """
        . X X . . .
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        "",
    ),
    "a disc on four full lines": (
        """
        O . O . O .
        . O O O . .
        O X X O X O
        . O O O . .
        O . O . O .
        . . O . . O
        """,
        "c3",
    ),
    "row after row, from a full edge on": (
        """
        X X X X X X
        X X X X X X
        X X O O . .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        "a1 b1 c1 d1 e1 f1 a2 b2 c2 d2 e2 f2 a3 b3",
    ),
}


@pytest.mark.parametrize("what", STABLE)
def test_stable_discs(what):
    game = ludus.make("othello", size=6)
    picture, cells = STABLE[what]
    found = _core.othello_stable(6, *discs(game.read_board(picture)))
    assert {game.write(i) for i in range(36) if found >> i & 1} == set(cells.split())


def test_other_boards_have_no_word_for_stable_discs():
    with pytest.raises(ludus.errors.BadOption):
        _core.othello_stable(10, 0, 0)
