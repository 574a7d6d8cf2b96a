"""The recorded top of a search tree: true values and bounds, true cut-offs, and no change to the search."""

import pytest

import ludus
from ludus import search
from ludus.errors import BadOption
from ludus.game import seen_by
from tests.python_games import Greed, Noughts

STATES = [
    ludus.make("connect_four").after("4 4 3"),
    ludus.make("othello", size=6).start(),
    ludus.make("hex", size=4).after("b2"),
    ludus.make("go", size=3).start(),
    ludus.make("nim").start(),
    ludus.make(Noughts).start(),
    ludus.make(Greed).start(),  # turns do not alternate
]
HOW = [(False, False), (True, False), (False, True), (True, True)]


def walk(node, state, ply=0):
    yield node, state, ply
    for child in node.children:
        yield from walk(child, state.play(child.action), ply + 1)


@pytest.mark.parametrize("state", STATES, ids=str)
@pytest.mark.parametrize("caching, ordering", HOW)
def test_recording_changes_nothing(state, caching, ordering):
    for depth in (1, 3, 5):
        plain = search.alphabeta(state, depth, caching=caching, ordering=ordering)
        traced = search.alphabeta(state, depth, caching=caching, ordering=ordering, trace=3)
        assert (plain.value, plain.action, plain.line, plain.nodes) == (
            traced.value, traced.action, traced.line, traced.nodes,
        )  # fmt: skip
        assert plain.tree is None and traced.tree.nodes == traced.nodes


@pytest.mark.parametrize("state", STATES, ids=str)
@pytest.mark.parametrize("caching, ordering", HOW)
def test_every_value_and_bound_in_the_tree_is_true(state, caching, ordering):
    """Each recorded node is searched again by plain minimax."""
    depth = 4
    found = search.alphabeta(state, depth, caching=caching, ordering=ordering, trace=2)
    assert found.tree.value == found.value and found.tree.bound == "exact"
    for node, here, ply in walk(found.tree, state):
        truth = here.score(here.player) if here.over else search.minimax(here, depth - ply).value
        truth = seen_by(state.player, here.player, truth)
        assert {"exact": node.value == truth, "at least": node.value <= truth, "at most": node.value >= truth}[
            node.bound
        ]
        assert node.player == here.player and node.legal == len(here.actions())
        assert (node.ending == "over") == here.over and node.low <= node.high


@pytest.mark.parametrize("state", STATES, ids=str)
def test_cut_offs_and_the_order_tried_are_those_of_the_search(state):
    found = search.alphabeta(state, 4, caching=False, ordering=False, trace=3)
    cut = 0
    for node, here, ply in walk(found.tree, state):
        if node.ending != "searched":
            assert node.tried == 0 and node.skipped == 0
            continue
        assert node.skipped == node.legal - node.tried
        if ply < 3:
            assert [child.action for child in node.children] == list(here.actions())[: node.tried]
            assert node.nodes == 1 + sum(child.nodes for child in node.children)
        cut += node.skipped > 0
        if node.skipped:  # the last action that was tried reached the far side of the window
            assert node.value >= node.high if node.player == state.player else node.value <= node.low
            assert ply == 3 or node.children[-1].action == node.best
    assert (cut > 0) == (found.nodes < search.minimax(state, 4).nodes)


def test_the_principal_variation_leads_through_the_tree():
    found = search.alphabeta(STATES[0], 5, caching=False, trace=3)
    node = found.tree
    for action in found.line[:3]:
        assert node.best == action
        node = next(child for child in node.children if child.action == action)
        assert node.value == found.value and node.bound == "exact"


def test_minimax_looks_at_everything():
    state = ludus.make("tic_tac_toe").after("b2")
    found = search.minimax(state, trace=2)
    assert found.tree.nodes == found.nodes
    for node, _, _ in walk(found.tree, state):
        assert node.skipped == 0 and node.bound == "exact"
    assert len(found.tree.children) == 8 and all(len(child.children) == 7 for child in found.tree.children)


def test_the_transposition_table_shows_in_the_tree():
    found = search.alphabeta(ludus.make("nim", stones=20).start(), None, "none", trace=6)
    endings = {node.ending for node, _, _ in walk(found.tree, ludus.make("nim", stones=20).start())}
    assert "remembered" in endings


def test_deepening_tells_what_each_depth_found():
    state = ludus.make("connect_four").after("4 4 3")
    found = search.deepening(state, depth=5, trace=2)
    assert [row.depth for row in found.depths] == [1, 2, 3, 4, 5] and all(row.finished for row in found.depths)
    assert sum(row.nodes for row in found.depths) == found.nodes
    for row in found.depths:
        assert row.value == search.minimax(state, row.depth).value and row.seconds >= 0
    assert found.depths[-1].action == found.action and found.tree.nodes == found.depths[-1].nodes
    assert search.alphabeta(state, 3).depths == ()


def test_deepening_that_runs_out_of_time_says_so():
    found = search.deepening(ludus.make("othello").start(), seconds=0.03, trace=2)
    finished = [row for row in found.depths if row.finished]
    assert found.stopped and found.depth == finished[-1].depth and found.tree.nodes == finished[-1].nodes
    assert sum(row.nodes for row in found.depths) == found.nodes


def test_a_stopped_search_keeps_what_it_saw():
    found = search.alphabeta(ludus.make("othello").start(), 30, seconds=0.02, trace=2)
    assert found.stopped and found.tree.ending == "stopped" and found.tree.value is None


def test_a_wide_tree_is_recorded_only_in_part():
    state = ludus.make("go", size=13).start()
    found = search.minimax(state, 2, "none", trace=2)
    assert found.tree.tried == 170
    assert sum(1 for _ in walk(found.tree, state)) == found.nodes
    start = ludus.make("go", size=9).start()
    deep = search.minimax(start, 3, "none", trace=3)
    assert 1 << 17 <= sum(1 for _ in walk(deep.tree, start)) < (1 << 17) + 82 < deep.nodes
    assert [child.action for child in deep.tree.children] == list(start.actions())  # all moves at the root are there


@pytest.mark.parametrize("plies", [-1, 101, 1.5])
def test_a_trace_is_a_number_of_plies(plies):
    with pytest.raises(BadOption, match="trace must be a number of plies from 0 to 100"):
        search.alphabeta(STATES[0], 2, trace=plies)
