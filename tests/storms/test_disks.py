"""Full and read-only disks: one sentence, nothing earned is lost, and the same command goes on when there is room."""

import json
import subprocess

import pytest
from starlette.testclient import TestClient

from ludus.learn.run import Run
from ludus.learn.trainer import Trainer, start
from ludus.play.record import read_record
from ludus.protocols.oht.results import Played, Seat, Series
from ludus.protocols.oht.storage.store import DatabaseTrouble, Store
from ludus.system import write_whole
from ludus.web.app import make_app
from ludus.web.library import Library
from ludus.web.site import SiteSettings
from ludus.web.tables import NotKept, Tables
from tests.learn.test_training import HEX, TINY
from tests.oht.rounds import CHEAP
from tests.storms.kills import broken_files, whole_lines
from tests.storms.places import LUDUS, fill, mounted, one_sentence, read_only, remount, run
from tests.web.asking import HOME, SOCKET, Page

TRAIN = ("train", "hex", "--size", "3", "--simulations", "10", "--hidden", "16", "--episodes", "60", "--truth", "0")
TOURNAMENT = ("tournament", "random", "greedy", "--game", "hex", "--size", "3", "--games", "60", "--workers", "1")


@pytest.fixture
def disk(tmp_path):
    """A disk of 400 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with mounted(folder, "size=400k"):
        yield folder


# ------------------------------------------------------------------------------------------------ trainings


def test_a_training_that_meets_the_largest_size_of_a_file_says_so_and_goes_on_later(tmp_path):
    told = one_sentence(run(*TRAIN, "--run", "run", cwd=tmp_path, largest=24 << 10), "the largest size", "make room")
    assert "`ludus train --resume run` goes on" in told
    before = whole_lines(tmp_path / "run" / "games.jsonl")
    assert before and broken_files(tmp_path / "run") == []
    assert run("train", "--resume", "run", "--truth", "0", cwd=tmp_path).returncode == 0
    after = whole_lines(tmp_path / "run" / "games.jsonl")
    assert after[: len(before)] == before and len(after) == 60


def test_a_training_on_a_full_disk_says_so_and_goes_on_when_there_is_room(disk):
    many = ("--hidden", "64", "--checkpoints", "50")
    done = run(*TRAIN, *many, "--run", "run", cwd=disk)
    one_sentence(done, "the disk is full", "`ludus train --resume run` goes on", "is kept")
    before = whole_lines(disk / "run" / "games.jsonl")
    assert before and broken_files(disk / "run") == [] and not list(disk.rglob("*.part"))
    remount(disk, "size=20m")
    assert run("train", "--resume", "run", "--truth", "0", cwd=disk).returncode == 0
    after = whole_lines(disk / "run" / "games.jsonl")
    assert after[: len(before)] == before and len(after) == 60 and broken_files(disk / "run") == []


def test_a_game_that_was_kept_but_not_listed_when_a_kill_came_is_listed_again(tmp_path):
    """A kill between the two lines that a finished game is."""
    folder = tmp_path / "run"
    trainer = start(folder, "hex", HEX, TINY)
    trainer.keep = lambda: None  # as after kill -9: the state is that of the beginning
    trainer.train()
    trainer.run.close()
    lines = whole_lines(folder / "games.jsonl")
    write_whole(folder / "games.jsonl", "".join(lines[:-1]))
    again = Trainer(HEX, TINY, Run(folder))
    again.resume()
    assert whole_lines(folder / "games.jsonl") == lines and again.episode == len(lines) == 8


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_no_half_of_the_new(disk):
    path = disk / "settings.json"
    write_whole(path, "old")
    fill(disk)
    with pytest.raises(OSError) as error:
        write_whole(path, b"x" * (1 << 20))
    assert error.value.filename == str(path) and path.read_text() == "old"
    assert sorted(file.name for file in disk.iterdir()) == ["ballast", "settings.json"]


# ------------------------------------------------------------------------------------------------ tournaments


def test_a_tournament_that_finds_no_room_says_so_and_the_same_command_goes_on(tmp_path):
    one_sentence(
        run(*TOURNAMENT, "--out", "out", cwd=tmp_path, largest=6000), "the largest size", "the same command goes on"
    )
    before = whole_lines(tmp_path / "out" / "games.jsonl")
    assert before
    done = run(*TOURNAMENT, "--out", "out", "--json", cwd=tmp_path)
    records = [read_record(line) for line in whole_lines(tmp_path / "out" / "games.jsonl")]
    assert done.returncode == 0 and json.loads(done.stdout)["games"] == 60
    assert whole_lines(tmp_path / "out" / "games.jsonl")[: len(before)] == before
    assert sorted(record.number for record in records) == list(range(60))


def test_a_tournament_on_a_full_disk_says_so_and_the_same_command_goes_on(disk):
    remount(disk, "size=20k")
    one_sentence(run(*TOURNAMENT, "--out", "out", cwd=disk), "the disk is full", "the same command goes on")
    assert whole_lines(disk / "out" / "games.jsonl")
    remount(disk, "size=4m")
    assert run(*TOURNAMENT, "--out", "out", cwd=disk).returncode == 0
    numbers = [read_record(line).number for line in whole_lines(disk / "out" / "games.jsonl")]
    assert sorted(numbers) == list(range(60))


# ------------------------------------------------------------------------------------------------ servers


def test_a_game_on_the_page_goes_on_while_the_disk_is_full_and_is_kept_when_there_is_room(disk):
    library = Library()
    tables = Tables(disk / "page", library)
    table = tables.begin("hex", {"size": 11}, ["person", "person"])
    ballast, actions, refused = fill(disk), [], 0
    for action in range(100):
        try:
            tables.add(table, {"event": "move", "parent": table.head, "action": action})
        except NotKept as error:
            assert "cannot be kept at the moment: the disk is full" in str(error)
            refused += 1
        actions.append(action)
    assert refused and table.actions(table.head) == tuple(actions)
    ballast.unlink()
    tables.add(table, {"event": "move", "parent": table.head, "action": 120})
    again = Tables(disk / "page", library).get(table.key)
    assert again.actions(again.head) == (*actions, 120)


def test_a_page_whose_game_cannot_be_kept_hears_it_and_the_game_goes_on(tmp_path, monkeypatch):
    def full(key, event):
        raise NotKept("This game cannot be kept at the moment: the disk is full; make room")

    app = make_app(SiteSettings(runs=tmp_path, workers=1))
    with TestClient(app, HOME) as client, client.websocket_connect(SOCKET) as socket:
        page, seen = Page(socket), {}
        page.ask("new", game="hex", options={"size": 4}, seats=["person", "person"])
        page.told("table")
        monkeypatch.setattr(app.state.site.tables, "_write", full)
        page.ask("play", node=0, move="b2")
        while set(seen) != {"table", "refused"}:
            told = json.loads(socket.receive_text())
            seen[told["tell"]] = told
        assert "the disk is full" in seen["refused"]["sentence"] and len(seen["table"]["line"]) == 1


def test_a_tournament_server_refuses_a_game_that_it_cannot_store_and_stores_it_when_there_is_room(disk):
    remount(disk, "size=8m")
    store = Store(str(disk / "oht.db"), cost=CHEAP)
    account = store.add_account("anna")
    round = store.begin_official(account.id, [Series(Seat("anna", account.id), Seat("random"), 50)])
    moves = tuple((row, column) for row in range(7) for column in range(7))
    ballast, stored = fill(disk), 0
    with pytest.raises(DatabaseTrouble, match="disk is full"):
        for number in range(50):
            store.record(round.id, [Played(number, 1, moves)])
            stored += 1
    ballast.unlink()
    for number in range(stored, 50):
        store.record(round.id, [Played(number, 1, moves)])
    assert sorted(game.number for game in store.round(round.id).played) == list(range(50))
    store.close()


# ------------------------------------------------------------------------------------------------ read-only


@pytest.mark.parametrize(
    "arguments",
    [
        (*TRAIN, "--run", "place/run"),
        (*TOURNAMENT, "--out", "place/out"),
        ("serve", "--no-open", "--runs", "place/runs"),
        (
            "oht",
            "serve",
            "--database",
            "sqlite:///place/oht.db",
            "--certificate",
            "place/a.crt",
            "--key",
            "place/a.key",
        ),
    ],
)
def test_a_folder_that_can_only_be_read_gets_one_sentence_and_nothing_is_begun(arguments, tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    with read_only(place):
        told = one_sentence(run(*arguments, cwd=tmp_path), "place")
        assert "ead-only" in told or "ermission denied" in told
    assert list(place.iterdir()) == []


def test_what_stopped_in_a_read_only_folder_goes_on_when_it_can_be_written_again(tmp_path):
    place = tmp_path / "place"
    place.mkdir()
    assert run(*TOURNAMENT, "--games", "4", "--out", "place/out", cwd=tmp_path).returncode == 0
    start(place / "run", "hex", HEX, TINY).train()
    on = (*TOURNAMENT, "--games", "8", "--out", "place/out")
    with read_only(place):
        one_sentence(run(*on, cwd=tmp_path), "place")
        with pytest.raises(OSError):
            Run(place / "run").open()
    assert run(*on, cwd=tmp_path).returncode == 0
    Run(place / "run").open()
    assert len(whole_lines(place / "out" / "games.jsonl")) == len(whole_lines(place / "run" / "games.jsonl")) == 8


def test_a_log_file_on_a_full_disk_stops_no_command(disk):
    fill(disk)
    done = subprocess.run(
        [*LUDUS, *TOURNAMENT, "--games", "2", "--out", str(disk.parent / "out"), "--log-file", str(disk / "log")],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr.count("the log cannot be written") == 1
    assert "Traceback" not in done.stderr
