"""Brown's agents: names, arguments and choices as the course has them, on every kind of state."""

import math
import random

import pytest

import ludus
from ludus import search
from ludus.agents import Decision, TimeLeft
from ludus.courses.brown import agents as course
from ludus.courses.brown.agents import (
    AlphaBetaAgent,
    GreedyAgent,
    IterativeDeepeningAgent,
    LudusAgent,
    MCTSAgent,
    MCTSNode,
    MinimaxAgent,
    RandomAgent,
)
from ludus.courses.brown.base import allowed
from ludus.courses.brown.clock import ClockReader
from ludus.courses.brown.go_search_problem import GoProblem, GoState
from ludus.courses.brown.go_utils import NativeGo, course_go
from ludus.courses.brown.heuristic_go_problems import GoProblemSimpleHeuristic
from ludus.search.textbook import Minimax
from tests.courses.brown_states import Bare, PyGoLike, row_of_the_data_set

# Black takes two stones at D4; left alone, White saves them there.
CAPTURE = """
    . . X . .
    . X O . O
    . X O X O
    . . X . O
    . . . . .
"""
D4 = 18

QUICK = {  # agents that answer at once
    "random": lambda: RandomAgent(seed=1),
    "greedy": lambda: GreedyAgent(),
    "greedy, random ties": lambda: GreedyAgent(ties="random", seed=1),
    "minimax": lambda: MinimaxAgent(depth=2),
    "alphabeta": lambda: AlphaBetaAgent(depth_cutoff=2),
    "ids": lambda: IterativeDeepeningAgent(cutoff_time=0.002),
    "mcts": lambda: MCTSAgent(simulations=60, seed=1),
    "ludus": lambda: LudusAgent("mcts:simulations=40,rave=true", seed=1),
}


def states(moves=(12, 7, 11, 17, 3)):
    """The same position in every shape in which an agent may get it."""
    native = course_go(5).after(list(moves))
    yield GoState(native)
    yield PyGoLike(native)
    yield Bare(NativeGo(native))
    yield GoState(PyGoLike(native))
    yield row_of_the_data_set(native)
    yield native
    pyspiel = pytest.importorskip("pyspiel")
    spiel = pyspiel.load_game("go", {"board_size": 5, "komi": 0.5}).new_initial_state()
    for action in moves:
        spiel.apply_action(action)
    yield spiel
    yield GoState(spiel)
    yield Bare(spiel)


@pytest.mark.parametrize("name", QUICK)
def test_every_agent_answers_every_state_with_a_legal_plain_int(name):
    agent, answers = QUICK[name](), []
    for state in states():
        action = agent.get_move(state, 15.0)
        assert type(action) is int and action in course_go(5).after([12, 7, 11, 17, 3]).actions()
        answers.append(action)
    if name in ("greedy", "minimax", "alphabeta"):
        assert len(set(answers)) == 1
    agent.reset()


@pytest.mark.parametrize("name", QUICK)
def test_agents_use_the_size_of_the_state_and_play_to_the_end(name):
    problem, agent, other = GoProblem(4), QUICK[name](), RandomAgent(seed=3)
    state, moves = problem.start_state, 0
    while not problem.is_terminal_state(state):
        mover = agent if moves % 2 == 0 else other
        state, moves = problem.transition(state, mover.get_move(state.clone(), 15.0)), moves + 1
    assert moves <= 32
    with pytest.raises(ludus.LudusError, match="the game is over"):
        agent.get_move(state, 15.0)


def test_agents_are_called_as_the_course_calls_them():
    assert [str(agent) for agent in (RandomAgent(), GreedyAgent(), MCTSAgent())] == [
        "RandomAgent",
        "GreedyAgent + Simple Heuristic",
        "MCTS",
    ]
    assert str(MinimaxAgent(depth=3)) == "MinimaxAgent w/ depth 3 + Simple Heuristic"
    assert str(AlphaBetaAgent(depth_cutoff=2)) == "AlphaBeta w/ depth 2 + Simple Heuristic"
    assert str(IterativeDeepeningAgent()) == "IterativeDeepneing + Simple Heuristic"  # spelt as there
    problem = GoProblemSimpleHeuristic()
    for agent in (
        GreedyAgent(search_problem=problem),
        MinimaxAgent(depth=1, search_problem=problem),
        AlphaBetaAgent(1, problem),
        IterativeDeepeningAgent(cutoff_time=1, search_problem=problem),
    ):
        assert agent.search_problem is problem
    assert MinimaxAgent().depth == AlphaBetaAgent().depth == 1 and IterativeDeepeningAgent().cutoff_time == 1
    assert MCTSAgent(c=1.0).c == 1.0 and MCTSAgent().c == math.sqrt(2)
    assert isinstance(GreedyAgent(GoProblemSimpleHeuristic).search_problem, GoProblemSimpleHeuristic)  # the class


