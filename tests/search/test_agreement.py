"""Every search agrees with plain minimax on the positions of small games, compiled and written in Python."""

import pytest

import ludus
from ludus import search
from ludus.search.mcts import Mcts, MctsSettings, Rave, Uct
from tests.python_games import Greed, Noughts, Subtract
from tests.search.truth import truths

GAMES = [
    ludus.make("hex", size=3),
    ludus.make("hex", size=3, starter=1, swap=True),
    ludus.make("tic_tac_toe"),
    ludus.make("nim", stones=20, most=4),
    ludus.make("ledge", coins=". c . c . G . c"),
    ludus.make("othello", size=4),
    ludus.make("othello", size=4, passing=False),
    ludus.make("connect_four", width=4, height=3, line=3),
    ludus.make("go", size=2),
    ludus.make(Subtract, left=15),
    ludus.make(Noughts),
    ludus.make(Greed),
]


@pytest.fixture(scope="module", params=GAMES, ids=str)
def known(request):
    game = request.param
    start = game.start()
    table = truths(start)
    every = max(1, len(table) // 1500)  # all of the small ones, a fair sample of the large ones
    return [(s, v) for i, (s, v) in enumerate(table.items()) if not s.over and (i % every == 0 or s == start)]


@pytest.mark.parametrize("caching", [False, True])
@pytest.mark.parametrize("ordering", [False, True])
def test_alphabeta_agrees(known, caching, ordering):
    for state, value in known:
        found = search.alphabeta(state, caching=caching, ordering=ordering, table=1 << 12)
        assert found.value == value and found.complete
        child = state.play(found.action)
        assert keeps(known, state, child, value)


def keeps(known, state, child, value):
    """Does this child keep the value of its parent?"""
    best = search.alphabeta(child, table=1 << 12).value if not child.over else child.score(child.player)
    return (best if child.player == state.player else -best) == value


def test_minimax_agrees(known):
    for state, value in known[:: max(1, len(known) // 100)]:
        assert search.minimax(state, depth=None if len(state.actions()) < 8 else 40).value == value


def test_deepening_agrees(known):
    for state, value in known[::3]:
        found = search.deepening(state, depth=40, table=1 << 12)
        assert found.value == value


@pytest.mark.parametrize("rule", [Uct(), Rave()], ids=["uct", "rave"])
def test_mcts_proves_the_truth(known, rule):
    proven = 0
    for i, (state, value) in enumerate(known[::4]):
        tree = Mcts(state, MctsSettings(rule, solver=True), ludus.Rng(i))
        tree.run(400)
        if tree.proven is not None:
            proven += 1
            assert tree.proven == value
            assert keeps(known, state, state.play(tree.best().action), value)
    assert proven >= len(known[::4]) // 3


def test_depth_limits_agree_with_minimax(known):
    """At any depth, with a heuristic, caching and ordering change the nodes and not the value."""
    for depth in (1, 2, 3, 4):
        for state, _ in known[:: max(1, len(known) // 40)]:
            plain = search.minimax(state, depth)
            for caching, ordering in ((False, False), (True, False), (False, True), (True, True)):
                found = search.alphabeta(state, depth, caching=caching, ordering=ordering, table=1 << 12)
                assert found.value == plain.value and found.nodes <= plain.nodes
