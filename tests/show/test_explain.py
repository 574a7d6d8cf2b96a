"""Explanations: the words are true, the numbers are those of the search, and every kind can be drawn."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus import search
from ludus.agents import Decision, make_agent
from ludus.errors import BadOption
from ludus.search.mcts import Actor, Critic, Mix, Rollout
from ludus.show.explain import explain
from ludus.show.explain_mcts import judge_in_words
from ludus.show.picture import save_picture
from tests.python_games import Noughts, Subtract


def why(text, name="hex", moves="b2", seed=1, **options):
    game = ludus.make(name, **options) if options else ludus.make(name)
    return explain(game, game.after(moves), make_agent(text), ludus.Rng(seed))


# ------------------------------------------------------------------------------ Monte Carlo tree search


@pytest.mark.parametrize(
    "playout, said",
    [
        ("uniform", "played on at random to the end"),
        ("textbook", "played on at random to the end"),
        ("quick", "by the game's own quick policy"),
        ("estimate", "from the game's own heuristic"),
    ],
)
def test_the_words_say_how_new_positions_were_valued(playout, said):
    words = why(f"mcts:simulations=100,playout={playout}", size=4).in_words()
    assert said in words
    assert ("at random to the end" in words) == (playout in ("uniform", "textbook"))


def test_the_words_know_every_judge():
    class Nobody:
        def evaluate(self, states):
            raise AssertionError

    judges = [Rollout(), Rollout("quick"), Rollout("estimate"), Actor(Nobody()), Critic(Nobody())]
    assert len({judge_in_words(judge) for judge in judges}) == 5
    mixed = judge_in_words(Mix(Rollout(), Critic(Nobody())))
    assert mixed == "either played on at random to the end or took the value of the new position from the network"


def test_every_rule_tells_its_bonus_for_little_visited_moves():
    for rule in ("uct", "ucb1", "puct", "rave"):
        story = why(f"mcts:simulations=200,rule={rule},c=0.7", size=4)
        little, much = min(story.children, key=lambda c: c.visits), max(story.children, key=lambda c: c.visits)
        assert story.bonus(little) > story.bonus(much) > 0
    assert story.bonus(much) == story.settings.rule.bonus(story.total, much.visits, much.prior)
    flat = why("mcts:simulations=200,rule=epsilon", size=4)
    assert all(flat.bonus(child) == 0 for child in flat.children)


def test_a_move_that_was_tried_nearly_as_often_is_not_called_bad():
    story = why("mcts:simulations=500,playout=estimate", "othello", "", size=6)
    visits = [child.visits for child in story.children]
    assert min(visits) * 2 > max(visits) and "did badly" not in story.in_words()


# ---------------------------------------------------------------------------------------------- trees


def test_a_tree_is_explained_by_the_numbers_of_the_search():
    game = ludus.make("connect_four")
    state = game.after("4 4 3")
    story = explain(game, state, make_agent("alphabeta:depth=5"), ludus.Rng(1))
    found = search.alphabeta(state, 5)
    assert (story.chosen, story.found.value, story.found.nodes) == (found.action, found.value, found.nodes)
    assert story.moves[0].action == found.action and len(story.moves) == 7
    words = story.in_words()
    assert f"{found.nodes:,} positions" in words and "5 moves deep" in words
    assert f"with the value {found.value:+.2f} for player 1" in words and "That is a guess" in words
    table = "\n".join(story.table())
    assert "≤" in table and "refuted by" in table and "not looked at" in table


def test_the_words_about_a_cut_off_are_true():
    story = why("alphabeta:depth=4", "connect_four", "4 4 3")
    words = story.in_words()
    cut = next(node for node in story.moves if f"For example, {story.write(node.action)} was dropped" in words)
    assert f"after the reply {story.write(cut.best)}" in words and cut.skipped > 0
    assert cut.bound == "at most" and cut.value <= cut.low <= story.found.value


def test_minimax_claims_no_cut_offs():
    story = why("minimax:depth=2", size=4)
    assert story.skipped == 0 and "not looked at" not in story.in_words() + "\n".join(story.table())


def test_a_proven_value_is_no_guess():
    story = why("alphabeta:depth=9", "tic_tac_toe", "b2 a1 c1 a3 a2 c2")
    words = story.in_words()
    assert story.found.proven and "whose value is proven: a draw for player 0" in words and "guess" not in words


def test_a_margin_has_the_unit_of_the_game():
    othello = why("minimax:depth=20,utility=margin", "othello", "", size=4, passing=False)
    assert "whose value is proven: a margin of -6 discs for player 0" in othello.in_words()
    go = why("alphabeta:depth=2,utility=margin,estimate=simple", "go", "", size=3)
    assert re.search(r"a margin of [-+]\S+ points? for player 0", go.in_words())


def test_deepening_has_a_table_of_its_depths():
    story = why("deepening:depth=4", "connect_four", "4 4 3")
    table = "\n".join(story.table())
    assert [line.split()[0] for line in table.split("best move")[1].splitlines()[1:]] == ["1", "2", "3", "4"]
    assert "It searched depth 1 first, then every depth up to 4" in story.in_words()
    assert "exact solver" not in story.in_words()
    assert "exact solver" in why("deepening:seconds=0.05", "connect_four", "4").in_words()


def test_a_choice_that_an_unfinished_depth_changed_is_told_as_such():
    """The time may end within a depth that has found something better; values and tree are those of the one before."""
    story = why("deepening:depth=4", "connect_four", "4 4 3")
    other = next(node.action for node in story.moves if node.action != story.chosen)
    *rows, last = story.found.depths
    found = replace(story.found, depths=(*rows, replace(last, action=other, finished=False)), action=other)
    words = replace(story, chosen=other, found=found).in_words()
    assert "when the time was up" in words and "which the time did not suffice to finish" in words
    assert "when the time was up" not in story.in_words()


# ------------------------------------------------------------------------------------------- networks


class Oracle:
    """In the place of a network: it likes high actions."""

    explained_as, choice = "network", "greedy"

    def __init__(self, value, guided=None):
        self.value, self.guided = value, guided

    def policy_and_value(self, state):
        shares = np.array([action + 1.0 for action in state.actions()])
        return dict(zip(state.actions(), (shares / shares.sum()).tolist(), strict=True)), self.value

    def guided_search(self, state):
        return self.guided

    def decide(self, state, rng):
        return Decision(state.actions()[-1])


def test_a_network_shows_its_policy_and_value():
    game = ludus.make("nim")
    story = explain(game, game.start(), Oracle(0.4), ludus.Rng(1))
    assert [row["move"] for row in story.rows()] == ["3", "2", "1"]
    words = story.in_words()
    assert "gives 3 50% and 2 33%" in words and "+0.40" in words and "70% of the points" in words
    assert "player 0 is ahead" in words and "likeliest move, 3" in words
    assert "player 1 is ahead" in explain(game, game.start(), Oracle(-0.4), ludus.Rng(1)).in_words()


def test_a_network_without_a_critic_gives_no_value():
    game = ludus.make("nim")
    story = explain(game, game.start(), Oracle(None), ludus.Rng(1))
    assert "no critic" in story.in_words() and story.as_json()["value"] is None


def test_a_network_and_the_search_that_disagrees_with_it():
    game = ludus.make("nim", stones=5)  # only 1 wins
    story = explain(game, game.start(), Oracle(0.0, make_agent("mcts:simulations=500")), ludus.Rng(1))
    assert story.write(story.chosen) == "1" == story.search.write(story.search.chosen)
    words = story.in_words()
    assert "disagreed with the network: 1 has only 17%" in words and words.count("is to move") == 1
    assert story.rows()[0]["visits"] > 0


# ---------------------------------------------------------------------------------------- every agent


class Numbers:
    """A visitor's agent that gives values and says nothing about how it is explained."""

    def decide(self, state, rng, left=None):
        return Decision(1, "it is odd", values={0: -0.5, 1: 0.25})


