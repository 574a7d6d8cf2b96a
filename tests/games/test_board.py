"""Every game describes its board, at several sizes: cells, names, sides, pieces, the last move, the winning line."""

import math
from itertools import pairwise

import pytest

import ludus
from ludus.errors import BrokenGame
from ludus.games.board import Board, Piece, square
from ludus.testing import check_game
from ludus.text import STONES
from tests.python_games import Noughts, Subtract
from tests.test_contract import GAMES


def random_states(game, games=3):
    rng = ludus.Rng(5)
    for _ in range(games):
        state = game.start()
        while not state.over:
            yield state
            state = state.play(rng.choice(state.actions()))
        yield state


SMALL = [(name, options) for name, options, _ in GAMES if options.get("size", 0) < 12]


@pytest.mark.parametrize("name, options", SMALL, ids=str)
def test_pieces_stand_where_the_state_has_them(name, options):
    game = ludus.make(name, **options)
    for state in random_states(game):
        board = game.board(state)
        if name == "nim":
            assert len(board.pieces) == game.left(state)
            continue
        kinds = {(1, "stone", 0), (2, "stone", 1)} if game.signs else {(1, "copper", None), (2, "gold", None)}
        told = {piece.cell: (piece.kind, piece.player) for piece in board.pieces}
        look = {code: rest for code, *rest in kinds}
        assert told == {i: tuple(look[code]) for i, code in enumerate(state.cells()) if code}
        assert len(board.cells) == len(state.cells())


@pytest.mark.parametrize("name, options", SMALL, ids=str)
def test_cells_are_named_as_moves_are_written(name, options):
    game = ludus.make(name, **options)
    for state in random_states(game, 1):
        board = game.board(state)
        assert dict(board.names) == {a: game.write(a) for a in state.actions()}
        assert sorted([*board.cell_of, *board.others]) == list(state.actions())
        for action, cell in board.cell_of.items():
            if game.signs:
                assert board.cells[cell].name == game.write(action)
        assert {game.write(action) for action in board.others} <= {"pass", "swap"}


@pytest.mark.parametrize("name, options", SMALL, ids=str)
def test_cells_do_not_overlap_and_neighbours_are_one_unit_apart(name, options):
    cells = ludus.make(name, **options).board(ludus.make(name, **options).start()).cells
    for i, cell in enumerate(cells):
        gaps = [math.dist(cell.centre, other.centre) for j, other in enumerate(cells) if j != i]
        assert not gaps or min(gaps) == pytest.approx(1)
        assert all(0.49 < math.dist(cell.centre, corner) < 0.72 for corner in cell.outline)


@pytest.mark.parametrize("flat", [False, True])
def test_hexagons_share_an_edge_with_their_neighbours_and_with_nobody_else(flat):
    game = ludus.make("hex", size=4)
    cells = game.board(game.start(), flat=flat).cells
    for i, cell in enumerate(cells):
        near = [j for j, other in enumerate(cells) if j != i and math.dist(cell.centre, other.centre) < 1.01]
        assert near == sorted(game.neighbours(i))
        corners = {(round(x, 6), round(y, 6)) for x, y in cell.outline}
        for j in near:
            assert len(corners & {(round(x, 6), round(y, 6)) for x, y in cells[j].outline}) == 2


