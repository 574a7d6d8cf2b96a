"""Either player may begin: `--alternate-starter` in training, matches and tournaments."""

import json
from dataclasses import replace

import pytest

import ludus
from ludus.cli import run as ludus_command
from ludus.errors import BadOption
from ludus.game import begun_by
from ludus.learn.run import Run, json_lines
from ludus.learn.trainer import Trainer, start
from ludus.play.schedule import schedule
from ludus.play.tournament import Tournament, run
from tests.learn.test_training import HEX, TINY

BOTH = replace(TINY, alternate_starter=True)


def test_the_same_game_begun_by_the_other_player():
    assert begun_by(HEX, 1).start().player == 1 and begun_by(HEX, 0) == HEX
    with pytest.raises(BadOption, match="tic_tac_toe has no option starter"):
        begun_by(ludus.make("tic_tac_toe"), 1)


def test_actual_games_are_begun_by_both_players_in_turn(tmp_path):
    trainer = start(tmp_path / "run", "hex", HEX, BOTH)
    trainer.train()
    games = list(json_lines(tmp_path / "run" / "games.jsonl"))
    assert [game["starter"] for game in games] == [0, 1] * 4
    for game in games:
        start_of_it = begun_by(HEX, game["starter"]).start()
        *_, last = HEX.states(game["opening"] + game["actions"], start_of_it)
        assert last.over and last.score(0) == game["score"]


def test_games_begun_by_the_other_player_are_learned_again_after_a_kill(tmp_path):
    trainer = start(tmp_path / "run", "hex", HEX, BOTH)
    trainer.keep = lambda: None
    trainer.train()
    trainer.run.close()
    again = Trainer(HEX, BOTH, Run(tmp_path / "run"))
    again.resume()
    assert again.episode == 8 and (again.replay.columns["planes"] == trainer.replay.columns["planes"]).all()
    assert (again.replay.columns["scores"] == trainer.replay.columns["scores"]).all()


@pytest.mark.parametrize("paired", [True, False])
def test_both_agents_begin_equally_often_for_both_players(paired):
    meetings = schedule(HEX, 2, 8, 2, 1, False, paired, alternate_starter=True)
    roles = [(meeting.agents[0], meeting.starter) for meeting in meetings]
    assert sorted(roles) == [(agent, starter) for agent in (0, 1) for starter in (0, 1) for _ in range(2)]


def test_a_tournament_whose_starters_alternate_counts_who_began(tmp_path):
    tournament = Tournament(HEX, ("random", "greedy"), 8, workers=1, alternate_starter=True)
    outcome = run(tournament, tmp_path / "t")
    assert {record.starter for record in outcome.records} == {0, 1}
    for record in outcome.records:
        first, *_ = record.replay(HEX)
        assert first.player == record.starter
    greedy = outcome.standing["greedy"]
    assert (greedy.first.games, greedy.second.games) == (4, 4)
    began = [r for r in outcome.records if r.agents[r.starter] == "greedy"]
    assert greedy.first.wins == sum((r.score > 0) == (r.starter == 0) for r in began)


def test_commands_let_starters_alternate(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    flags = ["--game", "hex", "--size", "3", "--games", "4", "--alternate-starter", "--sgf", "--out", "m"]
    assert ludus_command("match", ["random", "random", *flags]) == 0
    games = [json.loads(line) for line in (tmp_path / "m" / "games.jsonl").read_text().splitlines()]
    assert sorted(game["game"]["starter"] for game in games) == [0, 0, 1, 1]
    assert "The player who begins alternates." in (tmp_path / "m" / "report.html").read_text()
    assert ludus_command("match", ["random", "random", "--game", "othello", "--alternate-starter"]) == 2
    assert "othello has no option starter" in capsys.readouterr().err