def test_an_agent_of_a_visitor_is_explained_by_its_values():
    game = ludus.make(Subtract)
    story = explain(game, game.start(), Numbers(), ludus.Rng(1))
    assert [row["move"] for row in story.as_json()["moves"]] == ["1", "0"] and "it is odd" in story.in_words()


def test_an_agent_that_says_nothing_is_refused_with_a_sentence():
    with pytest.raises(BadOption, match="says nothing about the moves that it did not choose"):
        why("random", size=4)


@pytest.mark.parametrize(
    "text",
    ["mcts:simulations=60", "minimax:depth=2", "alphabeta:depth=3", "deepening:depth=3", "greedy", "flat:games=5"],
)
@pytest.mark.parametrize("game", ["hex", "nim", "ledge", "othello", "connect_four", "go", Noughts], ids=str)
def test_everything_can_be_drawn_and_written_as_json(text, game, tmp_path):
    game = ludus.make(game, size=5) if game in ("hex", "go") else ludus.make(game)
    story = explain(game, game.start(), make_agent(text), ludus.Rng(1))
    save_picture(story, tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text().startswith("<?xml")
    answer = json.loads(json.dumps(story.as_json(), allow_nan=False))
    assert answer["move"] == game.write(story.chosen) and story.table() and game.write(story.chosen) in story.in_words()


@pytest.mark.parametrize("guided", [None, make_agent("mcts:simulations=40")], ids=["bare", "guided"])
@pytest.mark.parametrize("value", [None, -1.0, 0.3])
def test_networks_can_be_drawn(guided, value, tmp_path):
    game = ludus.make("othello", size=6)
    story = explain(game, game.start(), Oracle(value, guided), ludus.Rng(1))
    save_picture(story, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
