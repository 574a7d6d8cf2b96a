"""CSC384: the functions of the assignment agree with minimax written another way, in every setting."""

import inspect
import itertools

import pytest

from ludus import search
from ludus.courses import csc384
from ludus.courses.csc384 import nodes, othello_shared
from ludus.courses.csc384.compiled import turned_state
from ludus.protocols.othello_pipe import state_of
from tests.courses import csc384_boards as boards

INFINITY = float("inf")
SETTINGS = list(itertools.product((0, 1), (0, 1)))  # caching, ordering
SMALL = [boards.played(4, plies, seed)[0] for seed, plies in enumerate((1, 2, 3, 4, 5, 5, 6, 6, 7, 8))]
LATE = [boards.played(6, 24, seed)[0] for seed in range(4)] + [boards.scattered(4, seed) for seed in range(4)]


@pytest.fixture(autouse=True)
def empty_cache():
    nodes.cache.clear()


@pytest.fixture
def looked_at(monkeypatch):
    """How many states the plain searches have looked into."""
    seen = []
    rules = nodes.get_possible_moves
    monkeypatch.setattr(nodes, "get_possible_moves", lambda board, mover: seen.append(board) or rules(board, mover))
    return seen


# ---- the rules


@pytest.mark.parametrize("board", [*SMALL, *LATE, boards.scattered(5, 1), boards.scattered(8, 2)])
@pytest.mark.parametrize("color", [1, 2])
def test_moves_come_column_by_column_and_turn_the_captured_discs(board, color):
    cells = boards.cells_of(board)
    assert csc384.get_possible_moves(board, color) == boards.legal(cells, color)
    for move in boards.legal(cells, color):
        turned = [cell for line in csc384.find_lines(board, *move, color) for cell in line]
        assert sorted(turned) == sorted(boards.captured(cells, *move, color))
        assert csc384.play_move(board, color, *move) == boards.board_of(boards.after(cells, move, color))
    assert csc384.get_score(board) == tuple(list(cells.values()).count(disc) for disc in (1, 2))


def test_a_board_may_be_lists_and_a_played_one_is_tuples():
    board = [list(row) for row in boards.start(4)]
    assert csc384.get_possible_moves(board, 1) == [(0, 1), (1, 0), (2, 3), (3, 2)]
    assert csc384.play_move(board, 1, 1, 0) == ((0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0))
    assert csc384.select_move_alphabeta(board, 1, 3, 1, 1) == csc384.select_move_minimax(board, 1, 3, 1)
    assert nodes.select_move_minimax(board, 1, 3, 1) == csc384.select_move_minimax(board, 1, 3, 1)


def test_the_modules_are_named_as_in_the_course():
    names = ("find_lines", "get_possible_moves", "get_score", "play_move")
    assert all(getattr(othello_shared, name) is getattr(csc384, name) for name in names)


@pytest.mark.parametrize(
    "name, parameters",
    {
        "find_lines": "board i j player",
        "get_possible_moves": "board player",
        "play_move": "board player i j",
        "get_score": "board",
        "compute_utility": "board color",
        "compute_heuristic": "board color",
        "minimax_min_node": "board color limit caching=0",
        "minimax_max_node": "board color limit caching=0",
        "select_move_minimax": "board color limit caching=0",
        "alphabeta_min_node": "board color alpha beta limit caching=0 ordering=0",
        "alphabeta_max_node": "board color alpha beta limit caching=0 ordering=0",
        "select_move_alphabeta": "board color limit caching=0 ordering=0",
    }.items(),
)
@pytest.mark.parametrize("module", [csc384, csc384.agent])
def test_signatures_are_those_of_the_course(module, name, parameters):
    described = inspect.signature(getattr(module, name)).parameters.values()
    usual = ["" if one.default is one.empty else f"={one.default}" for one in described]
    assert " ".join(one.name + default for one, default in zip(described, usual, strict=True)) == parameters


