"""Five classic mistakes, planted on purpose in doubles of our code: the checks must catch each of them.

Every check runs twice: on the real thing, where it must pass, and on the double, where it must fail.
"""

import math

import numpy as np
import pytest

import ludus
from ludus import search
from ludus.agents import MctsAgent
from ludus.search import textbook
from ludus.search.mcts import Critic, Mcts, MctsSettings, Puct
from tests.python_games import Greed
from tests.search.truth import truths

# ------------------------------------------------------------- 1. a flipped sign in backup


def check_backup(backup):
    """A player who can win at once must find it, whoever that player is."""
    for moves, win in (("1 7 1 7 1 6", 0), ("4 1 5 1 7 1 7", 0)):
        state = ludus.make("connect_four").after(moves)
        root = textbook.Node(state, state.player)
        rng = ludus.Rng(1)
        for _ in range(400):
            leaf = textbook.select(root, 1.4)
            if not leaf.state.over:
                leaf = textbook.expand(leaf, rng)
            backup(leaf, textbook.simulate(leaf.state, rng))
        assert max(root.children, key=lambda child: child.visits).action == win


def flipped_backup(leaf, score):
    textbook.backup(leaf, -score)


# ------------------------------------------------- 2. the wrong player at a pass (or a second turn)


def check_turns(seen_by):
    """Values must be right where the same player moves twice: Othello passes, and Greed's second turns."""
    search_class = type("Search", (textbook.Minimax,), {"search": minimax_with(seen_by)})
    for start in (Greed(), late_othello()):
        for state, value in truths(start).items():
            if not state.over:
                assert search_class().search(state)[0] == value


def late_othello():
    """An Othello position with six empty cells, from which passes can happen."""
    game = ludus.make("othello", size=4)
    for seed in range(100):
        rng, state = ludus.Rng(seed), game.start()
        while not state.over and state.cells().count(0) > 6:
            state = state.play(rng.choice(state.actions()))
        if any(s.actions() == [16] for s in truths(state)):
            return state
    raise AssertionError("no such position")


def minimax_with(seen_by):
    def look(self, state, depth=math.inf):
        if state.over:
            return state.score(state.player), None
        children = [state.play(action) for action in state.actions()]
        return max(seen_by(state.player, child.player, look(self, child)[0]) for child in children), None

    return look


def always_the_other(player, child, value):
    return -value


# --------------------------------------------------------------- 3. a stale tree after a move


def check_kept_tree(agent):
    """An agent that keeps its tree must think about the position in front of it."""
    game, rng = ludus.make("connect_four"), ludus.Rng(1)
    state = game.start()
    for _ in range(10):
        decision = agent.decide(state, rng)
        assert set(decision.visits) <= set(state.actions()) and decision.action in state.actions()
        assert agent._search.root == state
        state = state.play(decision.action)
        if state.over:
            break


class StaleAgent(MctsAgent):
    def tree_for(self, state, rng, seconds):
        return self._search or Mcts(state, self.settings(), rng.split())


# --------------------------------------------------------------- 4. a cache that ignores depth


def check_cache(search_class):
    """A shallow look must not answer for a deep one."""
    game = ludus.make("connect_four")

    def guess(state):
        return len(state.history) % 7 / 10 - 0.3  # a guess that changes with the depth

    for moves in ("", "4 4 3", "1 2 3 4"):
        state = game.after(moves)
        cached = search_class(guess, caching=True)
        for depth in (1, 2, 3, 4):
            assert cached.search(state, depth)[0] == textbook.Minimax(guess).search(state, depth)[0]


class DepthlessKnown(textbook.Known):
    def settles(self, depth, alpha, beta):
        return super().settles(self.depth, alpha, beta)


class DepthlessAlphaBeta(textbook.AlphaBeta):
    def search(self, *arguments):
        for state, known in (self.cache or {}).items():
            if type(known) is textbook.Known:
                self.cache[state] = DepthlessKnown(**vars(known))
        return super().search(*arguments)


# ------------------------------------------------------- 5. illegal actions given probability


def check_priors(priors):
    """Whatever a policy thinks of illegal actions, the legal ones share all the probability."""
    state = ludus.make("hex", size=3).after("b2 a1 c3")
    policy = np.linspace(1, 9, 9, dtype=np.float32)
    found = priors(state, policy)
    assert set(found) == set(state.actions()) and abs(sum(found.values()) - 1) < 1e-5


def real_priors(state, policy):
    class Fixed:
        def evaluate(self, states):
            return np.tile(policy, (len(states), 1)), np.zeros(len(states), dtype=np.float32)

    fixed = Fixed()
    tree = Mcts(state, MctsSettings(Puct(1, fixed), Critic(fixed)))
    tree.run(2)
    return {child.action: child.prior for child in tree.children()}


def softmax_over_everything(state, policy):
    return dict(enumerate(policy / policy.sum()))


CHECKS = [
    (check_backup, textbook.backup, flipped_backup),
    (check_turns, textbook.seen_by, always_the_other),
    (check_kept_tree, MctsAgent(simulations=200), StaleAgent(simulations=200)),
    (check_cache, textbook.AlphaBeta, DepthlessAlphaBeta),
    (check_priors, real_priors, softmax_over_everything),
]


@pytest.mark.parametrize("check, real, double", CHECKS, ids=lambda c: getattr(c, "__name__", ""))
def test_the_check_passes_on_the_real_thing_and_catches_the_double(check, real, double):
    check(real)
    with pytest.raises(AssertionError):
        check(double)


def test_the_compiled_searches_pass_the_same_checks():
    for moves, win in (("1 7 1 7 1 6", 0), ("4 1 5 1 7 1 7", 0)):
        tree = Mcts(ludus.make("connect_four").after(moves), rng=ludus.Rng(1))
        tree.run(400)
        assert tree.best().action == win
    for start in (Greed(), late_othello()):
        for state, value in truths(start).items():
            if not state.over:
                assert search.alphabeta(state, caching=True, table=1 << 10).value == value
