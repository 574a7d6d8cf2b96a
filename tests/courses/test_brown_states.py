"""Brown's Go states and problems: the members of every generation, over rules that are OpenSpiel's."""

import pickle
import random

import numpy as np
import pytest

import ludus
from ludus.courses.brown import generation
from ludus.courses.brown.adversarial_search_problem import AdversarialSearchProblem, GameState
from ludus.courses.brown.go_search_problem import GoProblem, GoState, HeuristicGoProblem
from ludus.courses.brown.go_utils import course_go, create_go_game
from ludus.courses.brown.heuristic_go_problems import GoProblemLearnedHeuristic, GoProblemSimpleHeuristic
from ludus.courses.brown.states import UnknownState, as_go_state, legal_actions_of, native_of
from tests.courses.brown_states import PyGoLike, row_of_the_data_set


@pytest.fixture(autouse=True)
def first_generation():
    yield generation.use("f24")
    generation.use("f24")


def openspiel_go(size):
    pyspiel = pytest.importorskip("pyspiel")
    komi = {5: 0.5, 9: 5.5}.get(size, 7.5)
    return pyspiel.load_game("go", {"board_size": size, "komi": komi}).new_initial_state()


@pytest.mark.parametrize("size, games, passes", [(5, 300, False), (5, 100, True), (9, 15, False), (7, 15, True)])
def test_a_game_goes_as_with_openspiel(size, games, passes):
    """Legal actions, boards, texts and results agree, repetitions that draw and the length cap among them."""
    rng, ends = random.Random(size), set()
    for number in range(games):
        ours, theirs = GoState(create_go_game(size)), GoState(openspiel_go(size))
        while not theirs.is_terminal_state():
            legal = theirs.legal_actions()
            assert ours.legal_actions() == legal and ours.player_to_move() == theirs.player_to_move()
            if number % 20 == 0:
                assert str(ours) == str(theirs) and (ours.get_board() == theirs.get_board()).all()
                assert native_of(theirs) == native_of(ours)
            action = rng.choice(legal if passes else legal[:-1] or legal)
            for state in (ours, theirs):
                state.apply_action(action)
        assert ours.is_terminal_state() and ours.terminal_value() == theirs.terminal_value()
        assert (ours.player_to_move(), ours.legal_actions()) == (-4, []) == (theirs.player_to_move(), [])
        assert str(ours) == str(theirs) and (ours.get_board() == theirs.get_board()).all()
        length = len(theirs.internal_state.history())
        ends.add("draw" if ours.terminal_value() == [0, 0] else "cap" if length == 2 * size * size else "other")
    if size == 5 and not passes:
        assert ends >= {"draw", "cap"}


def test_the_internal_state_answers_like_openspiels():
    ours, theirs = create_go_game(5), openspiel_go(5)
    for action in (12, 7, 25):
        ours.apply_action(action)
        theirs.apply_action(action)
    assert ours.history() == theirs.history() and ours.returns() == theirs.returns() == [0, 0]
    assert ours.observation_tensor(1) == theirs.observation_tensor(1)
    assert ours.legal_actions_mask() == theirs.legal_actions_mask()
    assert ours.get_game().get_parameters() == theirs.get_game().get_parameters()
    for action in (0, 13, 25):
        assert ours.action_to_string(1, action) == theirs.action_to_string(1, action)
    assert ours.child(3).history() == [12, 7, 25, 3] and ours.move_number() == 3
    for asked in ("history_str", "is_chance_node", "is_player_node", "is_simultaneous_node", "num_distinct_actions",
                  "num_players", "observation_string"):  # fmt: skip
        assert getattr(ours, asked)() == getattr(theirs, asked)(), asked
    assert ours.get_game().max_utility() == theirs.get_game().max_utility() == -ours.get_game().min_utility()
    with pytest.raises(ludus.LudusError, match="only players 0 and 1"):
        ours.observation_tensor(2)
    with pytest.raises(ludus.LudusError, match="C3"):
        ours.apply_action(12)


def test_a_state_has_the_members_of_the_course():
    state = GoProblem(5).start_state
    state.apply_action(7)
    board = state.get_board()
    assert board.shape == (4, 5, 5) and board.dtype == float and board[0, 1, 2] == 1 and board[3].min() == 1
    assert state.size == 5 and state.player_to_move() == 1 and not state.is_terminal_state() and not state.is_terminal()
    assert state.get_pieces_coordinates(0).tolist() == [[1, 2]] and len(state.get_pieces_coordinates(1)) == 0
    assert state.get_pieces_array(0).sum() == 1 and state.get_empty_spaces().sum() == 24
    assert len(state.observation_tensor()) == 100 and state.legal_actions()[-1] == 25
    other = state.clone()
    other.apply_action(3)
    assert state.legal_actions() != other.legal_actions() and 3 in state.legal_actions()
    assert isinstance(state, GameState) and "X" in repr(state)
    again = pickle.loads(pickle.dumps(state))
    assert again.internal_state.history() == [7]


