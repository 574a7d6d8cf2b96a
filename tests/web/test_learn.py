"""Watching things learn: trainings and tournaments that a page starts, stops, resumes and reads from their files."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("starlette")
pytest.importorskip("torch")

from starlette.testclient import TestClient

from ludus.games import make
from ludus.play.record import read_records
from ludus.play.standing import standing
from ludus.system import held
from ludus.web.app import make_app
from ludus.web.learning.chores import Chore, Chores
from ludus.web.learning.watched import Lines
from ludus.web.site import SiteSettings

TINY = {"game": "hex", "options": {"size": 3}, "episodes": 20, "simulations": 4, "network": "small", "checkpoints": 3}
LONG = TINY | {"episodes": 20_000}


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


@pytest.fixture
def client(runs):
    with open_client(runs) as client:
        yield client


def open_client(runs):
    return TestClient(make_app(SiteSettings(runs=runs, workers=1)), base_url="http://localhost")


def wait_for(condition, seconds=600):
    """Waits for something that another process does."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.1)
    return found


def look(client, name, **known):
    answer = client.get(f"/api/learn/runs/{name}", params=known)
    assert answer.status_code == 200, answer.text
    return answer.json()


def start(client, order):
    answer = client.post("/api/learn/runs", json=order)
    assert answer.status_code == 200, answer.text
    return answer.json()["name"]


def refused(answer):
    """The sentence with which something was refused."""
    assert answer.status_code == 400
    return answer.json()["sentence"]


def in_state(client, name, state):
    return wait_for(lambda: (view := look(client, name))["state"] == state and view)


# ------------------------------------------------------------------------------------------- trainings


def test_a_training_is_started_watched_stopped_and_resumed(client, runs):
    name = start(client, LONG)
    assert name == "hex3"
    assert [card["name"] for card in client.get("/api/learn").json()["trainings"]] == ["hex3"]
    view = wait_for(lambda: len((view := look(client, name))["rows"]) > 2 and view)
    assert view["state"] == "running" and view["title"] == "Hex 3×3" and view["rows"][0]["episode"] == 0
    assert "95% interval" in view["sentence"]

    more = wait_for(lambda: (new := look(client, name, mark=view["mark"], after=view["next"]))["rows"] and new)
    assert more["rows"][0]["episode"] > view["rows"][-1]["episode"], "only what is new is sent"
    assert not more["first"]

    assert client.post(f"/api/learn/runs/{name}/stop").status_code == 200
    stopped = in_state(client, name, "stopped")
    assert 0 < stopped["episode"] < LONG["episodes"]
    assert not Chore(runs / name, "train").complaint()

    more = stopped["episode"] + 30
    assert client.post(f"/api/learn/runs/{name}/resume", json={}).status_code == 200
    wait_for(lambda: look(client, name)["episode"] > more)
    client.post(f"/api/learn/runs/{name}/stop")
    in_state(client, name, "stopped")


def test_a_training_that_is_finished_says_what_came_out_and_goes_on_if_asked_for_more(client):
    name = start(client, TINY | {"name": "my-hex"})
    assert name == "my-hex"
    view = in_state(client, name, "finished")
    assert view["episode"] == 20 and view["saved"] == [0, 10, 20] and view["rows"][-1]["episode"] == 20
    assert "untrained network (95% interval" in view["verdict"]
    assert view["rows"][-1]["against_games"] > 0
    assert refused(client.post(f"/api/learn/runs/{name}/resume", json={})).startswith("The run my-hex has played all")
    assert "more than that" in refused(client.post(f"/api/learn/runs/{name}/resume", json={"episodes": 15}))
    assert client.post(f"/api/learn/runs/{name}/resume", json={"episodes": 30}).status_code == 200
    wait_for(lambda: (view := look(client, name))["state"] == "finished" and view["episode"] == 30)