# ---- minimax and alpha-beta


@pytest.mark.parametrize("board", [*SMALL, *LATE])
@pytest.mark.parametrize("color", [1, 2])
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_every_setting_chooses_the_first_best_move(board, color, limit):
    cells = boards.cells_of(board)
    best, value = boards.minimax(cells, color, color, limit)
    worst, low = boards.minimax(cells, color, 3 - color, limit)
    for caching, ordering in SETTINGS:
        assert nodes.minimax_max_node(board, color, limit, caching) == (best, value)
        assert nodes.minimax_min_node(board, color, limit, caching) == (worst, low)
        wide = (board, color, -INFINITY, INFINITY, limit, caching)
        assert nodes.alphabeta_max_node(*wide) == (best, value)
        assert nodes.alphabeta_min_node(*wide) == (worst, low)
        assert nodes.alphabeta_max_node(*wide, ordering)[1] == value
        assert nodes.alphabeta_min_node(*wide, ordering)[1] == low
        for module in (nodes, csc384):
            assert module.select_move_minimax(board, color, limit, caching) == best
            assert module.select_move_alphabeta(board, color, limit, caching, ordering) == best


@pytest.mark.parametrize("board", [board for board in [*SMALL, *LATE] if sum(row.count(0) for row in board) <= 9])
@pytest.mark.parametrize("color", [1, 2])
def test_without_a_limit_the_game_is_played_out(board, color):
    best, value = boards.minimax(boards.cells_of(board), color, color, -1)
    assert nodes.minimax_max_node(board, color, -1, 1) == (best, value)
    for caching, ordering in SETTINGS:
        assert nodes.alphabeta_max_node(board, color, -INFINITY, INFINITY, -1, caching, ordering)[1] == value
        for module in (nodes, csc384):
            assert module.select_move_minimax(board, color, -1, caching) == best
            assert module.select_move_alphabeta(board, color, -1, caching, ordering) == best


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size, limit", [(6, 5), (8, 4), (10, 3)])
def test_the_compiled_searches_choose_the_same_moves_on_larger_boards(size, limit, seed):
    board, color = boards.played(size, 6 + seed, seed)
    expected = nodes.select_move_alphabeta(board, color, limit, 1, 1)
    assert csc384.select_move_minimax(board, color, min(limit, 4)) == nodes.select_move_alphabeta(
        board, color, min(limit, 4), 1, 1
    )
    for caching, ordering in SETTINGS:
        assert csc384.select_move_alphabeta(board, color, limit, caching, ordering) == expected


ODD = boards.scattered(5, 3)
WIDE = tuple((*row, 0, 0) for row in SMALL[5])  # the course looks at a square of it


@pytest.mark.parametrize("board", [ODD, WIDE])
def test_boards_that_no_compiled_game_has_are_searched_all_the_same(board):
    for color in (1, 2):
        expected = boards.minimax(boards.cells_of(board), color, color, 3)[0]
        assert csc384.select_move_minimax(board, color, 3) == expected
        assert csc384.select_move_alphabeta(board, color, 3, 1, 1) == expected


def test_where_there_is_no_move_the_node_is_worth_its_discs():
    over = ((1, 1, 1, 0), (1, 1, 1, 0), (1, 1, 1, 1), (0, 0, 1, 1))
    assert csc384.minimax_max_node(over, 2, -1) == csc384.minimax_min_node(over, 2, 3) == (None, -12)
    assert csc384.alphabeta_max_node(over, 1, -INFINITY, INFINITY, 2, 1, 1) == (None, 12)
    assert csc384.select_move_minimax(over, 1, -1) is None and csc384.select_move_alphabeta(over, 2, 4, 1, 1) is None


