"""The Hex solver against plain search, which knows only the rules: who wins, and which cells the winner needs."""

from functools import cache

import pytest

import ludus
from ludus import _core
from ludus.search.solve import Solver


@cache
def touching(size):
    steps = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
    return [
        [(r + i) * size + c + j for i, j in steps if 0 <= r + i < size and 0 <= c + j < size]
        for r in range(size)
        for c in range(size)
    ]


def joined(cells, size, player):
    """Does a player's chain go from side to side? Player 0 joins the top and bottom rows, player 1 the others."""
    last = (lambda cell: cell // size == size - 1) if player == 0 else (lambda cell: cell % size == size - 1)
    first = range(size) if player == 0 else range(0, size * size, size)
    seen = {cell for cell in first if cells[cell] == player + 1}
    waiting = list(seen)
    while waiting:
        more = [n for n in touching(size)[waiting.pop()] if cells[n] == player + 1 and n not in seen]
        seen.update(more)
        waiting += more
    return any(map(last, seen))


@cache
def wins(cells, size, player):
    """Does the player to move win? By trying everything."""
    if joined(cells, size, 1 - player):
        return False
    return joined(cells, size, player) or any(
        not wins((*cells[:i], player + 1, *cells[i + 1 :]), size, 1 - player)
        for i, cell in enumerate(cells)
        if not cell
    )


def random_cells(size, empty, rng):
    """A board with so many empty cells; the players need not have played in turn."""
    cells, share = [0] * size**2, 1 + rng.below(3)
    for cell in shuffled(size**2, rng)[empty:]:
        cells[cell] = 1 + (rng.below(4) >= share)
    return cells


def shuffled(n, rng):
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = rng.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@pytest.mark.parametrize(("size", "most_empty", "positions"), [(3, 9, 600), (4, 7, 250), (5, 6, 120)])
def test_values_and_needs_agree_with_plain_search(size, most_empty, positions):
    """One solver for all, so that whatever it keeps from position to position is tried, too."""
    game, solver, rng, given = ludus.make("hex", size=size), Solver(1 << 20), ludus.Rng(size), 0
    for _ in range(positions):
        cells, player = random_cells(size, 1 + rng.below(most_empty), rng), rng.below(2)
        state = _core.hex(game, size, False, None, cells, player)
        if state.over or joined(cells, size, 0) or joined(cells, size, 1):
            continue
        won = wins(tuple(cells), size, player)
        assert solver.value(state) == (1 if won else -1), cells
        needs = solver.needs(state)
        assert all(cells[cell] == 0 for cell in needs)
        loser = 1 - player if won else player
        poorer = tuple(cell or (0 if i in needs else loser + 1) for i, cell in enumerate(cells))
        given += poorer.count(0) < cells.count(0)
        assert wins(poorer, size, player) == won, (cells, needs)
    assert given > positions // 10


def test_a_game_followed_by_one_solver_and_by_fresh_ones():
    """Connections are used again after every move; a solver that has none to go on from says the same."""
    game, rng = ludus.make("hex", size=6), ludus.Rng(9)
    for _ in range(3):
        state, follower = game.after("c3 d2 b5 e5"), Solver(1 << 22)
        while not state.over:
            value = follower.value(state)
            assert Solver(1 << 20).value(state) == value
            actions = state.actions()
            state = state.play(actions[rng.below(len(actions))])