def test_the_map_of_openings_and_every_game_can_be_shown(client):
    name = start(client, TINY)
    view = in_state(client, name, "finished")
    openings = view["about"]["openings"]
    positions = view["about"]["positions"]  # a share without the number of positions behind it says nothing
    assert positions["truth"] == sum(positions[f"truth_{phase}"] for phase in ("opening", "middle", "end")) > 0
    game = make("hex", size=3)
    assert [game.write(action) for action in openings["actions"]] == openings["names"]
    true = dict(zip(openings["names"], openings["true"], strict=True))
    assert true["b2"] == 1 and set(true.values()) <= {-1, 1}, "the middle of 3×3 wins"
    assert len(view["rows"][-1]["believed"]) == 9 and max(map(abs, view["rows"][-1]["believed"])) <= 100

    played = client.get(f"/api/learn/runs/{name}/games/latest").json()
    assert played["number"] == 20 and len(played["positions"]) == len(played["moves"]) + 1
    assert played["result"] in ("Red wins", "Blue wins")
    assert played["link"] == f"hex,size=3/{'.'.join(played['moves'])}"
    assert client.get(f"/api/learn/runs/{name}/games/1").json()["number"] == 1
    assert "games 1 to 20" in refused(client.get(f"/api/learn/runs/{name}/games/21"))


