"""The networks that come with Ludus: all there, sound, and as strong as their page says."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from ludus.agents import make_agent
from ludus.cli import run as ludus_command
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.config import game_of
from ludus.learn.topp import topp
from ludus.learn.truth import make_meter
from ludus.learn.zoo import FOLDER, UnknownNetwork, facts, folder_of, names, path_of
from ludus.play.match import play

SOLVED = {"hex5": 0.93, "connect4": 0.8}  # true results that are kept, where something can be spoiled: at least


def test_the_zoo_has_what_it_should():
    hex_networks = {"hex5", "hex5-series", "hex6", "hex7", "hex9", "hex11"}
    assert set(names()) == hex_networks | {"connect4", "othello6", "othello8", "go5", "go9"}
    assert len(list((folder_of("hex5-series") / "checkpoints").iterdir())) >= 6
    assert all(facts()[name]["measured"] for name in names())
    assert all(path.stat().st_size < 1_000_000 for path in FOLDER.rglob("*.safetensors"))


@pytest.mark.parametrize("name", names())
def test_every_network_beats_a_beginner_at_its_own_game(name):
    game, agent = game_of(folder_of(name)), make_agent(f"zoo:{name},simulations=50")
    points = 0.0
    for number in range(10):
        players = [agent, make_agent("random")]
        record = play(game, players if number % 2 == 0 else players[::-1], seed=number)
        points += ((record.score if number % 2 == 0 else -record.score) + 1) / 2
    assert points >= 9


@pytest.mark.parametrize("name", SOLVED)
def test_what_is_said_about_the_truth_holds(name):
    game = game_of(folder_of(name))
    meter = make_meter(game, 200, 20.0, seed=99)
    assert meter is not None
    assert meter.measure(load_checkpoint(path_of(name)).evaluator(game)).kept >= SOLVED[name]


def test_networks_are_agents_by_name():
    game = ludus.make("hex", size=5)
    bare, searching = make_agent("zoo:hex5"), make_agent("zoo:hex5,simulations=50")
    assert bare.decide(game.start(), ludus.Rng(1)).action in game.start().actions()
    assert sum(searching.decide(game.start(), ludus.Rng(1)).visits.values()) >= 49
    first = make_agent("zoo:hex5-series/0:choice=sample")
    assert first.choice == "sample" and load_checkpoint(first.path).episode == 0


@pytest.mark.parametrize("text", ["zoo:hex12", "zoo:", "zoo:hex5/7", "zoo:hex5/x"])
def test_networks_that_are_not_there_are_refused(text):
    with pytest.raises(UnknownNetwork, match="the zoo has"):
        make_agent(text)


def test_the_series_of_the_zoo_has_a_tournament(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    contest = topp(Path("zoo:hex5-series"), 2, "greedy", 1)
    assert contest.folder.parent == Path("runs") / "zoo-hex5-series"
    assert min(contest.episodes.values()) == 0 and max(contest.episodes.values()) >= 200


def test_the_tournament_that_the_list_recommends_can_be_played(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert ludus_command("zoo", []) == 0
    recommended = re.search(r"ludus topp (\S+?)`", capsys.readouterr().out)[1]
    assert ludus_command("topp", [recommended, "--games", "1"]) == 0
    assert ludus_command("topp", ["zoo:hex5"]) == 2
    assert f"the stages of a training in {recommended}" in capsys.readouterr().err


def test_the_list_shows_them_all(capsys):
    assert ludus_command("zoo", ["--json"]) == 0
    assert [row["agent"] for row in json.loads(capsys.readouterr().out)] == [f"zoo:{name}" for name in names()]


def test_the_list_is_a_line_for_each_network_in_eighty_columns(capsys):
    assert ludus_command("zoo", []) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in names():
        (line,) = [line for line in lines if line.split()[:1] == [name]]
        assert line.endswith(facts()[name]["headline"]) and len(facts()[name]["headline"]) > 10


def test_all_that_is_known_about_one_network(capsys):
    assert ludus_command("zoo", ["hex7"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "5 blocks of 32 channels" in told and "script: experiments/zoo/hex7.toml" in told
    assert "ludus play hex --size 7 --against zoo:hex7" in told
    assert "games against itself" in told and "(50% of what it learned), begun with zoo:hex11, 20 minutes" in told
    assert all(f"{row['how']}: {row['text']}" in told for row in facts()["hex7"]["measured"])
    assert ludus_command("zoo", ["zoo:hex7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measured"] == facts()["hex7"]["measured"]
    assert ludus_command("zoo", ["hx7"]) == 2
    assert "the zoo has no network 'hx7'; did you mean hex7?" in capsys.readouterr().err


@pytest.mark.parametrize("name, words", [
    ("hex5", "games against itself, recipe zero, 64 simulations a move, taught by the exact solver"),
    ("connect4", "141,600 exercises, labelled by the exact solver, begun with an earlier network of this name"),
    ("othello6", "1,017,300 exercises, labelled by the exact solver, 40 minutes"),
])  # fmt: skip
def test_what_a_network_has_learned_from_is_said(name, words, capsys):
    assert ludus_command("zoo", [name]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert words in told and ("games against itself" in told) == (name == "hex5")


@pytest.mark.parametrize("name", names())
def test_every_measurement_has_its_interval_and_every_network_its_script(name):
    known = facts()[name]
    assert known["script"] == f"experiments/zoo/{name}.toml" and known["minutes"] > 0 and known["measured"]
    assert all(0 <= row["low"] <= row["share"] <= row["high"] <= 1 and row["count"] > 0 for row in known["measured"])


def test_the_zoo_is_shown_without_pytorch():
    script = "import sys; from ludus.cli import run; run('zoo', ['hex7']); print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "torch" not in told.stdout.splitlines()[-1].split()
