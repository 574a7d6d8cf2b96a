"""Networks that look up what lines show: how lines are numbered, and that such networks learn."""

from itertools import product

import numpy as np
import pytest
import torch

import ludus
from ludus.learn.network import make_network
from ludus.learn.patterns import WAYS, Patterns, contents, lines, shown
from ludus.learn.settings import NetworkSettings


def line_of(board, row, column, way, reach):
    """The cells of a line in words; X is outside the board."""
    rows, columns = board.shape
    cells = [(row + step * way[0], column + step * way[1]) for step in range(-reach, reach + 1)]
    return "".join(str(board[r, c]) if 0 <= r < rows and 0 <= c < columns else "X" for r, c in cells)


@pytest.mark.parametrize("rows, columns, reach", [(6, 7, 3), (3, 3, 1), (5, 5, 2), (1, 9, 3), (2, 2, 5)])
def test_lines_have_the_same_number_exactly_if_they_show_the_same(rows, columns, reach):
    first, powers = lines(rows, columns, reach)
    rng, seen = np.random.default_rng(1), {}
    for _ in range(300):
        board = rng.choice(3, size=(rows, columns), p=[0.5, 0.25, 0.25])
        numbers = (board.reshape(-1) @ powers + first).astype(int).reshape(rows, columns, len(WAYS))
        for row, column, way in product(range(rows), range(columns), range(len(WAYS))):
            number = numbers[row, column, way]
            assert way * contents(reach) <= number < (way + 1) * contents(reach)
            assert seen.setdefault(number, line_of(board, row, column, WAYS[way], reach)) == line_of(
                board, row, column, WAYS[way], reach
            )
    for way in range(len(WAYS)):
        own = [line for number, line in seen.items() if number // contents(reach) == way]
        assert len(own) == len(set(own))  # different numbers show different lines


def test_a_stone_of_the_first_plane_counts_one_and_of_the_second_two():
    planes = torch.tensor([[[[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]], [[1.0, 1.0, 1.0]]]])
    assert shown(planes).tolist() == [[1.0, 2.0, 0.0]]
    assert shown(planes[:, :1]).tolist() == [[1.0, 0.0, 0.0]]


def test_a_long_line_begins_with_what_is_known_of_the_shorter_one():
    body = Patterns(NetworkSettings(net="patterns", reach=2, channels=8), (2, 5, 5))
    with torch.no_grad():
        body.tables[1].zero_()
        body.point.weight.zero_()
        body.point.bias.zero_()
    planes = torch.zeros(2, 2, 5, 5)
    planes[1, 0, 2, 4] = planes[1, 1, 4, 4] = planes[1, 1, 0, 4] = planes[1, 0, 0, 0] = 1  # two steps from the middle
    seen = body(planes)
    assert torch.equal(seen[0, :, 2, 2], seen[1, :, 2, 2])  # within one step of it nothing differs
    assert not torch.equal(seen[0, :, 1, 3], seen[1, :, 1, 3])


def test_patterns_play_boards_of_every_size_and_are_small_enough():
    network = make_network(NetworkSettings(net="patterns", heads="pooled"), (4, 5, 5), 25)
    for size in (3, 5, 11):
        logits, values = network(torch.zeros(2, 4, size, size))
        assert logits.shape == (2, size * size) and values.shape == (2,)
    with pytest.raises(ludus.LudusError, match="choose a smaller --channels"):
        make_network(NetworkSettings(net="patterns", reach=5, channels=512), (2, 6, 7), 7)
