"""What a board is worth for a colour: the utility of the assignment, and a heuristic of our own.

Plain Python 3.7, because this becomes a part of the agent files that files.py writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.protocols.othello_rules import DIRECTIONS, get_possible_moves, get_score

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ludus.protocols.othello_rules import Board, Move


def compute_utility(board: Board, color: int) -> int:
    """How many discs `color` has more than the other player."""
    dark, light = get_score(board)
    return dark - light if color == 1 else light - dark


WEIGHTS = [  # of the features below: at the beginning of the game, and at its end
    (0.6, 2.7),  # mobility
    (-1.5, 0.9),  # discs
    (1.05, -0.2),  # corners; late in the game they count as stable discs
    (0.06, 0.2),  # stable discs
    (-0.95, 0.2),  # cells diagonal to an empty corner, which give it away
    (-0.3, 0.0),  # cells beside an empty corner, which may
    (0.08, -0.03),  # the border
    (0.15, 0.55),  # corners that the mover can take
    (0.0, -0.4),  # corners that the other could take
    (-0.16, -0.05),  # having to move is a small disadvantage
    (0.0, 0.3),  # but with an odd number of empty cells the mover gets the last one
]


def compute_heuristic(board: Board, color: int) -> float:
    """A guess at the final utility from mobility, corners, stable discs and parity, weighted by the stage of the game.

    Nobody passes, so the number of discs says who is to move. The weights are those with which Ludus searches; they
    were fitted to the results of games on 8x8.
    """
    discs, cells = sum(get_score(board)), len(board) ** 2
    mover = 1 + discs % 2
    if not get_possible_moves(board, mover):
        return compute_utility(board, color)
    stage = discs / cells
    weights = [first + (last - first) * stage for first, last in WEIGHTS]
    lead = sum(weight * amount for weight, amount in zip(weights, features(board, mover)))  # noqa: B905 (Python 3.7)
    guess = cells * lead / (1 + abs(lead))
    return guess if color == mover else -guess


def features(board: Board, mover: int) -> list[float]:
    """What the heuristic weighs, each as the mover's lead."""
    size, edges = len(board), (0, len(board) - 1)
    cells = [(i, j) for i in range(size) for j in range(size)]
    mine, theirs, empty = ({(i, j) for i, j in cells if board[j][i] == disc} for disc in (mover, 3 - mover, 0))
    moves, replies = get_possible_moves(board, mover), get_possible_moves(board, 3 - mover)
    corners = {(i, j) for i in edges for j in edges}
    near = [(i + u, j + v, u and v) for i, j in corners & empty for u, v in DIRECTIONS]

    def more(zone: Iterable[Move]) -> int:
        return len(mine.intersection(zone)) - len(theirs.intersection(zone))

    return [
        (len(moves) - len(replies)) / (len(moves) + len(replies) + 2),
        (len(mine) - len(theirs)) / (len(mine) + len(theirs) + 2),
        more(corners),
        len(stable_discs(mine, size)) - len(stable_discs(theirs, size)),
        more([(i, j) for i, j, diagonal in near if diagonal]),
        more([(i, j) for i, j, diagonal in near if not diagonal]),
        more([(i, j) for i, j in cells if i in edges or j in edges]),
        len(corners.intersection(moves)),
        len(corners.intersection(replies)),
        1,
        1 if len(empty) % 2 else -1,
    ]


def stable_discs(discs: set[Move], size: int) -> set[Move]:
    """Discs that can never be turned: along every line, the border or another stable disc is on one side of them."""
    stable: set[Move] = set()

    def held(i: int, j: int) -> bool:
        return i in (-1, size) or j in (-1, size) or (i, j) in stable

    def safe(i: int, j: int) -> bool:
        return all(held(i + u, j + v) or held(i - u, j - v) for u, v in DIRECTIONS[:4])

    while True:
        found = {cell for cell in discs - stable if safe(*cell)}
        if not found:
            return stable
        stable |= found
