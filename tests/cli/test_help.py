"""Help that helps: every flag, titles that mean something, the agents and their options."""

import json
from dataclasses import fields

import pytest

from ludus.agents.parse import AGENTS
from ludus.cli import COMMANDS
from ludus.learn.zoo import facts
from tests.cli.test_cli import ludus


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_flags(command):
    text = ludus(command, "--help")
    assert f"ludus {command}" in text and "--help" in text


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        ("play", "--against --as --clock --seed --record"),
        ("match", "--games --clock --opening --seed --workers --out --again --sgf --show --pause --json --until"),
        ("tournament", "--games --clock --opening --seed --workers --out --again --sgf --show --pause --pairing"),
        ("train", "--episodes --net --simulations --lr --show-every --truth --resume --config"),
        ("explain", "--position --agent --out --seed"),
        ("solve", "--position --seconds --table"),
        ("gtp", "--agent --seed"),
    ],
)
def test_help_without_a_game_lists_every_flag_and_what_games_add(command, flags):
    text = ludus(command, "--help")
    missing = [flag for flag in flags.split() if flag not in text]
    assert not missing
    assert "hex           --size, --swap, --starter" in text


@pytest.mark.parametrize("arguments", [["train", "hex"], ["train"], ["match", "--game", "hex"], ["play", "go"]])
def test_titles_are_words_and_not_paths(arguments):
    titles = [line for line in ludus(*arguments, "--help").splitlines() if line.startswith("╭")]
    assert titles and not any("." in title or "options options" in title for title in titles)


def test_agents_are_listed_with_their_options():
    text = ludus("agents")
    for name, kind in AGENTS.items():
        assert f"\n{name}\n" in f"\n{text}"
        for option in fields(kind):
            assert not option.init or f"{option.name}=" in text
    assert 'gtp:"PROGRAM"' in text and "zoo:NAME" in text and ".safetensors" in text and "my_agent.py:MyAgent" in text


def test_agents_for_programs_have_kinds_and_defaults():
    (mcts,) = json.loads(ludus("agents", "mcts", "--json"))
    options = {option["name"]: option for option in mcts["options"]}
    assert options["threads"] == options["threads"] | {"kind": "whole number", "default": "1"}
    assert options["rule"]["kind"].startswith("uct, ucb1")
    assert options["seconds"]["kind"] == "number or none"
    assert all(option["about"] for option in options.values())


def test_a_class_of_yours_shows_its_options(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Mine:\n"
        '    """Plays like me."""\n\n    depth: int = 3  # plies\n\n    def decide(self, state, rng): ...\n'
    )
    text = ludus("agents", f"{tmp_path}/mine.py:Mine")
    assert "Plays like me." in text and "depth=3" in text and "whole number; plies" in text
    assert "did you mean mcts" in ludus("agents", "mtcs", code=2)


def test_a_network_of_the_zoo_fits_a_screen_of_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = ludus("zoo", "connect4").splitlines()
    assert len(lines) < 40 and max(map(len, lines)) <= 80
    for row in facts()["connect4"]["measured"]:
        assert row["text"] in " ".join(" ".join(lines).split())  # nothing is cut off
