"""The book of the Hex 7x7 solver: what it holds, and that it is asked where it should be and nowhere else."""

import struct

import pytest

import ludus
from ludus import _core
from ludus.errors import BadOption
from ludus.games.hex import BOOK
from ludus.search.solve import Solver

hex7 = ludus.make("hex", size=7)
WORDS = struct.unpack(f"<{BOOK.stat().st_size // 8}Q", BOOK.read_bytes())
KNOWN = {word // 4: word % 4 - 1 for word in WORDS}
A_HANDFUL = 5  # positions that the solver judges


@pytest.fixture
def planted():
    """Puts other words in the place of the book, until the test is over."""
    yield lambda words: _core.hex_book(struct.pack(f"<{len(words)}Q", *sorted(words)))
    _core.hex_book(BOOK.read_bytes())


def number_of(state):
    """In base 50 how many stones the player to move has, one more, and the cells of both, numbered from 1."""
    cells, me = state.cells(), state.player
    if me == 1:  # the mover joins top and bottom: the board is mirrored on its long diagonal
        cells = [cells[i % 7 * 7 + i // 7] for i in range(49)]

    def number(cells):
        mine, theirs = ([i + 1 for i, cell in enumerate(cells) if cell == player + 1] for player in (me, 1 - me))
        found = len(mine) + 1
        for cell in mine + theirs:
            found = 50 * found + cell
        return found

    return min(number(cells), number(cells[::-1]))


def nodes_for(solver, ask):
    before = solver.compiled(hex7.start()).nodes
    return ask(), solver.compiled(hex7.start()).nodes - before


def test_every_opening_is_known_at_once():
    solver = Solver(1 << 20)
    values, nodes = nodes_for(solver, lambda: solver.actions(hex7.start()))
    assert nodes <= A_HANDFUL and None not in values.values()
    assert [values[a] for a in range(49)] == [values[48 - a] for a in range(49)], "half a turn changes nothing"
    assert solver.value(hex7.start()) == 1
    assert all(KNOWN[number_of(hex7.start().play(a))] == -value for a, value in values.items())


def test_what_follows_from_later_positions_of_the_book_is_what_it_says():
    """A position is won if some reply leaves the other player lost, and lost if every reply leaves it a win."""
    state, seen = hex7.start(), 0
    level = [state]
    for _ in range(4):
        after = {}
        for state in level:
            for child in map(state.play, state.actions()):
                if number_of(child) in KNOWN:
                    after.setdefault(number_of(child), child)
                    seen += 1
                    if KNOWN[number_of(child)] == -1:
                        assert KNOWN[number_of(state)] == 1
                    if KNOWN[number_of(state)] == -1:
                        assert KNOWN[number_of(child)] == 1
        level = list(after.values())
    assert seen > 1000


@pytest.mark.parametrize("side", [0, 1])
def test_perfect_play_of_either_side_stays_in_the_book(side):
    """While its result is won, the book has a reply that keeps it, whatever the other side plays."""
    last = {0: 5, 1: 4}[side]  # stones up to which the walk goes

    def stays(state):
        if sum(cell > 0 for cell in state.cells()) == last:
            return True
        value = KNOWN.get(number_of(state))
        if value is None:
            return False
        children = [state.play(action) for action in state.actions()]
        if state.player != side:
            return all(stays(child) for child in children if KNOWN.get(number_of(child), 1) != -1)
        if value < 0:
            return True
        return any(stays(child) for child in children if KNOWN.get(number_of(child)) == -1)

    assert stays(hex7.start())


@pytest.mark.parametrize("value", [1, -1])
def test_the_solver_agrees_with_its_book_where_it_has_none(planted, value):
    states = [shown(word // 4) for word in WORDS if word % 4 == value + 1]
    late = [state for state in states if sum(cell > 0 for cell in state.cells()) >= 4][:: len(states) // 20]
    planted([])
    solver = Solver(1 << 24)
    found = [solver.value(state, seconds=0.5) for state in late]
    assert set(found) - {None} == {value} and len(found) - found.count(None) >= 3


def shown(number):
    """The position of a number, with player 0 to move."""
    digits = []
    while number:
        number, digit = divmod(number, 50)
        digits.insert(0, digit)
    cells = [0] * 49
    for k, cell in enumerate(digits[1:]):
        cells[cell - 1] = 1 if k < digits[0] - 1 else 2
    turn = "X" if cells.count(1) == cells.count(2) else "O"
    if turn == "O":  # player 1 is to move
        cells = [(0, 2, 1)[cells[i % 7 * 7 + i // 7]] for i in range(49)]
    return hex7.read_board("\n".join(" ".join(".XO"[c] for c in cells[7 * r : 7 * r + 7]) for r in range(7)))


def test_a_position_and_its_half_turn_are_one_seen_by_either_player(planted):
    planted([4 * number_of(hex7.after("a1 b1")) + 0])  # a lie or not, it is told at once
    for moves in ("a1 b1", "g7 f7"):
        value, nodes = nodes_for(solver := Solver(1 << 20), lambda s=moves: solver.value(hex7.after(s), seconds=5.0))
        assert (value, nodes) == (-1, 0)


def test_a_book_tells_who_wins_and_not_how():
    assert Solver(1 << 20).needs(hex7.after("d4")) is None
    assert Solver(1 << 20).needs(ludus.make("hex", size=6).after("c3 b2 d4")) is not None


def test_boards_of_other_sizes_have_no_book(planted):
    """A lie about the empty board changes nothing elsewhere."""
    planted([4 * 1 + 0])
    assert Solver(1 << 20).value(hex7.start()) == -1
    assert Solver(1 << 20).value(ludus.make("hex", size=6).start()) == 1
    assert Solver(1 << 20).value(ludus.make("hex", size=8).start(), seconds=0.05) in (1, None)


def test_a_book_that_makes_no_sense_is_refused(planted):
    with pytest.raises(BadOption, match="sorted"):
        _core.hex_book(struct.pack("<2Q", 9, 4))
    with pytest.raises(BadOption, match="words of 8 bytes"):
        _core.hex_book(b"abc")
