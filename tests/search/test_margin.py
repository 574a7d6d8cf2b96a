"""Searches that play for the margin, in discs or points, and not only for the win."""

import pytest

import ludus
from ludus import search
from ludus.agents import make_agent
from ludus.errors import BadOption, LudusError
from ludus.search import textbook
from ludus.search.solve import Solver

GAMES = [
    ludus.make("othello", size=4),
    ludus.make("othello", size=4, passing=False),
    ludus.make("othello", size=6),
    ludus.make("go", size=2),
    ludus.make("go", size=3),
    ludus.make("go", size=3, superko="draw", komi=0.5),
]


def margin(state, player):
    return state.margin(player)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("estimate", ["estimate", "simple", "none"])
def test_margins_node_for_node_as_in_the_textbook(game, estimate):
    def guess(state):
        return search.minimax(state, 0, estimate, utility="margin").value

    state = game.start()
    for depth in (1, 2, 3, 4):
        book = textbook.Minimax(guess, margin)
        value, action = book.search(state, depth)
        found = search.minimax(state, depth, estimate, utility="margin")
        assert (found.value, found.action, found.nodes) == (value, action, book.nodes)
        for caching, ordering in ((False, False), (True, False), (False, True), (True, True)):
            cut = textbook.AlphaBeta(guess, caching, ordering, margin)
            cut_value, cut_action = cut.search(state, depth)
            found = search.alphabeta(state, depth, estimate, caching=caching, ordering=ordering, utility="margin")
            assert (found.value, found.action, found.nodes) == (cut_value, cut_action, cut.nodes)
            assert cut_value == value


@pytest.mark.parametrize("passing, discs", [(True, -8), (False, -6)])
def test_a_full_search_of_othello_4x4_finds_the_solved_margin(passing, discs):
    start = ludus.make("othello", size=4, passing=passing).start()
    for found in (
        search.minimax(start, utility="margin"),
        search.alphabeta(start, utility="margin"),
        search.deepening(start, depth=20, utility="margin"),
    ):
        assert found.value == discs and found.complete and found.utility == "margin"
        state = start
        for action in found.line:
            state = state.play(action)
        if state.over:  # a line that ends early came from the transposition table
            assert state.margin(start.player) == discs


@pytest.mark.parametrize("size", [6, 8])
def test_the_last_moves_of_othello_are_played_for_the_solved_margin(size):
    dice, solver = ludus.Rng(5), Solver()
    for _ in range(5):
        state = ludus.make("othello", size=size).start()
        while not state.over and sum(cell == 0 for cell in state.cells()) > 7:
            state = state.play(dice.choice(state.actions()))
        if not state.over:
            assert search.alphabeta(state, utility="margin").value == solver.margin(state)


def test_a_large_margin_is_not_taken_for_a_proof():
    """With the score, ±1 is certain. A guessed margin of many discs is still a guess."""
    state = ludus.make("othello", size=8).after("d3 c3 c4")
    found = search.deepening(state, depth=4, estimate="simple", utility="margin")
    assert abs(found.value) >= 1 and not found.complete and not found.proven and found.depth == 4


def test_simple_counts_discs_and_stones():
    othello = ludus.make("othello").after("d3")
    assert search.minimax(othello, 0, "simple", utility="margin").value == -3  # White is to move, with 1 disc against 4
    go = ludus.make("go", size=5).after("c3 pass b2")
    assert search.minimax(go, 0, "simple", utility="margin").value == -2


def test_a_repetition_in_go_has_no_margin():
    game = ludus.make("go", size=2, superko="draw")
    seen = set()

    def walk(state, ply):
        if state.over:
            if state.score(0) == 0:
                seen.add(state.margin(0))
            return
        if ply < 9:
            for action in state.actions():
                walk(state.play(action), ply + 1)

    walk(game.start(), 0)
    assert seen == {0.0}


class Hoard:
    """Take one to three coins from twelve; at the end the difference counts. It is over when none are left."""

    def __init__(self, left=6, coins=(0, 0), player=0):
        self.left, self.coins, self.player = left, coins, player

    @property
    def over(self):
        return self.left == 0

    def margin(self, player):
        return self.coins[player] - self.coins[1 - player]

    def score(self, player):
        return (self.margin(player) > 0) - (self.margin(player) < 0)

    def actions(self):
        return [] if self.over else list(range(min(3, self.left)))

    def play(self, action):
        coins = list(self.coins)
        coins[self.player] += action + 1
        return Hoard(self.left - action - 1, tuple(coins), 1 - self.player)


def test_a_game_in_python_with_a_margin():
    book = textbook.Minimax(utility=margin)
    value, action = book.search(Hoard())
    found = search.minimax(Hoard(), utility="margin")
    assert (found.value, found.action, found.nodes) == (value, action, book.nodes)
    assert search.alphabeta(Hoard(7), 2, utility="margin", caching=False).value == 0  # three each, at the horizon
    assert search.alphabeta(Hoard(7), 2, "none", utility="margin", caching=False).value == 0


def test_a_function_may_guess_any_margin_but_no_infinity():
    state = ludus.make("othello", size=6).start()
    assert search.minimax(state, 1, lambda s: 7.5, utility="margin").value == -7.5
    with pytest.raises(LudusError, match="finite number"):
        search.minimax(state, 1, lambda s: float("inf"), utility="margin")
    with pytest.raises(LudusError, match="strictly between"):
        search.minimax(state, 1, lambda s: 7.5)


@pytest.mark.parametrize("name", ["hex", "connect_four", "nim"])
def test_a_game_without_a_margin_is_refused_with_a_sentence(name):
    for call in (search.minimax, search.alphabeta, search.deepening):
        with pytest.raises(BadOption, match="this game has no margin, only wins, draws and losses"):
            call(ludus.make(name).start(), depth=2, utility="margin")


def test_an_unknown_utility_is_refused_with_a_sentence():
    with pytest.raises(BadOption, match="utility must be score or margin, not 'discs'"):
        search.minimax(ludus.make("othello").start(), 1, utility="discs")
    with pytest.raises(BadOption, match="must be one of score, margin, not 'discs'"):
        make_agent("alphabeta:utility=discs")


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "deepening"])
def test_agents_play_for_the_margin(name):
    """Two discs more or less do not matter to an agent that only wants to win."""
    agent = make_agent(f"{name}:depth=12,utility=margin")
    start = ludus.make("othello", size=4, passing=False).start()
    decision = agent.decide(start, ludus.Rng(1))
    assert "a margin of -6, proven" in decision.why
    assert decision.value == -1  # the value of a decision is a score
    shallow = make_agent(f"{name}:depth=2,utility=margin,estimate=simple").decide(start, ludus.Rng(1))
    assert "a margin of" in shallow.why and "guessed 2 plies ahead" in shallow.why and shallow.value is None


@pytest.mark.parametrize("kind", ["minimax", "alphabeta", "deepening"])
def test_an_agent_refuses_the_margin_of_a_game_without_one_before_it_plays(kind):
    agent = make_agent(f"{kind}:utility=margin")
    agent.accept(ludus.make("othello"))
    with pytest.raises(BadOption, match="no margin"):
        agent.accept(ludus.make("hex"))