def test_at_limit_0_a_node_is_worth_its_utility_and_a_choice_looks_one_ply_ahead():
    board = SMALL[3]
    assert csc384.minimax_max_node(board, 1, 0) == (None, csc384.compute_utility(board, 1))
    assert csc384.alphabeta_min_node(board, 2, -INFINITY, INFINITY, 0) == (None, csc384.compute_utility(board, 2))
    assert csc384.select_move_minimax(board, 1, 0) == csc384.select_move_minimax(board, 1, 1)
    assert csc384.select_move_alphabeta(board, 1, 0, 1, 1) == csc384.select_move_alphabeta(board, 1, 1)


def test_4x4_is_lost_for_dark_by_six_discs():
    board = boards.start(4)
    assert nodes.alphabeta_max_node(board, 1, -INFINITY, INFINITY, -1, 1, 1)[1] == -6
    assert nodes.alphabeta_min_node(board, 2, -INFINITY, INFINITY, -1, 1, 1)[1] == 6
    for module in (nodes, csc384):
        assert module.select_move_alphabeta(board, 1, -1, 1, 1) == (0, 1)  # the four moves are mirror images
    line = []
    color = 1
    while csc384.get_possible_moves(board, color):
        line.append(csc384.select_move_minimax(board, color, -1))
        board, color = csc384.play_move(board, color, *line[-1]), 3 - color
    assert csc384.get_score(board) == (5, 11) and len(line) == 12


def test_a_cached_value_answers_only_for_its_own_limit():
    board, color = boards.played(6, 8, 4)
    for limit in (2, 3, 4, 1):
        cached = nodes.minimax_max_node(board, color, limit, 1), nodes.select_move_alphabeta(board, color, limit, 1, 1)
        assert cached == (nodes.minimax_max_node(board, color, limit), nodes.select_move_alphabeta(board, color, limit))


def test_a_move_cached_without_ordering_is_the_one_with_ordering(looked_at):
    board, color = boards.played(6, 8, 4)
    move = nodes.select_move_alphabeta(board, color, 4, 1, 0)
    looked_at.clear()
    assert nodes.select_move_alphabeta(board, color, 4, 1, 1) == move and not looked_at


@pytest.mark.parametrize("seed", range(3))
def test_columns_beyond_the_number_of_rows_are_left_out(seed):
    board, color = boards.played(6, 8, seed)
    wide = tuple((*row, 0, 0) for row in board)
    assert turned_state(wide, color) == turned_state(board, color)
    for module in (nodes, csc384):
        assert module.select_move_minimax(wide, color, 3) == module.select_move_minimax(board, color, 3)
        assert module.select_move_alphabeta(wide, color, 4, 1, 1) == module.select_move_alphabeta(board, color, 4)


def test_pruning_caching_and_ordering_save_nodes(looked_at):
    board, color = boards.played(6, 4, 1)

    def cost(search, *setting):
        looked_at.clear()
        nodes.cache.clear()
        search(board, color, 5, *setting)
        return len(looked_at)

    plain = cost(nodes.select_move_minimax)
    pruned = cost(nodes.select_move_alphabeta)
    assert pruned < plain / 3
    assert cost(nodes.select_move_minimax, 1) < plain
    assert cost(nodes.select_move_alphabeta, 1) < pruned
    assert cost(nodes.select_move_alphabeta, 0, 1) < 0.8 * pruned
    assert cost(nodes.select_move_alphabeta, 1, 1) < cost(nodes.select_move_alphabeta, 0, 1)