@pytest.mark.parametrize(
    "change, words",
    [
        ({"name": "../x"}, "small letters"),
        ({"name": "/tmp/x"}, "small letters"),
        ({"name": "page"}, "small letters"),
        ({"name": "a" * 41}, "small letters"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": "os.py:Class"}, "no game"),
        ({"options": {"size": 50}}, "from 3 to 19"),
        ({"options": {"size": 13}}, "11×11"),
        ({"options": {"colour": "red"}}, "no option 'colour'"),
        ({"episodes": 0}, "number of games must be a whole number"),
        ({"episodes": 10**9}, "number of games must be a whole number"),
        ({"episodes": "many"}, "Episodes cannot be 'many'"),
        ({"episodes": True}, "Episodes cannot be 'True'"),
        ({"simulations": 10**6}, "number of simulations"),
        ({"recipe": "secret"}, "Recipe cannot be"),
        ({"network": "--run=/tmp/x"}, "Network cannot be"),
        ({"run": "/tmp/x"}, "no setting 'run'"),
        ({"seed": -1}, "seed"),
        ({"game": None}, "Game cannot be"),
    ],
)
def test_what_a_page_may_not_order_is_refused_with_a_sentence(client, runs, change, words):
    assert words in refused(client.post("/api/learn/runs", json=TINY | change))
    assert [path.name for path in runs.iterdir() if path.name != "page"] == []


@pytest.mark.parametrize("name", ["%2e%2e", "..%2f..%2fetc", "nowhere", "hex3%00"])
def test_a_run_that_is_not_in_the_folder_is_not_found(client, name):
    for path in (f"/api/learn/runs/{name}", f"/api/learn/runs/{name}/games/1", f"/api/learn/tournaments/{name}"):
        assert client.get(path).status_code in (400, 404)
    assert client.post(f"/api/learn/runs/{name}/stop").status_code in (400, 404, 405)


def test_an_order_may_not_be_long_nor_anything_but_an_object(client):
    assert "bytes" in refused(client.post("/api/learn/runs", content=b" " * 20_000))
    assert "one JSON object" in refused(client.post("/api/learn/runs", content=b"[1, 2]"))
    assert "one JSON object" in refused(client.post("/api/learn/runs", content=b"[" * 10_000))


def test_a_machine_that_is_busy_refuses_more_and_says_with_what(client):
    client.app.state.site.chores.most = 1
    name = start(client, LONG)
    assert "busy with hex3" in refused(client.post("/api/learn/runs", json=LONG))
    assert client.get("/api/learn").json()["busy"] == 1
    client.post(f"/api/learn/runs/{name}/stop")
    in_state(client, name, "stopped")
    assert "nothing to stop" in refused(client.post(f"/api/learn/runs/{name}/stop"))


def test_a_training_stopped_before_it_began_is_begun_again(client):
    name = start(client, TINY)
    client.post(f"/api/learn/runs/{name}/stop")
    stopped = in_state(client, name, "stopped")
    assert stopped["saved"] == [] and stopped["episode"] == 0, "it was still being loaded"
    assert client.post(f"/api/learn/runs/{name}/resume", json={}).status_code == 200
    in_state(client, name, "finished")


def test_a_training_that_fails_says_why(client, runs):
    name = start(client, TINY)
    in_state(client, name, "finished")
    for path in (runs / name).glob("state-*"):
        path.write_bytes(b"damaged")
    client.post(f"/api/learn/runs/{name}/resume", json={"episodes": 100})
    assert "no state from which its training could go on" in in_state(client, name, "failed")["sentence"]


# ------------------------------------------------------------------------------------------- servers that come and go


SERVER = """
import os, sys
from pathlib import Path
from starlette.testclient import TestClient
from ludus.web.app import make_app
from ludus.web.site import SiteSettings
client = TestClient(make_app(SiteSettings(runs=Path(sys.argv[1]), workers=1)), base_url="http://localhost")
client.__enter__()
print(client.post("/api/learn/runs", json={order}).json()["name"], "torch" in sys.modules, flush=True)
os.kill(os.getpid(), 9)
"""


def test_a_killed_server_leaves_its_training_running_and_the_next_one_finds_it(runs):
    script = SERVER.replace("{order}", repr(LONG))
    run = subprocess.run([sys.executable, "-c", script, str(runs)], capture_output=True, text=True, check=False)
    assert run.returncode == -signal.SIGKILL and run.stdout.split() == ["hex3", "False"], run.stderr
    with open_client(runs) as client:
        assert look(client, "hex3")["state"] == "running"
        wait_for(lambda: look(client, "hex3")["episode"] > 0)
        assert client.post("/api/learn/runs/hex3/stop").status_code == 200
        assert in_state(client, "hex3", "stopped")["episode"] > 0


def test_a_server_that_is_closed_stops_its_trainings_and_loses_nothing(runs):
    with open_client(runs) as client:
        start(client, LONG)
        wait_for(lambda: look(client, "hex3")["episode"] > 0)
    assert not held(runs / "hex3" / "page-train.lock") and not held(runs / "hex3" / "lock")
    games = (runs / "hex3" / "games.jsonl").read_text().count("\n")
    with open_client(runs) as client:
        view = in_state(client, "hex3", "stopped")  # a file that has just changed counts as held for a moment
        assert view["episode"] == games > 0


def test_a_process_that_does_not_listen_is_ended_by_force(runs, monkeypatch):
    deaf = (
        "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
    )
    monkeypatch.setattr("ludus.web.learning.chores.COMMAND_LINE", (sys.executable, "-c", deaf))
    chores, chore = Chores(runs, patience=2.0), Chore(runs / "x", "train")
    chores.start(chore, [], {})
    wait_for(lambda: "deaf" in chore.log(100))
    chores.stop(chore)
    assert chores.stopping(chore)
    wait_for(lambda: not chore.running)
    assert not chores.stopping(chore) and chores.running() == []


def test_processes_are_niced_and_have_a_session_of_their_own(runs, monkeypatch):
    monkeypatch.setattr(
        "ludus.web.learning.chores.COMMAND_LINE", (sys.executable, "-c", "import time; time.sleep(600)")
    )
    chores, chore = Chores(runs), Chore(runs / "x", "train")
    chores.start(chore, [], {})
    pid, _ = chore.process
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getsid(pid) == pid
    chores.close()
    assert not chore.running


# ------------------------------------------------------------------------------------------- tournaments


def levels(client, size, count):
    offered = client.get("/api/opponents", params={"game": "hex", "options": json.dumps({"size": size})}).json()
    return [one["key"] for one in offered if one["group"] == "Levels"][:count]


def contest(client, key, **known):
    answer = client.get(f"/api/learn/tournaments/{key}", params=known)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_tournament_fills_in_and_its_table_is_that_of_the_arena(client, runs):
    order = {"game": "hex", "options": {"size": 3}, "agents": levels(client, 3, 3), "games": 4, "name": "cup"}
    answer = client.post("/api/learn/tournaments", json=order)
    assert answer.status_code == 200, answer.text
    assert contest(client, "cup")["state"] == "running"
    some = wait_for(lambda: (view := contest(client, "cup"))["games"] and view)
    assert some["total"] in (12, None)
    view = wait_for(lambda: (view := contest(client, "cup"))["state"] == "finished" and view)
    assert view["games"] == view["total"] == len(view["records"]) == 12
    assert [agent["label"] for agent in view["agents"]] == ["First steps", "Beginner", "Learner"]
    assert "95% interval" in view["sentence"]

    names = [agent["agent"] for agent in view["agents"]]
    expected = standing(names, read_records(runs / "cup" / "games.jsonl"), 0)
    for row, truth in zip(view["rows"], expected.rows, strict=True):
        assert names[row["agent"]] == truth.agent
        assert row["elo"] == round(truth.rating.elo, 1) and row["wins"] == truth.all.wins
        assert row["elo_interval"] == [round(truth.rating.low, 1), round(truth.rating.high, 1)]
    assert {(names[i], names[j]): points for i, j, points, _ in view["pairs"]} == {
        pair: tally.points for pair, tally in expected.pairs.items() if tally.games
    }
    again = contest(client, "cup", mark=view["mark"], after=view["next"])
    assert again["records"] == [] and not again["first"]

    number, first, second, score, plies, end = view["records"][0]
    game = client.get(f"/api/learn/tournaments/cup/games/{number}").json()
    assert game["names"] == [view["agents"][first]["label"], view["agents"][second]["label"]]
    assert len(game["moves"]) == plies and end == "rules"
    assert game["result"] == ("Red wins" if score > 0 else "Blue wins")
    assert "no finished game" in refused(client.get("/api/learn/tournaments/cup/games/999"))


def test_a_tournament_is_stopped_and_resumed(client):
    order = {"game": "hex", "options": {"size": 11}, "agents": levels(client, 11, 3), "games": 200}  # for a while
    key = client.post("/api/learn/tournaments", json=order).json()["key"]
    assert key == "tournament-hex11"
    wait_for(lambda: contest(client, key)["games"] > 2)
    client.post(f"/api/learn/tournaments/{key}/stop")
    stopped = wait_for(lambda: (view := contest(client, key))["state"] == "stopped" and view)
    assert 2 < stopped["games"] < 600 and stopped["total"] == 600
    assert client.post(f"/api/learn/tournaments/{key}/resume", json={}).status_code == 200
    wait_for(lambda: contest(client, key)["games"] > stopped["games"])


def test_the_networks_of_a_training_meet_each_other(client):
    name = start(client, TINY)
    in_state(client, name, "finished")
    assert client.post(f"/api/learn/runs/{name}/topp", json={"games": 4}).status_code == 200
    key = wait_for(lambda: look(client, name)["topp"])
    view = wait_for(lambda: (view := contest(client, key))["state"] == "finished" and view)
    assert view["topp"] and view["games"] == 12 and view["total"] == 12
    assert [(agent["episode"], agent["label"]) for agent in view["agents"]] == [
        (0, "untrained"), (10, "stage 10"), (20, "stage 20"),
    ]  # fmt: skip
    assert "raining" in view["verdict"] and "95% interval" in view["verdict"]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"agents": ["level:first_steps"]}, "2 to 10 different players"),
        ({"agents": ["level:first_steps", "random"]}, "Nobody called 'random'"),
        ({"agents": ["level:first_steps", "gtp:rm -rf /"]}, "Nobody called 'gtp:rm"),
        ({"agents": ["level:first_steps", "search:mcts:seconds=1000"]}, "Nobody called"),
        ({"agents": ["level:first_steps", "/etc/passwd"]}, "Nobody called"),
        ({"agents": [1, 2]}, "Agents cannot be"),
        ({"games": 10_000}, "number of games"),
        ({"name": ".hidden"}, "small letters"),
    ],
)
def test_a_tournament_has_only_players_that_were_offered(client, runs, change, words):
    order = {"game": "hex", "options": {"size": 3}, "agents": ["level:first_steps", "level:casual"]}
    assert words in refused(client.post("/api/learn/tournaments", json=order | change))
    assert not list(runs.glob("*/page-tournament.json"))


