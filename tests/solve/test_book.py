"""The book of the Connect Four solver: what it holds, and that it is asked where it should be and nowhere else."""

import struct

import pytest

import ludus
from ludus import _core
from ludus.agents.endgame import Endgame
from ludus.errors import BadOption
from ludus.games.connect_four import BOOK
from ludus.search.solve import Solver

connect_four = ludus.make("connect_four")
HANDFUL = 20_000  # nodes; the empty board takes a hundred million without a book


@pytest.fixture
def planted():
    """Puts other words in the place of the book, until the test is over."""
    yield lambda words: _core.connect_four_book(struct.pack(f"<{len(words)}I", *sorted(words)))
    _core.connect_four_book(BOOK.read_bytes())


def word(columns, value):
    """A position, column by column from the bottom up (1: stones of the player to move), as a word of the book."""

    def number(columns):
        found = 0
        for digit in "0".join(columns):
            found = 3 * found + int(digit)
        return found

    return 4 * min(number(columns), number(columns[::-1])) + value + 1


def nodes_for(solver, ask):
    """What a question answers, and how many positions the solver looks at for it."""
    before = solver.compiled(connect_four.start()).nodes
    return ask(), solver.compiled(connect_four.start()).nodes - before


def test_the_first_moves_have_their_known_values_at_once():
    """The first player wins in the centre alone, draws beside it, and loses with the outer four."""
    solver = Solver(1 << 20)
    values, nodes = nodes_for(solver, lambda: solver.actions(connect_four.start()))
    assert list(values.values()) == [-1, -1, 0, 1, 0, -1, -1]
    assert nodes < HANDFUL


def test_the_empty_board_is_worth_the_best_of_its_moves():
    solver, state = Solver(1 << 20), connect_four.start()
    (value, values), nodes = nodes_for(solver, lambda: (solver.value(state), solver.actions(state)))
    assert value == max(values.values()) and nodes < HANDFUL


def test_the_book_is_asked_even_where_there_is_no_time():
    solver = Solver(1 << 20)
    assert [solver.value(connect_four.after(moves), 1e-9) for moves in ("", "1", "4", "44", "4444")] == [1, 1, -1, 1, 1]
    assert solver.value(connect_four.after("123456"), 1e-9) is None


@pytest.mark.parametrize("side", [0, 1])
def test_perfect_play_of_either_side_stays_in_the_book(side):
    """Whatever the other side plays, there is a reply that the book knows to keep the result, up to eight stones."""
    known = {w // 4: w % 4 - 1 for w in struct.unpack(f"<{BOOK.stat().st_size // 4}I", BOOK.read_bytes())}

    def value(state):
        return state.score(state.player) if state.over else known.get(number_of(state))

    def stays(state, plies):
        if plies == 0 or state.over:
            return True
        children = [state.play(a) for a in (3, 2, 4, 1, 5, 0, 6) if a in state.actions()]
        if state.player != side:
            return all(stays(child, plies - 1) for child in children)
        kept = [child for child in children if value(child) == -known[number_of(state)]]
        return any(stays(child, plies - 1) for child in kept)

    assert number_of(connect_four.start()) in known and stays(connect_four.start(), 8)


def number_of(state):
    return word(columns_of(state), 0) // 4


@pytest.mark.parametrize("value", [1, 0, -1])
def test_the_solver_agrees_with_its_book_where_it_has_none(planted, value):
    words = [w for w in struct.unpack(f"<{BOOK.stat().st_size // 4}I", BOOK.read_bytes()) if w % 4 == value + 1]
    states = [s for w in words[:: len(words) // 12] if (s := shown(w // 4)).cells().count(0) <= 32][:4]
    planted([])
    solver = Solver(1 << 26)
    assert len(states) > 2 and [solver.value(state) for state in states] == [value] * len(states)


def shown(number):
    """The position of a number: 1 and 2 are stones of the player to move and of the other, each 0 begins a column."""
    digits = ""
    while number:
        number, digit = divmod(number, 3)
        digits = str(digit) + digits
    columns = digits.split("0")
    columns = [""] * (7 - len(columns)) + columns
    me = sum(map(len, columns)) % 2
    signs = {"1": "XO"[me], "2": "OX"[me]}
    rows = [" ".join(signs[c[h]] if h < len(c) else "." for c in columns) for h in reversed(range(6))]
    return connect_four.read_board("\n".join(rows))


TWELVE_STONES = [
    "5 5 3 6 6 4 2 7 6 7 3 2", "1 2 3 4 1 6 6 7 5 6 1 1", "6 4 1 2 6 4 7 6 1 1 6 5", "3 4 7 5 4 5 2 3 2 2 2 4",
    "2 5 5 1 6 4 3 3 3 4 6 2",
]  # fmt: skip


def test_scores_are_the_same_with_and_without_a_book(planted):
    """The book knows who wins, not when."""
    planted([])
    states, plain = [connect_four.after(moves) for moves in TWELVE_STONES], Solver(1 << 22)
    lengths, values = [plain.plies(state) for state in states], [plain.value(state) for state in states]
    assert (lengths, values) == ([7, 9, 10, 12, 30], [1, 1, -1, -1, 0])
    planted([word(columns_of(state), value) for state, value in zip(states, values, strict=True)])
    booked = Solver(1 << 22)
    told = [nodes_for(booked, lambda s=state: booked.value(s)) for state in states]
    assert [value for value, _ in told] == values and max(nodes for _, nodes in told) <= 2
    assert [booked.plies(state) for state in states] == lengths


def columns_of(state):
    """The columns of a position from the bottom up, with 1 for the player to move."""
    cells, mine = state.cells(), state.player + 1
    stones = [[cell for cell in reversed(cells[c::7]) if cell] for c in range(7)]
    return ["".join("1" if stone == mine else "2" for stone in column) for column in stones]


def test_a_position_and_its_mirror_image_are_one(planted):
    planted([word(["1", "2", "", "", "", "", ""], -1)])  # a lie
    assert Solver(1 << 20).value(connect_four.after("1 2"), seconds=5.0) == -1
    assert Solver(1 << 20).value(connect_four.after("7 6"), seconds=5.0) == -1


@pytest.mark.parametrize(
    "width, height, line, value", [(4, 4, 4, 0), (5, 4, 3, 1), (6, 3, 4, 0), (7, 6, 5, None), (7, 7, 4, None)]
)
def test_boards_of_other_sizes_have_no_book(planted, width, height, line, value):
    """A lie about the empty board of 7x6 changes nothing elsewhere."""
    game = ludus.make("connect_four", width=width, height=height, line=line)
    planted([word([""] * 7, -1)])
    assert game.solver_book is None and Solver(1 << 20).value(game.start(), seconds=0.1) in (value, None)


def test_a_book_that_makes_no_sense_is_refused(planted):
    with pytest.raises(BadOption, match="sorted"):
        _core.connect_four_book(struct.pack("<2I", 9, 4))
    with pytest.raises(BadOption, match="words of 4 bytes"):
        _core.connect_four_book(b"abc")


def test_the_search_at_the_end_of_a_game_knows_its_beginning_too():
    assert Endgame().decide(connect_four.start(), 0.2).action == 3
    assert Endgame().decide(ludus.make("connect_four", height=7).start(), 0.2) is None
