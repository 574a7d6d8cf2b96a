"""What the tests of CSC384 share: rules and minimax once more, written another way, and random boards.

Here a board is a dictionary of cells, and a move looks for its captured discs by walking to the next own disc.
"""

import random
from itertools import product

WAYS = [way for way in product((-1, 0, 1), repeat=2) if way != (0, 0)]


def cells_of(board):
    size = len(board)  # the course looks at as many columns as there are rows
    return {(i, j): board[j][i] for i in range(size) for j in range(size)}


def captured(cells, i, j, color):
    found = []
    for u, v in WAYS:
        run = 1
        while cells.get((i + run * u, j + run * v), 0) == 3 - color:
            run += 1
        if cells.get((i + run * u, j + run * v)) == color:
            found += [(i + step * u, j + step * v) for step in range(1, run)]
    return found


def legal(cells, color):
    return [cell for cell in sorted(cells) if cells[cell] == 0 and captured(cells, *cell, color)]


def after(cells, move, color):
    return cells | {move: color} | dict.fromkeys(captured(cells, *move, color), color)


def lead(cells, color):
    values = list(cells.values())
    return values.count(color) - values.count(3 - color)


def minimax(cells, color, mover, limit):
    """The first best move of the mover and its value for `color`, to a depth; a negative limit is none."""
    moves = legal(cells, mover)
    if limit == 0 or not moves:
        return None, lead(cells, color)
    sign = 1 if mover == color else -1
    values = [minimax(after(cells, move, mover), color, 3 - mover, limit - 1)[1] for move in moves]
    best = max(values, key=lambda value: sign * value)
    return moves[values.index(best)], best


def board_of(cells):
    size = max(i for i, _ in cells) + 1
    return tuple(tuple(cells[i, j] for i in range(size)) for j in range(size))


def start(size):
    middle = size // 2
    cells = dict.fromkeys(product(range(size), repeat=2), 0)
    cells |= {(middle - 1, middle - 1): 2, (middle, middle): 2, (middle, middle - 1): 1, (middle - 1, middle): 1}
    return board_of(cells)


def played(size, plies, seed):
    """A board after some random moves, or as many as there are, and who is to move."""
    dice, cells, color = random.Random(seed), cells_of(start(size)), 1
    for _ in range(plies):
        moves = legal(cells, color)
        if not moves:
            break
        cells, color = after(cells, dice.choice(moves), color), 3 - color
    return board_of(cells), color


def scattered(size, seed):
    """Discs anywhere, as no game would leave them."""
    dice = random.Random(seed)
    return tuple(tuple(dice.choice((0, 1, 1, 2, 2)) for _ in range(size)) for _ in range(size))
