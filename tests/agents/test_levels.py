"""Levels: every agent can play its game, the measured ratings rise, and stronger levels overlook less."""

import pytest

import ludus
from ludus.agents import accept, levels, make_agent, reset, write_agent
from ludus.agents.levels import UnknownLevel, friendly, ladders, levels_of
from ludus.errors import BadOption
from ludus.game import seen_by
from ludus.play.match import play
from ludus.play.rating import score_interval
from ludus.play.standing import Tally
from tests.python_games import Noughts

GAMES = [
    ("hex", {"size": 3}), ("hex", {"size": 7}), ("hex", {"size": 7, "starter": 1}), ("hex", {"size": 7, "swap": True}),
    ("hex", {"size": 5}), ("hex", {"size": 19}), ("go", {"size": 2}), ("go", {"size": 5}), ("go", {}),
    ("go", {"size": 9, "superko": "draw", "komi": 7}), ("go", {"size": 19}), ("othello", {}), ("othello", {"size": 4}),
    ("othello", {"size": 6, "passing": False}), ("othello", {"size": 16}), ("connect_four", {}),
    ("connect_four", {"width": 4, "height": 4}), ("connect_four", {"width": 15, "height": 7, "line": 5}),
    ("tic_tac_toe", {}), ("tic_tac_toe", {"width": 19, "height": 19, "line": 5}), ("nim", {"stones": 20}),
    ("nim", {"stones": 1_000_000, "most": 1000}), ("ledge", {}), ("ledge", {"coins": ". . c G"}),
    ("tests.python_games:Noughts", {}),
]  # fmt: skip
MEASURED = [ladder for ladder in ladders() if ladder.measured_on]
LARGE_STEPS = {"hex7", "go", "othello"}  # chosen before steps were to be even: seven levels


def level_agent(game, level):
    agent = make_agent(f"level:{level}")
    accept(agent, game)
    return agent


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_level_of_a_game_plays_it(name, options):
    game = ludus.make(name, **options)
    found = levels_of(game)
    assert len({level.key for level in found}) == len(found) >= 2
    assert [level.number for level in found] == list(range(1, len(found) + 1))
    for level in found:
        assert write_agent(level_agent(game, level.key)) == f"level:{level.key}"
        accept(make_agent(level.agent), game)
        assert level.name and level.about.endswith(".")


def test_a_level_plays_as_the_agent_of_its_ladder_does():
    state = ludus.make("connect_four").after("4 4 3")
    for level in levels_of(ludus.make("connect_four"))[:4]:
        agents = make_agent(level.agent), make_agent(f"level:{level.number}"), make_agent(f"level:{level.key}")
        assert len({agent.decide(state, ludus.Rng(5)).action for agent in agents}) == 1


def test_a_level_finds_its_place_in_every_game_that_it_meets():
    agent, rng = make_agent("level:2"), ludus.Rng(1)
    for game in (ludus.make("hex", size=5), ludus.make("nim", stones=9), ludus.make("tests.python_games:Noughts")):
        accept(agent, game)
        assert agent.decide(game.start(), rng).action in game.start().actions()
    assert make_agent("level:2").decide(Noughts(), rng).action in Noughts().actions()  # and without being told


def test_a_level_can_be_watched_whatever_plays_there():
    game = ludus.make("tic_tac_toe")
    for level in levels_of(game):
        *_, last = level_agent(game, level.number).thoughts(game.start(), ludus.Rng(1))
        assert last.action in game.start().actions()


def test_levels_that_count_simulations_play_a_whole_game_of_a_visitor():
    game = ludus.make("tests.python_games:Noughts")
    first, second = (level_agent(game, key) for key in ("first_steps", "beginner"))
    assert play(game, [first, second], seed=1).end == "rules"


def test_the_first_and_the_last_level_have_the_same_names_everywhere():
    for name in ludus.games():
        found = levels_of(ludus.make(name))
        assert (found[0].name, found[-1].name) == ("First steps", "As strong as this machine is")


