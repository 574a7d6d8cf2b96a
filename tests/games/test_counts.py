"""Published counts: what legal play can reach, by depth."""

import pytest

import ludus


# Sequences of moves from the start of Othello ("perft"), as published by several independent programs. The
# first games end after nine plies, 228 of them; the published 24,571,284 for ten plies lets those stand still.
@pytest.mark.parametrize(
    "depth, count",
    [
        (1, 4),
        (2, 12),
        (3, 56),
        (4, 244),
        (5, 1396),
        (6, 8200),
        (7, 55092),
        (8, 390216),
        (9, 3005288),
        (10, 24571284 - 228),
    ],
)
def test_othello_sequences(depth, count):
    assert ludus.perft(ludus.make("othello").start(), depth) == count


# Seven moves always, until a column can be full or four can stand in a row.
@pytest.mark.parametrize("depth, count", [(1, 7), (2, 49), (3, 343), (6, 117649), (7, 823536), (8, 5673234)])
def test_connect_four_sequences(depth, count):
    assert ludus.perft(ludus.make("connect_four").start(), depth) == count


def test_connect_four_positions():
    """Different positions after n plies: sequence A212693 of the On-Line Encyclopedia of Integer Sequences."""
    layer, counts = {ludus.make("connect_four").start()}, []
    for _ in range(9):
        counts.append(len(layer))
        layer = {state.play(a) for state in layer for a in state.actions()}
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def test_tic_tac_toe_positions_and_games():
    """5,478 positions, 255,168 games."""
    start = ludus.make("tic_tac_toe").start()
    seen, layer = {start}, [start]
    while layer:
        layer = list({s.play(a) for s in layer for a in s.actions()} - seen)
        seen.update(layer)
    assert len(seen) == 5478

    def games(state, known={}):  # noqa: B006  # a cache on purpose
        if state not in known:
            known[state] = 1 if state.over else sum(games(state.play(a)) for a in state.actions())
        return known[state]

    assert games(start) == 255168


@pytest.mark.parametrize("size, count", [(2, 57), (3, 12675)])
def test_go_positions(size, count):
    """The boards on which every chain has a liberty (Tromp and Farnebäck 2006)."""
    from itertools import product

    from ludus.errors import BadBoard

    game, legal = ludus.make("go", size=size), 0
    for cells in product(".XO", repeat=size * size):
        rows = ["".join(cells[r * size : (r + 1) * size]) for r in range(size)]
        try:
            game.read_board("\n".join(rows))
            legal += 1
        except BadBoard:
            pass
    assert legal == count


def test_hex_sequences_before_anyone_can_win():
    assert ludus.perft(ludus.make("hex", size=5).start(), 4) == 25 * 24 * 23 * 22
    assert ludus.perft(ludus.make("hex", size=5, swap=True).start(), 2) == 25 * 25