def test_what_was_started_from_the_command_line_is_shown_too(client, runs):
    ludus = [sys.executable, "-m", "ludus.cli"]
    tournament = ["tournament", "random", "random", "greedy", "--game", "tic_tac_toe", "--games", "2"]
    subprocess.run([*ludus, *tournament, "--out", runs / "shell"], check=True, capture_output=True)
    training = ["train", "hex", "--size", "3", "--episodes", "10", "--simulations", "4", "--truth", "0"]
    subprocess.run([*ludus, *training, "--run", runs / "Shell_run"], check=True, capture_output=True)
    cards = client.get("/api/learn").json()
    (card,) = cards["tournaments"]
    assert card["state"] == "finished" and card["players"] == ["random", "random #2", "greedy"] and card["games"] == 6
    (card,) = cards["trainings"]
    assert card["name"] == "Shell_run" and card["state"] == "finished" and card["episode"] == 10
    assert "command line" in refused(client.post("/api/learn/tournaments/shell/resume", json={}))
    assert client.get("/api/learn/tournaments/shell/games/0").json()["names"]


def test_a_training_with_a_limit_of_time_is_shown_by_its_time(client, runs):
    (runs / "timed").mkdir(parents=True)
    (runs / "timed" / "config.toml").write_text('minutes = 2\n[game]\nname = "hex"\nsize = 3\n')
    metrics = runs / "timed" / "metrics.jsonl"
    metrics.write_text(json.dumps({"episode": 50, "seconds": 30.0}) + "\n")
    told = look(client, "timed")
    assert told["state"] == "stopped" and told["minutes"] == 2 and told["episodes"] == 200
    assert told["progress"] == pytest.approx(0.25, abs=0.001)
    metrics.write_text(metrics.read_text() + json.dumps({"episode": 190, "seconds": 120.0}) + "\n")
    assert look(client, "timed")["state"] == "finished"
    assert "has played all its 190 games" in refused(client.post("/api/learn/runs/timed/resume", json={}))