@pytest.mark.parametrize("ladder", MEASURED, ids=lambda ladder: ladder.name)
def test_measured_levels_rise_step_by_step_beyond_doubt(ladder):
    """The 95% interval of the difference between neighbours lies above 0, and the stronger one won their match."""
    for step in ladder.steps[1:]:
        assert step["above_last"]["low"] > 0, step["agent"]
        assert step["against_last"]["wins"] > step["against_last"]["losses"]
        if ladder.name in LARGE_STEPS:
            continue
        tally = Tally(**step["against_last"])
        low, high = score_interval(tally.points, tally.games)
        assert low < 0.8 and high > 0.65, f"the step to {step['agent']} is not one of 65 to 80%"
    ratings = [step["elo"] for step in ladder.steps]
    assert ratings == sorted(ratings) and ratings[0] == 0


def test_every_game_of_ours_has_a_measured_ladder():
    assert {ladder.game for ladder in MEASURED} == set(ludus.games())


def test_a_level_says_when_it_was_measured_on_another_board():
    here, begun_by_the_other = (levels_of(ludus.make("hex", size=7, starter=player))[1] for player in (0, 1))
    assert here.measured_here and begun_by_the_other.measured_here
    for options in ({"size": 6}, {"size": 7, "swap": True}):
        elsewhere = levels_of(ludus.make("hex", **options))[1]
        assert not elsewhere.measured_here and "of Hex 7×7; here the steps may be" in elsewhere.note
    assert levels_of(ludus.make("tests.python_games:Noughts"))[1].elo is None


def test_only_boards_that_are_solved_are_said_to_be_played_perfectly():
    assert "perfectly" in levels_of(ludus.make("tic_tac_toe"))[-1].about
    assert "perfectly" in levels_of(ludus.make("nim", stones=100))[-1].about
    for name, options in (("tic_tac_toe", {"width": 10, "height": 10, "line": 5}), ("nim", {"stones": 1000})):
        assert "perfectly" not in levels_of(ludus.make(name, **options))[-1].about


@pytest.mark.parametrize(("stones", "most"), [(20, 3), (37, 4), (100, 3)])
def test_the_strongest_level_of_nim_keeps_every_win(stones, most):
    game = ludus.make("nim", stones=stones, most=most)
    best, rng, state = level_agent(game, "strongest"), ludus.Rng(1), game.start()
    if stones % (most + 1) == 0:
        state = state.play(rng.choice(state.actions()))  # the first player is lost: let it move at random
    winner = state.player
    while not state.over:
        mine = state.player == winner
        state = state.play(best.decide(state, rng).action if mine else rng.choice(state.actions()))
    assert state.score(winner) == 1


def test_without_pytorch_no_level_needs_a_network(monkeypatch):
    game = ludus.make("hex", size=7)
    assert any(level.agent.startswith("zoo:") for level in levels_of(game))
    monkeypatch.setattr(levels, "networks_installed", lambda: False)
    assert not any(level.agent.startswith("zoo:") for level in levels_of(game))


def test_a_new_player_meets_the_second_level():
    game = ludus.make("hex")
    assert friendly(game) == levels_of(game)[1]


def test_an_unknown_level_is_refused_with_the_levels_there_are():
    with pytest.raises(UnknownLevel, match="no level 'begginner'; did you mean beginner"):
        level_agent(ludus.make("hex"), "begginner")
    with pytest.raises(UnknownLevel, match=r"hex has the levels 1 to [0-9]+, not 11"):
        level_agent(ludus.make("hex"), 11)
    with pytest.raises(UnknownLevel, match=r"has the levels 1 to [0-9]+, not 0"):
        level_agent(ludus.make("hex"), 0)
    with pytest.raises(BadOption, match="say which level, after a colon"):
        make_agent("level:")


def test_the_strongest_level_beats_the_first_one():
    game = ludus.make("nim", stones=20)
    best, first = (level_agent(game, key) for key in ("strongest", "first_steps"))
    scores = []
    for number in range(20):
        both = [best, first] if number % 2 == 0 else [first, best]
        scores.append(seen_by(number % 2, 0, play(game, both, seed=number).score))
    assert scores.count(1) >= 18


def test_higher_levels_see_a_win_more_often():
    game = ludus.make("connect_four")
    state = game.after("1 7 1 7 1 6")  # column 1 wins
    taken = []
    for key in ("first_steps", "beginner", "casual", "strong"):
        agent, rng = level_agent(game, key), ludus.Rng(1)
        taken.append(0)
        for _ in range(100):
            reset(agent)
            taken[-1] += agent.decide(state, rng).action == 0
    assert taken == sorted(set(taken)) and taken[-1] == 100
