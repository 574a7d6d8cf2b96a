"""Tournaments: fair schedules, right tables, and nothing lost whatever happens."""

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import ludus
from ludus.errors import LudusError
from ludus.play.clock import Timing
from ludus.play.ledger import BadFolder, Ledger
from ludus.play.record import Record, read_record
from ludus.play.report import html_report, write_csv
from ludus.play.schedule import draw_openings, schedule
from ludus.play.standing import standing
from ludus.play.tournament import Tournament, run

LUDUS = str(Path(sys.executable).parent / "ludus")
HEX = ludus.make("hex", size=4)


def result(one, other, score, number=0, end="rules", fault=None):
    return Record({"name": "hex"}, (one, other), 0, None, (), (), score, end, fault, number=number)


# ---------------------------------------------------------------------------------------------- schedules


def test_every_pair_meets_as_often_with_colours_exchanged_after_the_same_opening():
    meetings = schedule(HEX, 4, 6, 2, seed=1, one_against_all=False)
    assert len(meetings) == 6 * 6 and len({m.number for m in meetings}) == 36 and len({m.seed for m in meetings}) == 36
    assert set(Counter(frozenset(m.agents) for m in meetings).values()) == {6}
    for first, second in zip(meetings[::2], meetings[1::2], strict=True):
        assert first.agents == second.agents[::-1] and first.opening == second.opening
    assert set(Counter(m.agents[0] for m in meetings).values()) == {9}
    assert len({m.opening for m in meetings}) == 18  # each pair has openings of its own


def test_without_pairs_every_game_has_an_opening_of_its_own():
    meetings = schedule(HEX, 3, 25, 2, seed=1, one_against_all=False, paired=False)
    assert len({m.opening for m in meetings}) == 75
    assert set(Counter(m.agents for m in meetings).values()) == {12, 13}


def test_one_against_all_leaves_the_others_alone():
    meetings = schedule(HEX, 4, 4, 2, seed=1, one_against_all=True)
    assert len(meetings) == 12 and all(0 in m.agents for m in meetings)


def test_more_games_are_the_same_games_and_then_more():
    few, many = (schedule(HEX, 3, games, 2, seed=4, one_against_all=False) for games in (5, 12))
    assert set(few) <= set(many)


@pytest.mark.parametrize("name", ["tic_tac_toe", "hex", "connect_four", "go"])
def test_openings_are_legal_and_all_different(name):
    game = ludus.make(name)
    openings = draw_openings(game, 60, 2, seed=9)
    assert len(set(openings)) == 60
    for opening in openings:
        state = game.start()
        for action in opening:
            assert action in state.actions()
            state = state.play(action)
        assert not state.over


def test_a_tiny_game_gets_longer_openings_rather_than_the_same_again():
    openings = draw_openings(ludus.make("nim", stones=15), 40, 1, seed=0)
    assert len(set(openings)) == 40 and {len(o) for o in openings} > {1}


def test_a_game_too_small_for_any_opening_still_has_its_games():
    assert draw_openings(ludus.make("nim", stones=1), 3, 2, seed=0) == [(), (), ()]


# ---------------------------------------------------------------------------------------------- tables


def test_the_table_counts_both_sides():
    records = [
        result("a", "b", 1),
        result("b", "a", 0),
        result("a", "b", -1),
        result("b", "a", -1, end="flag", fault=0),
    ]
    table = standing(["a", "b"], records, starter=0)
    a, b = table["a"], table["b"]
    assert (a.all.wins, a.all.draws, a.all.losses, a.all.lead) == (2, 1, 1, 1)
    assert (a.first.points, a.second.points) == (1, 1.5) and table.pairs["b", "a"].points == 1.5
    assert b.forfeits == {"flag": 1} and a.forfeits == {} and table.rows[0] is a


def test_the_first_move_may_be_player_ones():
    table = standing(["a", "b"], [result("a", "b", 1)], starter=1)
    assert table["a"].second.games == 1 and table["b"].first.games == 1


def test_equal_games_are_counted_once():
    tournament = Tournament(HEX, ("alphabeta:depth=1", "alphabeta:depth=1"), games=8, opening=0, workers=1)
    records = [result("x", "y", 1, number) for number in range(8)]
    assert standing(["x", "y"], records, 0).different_games == 1
    assert len({m.opening for m in tournament.meetings}) == 1


# ---------------------------------------------------------------------------------------------- playing


def test_a_round_robin_ranks_the_strong_above_the_weak(tmp_path):
    agents = ("random", "mcts:simulations=200", "alphabeta:depth=2")
    outcome = run(Tournament(HEX, agents, games=10), tmp_path)
    assert outcome.standing.games == 30 == outcome.played and outcome.standing.rows[-1].agent == "random"
    assert outcome.standing.different_games > 20
    page = html_report(Tournament(HEX, agents, games=10), outcome)
    assert page.count("<svg") == 3 and all(agent in page for agent in agents)
    assert "http://" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )
    rows = list(csv.DictReader(write_csv(outcome.standing).splitlines()))
    assert [row["agent"] for row in rows] == [row.agent for row in outcome.standing.rows]


