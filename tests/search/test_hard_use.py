"""Hard use: endless games, very deep games, several threads at one search, games mixed up."""

import re
import threading

import pytest

import ludus
from ludus import search
from ludus.agents import MctsAgent
from ludus.errors import BadOption, BrokenGame, LudusError
from ludus.search.mcts import Critic, Forest, Mcts, MctsSettings, Puct
from ludus.search.solve import Solver
from ludus.show.explain import explain
from ludus.testing import check_game
from tests.python_games import Noughts, Subtract
from tests.search.test_mcts import Opinion


class Endless:
    """A game whose author forgot to end it."""

    player, over, num_actions = 0, False, 1

    def score(self, player):
        return 0

    def actions(self):
        return [0]

    def play(self, action):
        return Endless()


@pytest.mark.parametrize("find", [search.minimax, search.alphabeta])
def test_a_game_longer_than_the_stack_gets_a_sentence(find):
    for start in (ludus.make("nim", stones=1_000_000, most=1).start(), Endless(), Subtract(100_000)):
        with pytest.raises(LudusError, match="give it a depth"):
            find(start, None, "none")
    assert find(Endless(), 5, "none").value == 0


SMALL = 256 << 10  # bytes of a stack: what some systems give a thread is not much more


def on_a_small_stack(work):
    """What `work` returns or raises in a thread whose stack is small."""
    found = []

    def attempt():
        try:
            found.append(work())
        except Exception as error:
            found.append(error)

    usual = threading.stack_size(SMALL)
    try:
        thread = threading.Thread(target=attempt)
        thread.start()
    finally:
        threading.stack_size(usual)
    thread.join()
    return found[0]


@pytest.mark.parametrize("find", [search.minimax, search.alphabeta])
@pytest.mark.parametrize("game", ["nim", "go", "python"])
def test_a_thread_with_a_small_stack_gets_the_same_sentence(find, game):
    starts = {
        "nim": ludus.make("nim", stones=1_000_000, most=1).start,
        "go": ludus.make("go", size=19).start,
        "python": Endless,
    }
    refused = on_a_small_stack(lambda: find(starts[game](), None, "none", seconds=20))
    assert isinstance(refused, search.TooDeep) and "give it a depth" in str(refused)
    assert on_a_small_stack(lambda: find(starts[game](), 2, "none", seconds=20)).depth == 2


def test_a_guess_in_python_has_room_at_the_end_of_the_stack():
    def guess(state):
        return 1e-9 * sum(int(part) for part in re.sub("[^0-9]", " ", repr(range(100))).split())

    found = [on_a_small_stack(lambda d=depth: search.minimax(Endless(), d, guess)) for depth in range(100, 3000, 100)]
    deep = [isinstance(one, search.TooDeep) for one in found]
    assert deep == sorted(deep) and deep[-1] and not deep[0]  # down to the last ply that is allowed
    assert all(one.nodes > 100 for one in found if not isinstance(one, search.TooDeep))


@pytest.mark.parametrize(
    "game",
    [("hex", {"size": 7}), ("hex", {"size": 11}), ("othello", {"size": 8}), ("connect_four", {}), ("go", {"size": 5})],
)
def test_solvers_on_a_small_stack_answer_or_do_not_know(game):
    start = ludus.make(game[0], **game[1]).start()
    for make in (Solver, lambda: Solver(threads=2)):
        assert on_a_small_stack(lambda make=make: make().value(start, seconds=0.2)) in (None, -1, 0, 1)


def test_a_solver_at_the_end_of_its_stack_does_not_guess():
    assert on_a_small_stack(lambda: Solver().value(Endless(), seconds=20)) is None
    small = ludus.make("ledge", coins="." * 40 + "c.c.c.G").start()
    assert on_a_small_stack(lambda: Solver().value(small, seconds=5)) in (None, Solver().value(small, seconds=5))


def test_an_endless_game_is_unknown_and_breaks_the_contract():
    assert Solver().value(Endless(), seconds=5) is None
    with pytest.raises(BrokenGame, match="does not end"):
        check_game(Endless, games=1)