def test_agents_refuse_what_makes_no_sense():
    for make, sentence in [
        (lambda: MinimaxAgent(depth=0), "depth must be"),
        (lambda: AlphaBetaAgent(depth_cutoff="2"), "depth must be"),
        (lambda: IterativeDeepeningAgent(cutoff_time=0), "seconds must be"),
        (lambda: GreedyAgent(ties="last"), "first or random"),
        (lambda: MCTSAgent(c=-1), "c must be"),
        (lambda: MinimaxAgent(1, GoProblem(5)), "needs a problem with a heuristic"),
        (lambda: LudusAgent("nobody"), "there is no agent"),
        (lambda: LudusAgent("random").get_move(3, 1), "expected a GoState"),
    ]:
        with pytest.raises(ludus.LudusError, match=sentence):
            make()


# ------------------------------------------------------------------------------------------- greedy and depth


def plain_greedy(state):
    """The course's greedy agent in a few lines: the first action with the best difference of stones."""
    best, choice, sign = -math.inf, None, 1 if state.player == 0 else -1
    for action in state.actions():
        cells = state.play(action).cells()
        value = sign * (cells.count(1) - cells.count(2))
        if value > best:
            best, choice = value, action
    return choice


def test_greedy_takes_the_first_of_equals_and_random_ties_any():
    rng, first = random.Random(2), GreedyAgent()
    spread = set()
    for _ in range(5):
        state = course_go(5).start()
        while not state.over:
            assert first.get_move(GoState(state), 1) == plain_greedy(state)
            equals = first.best_actions(GoState(state))
            spread.add(len(equals) > 1 and GreedyAgent(ties="random", seed=rng.random()).get_move(state) in equals)
            state = state.play(rng.choice(state.actions()))
    assert True in spread
    chosen = {GreedyAgent(ties="random", seed=seed).get_move(course_go(5).start()) for seed in range(40)}
    assert len(chosen) > 10 and 25 not in chosen


def test_minimax_and_alphabeta_choose_alike_and_as_the_textbook_does():
    rng = random.Random(4)
    for _ in range(12):
        state = course_go(4).start()
        for _ in range(rng.randrange(9)):
            state = state.play(rng.choice(state.actions()[:-1]))
        for depth in (1, 2, 3):
            plain = Minimax(lambda s: (s.cells().count(s.player + 1) - s.cells().count(2 - s.player)) / 17)
            wanted = plain.search(state, depth)[1]
            assert MinimaxAgent(depth).get_move(state) == AlphaBetaAgent(depth).get_move(state, 15.0) == wanted


def test_a_heuristic_of_a_student_is_searched_with():
    class Corner(GoProblemSimpleHeuristic):
        """Black likes the last corner, whatever the scale."""

        def heuristic(self, state, player_index):
            return 1e20 * (state.get_pieces_array(0)[4, 4] - state.get_pieces_array(1)[4, 4])

    for agent in (MinimaxAgent(1, Corner()), AlphaBetaAgent(1, Corner()), GreedyAgent(Corner())):
        assert agent.get_move(course_go(5).start(), 15.0) == 24
        assert agent.get_move(course_go(5).after([0]), 15.0) == 24  # White, who minimises, takes it away
    assert IterativeDeepeningAgent(0.01, Corner()).get_move(course_go(5).start(), 15.0) == 24


def test_a_won_game_counts_more_than_any_heuristic():
    """White has passed and Black is ahead: the pass wins at once, a stone only looks better."""
    state = course_go(5).after("C3 pass")
    assert MinimaxAgent(2).get_move(state) == AlphaBetaAgent(2).get_move(state) == 25
    assert GreedyAgent().get_move(state) == 0  # it knows only stones


def test_deepening_returns_the_choice_of_the_last_finished_depth():
    agent = IterativeDeepeningAgent(cutoff_time=0.05)
    state = course_go(5).read_board(CAPTURE)
    action = agent.get_move(state, 15.0)
    finished = [depth for depth in agent.found.depths if depth.finished]
    assert action == finished[-1].action and agent.found.depth == finished[-1].depth >= 3


def test_a_fixed_depth_gives_way_only_to_the_clock():
    state = course_go(9).start()
    hurried = MinimaxAgent(depth=12)
    assert hurried.get_move(state, 0.5) in state.actions() and hurried.found.depth < 12
    assert AlphaBetaAgent(depth=3).get_move(state, 0.5) == search.alphabeta(
        state, 3, "simple", caching=False, ordering=False
    ).action  # fmt: skip


# ------------------------------------------------------------------------------------------- MCTS