def test_two_of_the_same_agent_have_two_names(tmp_path):
    outcome = run(Tournament(HEX, ("random", "random"), games=4, workers=1), tmp_path)
    assert {row.agent for row in outcome.standing.rows} == {"random", "random #2"}


def test_the_same_tournament_again_plays_nothing_and_more_games_only_those(tmp_path):
    first = run(Tournament(HEX, ("random", "greedy"), games=6), tmp_path)
    again = run(Tournament(HEX, ("random", "greedy"), games=6), tmp_path)
    more = run(Tournament(HEX, ("random", "greedy"), games=10), tmp_path)
    assert (first.played, again.played, more.played) == (6, 0, 4) and again.records == first.records
    assert run(Tournament(HEX, ("random", "greedy"), games=6), tmp_path, anew=True).played == 6


def test_another_tournament_in_the_same_folder_is_refused(tmp_path):
    run(Tournament(HEX, ("random", "greedy"), games=2), tmp_path)
    with pytest.raises(BadFolder, match="other settings \\(agents\\)"):
        run(Tournament(HEX, ("random", "mcts"), games=2), tmp_path)


def test_a_line_that_was_cut_off_is_played_again(tmp_path):
    tournament = Tournament(HEX, ("random", "greedy"), games=6, workers=1)
    whole = run(tournament, tmp_path).records
    games = tmp_path / "games.jsonl"
    games.write_bytes(games.read_bytes()[:-100])
    outcome = run(tournament, tmp_path)
    assert outcome.played == 1 and [r.actions for r in outcome.records] == [r.actions for r in whole]


def test_a_damaged_ledger_and_a_busy_one_are_refused(tmp_path):
    tournament = Tournament(HEX, ("random", "greedy"), games=2, workers=1)
    run(tournament, tmp_path)
    with Ledger(tmp_path, tournament.settings()), pytest.raises(BadFolder, match="another tournament is being played"):
        run(tournament, tmp_path)
    (tmp_path / "games.jsonl").write_text("rubbish\n")
    with pytest.raises(BadFolder, match="damaged"):
        run(tournament, tmp_path)


def test_a_decided_match_stops_and_says_the_same_when_asked_again(tmp_path):
    tournament = Tournament(HEX, ("random", "mcts:simulations=300"), games=400, until_decided=True)
    outcome = run(tournament, tmp_path)
    assert outcome.verdict.answer == "second" and outcome.standing.games == 2 * outcome.verdict.pairs < 100
    again = run(tournament, tmp_path)
    assert again.played == 0 and again.standing.plain() == outcome.standing.plain()


PLAYERS = Path(__file__).parent / "players.py"


@pytest.mark.parametrize("name, kind, clock", [("Leaver", "crash", None), ("Stuck", "flag", Timing(0.3))])
def test_an_agent_that_ends_its_process_loses_only_that_game(name, kind, clock, tmp_path):
    bad = f"{PLAYERS}:{name}"
    outcome = run(Tournament(HEX, ("random", bad), games=2, clock=clock, opening=0), tmp_path)
    assert [record.end for record in outcome.records] == [kind, kind]
    assert outcome.standing[bad].forfeits == {kind: 2} and outcome.standing["random"].all.wins == 2


