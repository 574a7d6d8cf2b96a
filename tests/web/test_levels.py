"""Levels: every agent can play its game, and the measured ratings rise."""

import pytest

import ludus
from ludus.agents import write_agent
from ludus.web.levels import UnknownLevel, friendly, level_agent, levels_of

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


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_level_of_a_game_plays_it(name, options):
    game = ludus.make(name, **options)
    levels = levels_of(game)
    assert len({level.key for level in levels}) == len(levels) >= 2
    for level in levels:
        agent = level_agent(game, level.key)
        assert write_agent(agent).split(":")[0] == level.agent.split(":")[0]
        assert level.name and level.about.endswith(".")


def test_a_new_player_meets_the_second_level():
    game = ludus.make("hex")
    assert friendly(game) == levels_of(game)[1]


def test_an_unknown_level_is_refused_with_the_levels_there_are():
    with pytest.raises(UnknownLevel, match="no level 'begginner'; did you mean beginner"):
        level_agent(ludus.make("hex"), "begginner")