def test_go_19_to_the_end_does_not_crash():
    with pytest.raises(LudusError, match="give it a depth"):
        search.alphabeta(ludus.make("go", size=19).start(), None, seconds=60)
    found = search.alphabeta(ludus.make("go", size=9).start(), None, seconds=0.3)
    assert found.stopped and not found.complete and found.depth is None


def test_what_was_stopped_is_not_complete():
    found = search.alphabeta(ludus.make("connect_four").start(), None, seconds=0.1)
    assert found.stopped and not found.complete
    assert search.deepening(ludus.make("nim", stones=7).start(), depth=9).complete
    assert search.deepening(ludus.make("othello").start(), seconds=0.05).stopped


def both(calls):
    """Runs calls in threads of their own; returns what they raised."""
    raised = []

    def attempt(call):
        try:
            call()
        except LudusError as error:
            raised.append(str(error))

    threads = [threading.Thread(target=attempt, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_one_search_in_several_threads_is_refused_and_not_a_crash():
    tree, solver = Mcts(ludus.make("go", size=9).start()), Solver()
    start = ludus.make("hex", size=7).start()
    looks = [lambda: [tree.children() for _ in range(200)], lambda: [tree.nodes for _ in range(2000)]]
    raised = both([lambda: tree.run(20_000)] * 3 + looks + [lambda: solver.value(start, 0.5)] * 3)
    assert all("running in another thread" in sentence for sentence in raised) and raised
    assert tree.run(10) == 10  # and it is as good as before


def test_a_forest_is_of_one_game_and_takes_only_legal_actions():
    hex5, dice = ludus.make("hex", size=5).start(), [ludus.Rng(1), ludus.Rng(2)]
    forest = Forest([hex5, hex5], MctsSettings(), dice)
    forest.advance(1, 3)
    for search_number, action in ((1, 3), (1, 99), (0, 10**9), (2, 0), (-1, 0)):
        with pytest.raises(BadOption):
            forest.advance(search_number, action)
    for other in (ludus.make("hex", size=4).start(), ludus.make("nim").start(), Noughts()):
        with pytest.raises(BadOption, match="of one game"):
            Forest([hex5, other], MctsSettings(), dice)


def test_puct_takes_its_priors_from_the_evaluator_of_the_judge():
    opinion = Opinion(16)
    tree = Mcts(ludus.make("hex", size=4).start(), MctsSettings(Puct(1.0), Critic(opinion)))
    tree.run(2)
    assert len({round(child.prior, 4) for child in tree.children()}) == 16


@pytest.mark.parametrize(
    "game, moves",
    [("tic_tac_toe", "b2 a1 c1 a3 a2 c2 b3"), ("go", "E5 C3 pass"), ("connect_four", "44543"), ("nim", ""), ("go", "")],
)
def test_the_chosen_move_comes_first_and_the_words_are_true(game, moves):
    game = ludus.make(game)
    for simulations in (1, 50, 600):
        story = explain(game, game.after(moves), MctsAgent(simulations=simulations), ludus.Rng(1))
        words = story.in_words()
        assert story.children[0].action == story.chosen and game.write(story.chosen) in words
        if "in the lead since" in words:
            assert story.children[0].visits == max(child.visits for child in story.children)
        if "did badly" in words:
            least = [child for child in story.children if child.visits][-1]
            assert least.value < story.children[0].value


def test_nonsense_gets_a_sentence():
    for call in (
        lambda: search.alphabeta(3),
        lambda: Solver().value("hex"),
        lambda: ludus.make("hex").after([3, 3]),
        lambda: ludus.make("connect_four").after(None),
        lambda: check_game("hex", games=0),
        lambda: ludus.make("tic_tac_toe").read_board("X X X\nO O O\n. . ."),
        lambda: MctsAgent(simulations=0),
        lambda: MctsAgent(threads=0),
    ):
        with pytest.raises(LudusError) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_an_illegal_move_of_a_game_without_num_actions_is_named():
    class Bare(Subtract):
        num_actions = None

    with pytest.raises(LudusError, match=r"7 .*is not legal here"):
        ludus.make(Bare).after("7")


def test_a_game_that_raises_is_named():
    class Raises(Subtract):
        def play(self, action):
            raise KeyError("oops")

    with pytest.raises(BrokenGame, match=r"play\(\d\) raised KeyError: 'oops'"):
        check_game(Raises, games=1)