def test_a_training_at_work_in_a_terminal_is_shown_running_and_cannot_be_stopped_here(client, runs):
    command = ["train", "hex", "--size", "3", "--episodes", "100000", "--simulations", "4", "--every", "0.2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ludus.cli", *command, "--run", runs / "shell"], stderr=subprocess.DEVNULL
    )
    try:
        wait_for(lambda: client.get("/api/learn").json()["trainings"])
        wait_for(lambda: look(client, "shell")["episode"] > 0)
        assert look(client, "shell")["state"] == "running"
        assert "command line" in refused(client.post("/api/learn/runs/shell/stop"))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(300)
    assert in_state(client, "shell", "stopped")


# ------------------------------------------------------------------------------------------- files that grow


def test_only_finished_lines_are_read_and_each_once(tmp_path):
    path = tmp_path / "a.jsonl"
    lines = Lines(path)
    assert lines.new() == []
    path.write_bytes(b"one\ntw")
    assert lines.new() == [b"one"]
    with path.open("ab") as file:
        file.write(b"o\nthree\n")
    assert lines.new() == [b"two", b"three"] and lines.new() == []
    assert lines.line(1) == b"two\n" and len(lines) == 3


def test_a_file_that_was_replaced_is_read_anew(tmp_path):
    path, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_bytes(b"one\ntwo\n")
    lines = Lines(path)
    lines.new()
    other.write_bytes(b"uno\ndue\ntre\n")
    other.replace(path)
    before = lines.generation
    assert lines.new() == [b"uno", b"due", b"tre"] and lines.generation > before
