"""Counts under fixed seeds. A tidy-up that moves one of them was more than a tidy-up."""

import pytest

import ludus
from ludus import search
from ludus.search.mcts import EpsilonGreedy, Mcts, MctsSettings, Puct, Rave, Uct

OPTIONS = {"othello": {"size": 6}, "hex": {"size": 5}, "go": {"size": 5}}

# Nodes of minimax, alpha-beta, alpha-beta with caching, and with caching and ordering. The 549,946 of
# Tic-tac-toe are well known.
NODES = {
    ("tic_tac_toe", None): (549946, 18297, 4866, 3352),
    ("connect_four", 5): (19608, 564, 429, 429),
    ("othello", 5): (1681, 173, 163, 163),
    ("hex", 3): (14426, 672, 672, 672),
    ("go", 2): (678, 77, 77, 77),
}

# The same at the given depth with the margin as utility and the difference on the board as heuristic.
MARGIN_NODES = {
    ("othello", 5): (1681, 302, 292, 241),
    ("go", 2): (678, 77, 77, 77),
}

# Nodes in the tree after 2,000 simulations, the most visited action and its visits.
TREES = [
    ("tic_tac_toe", Uct(), False, (3620, 6, 388)),
    ("tic_tac_toe", Uct(), True, (3552, 4, 368)),
    ("tic_tac_toe", Uct(0.7, True), True, (3736, 4, 732)),
    ("tic_tac_toe", EpsilonGreedy(0.2), True, (2270, 4, 1161)),
    ("tic_tac_toe", Puct(), False, (2798, 6, 943)),
    ("tic_tac_toe", Puct(), True, (3119, 4, 591)),
    ("tic_tac_toe", Rave(), False, (1616, 4, 1623)),
    ("tic_tac_toe", Rave(), True, (2216, 4, 1016)),
    ("connect_four", Uct(), False, (4138, 3, 581)),
    ("connect_four", Uct(), True, (4138, 3, 581)),
    ("connect_four", Uct(0.7, True), True, (3977, 3, 808)),
    ("connect_four", EpsilonGreedy(0.2), True, (3809, 3, 1608)),
    ("connect_four", Puct(), False, (4537, 3, 1413)),
    ("connect_four", Puct(), True, (4537, 3, 1413)),
    ("connect_four", Rave(), False, (4152, 3, 1897)),
    ("connect_four", Rave(), True, (4145, 3, 1921)),
    ("othello", Uct(), False, (3732, 27, 644)),
    ("othello", Uct(), True, (3732, 27, 644)),
    ("othello", Uct(0.7, True), True, (3561, 13, 695)),
    ("othello", EpsilonGreedy(0.2), True, (3544, 22, 1590)),
    ("othello", Puct(), False, (3998, 27, 1202)),
    ("othello", Puct(), True, (3998, 27, 1202)),
    ("othello", Rave(), False, (4027, 13, 1876)),
    ("othello", Rave(), True, (4027, 13, 1876)),
    ("hex", Uct(), False, (13943, 7, 118)),
    ("hex", Uct(), True, (13943, 7, 118)),
    ("hex", Uct(0.7, True), True, (12379, 12, 136)),
    ("hex", EpsilonGreedy(0.2), True, (7788, 12, 741)),
    ("hex", Puct(), False, (12336, 7, 1342)),
    ("hex", Puct(), True, (12336, 7, 1342)),
    ("hex", Rave(), False, (10035, 12, 1519)),
    ("hex", Rave(), True, (10035, 12, 1519)),
    ("go", Uct(), False, (15176, 6, 126)),
    ("go", Uct(), True, (14885, 6, 119)),
    ("go", Uct(0.7, True), True, (13804, 12, 158)),
    ("go", EpsilonGreedy(0.2), True, (6853, 12, 1373)),
    ("go", Puct(), False, (13569, 6, 1279)),
    ("go", Puct(), True, (13569, 6, 1279)),
    ("go", Rave(), False, (10736, 11, 822)),
    ("go", Rave(), True, (10736, 11, 822)),
]


@pytest.mark.parametrize("name, depth", NODES)
def test_nodes(name, depth):
    state = ludus.make(name, **OPTIONS.get(name, {})).start()
    plain = search.minimax(state, depth, "none").nodes
    found = [
        search.alphabeta(state, depth, "none", caching=caching, ordering=ordering).nodes
        for caching, ordering in ((False, False), (True, False), (True, True))
    ]
    assert (plain, *found) == NODES[name, depth]


@pytest.mark.parametrize("name, depth", MARGIN_NODES)
def test_nodes_for_the_margin(name, depth):
    state = ludus.make(name, **OPTIONS.get(name, {})).start()
    plain = search.minimax(state, depth, "simple", utility="margin").nodes
    found = [
        search.alphabeta(state, depth, "simple", caching=caching, ordering=ordering, utility="margin").nodes
        for caching, ordering in ((False, False), (True, False), (True, True))
    ]
    assert (plain, *found) == MARGIN_NODES[name, depth]


@pytest.mark.parametrize("name, rule, solver, signature", TREES, ids=str)
def test_trees(name, rule, solver, signature):
    state = ludus.make(name, **OPTIONS.get(name, {})).start()
    tree = Mcts(state, MctsSettings(rule, solver=solver), ludus.Rng(2024))
    tree.run(2000)
    assert (tree.nodes, tree.best().action, tree.best().visits) == signature
