"""Games on the screen, and records that nobody loses: --show, --pause and --again."""

import json
import time

import pytest

from ludus.cli import arena
from tests.cli.test_cli import ludus

MATCH = ("match", "random", "greedy", "--game", "hex", "--size", "3", "--games", "4", "--out", "here")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def games_shown(text):
    return [line for line in text.splitlines() if line.startswith("game ") and " against " in line]


def test_recorded_games_are_shown_as_new_ones_are():
    first, again = ludus(*MATCH, "--show"), ludus(*MATCH, "--show")
    assert len(games_shown(first)) == 4 and games_shown(again) == games_shown(first)
    assert first[: first.index("4 games")] == again[: again.index("4 games")]


def test_show_3_shows_the_first_three_games_with_mover_number_and_winner():
    text = ludus(*MATCH, "--show", "3")
    assert [line[:7] for line in games_shown(text)] == ["game 0:", "game 1:", "game 2:"]
    assert "move 1: greedy (X) plays" in text and "(random opening)" in text
    assert text.count(" wins after ") == 3
    more = ludus(*MATCH[:-2], "--games", "6", "--out", "here", "--show", "5")  # four recorded, two new ones
    assert [line[:7] for line in games_shown(more)] == [f"game {number}:" for number in range(5)]


def test_show_alone_means_every_game_wherever_it_stands():
    assert arena.lone_show(["--show", "random"]) == [f"--show={arena.EVERY_GAME}", "random"]
    assert arena.lone_show(["--show", "3", "--show=2"]) == ["--show", "3", "--show=2"]
    assert arena.lone_show(["a", "--show"]) == ["a", f"--show={arena.EVERY_GAME}"]


def test_the_pause_is_between_moves():
    ludus(*MATCH)
    began = time.monotonic()
    text = ludus(*MATCH, "--show", "1", "--pause", "0.2")
    moves = text.count("move ")
    assert moves >= 3 and time.monotonic() - began > 0.2 * moves


def test_a_tournament_shows_so_many_games_too():
    text = ludus("tournament", "random", "greedy", "flat:games=2", "--game", "nim", "--games", "2", "--show", "2")
    assert len(games_shown(text)) == 2 and "(player 0) plays" in text


def test_again_keeps_the_old_records(elsewhere):
    ludus(*MATCH)
    before = (elsewhere / "here" / "games.jsonl").read_text()
    text = ludus(*MATCH, "--again")
    assert "kept in here/games-1.jsonl" in text
    assert (elsewhere / "here" / "games-1.jsonl").read_text() == before
    assert len((elsewhere / "here" / "games.jsonl").read_text().splitlines()) == 4
    ludus(*MATCH, "--again", "--seed", "5")  # another tournament in the same folder
    assert (elsewhere / "here" / "games-2.jsonl").exists()
    assert json.loads((elsewhere / "here" / "settings-2.json").read_text())["seed"] == 0
    assert json.loads((elsewhere / "here" / "settings.json").read_text())["seed"] == 5


def test_again_in_an_empty_folder_leaves_nothing_behind(elsewhere):
    assert "kept" not in ludus(*MATCH, "--again")
    assert not (elsewhere / "here" / "games-1.jsonl").exists()


def test_the_networks_of_a_training_are_shown_again_and_again():
    ludus("train", "nim", "--stones", "5", "--episodes", "4", "--checkpoints", "2", "--hidden", "8", "--run", "run",
          "--truth", "0", "--minibatches", "1")  # fmt: skip
    first, again = (ludus("topp", "run", "--games", "2", "--show", "1") for _ in range(2))
    assert len(games_shown(first)) == 1 and games_shown(again) == games_shown(first)
    assert "episode 4 (player 0) against episode 0" in again and " wins after " in again
    assert "kept in run/topp" in ludus("topp", "run", "--games", "2", "--again")


def test_a_training_shows_its_games_with_mover_number_and_winner():
    text = ludus("train", "nim", "--stones", "5", "--episodes", "4", "--checkpoints", "2", "--hidden", "8", "--run",
                 "run", "--truth", "0", "--minibatches", "1", "--show-every", "2")  # fmt: skip
    assert "episode 2:" in text and "move 1: player 0 plays" in text and "episode 4: player" in text