def test_an_edited_agent_is_another_one(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(PLAYERS.read_text())
    before = Tournament(HEX, ("random", f"{mine}:OldFashioned"), games=2)
    folder = before.usual_folder()
    mine.write_text(PLAYERS.read_text() + "# better\n")
    assert Tournament(HEX, ("random", f"{mine}:OldFashioned"), games=2).usual_folder() != folder


def test_two_games_of_one_name_are_two_games(tmp_path):
    code = (Path(__file__).parent.parent / "python_games.py").read_text()
    for name, text in (("one", code), ("other", code.replace("7", "8"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "race.py").write_text(text)
    one, other = (ludus.make(f"{tmp_path}/{name}/race.py:Subtract").identity() for name in ("one", "other"))
    assert one["name"] == other["name"] and one != other


@pytest.mark.parametrize("options, words", [
    ({"agents": ("random", f"{PLAYERS}:Picky")}, "Picky refuses .*: I play Nim only"),
    ({"agents": ("random", f"{PLAYERS}:Scripted:x=1")}, "takes no options"),
    ({"agents": ("random",)}, "at least two agents"),
    ({"agents": ("random", "nobody")}, "there is no agent 'nobody'"),
    ({"games": 0}, "games must be a whole number from 1 to 1000000"),
    ({"opening": 99}, "0 to 12 random plies"),
    ({"agents": ("random",) * 3, "until_decided": True}, "only a match of two"),
])  # fmt: skip
def test_what_cannot_be_played_is_refused_before_anything_starts(options, words, tmp_path):
    with pytest.raises(LudusError, match=words):
        run(Tournament(**{"game": HEX, "agents": ("random", "greedy"), **options}), tmp_path)


# ---------------------------------------------------------------------------------------------- stopping

COMMAND = [LUDUS, "tournament", "random", "mcts:simulations=3000", "greedy", "--game", "hex", "--size", "5",
           "--games", "20", "--json", "--out"]  # fmt: skip


def listen():
    """Ctrl-C is heard in the background, too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def lines(folder):
    path = folder / "games.jsonl"
    return [] if not path.exists() else path.read_text().splitlines()


def table_without_times(text):
    table = json.loads(text)
    for row in table["agents"]:
        del row["mean_seconds"], row["longest_seconds"]
    return table


def test_stopped_in_the_middle_it_goes_on_to_the_same_table_and_no_game_is_played_twice(tmp_path):
    """By Ctrl-C; tests/storms kills it."""
    straight = subprocess.run([*COMMAND, tmp_path / "straight"], capture_output=True, text=True, check=True)
    dice, stops = random.Random(2), 0
    while len(lines(tmp_path / "stopped")) < 60 and stops < 4:
        before = len(lines(tmp_path / "stopped"))
        process = subprocess.Popen([*COMMAND, tmp_path / "stopped"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, start_new_session=True, preexec_fn=listen)  # fmt: skip
        while len(lines(tmp_path / "stopped")) <= before + dice.randrange(8) and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
        if process.returncode == 130:
            assert "the same command goes on" in told and "Traceback" not in told
        stops += 1
        wait_until_nobody_is_left(process.pid)
    finished = subprocess.run([*COMMAND, tmp_path / "stopped"], capture_output=True, text=True, check=True)
    assert table_without_times(finished.stdout) == table_without_times(straight.stdout)
    numbers = [read_record(line).number for line in lines(tmp_path / "stopped")]
    assert sorted(numbers) == list(range(60)) and stops >= 1


def wait_until_nobody_is_left(group):
    """Workers end with their parent, even if that was killed."""
    for _ in range(2000):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("a worker has outlived the tournament")


# ---------------------------------------------------------------------------------------------- commands


def ludus_(*arguments, cwd, code=0):
    wide = os.environ | {"COLUMNS": "160"}
    done = subprocess.run([LUDUS, *arguments], capture_output=True, text=True, timeout=600, cwd=cwd, env=wide)
    assert done.returncode == code and "Traceback" not in done.stderr, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_json_is_nothing_but_json(tmp_path):
    loud = f"{PLAYERS}:Shouting"
    match = ("match", loud, "random", "--game", "hex", "--size", "3", "--games", "2")
    told = json.loads(ludus_(*match, "--json", "--show", cwd=tmp_path))
    assert told["games"] == 2


def test_forfeits_are_reported_with_their_reason(tmp_path):
    words = ludus_("match", f"{PLAYERS}:Broken", "random", "--game", "hex", "--size", "3", "--games", "2", cwd=tmp_path)
    assert "2 of the 2 games were forfeited" in words and "first by exception: RuntimeError: I forgot how" in words


def test_match_says_who_won_how_often_and_how_sure(tmp_path):
    match = ("match", "greedy", "random", "--game", "go", "--size", "5", "--games", "12", "--seed", "3")
    told = json.loads(ludus_(*match, "--json", cwd=tmp_path))
    assert told["games"] == 12 == told["wins"]["greedy"] + told["wins"]["random"] + told["draws"]
    assert told["score"] > 0.7 and told["interval"][0] < told["score"] <= told["interval"][1]
    assert told["different_games"] == 12 and told["forfeits"] == {"greedy": {}, "random": {}}
    words = ludus_(*match, cwd=tmp_path)
    assert "greedy scored" in words and "had been played before" in words and "12 games, 12 different" in words
    folder = next((tmp_path / "runs").iterdir())
    assert {p.name for p in folder.iterdir()} == {
        "games.jsonl",
        "settings.json",
        "results.json",
        "table.csv",
        "report.html",
    }


def test_a_match_with_a_clock_shows_it_and_writes_sgf(tmp_path):
    words = ludus_("match", "mcts", "random", "--game", "hex", "--size", "4", "--games", "2", "--clock", "1+0.1",
                   "--sgf", "--show", "--out", "here", cwd=tmp_path)  # fmt: skip
    assert "least left" in words and "game 0: " in words and "move 1: " in words
    assert [p.name for p in sorted((tmp_path / "here" / "sgf").iterdir())] == ["00000.sgf", "00001.sgf"]


@pytest.mark.parametrize("arguments, words", [
    (["random", "greedy"], "say which game: --game GAME"),
    (["random", "--game", "hex"], "a match is between two agents, not 1"),
    (["random", "greedy", "--game", "hxe"], "did you mean hex"),
    (["random", "greedy", "--game", "hex", "--clock", "soon"], "15+1"),
    (["random", "greedy", "--game", "othello", "--sgf"], "SGF files are for Go and Hex"),
    (["random", "greedy", "--game", "hex", "--size", "x"], "--size must be a whole number"),
])  # fmt: skip
def test_mistakes_get_one_sentence(arguments, words, tmp_path):
    told = ludus_("match", *arguments, cwd=tmp_path, code=2)
    assert words in told and len(told.strip().splitlines()) == 1
    assert not (tmp_path / "runs").exists()