def test_two_passes_end_the_game_and_white_has_komi():
    problem = GoProblem(5)
    state = problem.transition(problem.transition(problem.start_state, 25), 25)
    assert problem.is_terminal_state(state) and state.terminal_value() == [-1, 1]
    assert problem.get_result(state) == problem.evaluate_terminal(state) == -1.0
    stone = problem.transition(problem.start_state, 12)
    assert problem.get_result(problem.transition(problem.transition(stone, 25), 25)) == 1.0
    assert problem.start_state.internal_state.history() == []  # transition leaves its state as it is


@pytest.mark.parametrize("size, komi", [(5, 0.5), (9, 5.5), (7, 7.5), (19, 7.5)])
def test_komi_is_the_courses(size, komi):
    assert course_go(size).komi == komi and course_go(size).max_length == 2 * size * size


def test_generations_differ_where_the_course_does():
    assert GoProblem().start_state.size == 9
    state, problem = GoProblem(5).start_state, GoProblem(5)
    assert state.action_index_to_coord(7) == (2, 1) and problem.action_index_to_string(7) == "(2, 1)"
    assert problem.action_index_to_string(25) == "(0, 5)"
    generation.use("S25")
    assert GoProblem().start_state.size == 5 and problem.action_index_to_string(25) == "(0, 5)"
    generation.use("f25")
    from ludus.courses.brown import go_search_problem

    assert GoProblem().start_state.size == 5 == go_search_problem.DEFAULT_SIZE
    assert state.action_index_to_coord(7) == (1, 2) and problem.action_index_to_string(7) == "(1, 2)"
    assert problem.action_index_to_string(25) == "pass"
    with pytest.raises(ludus.LudusError, match="no generation 'f99'"):
        generation.use("f99")


def test_a_problem_may_begin_anywhere():
    inner = create_go_game(5)
    inner.apply_action(12)
    for problem in (
        GoProblem(state=inner),
        GoProblemSimpleHeuristic(inner),
        GoProblemSimpleHeuristic(state=GoState(inner)),
        GoProblemLearnedHeuristic(None, inner),
    ):
        assert problem.get_start_state().player_to_move() == 1 and problem.start_state.size == 5
    assert GoProblemSimpleHeuristic(9).start_state.size == GoProblemLearnedHeuristic(None, 9).start_state.size == 9
    problem.set_start_state(GoState(create_go_game(7)))
    assert problem.get_start_state().size == 7


def test_the_simple_heuristic_is_blacks_stones_less_whites():
    problem = GoProblemSimpleHeuristic(5)
    state = GoState(course_go(5).after("C3 D3 C2 pass"))
    assert problem.heuristic(state, 0) == problem.heuristic(state, 1) == 1 and str(problem) == "Simple Heuristic"
    theirs = openspiel_go(5)
    theirs.apply_action(12)
    assert problem.heuristic(GoState(theirs), 1) == 1


def test_a_problem_of_2024_and_a_later_one_both_tell_their_result():
    class Early(AdversarialSearchProblem):
        get_available_actions = transition = is_terminal_state = lambda self, *rest: None

        def evaluate_terminal(self, state):
            return 0.5

    class Neither(Early):
        evaluate_terminal = AdversarialSearchProblem.evaluate_terminal

    assert Early().get_result(None) == Early().evaluate_terminal(None) == 0.5
    with pytest.raises(NotImplementedError, match="neither"):
        Neither().get_result(None)
    with pytest.raises(TypeError):
        HeuristicGoProblem(5)  # has no heuristic


def test_every_kind_of_state_becomes_a_native_one():
    moves = [12, 7, 11, 17]
    native = course_go(5).after(moves)
    spiel = openspiel_go(5)
    for action in moves:
        spiel.apply_action(action)
    assert native_of(spiel) == native_of(GoState(spiel)) == native_of(GoState(native)) == native_of(native) == native
    for board in (PyGoLike(native), GoState(PyGoLike(native)), row_of_the_data_set(native)):
        assert native_of(board).cells() == native.cells() and native_of(board).player == native.player
        legal = legal_actions_of(board)
        assert legal == list(native.actions()) and all(type(action) is int for action in legal)
        assert as_go_state(board).size == 5
    flat = np.array([0, 1, -1])[np.array(native.cells())].reshape(5, 5)  # White may also be written as -1
    assert native_of(row_of_the_data_set(native) | {"board": flat}).cells() == native.cells()
    with pytest.raises(UnknownState, match="not str"):
        native_of("a board")


def test_history_matters_for_superko_and_ko():
    """White has just taken a ko: Black may not take back, which the board alone does not show."""
    ko = course_go(5).after("B1 C1 A2 D2 B3 C3 C2 B2")
    assert ko.cells()[7] == 0 and ko.game.read("C2") not in ko.actions()
    spiel = openspiel_go(5)
    for action in ko.history:
        spiel.apply_action(action)
    assert list(native_of(spiel).actions()) == spiel.legal_actions() == list(ko.actions())
    assert 7 in native_of(PyGoLike(ko)).actions()


def test_a_pass_that_pygo_remembers_is_kept():
    state = course_go(5).after("C3 pass")
    seen = native_of(PyGoLike(state, consecutive_passes=1))
    assert seen.player == 0 and seen.play(25).over and not native_of(PyGoLike(state)).play(25).over
