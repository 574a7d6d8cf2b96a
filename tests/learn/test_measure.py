"""Strength against the truth: results kept, the walk through all defences, games against perfect play."""

import json

import pytest

import ludus
from ludus.agents import MctsAgent, make_agent
from ludus.cli import run as ludus_command
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.measure import (
    CannotMeasure,
    Perfect,
    chooser,
    games_against_perfect,
    positions,
    prove,
    results_kept,
    winning_starts,
    won,
)
from ludus.learn.truth import make_meter
from ludus.learn.zoo import path_of
from ludus.search.solve import Solver

HEX3, HEX4, HEX5 = (ludus.make("hex", size=size) for size in (3, 4, 5))


def perfectly(states):
    """The first action that keeps the result."""
    solver = Solver()
    chosen = []
    for state in states:
        values = solver.actions(state)
        chosen.append(max(values, key=values.get))
    return chosen


def first(states):
    """The first legal action, however bad it is."""
    return [state.actions()[0] for state in states]


def test_a_perfect_player_keeps_everything_and_another_does_not():
    for kind in ("searches", "random", "all"):
        meter = positions(HEX3, kind, 60, 600)
        assert results_kept(meter, kind, perfectly).share == 1.0
    assert 0 < results_kept(positions(HEX3, "searches", 60, 600), "searches", first).share < 0.8


def test_a_bare_network_is_measured_as_the_meter_measures_it():
    meter = positions(HEX5, "searches", 100, 600)
    measured = results_kept(meter, "searches", chooser(HEX5, make_agent("zoo:hex5,images=false"), ludus.Rng(1)))
    assert measured.share == meter.measure(load_checkpoint(path_of("hex5")).evaluator(HEX5)).kept
    plain = measured.plain()
    assert plain["low"] < plain["share"] < plain["high"] and plain["count"] == 100
    assert "of 100 positions from games of tree searches" in plain["text"]


def test_positions_depend_on_the_seed_alone_and_are_not_those_of_a_training():
    def drawn(kind="searches", **seed):
        return {problem.actions for problem in positions(HEX4, kind, 50, 600, **seed).problems}

    assert drawn() == drawn() and drawn() != drawn(seed=1) and drawn() != drawn("random")
    assert drawn() != {problem.actions for problem in make_meter(HEX4, 50, 600).problems}


def test_a_search_is_measured_as_any_agent():
    meter = positions(HEX3, "searches", 40, 600)
    weak = results_kept(meter, "searches", chooser(HEX3, make_agent("random"), ludus.Rng(1)))
    strong = results_kept(meter, "searches", chooser(HEX3, MctsAgent(simulations=300), ludus.Rng(1)))
    assert weak.share < strong.share


def test_what_no_solver_solves_cannot_be_measured():
    with pytest.raises(CannotMeasure, match="fewer than 20 positions of Go 9×9"):
        positions(ludus.make("go", size=9), "searches", 50, 0.1)


# ------------------------------------------------------------------------------------------- proof


def walked(state, me, seen):
    """All positions with `me` to move, by plain recursion, in which perfect play meets every defence."""
    if state.over or state in seen:
        return
    seen.add(state)
    actions = perfectly([state]) if state.player == me else state.actions()
    for action in actions:
        walked(state.play(action), me, seen)


def test_the_walk_sees_every_defence_once():
    starts = winning_starts(HEX3, Solver())["the empty board"]
    proof, seen = prove(starts, "the empty board", perfectly, Solver()), set()
    walked(HEX3.start(), 0, seen)
    assert proof.positions == sum(state.player == 0 for state in seen) and proof.finished and not proof.spoiled
    assert proof.text == (
        f"holds every win in all {proof.positions} positions into which a defender can lead it from the empty board"
    )


def test_a_win_that_is_let_go_is_found():
    solver = Solver()
    for words, starts in winning_starts(HEX3, solver).items():
        assert all(won(solver, state, me) for state, me in starts)
        proof = prove(starts, words, first, solver)
        assert proof.spoiled and f"lets {len(proof.spoiled)} wins go in all" in proof.text
        assert all(not won(solver, state.play(first([state])[0]), state.player) for state in proof.spoiled)
    assert len(starts) == 9  # every opening of 3×3 is won for one of the players


def test_a_walk_that_is_too_long_says_so():
    starts = winning_starts(HEX3, Solver())["the empty board"]
    proof = prove(starts, "the empty board", perfectly, Solver(), most=5)
    assert not proof.finished and proof.positions <= 5 and proof.text.endswith("there are more")


# ------------------------------------------------------------------------------------------- perfect opponents


def test_perfect_players_share_the_points_of_a_drawn_game_and_the_first_wins_at_hex():
    noughts = ludus.make("tic_tac_toe")
    assert games_against_perfect(noughts, perfectly, 5, Perfect()).share == 0.5
    won_all = games_against_perfect(HEX3, perfectly, 5, Perfect())
    assert won_all.share == 1 and "scores 5 of 5 as first player" in won_all.text and "not proven" not in won_all.text
    assert games_against_perfect(HEX3, first, 5, Perfect()).share == 0


def test_what_the_opponent_could_not_prove_is_said():
    class Ignorant:
        def actions(self, state, seconds):
            return dict.fromkeys(state.actions())

    measured = games_against_perfect(HEX3, perfectly, 2, Perfect(3, _solver=Ignorant()))
    assert "of the opponent's moves were not proven in 3 s" in measured.text


# ------------------------------------------------------------------------------------------- the command


def test_the_command_measures_and_refuses(capsys):
    asked = ["hex", "--size", "3", "--agent", "mcts:simulations=50"]
    assert ludus_command("measure", [*asked, "--positions", "20", "--games", "2", "--proof", "10000", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    kinds = [row["kind"] for row in told["measured"]]
    assert kinds == ["searches", "random", "all", "perfect", "proof", "proof"] and told["agent"] == asked[-1]
    assert ludus_command("measure", ["hex", "--size", "5", "--agent", "zoo:hex5", "--positions", "0"]) == 0
    for arguments, words in (
        (["hex"], "say whose strength"),
        (["hex", "--agent", "zoo:hex5"], "this network was trained for hex"),
        ([*asked, "--positions", "-1"], "positions must be a whole number"),
        ([*asked, "--seconds", "0"], "seconds must be above 0"),
    ):
        assert ludus_command("measure", arguments) == 2
        assert words in capsys.readouterr().err
