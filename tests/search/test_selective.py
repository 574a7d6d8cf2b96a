"""Selective search may err, so it is compared with the plain one: mostly the same action, with fewer nodes."""

import pytest

import ludus
from ludus import search

OTHELLO = ludus.make("othello")


def middle_game(seed):
    rng, state = ludus.Rng(seed), OTHELLO.start()
    for ply in range(20):
        state = state.play(rng.choice(state.actions()) if ply < 8 else search.alphabeta(state, 2).action)
    return state


@pytest.mark.parametrize("depth", [1, 2])
def test_a_depth_too_shallow_to_skip_anything_has_the_value_of_minimax(depth):
    for seed in range(10):
        state = middle_game(seed)
        found = search.deepening(state, depth=depth, selective=True)
        assert found.value == search.minimax(state, depth).value


def test_it_looks_at_fewer_nodes_and_mostly_finds_the_same_action():
    states = [middle_game(seed) for seed in range(12)]
    plain = [search.deepening(state, depth=7) for state in states]
    found = [search.deepening(state, depth=7, selective=True) for state in states]
    assert sum(f.nodes for f in found) < sum(p.nodes for p in plain) / 2
    assert sum(f.action == p.action for f, p in zip(found, plain, strict=True)) >= 8
    assert not any(f.complete for f in found)


def test_to_the_end_of_the_game_it_finds_who_wins():
    from ludus.search.solve import Solver

    solver = Solver()
    for seed in range(6):
        state = middle_game(seed)
        while not state.over and list(state.cells()).count(0) > 8:
            state = state.play(search.alphabeta(state, 2).action)
        if not state.over:
            found = search.deepening(state, depth=20, selective=True)
            assert found.proven and found.value == solver.value(state)


@pytest.mark.parametrize(
    "state, how",
    [
        (ludus.make("connect_four").start(), {}),
        (ludus.make("othello", size=6).start(), {}),
        (ludus.make("othello", passing=False).start(), {}),
        (OTHELLO.start(), {"estimate": "simple"}),
        (OTHELLO.start(), {"utility": "margin"}),
        (OTHELLO.start(), {"ordering": False}),
        (OTHELLO.start(), {"trace": 2}),
    ],
    ids=str,
)
def test_elsewhere_it_is_the_plain_search(state, how):
    plain = search.deepening(state, depth=5, **how)
    found = search.deepening(state, depth=5, selective=True, **how)
    assert (found.value, found.action, found.nodes) == (plain.value, plain.action, plain.nodes)