def test_the_diamond_of_hex_stands_as_the_text_does():
    game = ludus.make("hex", size=5)
    board = game.board(game.start())
    centre = {cell.name: cell.centre for cell in board.cells}
    assert centre["a1"][1] == min(y for _, y in centre.values()) and centre["e5"][1] == max(
        y for _, y in centre.values()
    )
    assert centre["e1"][0] > centre["c3"][0] > centre["a5"][0]
    assert centre["e1"][1] == pytest.approx(centre["c3"][1]) == pytest.approx(centre["a5"][1])
    ends = {side.line[len(side.line) // 2] for side in board.sides if side.player == 0}
    upper_right, lower_left = sorted(ends, key=lambda point: point[1])
    assert upper_right[0] > centre["c3"][0] > lower_left[0]  # "X joins the upper right and the lower left side"
    assert [label.text for label in board.labels] == ["a", "b", "c", "d", "e", "1", "2", "3", "4", "5"]


def test_the_sides_of_hex_run_along_all_of_the_edge():
    game = ludus.make("hex", size=6)
    board = game.board(game.start(), flat=True)
    assert [side.player for side in board.sides] == [0, 0, 1, 1]
    edges = {}
    for cell in board.cells:
        corners = [(round(x, 6), round(y, 6)) for x, y in cell.outline]
        for pair in zip(corners, corners[1:] + corners[:1], strict=True):
            edges[frozenset(pair)] = edges.get(frozenset(pair), 0) + 1
    outer = {edge for edge, cells in edges.items() if cells == 1}
    drawn = [[(round(x, 6), round(y, 6)) for x, y in side.line] for side in board.sides]
    steps = [frozenset(pair) for line in drawn for pair in pairwise(line) if pair[0] != pair[1]]
    assert sorted(map(sorted, steps)) == sorted(map(sorted, outer))  # every outer edge once


@pytest.mark.parametrize(
    "name, options, moves, won",
    [
        ("tic_tac_toe", {}, "b2 a1 c1 b1 a3", "c1 b2 a3"),
        ("connect_four", {}, "1 2 1 2 1 2 1", "1 1 1 1"),
        ("hex", {"size": 3}, "b2 a1 c1 b1 a3", "c1 b2 a3"),
        ("hex", {"size": 3}, "a1 a2 b3 b2 a3 c1", "a2 b2 c1"),
    ],
)
def test_the_winning_line_is_the_one_that_the_text_marks(name, options, moves, won):
    game = ludus.make(name, **options)
    state = game.after(moves)
    board = game.board(state)
    assert sorted(board.cells[cell].name for cell in board.won) == sorted(won.split())
    marked = game.draw(state, color=False)
    sign = STONES[2 - state.player]  # of the one who moved last
    assert marked.count(f"({sign})") + marked.count(f"[{sign}]") == len(board.won)
    assert game.board(game.after(moves[:-2])).won == ()


@pytest.mark.parametrize(
    "name, options, moves, last",
    [
        ("tic_tac_toe", {}, "", ""),
        ("tic_tac_toe", {}, "b2 a1", "a1"),
        ("othello", {}, "d3 c3", "c3"),
        ("go", {"size": 5}, "C3 D2", "D2"),
        ("go", {"size": 5}, "C3 pass", ""),
        ("hex", {"size": 3, "swap": True}, "a2 swap", "b1"),
        ("ledge", {}, "11-9", "9 11"),
        ("ledge", {}, "1-0 take", "0"),
        ("nim", {}, "3 2", "11 12"),
    ],
)
def test_a_board_has_the_cells_of_the_last_move(name, options, moves, last):
    game = ludus.make(name, **options)
    board = game.board(game.after(moves))
    assert [board.cells[cell].name for cell in board.last] == last.split()


def test_a_column_belongs_to_the_cell_in_which_its_next_stone_lands():
    game = ludus.make("connect_four")
    board = game.board(game.after("4 4 1"))
    landing = {game.write(a): board.cells[cell].centre for a, cell in board.cell_of.items()}
    assert landing["4"] == (3, 3) and landing["1"] == (0, 4) and landing["7"] == (6, 5)


def test_go_points_lie_on_crossings_with_row_1_at_the_bottom_and_know_their_owners_at_the_end():
    game = ludus.make("go", size=9)
    board = game.board(game.start())
    centre = {cell.name: cell.centre for cell in board.cells}
    assert centre["A1"] == (0, 8) and centre["J9"] == (8, 0) and len(board.lines) == 18
    assert set(board.dots) == {centre[name] for name in ("C3", "C7", "G3", "G7", "E5")}
    assert len(ludus.make("go", size=19).board(ludus.make("go", size=19).start()).dots) == 9
    small = ludus.make("go", size=4)
    state = small.after("B1 C1 B2 C2 B3 C3 B4 pass pass")
    owned = small.board(state).owners
    assert {small.write(cell): player for cell, player in owned.items()} == dict.fromkeys(("A1", "A2", "A3", "A4"), 0)
    area = sum(1 if p == 0 else -1 for p in owned.values()) + sum(1 if c == 1 else -1 for c in state.cells() if c)
    assert area - small.komi == state.margin(0)
    assert small.board(small.after("B1 C1")).owners == {}


def test_a_heap_of_a_million_stones_has_a_board_of_its_last_hundred():
    game = ludus.make("nim", stones=1_000_000, most=300)
    board = game.board(game.start())
    assert len(board.cells) == len(board.pieces) == 100 and board.labels[0].text == "1,000,000 stones"
    assert board.cells[board.cell_of[0]].name == "1000000" and len(board.others) == 200
    assert check_game(ludus.make("nim", stones=250, most=120), games=20)


def test_what_a_game_says_of_itself():
    said = {name: (ludus.make(name).signs, ludus.make(name).unit) for name in ludus.games()}
    assert said["go"] == (("X", "O"), "point") and said["othello"] == (("X", "O"), "disc")
    assert said["nim"] == said["ledge"] == (None, None)
    for name in ludus.games():
        game = ludus.make(name)
        board = game.board(game.start())
        assert (board.signs, board.unit, board.aim) == (game.signs, game.unit, game.aim) and board.aim.endswith(".")
    assert "3 of them in a row" in ludus.make("tic_tac_toe").aim


class Shown(Noughts):
    """Noughts that can be looked at."""

    def play(self, action):
        return Shown(super().play(action).cells, 1 - self.player)

    def board(self):
        return Board(
            tuple(square(str(i), i % 3, i // 3) for i in range(9)),
            tuple(Piece(i, "stone", player) for i, player in enumerate(self.cells) if player is not None),
            cell_of={action: action for action in self.actions()},
            names={action: str(action) for action in self.actions()},
        )


def test_a_visitors_class_may_describe_its_board():
    game = ludus.make(Shown)
    assert check_game(game, games=50) > 50
    assert [piece.player for piece in game.board(game.after([4, 0])).pieces] == [1, 0]
    assert ludus.make(Subtract).board(ludus.make(Subtract).start()) is None


@pytest.mark.parametrize(
    "board, complaint",
    [
        (lambda s: "a drawing", "must return a ludus.games.board.Board, not str"),
        (lambda s: 1 / 0, "board() raised ZeroDivisionError"),
        (lambda s: Board((square("0", 0, 0),)), "must have action 0 either in cell_of or in others"),
        (lambda s: Board((), others=tuple(s.actions())), "names action 0 differently"),
        (lambda s: Board((), (Piece(3),)), "refers to cell 3, but has 0 cells"),
    ],
)
def test_a_board_that_does_not_fit_its_game_is_found_out(board, complaint):
    kind = type("Odd", (Subtract,), {"board": board, "play": lambda s, a: kind(s.left - a - 1, 1 - s.player)})
    if "refers to" in complaint:
        kind = type("Late", (Noughts,), {"board": lambda s: board(s) if s.over else None})
        kind.play = lambda s, a: kind(Noughts(s.cells, s.player).play(a).cells, 1 - s.player)
    with pytest.raises(BrokenGame) as caught:
        check_game(kind, games=200)
    assert complaint in str(caught.value)


def test_boards_are_values():
    game = ludus.make("hex", size=5)
    one, other = game.board(game.after("c3")), game.board(game.after("c3"))
    assert one == other and hash(one) == hash(other) and one != game.board(game.after("c2"))