@pytest.mark.parametrize(
    "setting", [None, (0, 0), (0, 1), (1, 0)]
)  # with both, the compiled one uses cached moves, too
@pytest.mark.parametrize("seed", range(3))
def test_the_compiled_searches_look_at_the_same_nodes(monkeypatch, setting, seed):
    board, color = boards.played(6, 5 + 3 * seed, seed)
    state, count = turned_state(board, color), itertools.count()
    for name in ("minimax_node", "alphabeta_node"):
        plain = getattr(nodes, name)
        monkeypatch.setattr(nodes, name, lambda *arguments, plain=plain: (next(count), plain(*arguments))[1])
    if setting is None:
        found = search.minimax(state, 4, "simple", utility="margin")
        best, value = nodes.minimax_max_node(board, color, 4)
    else:
        found = search.alphabeta(state, 5, "simple", None, *map(bool, setting), utility="margin")
        best, value = nodes.alphabeta_max_node(board, color, -INFINITY, INFINITY, 5, *setting)
    assert (found.nodes, found.value) == (next(count), value)
    assert divmod(found.action, 6) == best  # rows and columns are exchanged


def test_the_cache_is_bounded(monkeypatch):
    monkeypatch.setattr(nodes, "MOST_CACHED", 50)
    board, color = boards.played(6, 6, 2)
    assert nodes.select_move_alphabeta(board, color, 4, 1) == nodes.select_move_alphabeta(board, color, 4)
    assert len(nodes.cache) <= 50


# ---- the clock


def test_a_search_that_is_out_of_time_plays_the_deepest_one_that_was_finished(monkeypatch):
    board, color = boards.played(6, 5, 3)
    seconds = itertools.count()
    monkeypatch.setattr(nodes.time, "monotonic", lambda: next(seconds))  # a clock that ticks when somebody looks
    assert nodes.search_in_time(board, color, 4, 0, 0, 0, 0) == nodes.get_possible_moves(board, color)[0]
    spent, chosen = 0, set()
    for depth in (1, 2, 3, 4):
        before = next(seconds)
        move = nodes.select_move_alphabeta(board, color, depth)
        spent += next(seconds) - before - 1
        assert nodes.search_in_time(board, color, 4, 0, 0, 0, spent) == move
        chosen.add(move)
    assert len(chosen) > 1
    assert nodes.deadline == INFINITY  # whoever calls the functions directly has no deadline


@pytest.mark.parametrize("limit", [0, 1, 3, -1])
@pytest.mark.parametrize("minimax", [0, 1])
def test_with_enough_time_it_plays_exactly_the_search_that_was_asked_for(limit, minimax):
    board, color = boards.played(4, 5, 1)
    asked = nodes.select_move_minimax if minimax else nodes.select_move_alphabeta
    assert nodes.search_in_time(board, color, limit, minimax, 0, 0, 1000) == asked(board, color, limit)


# ---- values


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_heuristic_is_the_one_with_which_ludus_searches(size):
    different = set()
    for seed in range(20):
        board, color = boards.played(size, 2 + (size**2 - 8) * seed // 20, seed)
        state = state_of(board, color - 1)
        if state.over:
            assert csc384.compute_heuristic(board, color) == csc384.compute_utility(board, color)
            continue
        value = search.minimax(state, 0, "estimate", utility="margin").value
        assert csc384.compute_heuristic(board, color) == pytest.approx(value, abs=1e-4)
        assert csc384.compute_heuristic(board, 3 - color) == -csc384.compute_heuristic(board, color)
        assert abs(value) < size**2
        different.add(round(value, 3))
    assert len(different) > 10


def test_the_heuristic_can_take_the_place_of_the_utility(monkeypatch):
    board, color = boards.played(6, 10, 1)
    monkeypatch.setattr(nodes, "estimate", csc384.compute_heuristic)
    best, value = nodes.minimax_max_node(board, color, 2)
    after = [csc384.play_move(board, color, *move) for move in csc384.get_possible_moves(board, color)]
    replies = [
        min(
            csc384.compute_heuristic(csc384.play_move(one, 3 - color, *move), color)
            for move in csc384.get_possible_moves(one, 3 - color)
        )
        for one in after
    ]
    assert value == max(replies) and best == csc384.get_possible_moves(board, color)[replies.index(value)]
    for caching, ordering in SETTINGS:
        assert nodes.select_move_alphabeta(board, color, 2, caching, ordering) == best
