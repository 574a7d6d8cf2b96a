"""The compiled searches are the textbook page: visit for visit and node for node, with the same random numbers."""

import math
from pathlib import Path

import pytest

import ludus
from ludus import search
from ludus.search import textbook
from ludus.search.mcts import Mcts, MctsSettings, Rollout, Uct
from tests.python_games import Greed, Noughts, Subtract

GAMES = [
    ludus.make("nim"),
    ludus.make("ledge"),
    ludus.make("tic_tac_toe"),
    ludus.make("connect_four"),
    ludus.make("othello", size=6),
    ludus.make("othello", size=4, passing=False),
    ludus.make("hex", size=5),
    ludus.make("hex", size=4, swap=True, starter=1),
    ludus.make("go", size=5),
    ludus.make(Subtract),
    ludus.make(Noughts),
    ludus.make(Greed),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("c", [math.sqrt(2), 0.5])
def test_mcts_visit_for_visit(game, c):
    for seed in range(3):
        book = textbook.mcts(game.start(), 600, ludus.Rng(seed), c)
        tree = Mcts(game.start(), MctsSettings(Uct(c), Rollout("textbook")), ludus.Rng(seed))
        tree.run(600)
        assert (tree.visits, tree.value) == (book.visits, book.total / book.visits)
        compare(tree, book, [])


def compare(tree, node, path):
    ours = {child.action: (child.visits, child.value) for child in tree.children(path) if child.visits}
    theirs = {child.action: (child.visits, child.total / child.visits) for child in node.children}
    assert ours == theirs
    for child in node.children:
        if child.visits > 5:
            compare(tree, child, [*path, child.action])


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("caching", [False, True])
@pytest.mark.parametrize("ordering", [False, True])
def test_alphabeta_node_for_node(game, caching, ordering):
    def guess(state):
        return search.minimax(state, 0).value

    for depth in (1, 2, 3, 4):
        book = textbook.AlphaBeta(guess, caching, ordering)
        value, action = book.search(game.start(), depth)
        found = search.alphabeta(game.start(), depth, caching=caching, ordering=ordering)
        assert (found.value, found.action, found.nodes) == (value, action, book.nodes)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_minimax_node_for_node(game):
    book = textbook.Minimax(lambda state: search.minimax(state, 0).value)
    value, action = book.search(game.start(), 3)
    found = search.minimax(game.start(), 3)
    assert (found.value, found.action, found.nodes) == (value, action, book.nodes)


@pytest.mark.parametrize("game", [ludus.make("tic_tac_toe"), ludus.make(Noughts)], ids=str)
def test_unlimited_searches_node_for_node(game):
    for caching, ordering in ((False, False), (True, True)):
        book = textbook.AlphaBeta(caching=caching, ordering=ordering)
        value, action = book.search(game.start())
        found = search.alphabeta(game.start(), None, "none", caching=caching, ordering=ordering)
        assert (found.value, found.action, found.nodes) == (value, action, book.nodes)


def test_the_page_is_short():
    assert len(Path(textbook.__file__).read_text().splitlines()) < 200