def test_the_four_phases_can_be_called_one_by_one():
    agent, state = MCTSAgent(seed=5), GoState(course_go(5).read_board(CAPTURE))
    root = MCTSNode(state)
    assert agent.select(root) is root and (root.visits, root.value, root.children, root.player) == (0, 0, [], 1)
    children = agent.expand(root)
    assert [child.action for child in children] == state.legal_actions() and children is root.children
    assert all(child.parent is root and child.player == 0 for child in children)
    results = agent.simulate(children)
    assert len(results) == len(children) and set(results) <= {-1.0, 0.0, 1.0}
    agent.backpropagate(results, children)
    black = sum((1 + result) / 2 for result in results)
    assert root.visits == len(children) and root.value == len(children) - black  # White moved to the root
    assert sum(child.value for child in children) == black and all(child.visits == 1 for child in children)
    assert agent.select(root) in children  # the tree policy goes one down
    hash(root)


def test_a_finished_game_is_counted_and_not_expanded():
    agent = MCTSAgent(seed=1)
    over = MCTSNode(GoState(course_go(5).after("C3 pass").play(25)), MCTSNode(GoState(course_go(5).after("C3 pass"))))
    assert agent.expand(over) == [over] and over.children == [] and agent.simulate([over]) == [1.0]
    agent.backpropagate([1.0], [over])
    assert (over.visits, over.value) == (1, 1.0) == (over.parent.visits, 1 - over.parent.value)


def test_uct_weighs_wins_and_visits():
    agent, root = MCTSAgent(c=1.0), MCTSNode(GoState(course_go(5).start()))
    children = agent.expand(root)[:2]
    root.children = children
    root.visits = 103
    (children[0].visits, children[0].value), (children[1].visits, children[1].value) = (100, 66), (3, 1)
    assert agent.tree_policy(root) is children[1] and agent.best_action(root) == children[0].action
    agent.c = 0.0
    assert agent.tree_policy(root) is children[0]


def test_the_search_stops_in_time_although_it_simulates_whole_leaves():
    """After one stone leaves have 80 or 81 children; the engine looks at the clock after every 32 simulations."""
    agent = MCTSAgent(seed=1)
    agent.get_move(GoState(course_go(9).after([40])), 0.01)
    tree = agent.engine.tree
    for _ in range(5):
        assert 0 < tree.run(seconds=1e-9) <= 32 + 81
    assert 300 <= tree.run(simulations=300, seconds=1e6) <= 300 + 81
    again = MCTSAgent(simulations=500, seed=1)
    again.get_move(GoState(course_go(9).after([40])), None)
    assert again.decision.simulations <= 500 + 81 and again.engine.tree.visits == again.decision.simulations


def test_plain_phases_and_the_engine_find_the_capture():
    state = GoState(course_go(5).read_board(CAPTURE))
    root = MCTSAgent(seed=2).search(state, rounds=120)
    assert MCTSAgent.best_action(root) == D4 and root.visits == sum(child.visits for child in root.children)
    agent = MCTSAgent(simulations=4000, seed=2)
    assert agent.get_move(state, 15.0) == D4
    top = agent.root(depth=2)
    best = max(top.children, key=lambda child: child.visits)
    assert best.action == D4 and best.player == 0 and best.share() > 0.6 and 0 < top.share() < 0.5
    assert best.children and best.children[0].player == 1
    assert top.visits >= sum(child.visits for child in top.children) >= 4000
    with pytest.raises(ludus.LudusError, match="call get_move first"):
        MCTSAgent().root()


# ------------------------------------------------------------------------------------------- games and the clock


class Listener:
    """An agent of Ludus that writes down what it is told."""

    def __init__(self):
        self.told, self.resets = [], 0

    def decide(self, state, rng, left=None):
        self.told.append(left)
        return Decision(state.actions()[0])

    def reset(self):
        self.resets += 1


def test_a_new_game_is_noticed_without_reset():
    listener = Listener()
    agent = LudusAgent(listener)
    game = course_go(5)
    for moves in ([], [0, 12], [0, 12, 1, 13]):
        agent.get_move(GoState(game.after(moves)), 15.0)
    assert listener.resets == 1
    agent.get_move(GoState(game.after([])), 15.0)  # Black in a new game
    agent.get_move(GoState(game.after([5])), 15.0)  # White in another one, as in the second game of a pair
    assert listener.resets == 3
    agent.get_move(GoState(game.after([5, 0, 6])), 15.0)
    assert listener.resets == 3
    for stones, resets in (([], 4), ([0, 12, 1], 4), ([], 5)):  # boards without a past
        agent.get_move(PyGoLike(game.after(stones)), 15.0)
        assert listener.resets == resets


