"""Minimax, alpha-beta and UCT on the notebook's games: right values, the UCB1 of the text, memory, strength."""

import math
import random
from functools import partial

import pytest

from ludus.courses.aima import (
    UCT,
    ConnectFour,
    CountCalls,
    TicTacToe,
    alphabeta_search,
    alphabeta_search_tt,
    cache1,
    cutoff_depth,
    h_alphabeta_search,
    minimax_search,
    minimax_search_tt,
    monte_carlo_tree_search,
    play_game,
    player,
    random_player,
    report,
)
from ludus.courses.aima.views import view_of
from ludus.errors import LudusError
from ludus.play.rating import score_interval
from ludus.search.solve import Solver
from tests.courses.aima_games import BareHeap, Heap, LastOne, ListNim, board, true_value


def some_states(game, count, least, seed=1):
    """States of random games, each with at least so many stones and not over."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        state = game.initial
        while len(state) < least and not game.is_terminal(state):
            state = game.result(state, rng.choice(sorted(game.actions(state))))
        if not game.is_terminal(state):
            found.append(state)
    return found


# --------------------------------------------------------------------------------------- minimax and alpha-beta


@pytest.mark.parametrize("game", [TicTacToe(), TicTacToe(height=3, width=4, k=3)], ids=["3x3", "4x3"])
def test_both_searches_agree_with_the_solver(game):
    for state in some_states(game, 12, least=4 + len(game.squares) - 9):
        truth = Solver().value(view_of(game, state).state(state))
        assert minimax_search(game, state)[0] == truth
        assert alphabeta_search(game, state) == minimax_search(game, state)  # the same move, too: the first of the best


def test_alphabeta_solves_late_positions_of_connect_four():
    game = ConnectFour()
    for state in some_states(game, 6, least=30):
        truth = Solver().actions(view_of(game, state).state(state))
        value, move = alphabeta_search(game, state)
        assert value == max(truth.values()) == truth[move[0]]


def test_tic_tac_toe_is_a_draw():
    game = TicTacToe()
    assert alphabeta_search(game, game.initial)[0] == 0
    end = play_game(game, {"X": player(alphabeta_search), "O": player(alphabeta_search)})
    assert end.utility == 0 and len(end) == 9


def test_searches_ask_the_game_itself_once_for_every_state():
    counts = {}
    for search in (minimax_search, alphabeta_search):
        game = CountCalls(TicTacToe(height=2, width=3, k=3))
        search(game, game.initial)
        counts[search] = game._counts["result"]
        assert game._counts["is_terminal"] == game._counts["result"] + 1
    won_early = 2 * math.factorial(3) * math.perm(3, 2)  # X fills a row with its third stone: no sixth move
    assert counts[minimax_search] == sum(math.perm(6, n) for n in range(1, 7)) - won_early
    assert counts[alphabeta_search] < counts[minimax_search]


def test_values_are_for_the_player_to_move_and_turns_need_not_alternate():
    for stones in range(1, 12):
        game = LastOne(stones)
        assert minimax_search(game, game.initial)[0] == alphabeta_search(game, game.initial)[0] == true_value(stones)


def test_a_finished_game_has_its_utility_and_no_move():
    game = TicTacToe(height=1, width=1, k=1)
    end = game.result(game.initial, (0, 0))
    tables = (minimax_search_tt, alphabeta_search_tt, h_alphabeta_search)
    for search in (minimax_search, alphabeta_search, *tables, monte_carlo_tree_search):
        assert search(game, end) == (-1, None)  # X has won, and it would be O's turn


def test_utilities_of_one_and_nothing_are_kept():
    game = ListNim(7)
    assert minimax_search(game, game.initial) == (1, [3])
    assert minimax_search(game, game.result(game.initial, [3])) == (0, [1])


# ------------------------------------------------------------------------------------------ tables and cutoffs


deep = partial(h_alphabeta_search, cutoff=cutoff_depth(9))


@pytest.mark.parametrize("search", [minimax_search_tt, alphabeta_search_tt, deep], ids=["minimax", "alpha-beta", "h"])
def test_a_table_changes_nothing_but_the_work(search):
    game = TicTacToe()
    bounds = board(". . O\n. O X\nX . ."), board(". O .\n. X .\nO X .")  # where a bound taken for a value is wrong
    for state in (*bounds, *some_states(game, 60, least=4)):
        assert search(game, state) == minimax_search(game, state)
    for stones in range(1, 12):
        assert search(LastOne(stones), LastOne(stones).initial)[0] == true_value(stones)


def test_a_table_needs_states_with_a_hash():
    for search in (minimax_search_tt, alphabeta_search_tt, h_alphabeta_search):
        with pytest.raises(LudusError, match="a search with a table needs states with a hash, and Heap has none"):
            search(ListNim(5, Heap), ListNim(5, Heap).initial)
        assert search(ListNim(5, BareHeap), ListNim(5, BareHeap).initial) == (1, [1])


def test_a_report_counts_states_and_tests(capsys):
    report(TicTacToe(), (minimax_search_tt, alphabeta_search))
    minimax, alphabeta = capsys.readouterr().out.splitlines()
    assert minimax == "Result states:  16,167; Terminal tests:  16,168; for minimax_search_tt"  # as in the notebook
    assert alphabeta.endswith("for alphabeta_search") and int(alphabeta[15:22].replace(",", "")) > 16167


def test_a_cache_of_the_first_argument_ignores_the_others():
    calls = []

    @cache1
    def add(one, other):
        calls.append((one, other))
        return one + other

    assert (add(1, 2), add(1, 5), add(2, 5)) == (3, 3, 7) and calls == [(1, 2), (2, 5)]


def guess(state, player):
    """A heuristic for Connect Four: stones near the middle column are good."""
    value = sum((1 if sign == "X" else -1) * (3 - abs(x - 3)) / 1000 for (x, _), sign in state.items())
    return value if player == "X" else -value


def leave_one(pile, player):
    """A heuristic for LastOne that is wrong often enough to show which states it was asked about."""
    return (pile.stones % 3 - 1) / 2 * (1 if pile.to_move == player else -1)


def by_hand(game, state, limit, h, me, depth=0):
    """What a search with a cutoff should find, by minimax."""
    if game.is_terminal(state):
        return game.utility(state, me)
    if depth > limit:
        return h(state, me)
    values = [by_hand(game, game.result(state, move), limit, h, me, depth + 1) for move in game.actions(state)]
    return max(values) if state.to_move == me else min(values)


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_a_cutoff_search_takes_the_heuristic_one_move_behind_its_depth(limit):
    game = ConnectFour()
    for state in some_states(game, 5, least=6) + some_states(game, 5, least=21):
        value, move = h_alphabeta_search(game, state, cutoff_depth(limit), guess)
        after = by_hand(game, game.result(state, move), limit, guess, state.to_move, 1)
        assert value == by_hand(game, state, limit, guess, state.to_move) == after


@pytest.mark.parametrize("limit", range(6))
def test_the_table_of_a_cutoff_search_knows_depths_apart(limit):
    for stones in range(1, 12):  # a pile of the same size is reached by more or fewer moves
        game = LastOne(stones)
        expected = by_hand(game, game.initial, limit, leave_one, "white")
        assert h_alphabeta_search(game, game.initial, cutoff_depth(limit), leave_one)[0] == expected


def test_a_cutoff_may_look_at_the_state_and_stop_at_once():
    game = ConnectFour()
    asked = []

    def stop(game, state, depth):
        asked.append(depth)
        return True

    assert h_alphabeta_search(game, game.initial, stop, lambda state, player: 0.25) == (0.25, None) and asked == [0]
    assert h_alphabeta_search(game, game.initial, cutoff_depth(2)) == (0, next(iter(game.actions(game.initial))))


# ---------------------------------------------------------------------------------------------------------- UCT


def test_o_nearly_always_wins_the_call_of_the_homework():
    random.seed(3)
    ends = [
        play_game(ConnectFour(), dict(X=random_player, O=player(monte_carlo_tree_search))).utility  # noqa: C408
        for _ in range(100)
    ]
    won = ends.count(-1)
    assert won >= 95 and score_interval(won, 100)[0] > 0.88, f"O won {won} of 100"


def test_uct_takes_a_win_and_stops_one():
    state = board(". . . . . . .\n" * 3 + "X . . . . . .\nX . . O . . .\nX . . O O . .")
    assert monte_carlo_tree_search(ConnectFour(), state.new({}, to_move="O", utility=0))[1] == (0, 2)
    value, move = monte_carlo_tree_search(ConnectFour(), state.new({(5, 5): "O"}, to_move="X", utility=0))
    assert move == (0, 2) and value == 1


def test_uct_plays_like_the_solver_on_most_late_positions():
    game, right = ConnectFour(), 0
    random.seed(2)
    for state in some_states(game, 20, least=24):
        truth = Solver().actions(view_of(game, state).state(state))
        right += truth[monte_carlo_tree_search(game, state, simulations=5000)[1][0]] == max(truth.values())
    assert right >= 18


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_the_tree_counts_as_the_text_says(compiled):
    random.seed(1)
    game, uct = ConnectFour(), UCT(simulations=400, seconds=None, compiled=compiled)
    value, move = uct(game, game.initial)
    root = uct.tree
    assert root.N == 400 == sum(child.N for child in root.children.values()) and root.parent is None
    assert set(root.children) == game.actions(game.initial) and move in root.children
    assert root.best_move(c=0) == move and value == pytest.approx(2 * root.children[move].Q / root.children[move].N - 1)
    for child in root.children.values():
        assert child.parent is root and 0 <= child.Q <= child.N
        assert 1 + sum(below.N for below in child.children.values()) == child.N
        assert child.ucb1() == child.Q / child.N + child.c * math.sqrt(2 * math.log(400) / child.N)
    assert root.c == 1 / math.sqrt(2)


@pytest.mark.parametrize("c", [0.2, 1 / math.sqrt(2), 3])
def test_the_next_simulation_goes_where_ucb1_is_largest(c):
    random.seed(4)
    game, uct = ConnectFour(), UCT(simulations=60, seconds=None, c=c)
    uct(game, game.initial)
    for _ in range(50):
        before = uct.tree
        uct.last.search.run(1)
        after = uct.tree
        visited = next(move for move in after.children if after.children[move].N > before.children[move].N)
        largest = max(child.ucb1() for child in before.children.values())
        assert before.children[visited].ucb1() == pytest.approx(largest)


def test_games_repeat_after_the_same_seed():
    def game():
        random.seed(11)
        return str(play_game(ConnectFour(), {"X": player(UCT(50)), "O": player(UCT(70))}))

    assert game() == game()


# ------------------------------------------------------------------------------------------------------- memory


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
def test_the_subtree_of_the_opponents_answer_is_kept(compiled):
    random.seed(1)
    game, uct = ConnectFour(), UCT(simulations=300, seconds=None, compiled=compiled)
    _, move = uct(game, game.initial)
    below = uct.tree.children[move]
    answer = max(below.children, key=lambda m: below.children[m].N)
    state = game.result(game.result(game.initial, move), answer)
    uct(game, state)
    assert uct.kept == below.children[answer].N > 10
    assert uct.kept + 300 == uct.tree.N


def test_memory_ends_with_the_game_another_move_or_another_game():
    random.seed(1)
    game, uct = ConnectFour(), UCT(simulations=300, seconds=None)
    _, move = uct(game, game.initial)
    uct(game, game.initial)
    assert uct.kept == 0  # a new game of the same rules
    other = next(square for square in game.actions(game.initial) if square != move)
    state = game.result(game.result(game.initial, other), (5, 5) if other[0] != 5 else (5, 4))
    uct(game, state)
    assert uct.kept == 0  # not what it had chosen
    _, move = uct(game, game.initial)
    uct(ConnectFour(), game.result(game.result(game.initial, move), (6, 5) if move[0] != 6 else (6, 4)))
    assert uct.kept == 0  # another game


def test_memory_can_be_switched_off():
    random.seed(1)
    game, uct = ConnectFour(), UCT(simulations=300, seconds=None, memory=False)
    state = game.initial
    for _ in range(4):
        state = game.result(state, uct(game, state)[1])
        assert uct.kept == 0


def test_one_search_that_plays_both_sides_keeps_its_tree_at_every_move():
    random.seed(1)
    game, uct, kept = ConnectFour(), UCT(simulations=200, seconds=None), []
    state = game.initial
    for _ in range(6):
        state = game.result(state, uct(game, state)[1])
        kept.append(uct.kept)
    assert kept[0] == 0 and min(kept[1:]) > 20


@pytest.mark.parametrize("kind", [Heap, BareHeap])
def test_states_without_a_hash_or_equality_are_known_again(kind):
    random.seed(1)
    game, uct = ListNim(13, kind), UCT(simulations=200, seconds=None)
    _, move = uct(game, game.initial)
    uct(game, game.result(game.result(game.initial, move), [2]))
    assert uct.kept > 10


def test_memory_follows_several_moves_of_either_player():
    random.seed(1)
    game, uct = LastOne(15), UCT(simulations=2000, seconds=None)
    state, kept = game.initial, []
    while state.to_move == "white":
        state = game.result(state, uct(game, state)[1])
        kept.append(uct.kept)
    for move in ("two", "two", "one"):
        assert state.to_move == "black"
        state = game.result(state, move)
    uct(game, state)
    assert state.to_move == "white" and all(visits > 0 for visits in [*kept[1:], uct.kept])


def test_the_function_keeps_what_each_player_knows_apart():
    random.seed(1)
    game = ConnectFour()
    strong, weak = (partial(monte_carlo_tree_search, simulations=n, seconds=None) for n in (3000, 20))
    points = 0
    for _ in range(20):
        points += play_game(game, {"X": player(weak), "O": player(strong)}).utility
    assert points <= -16  # with a shared tree the weak one would know what the strong one knows


# -------------------------------------------------------------------------------------------------- bad input


def test_a_search_needs_a_budget_and_a_tree_a_search():
    game = ConnectFour()
    with pytest.raises(LudusError, match="needs a budget"):
        monte_carlo_tree_search(game, game.initial, simulations=None, seconds=None)
    with pytest.raises(LudusError, match="simulations must be a whole number"):
        UCT(simulations=0)(game, game.initial)
    with pytest.raises(LudusError, match="nothing was searched yet"):
        _ = UCT().tree
    assert monte_carlo_tree_search(game, game.initial, simulations=None, seconds=0.01)[1] in game.actions(game.initial)


def test_moves_without_a_hash_have_their_text_as_a_key_in_the_tree():
    game, uct = ListNim(5), UCT(simulations=50)
    _, move = uct(game, game.initial)
    assert set(uct.tree.children) == {"[1]", "[2]", "[3]"} and uct.tree.best_move(c=0) == move == [1]