def test_the_increment_is_measured():
    times = iter([0.0, 0.4, 10.0, 10.2, 20.0, 20.1, 30.0, 40.0, 50.0])
    clock = ClockReader(lambda: next(times))
    assert clock.start(15.0) == TimeLeft(pytest.approx(14.1), 1.0)  # the course's, until something is known
    clock.stop()
    assert clock.start(15.1) == TimeLeft(pytest.approx(14.2), pytest.approx(0.5))
    clock.stop()
    assert clock.start(14.9) == TimeLeft(pytest.approx(14.0), pytest.approx(0.0))
    clock.stop()
    assert clock.start(14.9) == TimeLeft(pytest.approx(14.0), 0.0)  # against a person it is the same every time
    assert clock.start(1.0) == TimeLeft(0.5, 0.0) and clock.start(None) is None
    clock.forget()
    assert clock.increment == 1.0


def test_agents_are_told_what_is_on_the_clock():
    listener = Listener()
    agent = LudusAgent(listener)
    agent.get_move(GoState(course_go(5).start()), 7.0)
    agent.get_move(GoState(course_go(5).start()), None)
    assert 6 < listener.told[0].seconds < 7 and listener.told[1] is None


def test_what_a_states_own_rules_forbid_is_not_played():
    state = GoState(course_go(5).after([12, 7]))
    assert allowed(Decision(3, visits={3: 9, 4: 2, 5: 5}), state, [4, 5, 25]) == 5
    assert allowed(Decision(3), state, [4, 25]) == 4 and allowed(Decision(25), state, [4, 25]) == 25


def test_after_a_pass_the_count_of_the_state_itself_decides():
    """PyGo counts otherwise than our rules, so it is asked whether a second pass wins."""
    state = PyGoLike(course_go(5).after("C3 pass"), consecutive_passes=1)
    listener = Listener()
    assert LudusAgent(listener).get_move(state, 15.0) == 25 and listener.told == []
    state.returns = lambda: [-1, 1]
    state.clone = lambda: state
    agent = LudusAgent(listener)
    assert agent.decision is None and agent.get_move(PyGoLike(course_go(5).after("C3"), 0), 15.0) == 0


class Fills:
    """Wants to set a stone at B2, and says of the game after a pass what it is told to."""

    def __init__(self, after_a_pass):
        self.after_a_pass, self.asked = after_a_pass, []

    def decide(self, state, rng, left=None):
        self.asked.append(left)
        passed = bool(state.history) and state.history[-1] == 25
        return Decision(9, value=self.after_a_pass) if passed else Decision(6, value=1.0)


def settled():
    """White has passed four times: both have one region, Black six points in it and White five.

    X . X O .
    . . X O .
    X X X O .
    . . X O .
    X . X O .
    """
    mine = [action for point in (0, 10, 11, 20) for action in (point, 25)]
    border = [action for row in range(5) for action in (5 * row + 2, 5 * row + 3)]
    return course_go(5).after(mine + border)


def test_a_stone_in_own_territory_is_not_set_where_pygo_counts_it_off():
    """Black is half a point ahead if both pass, and half a point behind after a stone at home and a pass of White."""
    strong = LudusAgent(course.STRONGEST + ",simulations=2000", seed=1)
    assert strong.get_move(PyGoLike(settled()), None) == 25 and "cost a point" in strong.decision.why
    assert LudusAgent(Fills(-1.0)).get_move(PyGoLike(settled()), None) == 25
    for after_a_pass in (0.5, None):  # White could do something: the stone is needed, or may be
        assert LudusAgent(Fills(after_a_pass)).get_move(PyGoLike(settled()), None) == 6
    hurried = Fills(-1.0)
    assert LudusAgent(hurried).get_move(PyGoLike(settled()), 10.0) == 25
    first, second = hurried.asked
    assert second.seconds <= 0.5 * first.seconds and second.increment == 0


def test_by_area_a_stone_in_own_territory_costs_nothing():
    by_area = Fills(-1.0)
    assert LudusAgent(by_area).get_move(GoState(settled()), 10.0) == 6 and len(by_area.asked) == 1
    behind = PyGoLike(settled())
    behind.config = {"komi": 2.5}  # passes of both would lose
    for state in (behind, PyGoLike(course_go(5).after("C3 D3"))):  # … or the point is nobody's
        agent = Fills(-1.0)
        assert LudusAgent(agent).get_move(state, 10.0) == 6 and len(agent.asked) == 1


def test_networks_that_know_stricter_rules_play_all_the_same():
    pytest.importorskip("torch")
    agent = LudusAgent("zoo:go5")
    assert agent.get_move(GoState(course_go(5).start()), 15.0) == 12 and str(agent) == "zoo:go5"
    with pytest.raises(ludus.LudusError, match="this network was trained for go"):
        agent.get_move(GoState(course_go(9).start()), 15.0)


def test_final_agents_of_both_sizes():
    for make, size in ((course.get_final_agent_5x5, 5), (course.get_final_agent_9x9, 9)):
        agent = make()
        action = agent.get_move(GoProblem(size).start_state, 2.0)
        assert type(action) is int and str(size) in str(agent) and agent.decision.simulations > 10
