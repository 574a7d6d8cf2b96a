"""The teacher's commands, as they are typed."""

import csv
import json
import os
import pty
import stat
import subprocess
import sys

import pytest

from ludus.cli import run
from ludus.cli.oht import COMMANDS
from ludus.protocols.oht.storage.store import NewAccount, Store
from tests.cli.test_cli import LUDUS
from tests.oht.rounds import CHEAP, plan_for, play


@pytest.fixture
def teacher(url, tmp_path, monkeypatch, capsys):
    """Runs a command in an empty folder, with the database in the environment; gives what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_OHT_DATABASE", url)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("ludus.protocols.oht.storage.store.Store.__init__.__defaults__", (True, CHEAP, lambda: 1.0))

    def call(*arguments, code=0):
        assert run("oht", list(arguments)) == code, capsys.readouterr().err
        done = capsys.readouterr()
        assert code == 0 or not done.out
        return done.out if code == 0 else done.err

    return call


@pytest.fixture
def store(teacher, url):
    store = Store(url)
    yield store
    store.close()


ENDINGS = {"a good secret": b"token: ", "another one": b"two different passwords", "\x04": b"no password was given"}


def typed(monkeypatch, text):
    read, write = os.pipe()
    os.write(write, text.encode())
    os.close(write)
    monkeypatch.setattr("sys.stdin", os.fdopen(read))


def test_a_player_gets_a_password_and_a_token_that_work(teacher, store):
    text = teacher("add-player", "Anna", "--generate", "--email", "anna@example.org", "--attempts", "3")
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    assert "with 3 official attempts" in text and "shown only once" in text
    assert store.by_password("Anna", lines["password"]) == store.by_token(lines["token"])
    assert store.account("Anna").email == "anna@example.org"


def test_a_password_may_come_from_standard_input_and_is_not_printed(teacher, store, monkeypatch):
    typed(monkeypatch, "a good secret\nmore\n")
    shown = json.loads(teacher("add-player", "Anna", "--password-stdin", "--json"))
    assert sorted(shown) == ["name", "token"]
    assert store.by_password("Anna", "a good secret") == store.by_token(shown["token"])


def test_without_a_terminal_a_password_is_not_asked_for(teacher, store, monkeypatch):
    typed(monkeypatch, "")
    assert "say --generate or --password-stdin" in teacher("add-player", "Anna", code=2)
    typed(monkeypatch, "short\n")
    assert "8 to 256 characters, not 5" in teacher("add-player", "Anna", "--password-stdin", code=2)
    assert "choose one" in teacher("add-player", "Anna", "--password-stdin", "--generate", code=2)
    assert store.account("Anna") is None


@pytest.mark.parametrize("second", ["a good secret", "another one", "\x04"])  # the last one is Ctrl-D
def test_a_password_is_asked_for_twice_without_being_shown(tmp_path, second):
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [LUDUS, "oht", "add-player", "Anna"], stdin=slave, stdout=slave, stderr=slave, cwd=tmp_path,
        env={key: value for key, value in os.environ.items() if key != "LUDUS_OHT_DATABASE"}, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    shown = read_until(master, b"password: ")
    os.write(master, b"a good secret\n")
    shown += read_until(master, b"again: ")
    os.write(master, second.encode() + b"\n" * (second != "\x04"))
    shown += read_until(master, None)
    os.close(master)
    same = second == "a good secret"
    assert process.wait(timeout=300) == (0 if same else 2), shown
    assert b"secret" not in shown and ENDINGS[second] in shown


def read_until(master, end):
    shown = b""
    while end is None or end not in shown:
        try:
            part = os.read(master, 1000)
        except OSError:  # the other side has closed the terminal
            break
        if not part:
            break
        shown += part
    return shown


def test_a_name_that_is_taken_is_told_before_a_password_is_asked_for(teacher, store):
    store.add_account("Anna")
    assert "there is an account 'ANNA' already" in teacher("add-player", "ANNA", code=2)


def test_a_class_gets_secrets_in_a_file_of_its_owner(teacher, store, tmp_path):
    (tmp_path / "class.csv").write_text("name,email,password,attempts\nAnna,a@example.org,,\nBob,,my own secret,2\n")
    text = teacher("add-class", "class.csv", "--output", "secrets.csv", "--attempts", "7")
    assert "2 players added" in text and "secret" in text
    rows = {row["name"]: row for row in csv.DictReader((tmp_path / "secrets.csv").open())}
    assert stat.S_IMODE((tmp_path / "secrets.csv").stat().st_mode) == 0o600
    assert store.by_password("Anna", rows["Anna"]["password"]) == store.by_token(rows["Anna"]["token"])
    assert store.by_password("Bob", "my own secret") == store.by_token(rows["Bob"]["token"])
    assert rows["Bob"]["password"] == "" and rows["Anna"]["password"] not in text
    assert (store.account("Anna").attempts, store.account("Bob").attempts) == (7, 2)


def test_a_class_with_a_mistake_adds_nobody_and_writes_nothing(teacher, store, tmp_path):
    store.add_account("Carl", email="c@example.org")
    lines = ["Anna,a@example.org", "bob,", "carl,", "Dora,C@example.org", "BOB,"]
    (tmp_path / "class.csv").write_text("\n".join(["name,email", *lines]))
    text = teacher("add-class", "class.csv", "--output", "secrets.csv", code=2)
    assert "class.csv, line 4: there is an account 'carl' already" in text
    assert "line 5: the address 'C@example.org' belongs to the account 'Carl' already" in text
    assert "line 6: 'BOB' is in the list twice" in text and "nothing was added" in text
    assert [row.name for row in store.standings()] == ["Carl"] and not (tmp_path / "secrets.csv").exists()


def test_a_class_never_replaces_a_file(teacher, store, tmp_path):
    (tmp_path / "class.csv").write_text("name\nAnna\n")
    (tmp_path / "secrets.csv").write_text("those of last year")
    assert "exists already" in teacher("add-class", "class.csv", "--output", "secrets.csv", code=2)
    assert (tmp_path / "secrets.csv").read_text() == "those of last year" and store.account("Anna") is None


def test_secrets_of_a_class_that_could_not_be_added_are_removed(teacher, store, tmp_path, monkeypatch):
    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ludus.protocols.oht.storage.store.hash_all", fail)
    (tmp_path / "class.csv").write_text("name\nAnna\n")
    assert run("oht", ["add-class", "class.csv", "--output", "secrets.csv"]) == 130
    assert not (tmp_path / "secrets.csv").exists() and store.account("Anna") is None


@pytest.mark.parametrize("content", ["name,email\n", "name,email\n,\n"])
def test_a_class_without_players_is_a_mistake(teacher, tmp_path, content):
    (tmp_path / "class.csv").write_text(content)
    assert "has no players" in teacher("add-class", "class.csv", "--output", "secrets.csv", code=2)
    assert "No such file" in teacher("add-class", "nowhere.csv", "--output", "secrets.csv", code=1)


def test_players_are_listed(teacher, store):
    assert "The tournament is open; no accounts" in teacher("players")
    anna = store.add_account("Anna", email="anna@example.org").id
    play(store, store.begin_official(anna, plan_for(anna)), wins=6)
    text = teacher("players")
    assert "1 account " in text and "Anna" in text and "75.0" in text and "1 of 5" in text
    shown = json.loads(teacher("players", "--json"))
    assert shown["status"] == "open" and shown["players"][0]["best"] == 75


@pytest.mark.parametrize("columns", [30, 50, 80, 160])
def test_the_list_of_players_fits_the_screen(teacher, store, monkeypatch, columns):
    store.add_accounts([NewAccount("Wilhelmine Weber", "wilhelmine.weber@example.org"), NewAccount("Bo")])
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = teacher("players").splitlines()[1:]
    assert max(map(len, lines)) <= columns and all(word in lines[1] for word in ("name", "best", "attempts"))
    assert ("email" in lines[1]) == (columns == 160) and ("league" in lines[1]) == (columns >= 80)


def test_a_new_token_and_a_new_password_replace_the_old_ones(teacher, store):
    anna = store.add_account("Anna", "a good secret").id
    old = store.new_token(anna)
    new = json.loads(teacher("new-token", "anna", "--json"))["token"]
    assert store.by_token(old) is None and store.by_token(new).id == anna
    password = json.loads(teacher("new-password", "anna", "--generate", "--json"))["password"]
    assert store.by_password("Anna", "a good secret") is None and store.by_password("Anna", password).id == anna


def test_an_attempt_is_given_back(teacher, store):
    anna = store.add_account("Anna").id
    assert "none to give back" in teacher("give-back", "Anna", code=2)
    play(store, store.begin_official(anna, plan_for(anna)), wins=6, until=7)
    assert "Anna has 5 official attempts left: the one with 7 of 8 games played no longer counts" in teacher(
        "give-back", "Anna"
    )
    store.begin_official(anna, plan_for(anna))
    assert json.loads(teacher("give-back", "Anna", "--json"))["left"] == 5


def test_the_tournament_is_paused_closed_and_opened(teacher, store):
    for command, status in (("pause", "paused"), ("close", "closed"), ("open", "open")):
        assert f"is {status}" in teacher(command)
        assert store.status() == status
    assert json.loads(teacher("pause", "--json")) == {"status": "paused"}


def test_results_are_exported_to_the_screen_or_a_file(teacher, store, tmp_path):
    anna = store.add_account("=Anna").id
    play(store, store.begin_official(anna, plan_for(anna)), wins=6)
    text = teacher("export")
    assert "'=Anna,,'=Anna,75.0,1,4,0,75.0,0,,0,0" in text
    teacher("export", "--output", "grades.csv")
    assert (tmp_path / "grades.csv").read_text() == text
    assert stat.S_IMODE((tmp_path / "grades.csv").stat().st_mode) == 0o600  # it holds addresses
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("grades")] == ["grades.csv"]
    shown = json.loads(teacher("export", "--json"))
    assert shown["players"][0]["name"] == "=Anna" and shown["rounds"][0]["score"] == 75


def test_an_export_replaces_the_last_one_whole_and_a_device_is_only_written_to(teacher, store, tmp_path):
    store.add_account("Anna", email="anna@example.org")
    (tmp_path / "old.csv").write_text("those of last week")
    (tmp_path / "grades.csv").symlink_to(tmp_path / "old.csv")
    teacher("export", "--output", "grades.csv")
    assert "anna@example.org" in (tmp_path / "old.csv").read_text() and (tmp_path / "grades.csv").is_symlink()
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE)
    teacher("export", "--output", "pipe")
    assert b"anna@example.org" in reader.communicate(timeout=60)[0] and (tmp_path / "pipe").is_fifo()
    assert "cannot write" in teacher("export", "--output", "nowhere/grades.csv", code=2)


# ----------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    "arguments",
    [
        ("add-class", "wrong.csv", "--output", "secrets.csv"),
        ("add-class", "twice.csv", "--output", "secrets.csv"),
        ("add-class", "class.csv", "--output", "wrong.csv"),  # a file that is there
        ("add-class", "class.csv", "--output", "nowhere/secrets.csv"),
        ("add-player", "Anna", "--generate", "--email", "anna"),
        ("add-player", "Anna", "--generate", "--password-stdin"),
        ("serve", "--port", "None", "--json-port", "0", "--game", "connect_four", "--board", "7"),
        ("serve", "--port", "None", "--json-port", "0", "--host", "192.0.2.1"),  # an address that nobody has
    ],
)
def test_a_command_with_a_mistake_begins_no_database(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LUDUS_OHT_DATABASE", raising=False)
    (tmp_path / "class.csv").write_text("name,email\nAnna,anna@example.org\n")
    (tmp_path / "wrong.csv").write_text("name,email\nAnna,anna\n")
    (tmp_path / "twice.csv").write_text("name,email\nAnna,\nanna,\n")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert run("oht", list(arguments)) in (1, 2)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before, capsys.readouterr().err


def test_an_unknown_account_gets_a_hint(teacher, store):
    assert "there is no account 'Anna'; there are no accounts yet" in teacher("new-token", "Anna", code=2)
    store.add_account("Anna")
    assert "there is no account 'Ana'; did you mean Anna?" in teacher("give-back", "Ana", code=2)
    assert "there is no account" in teacher("give-back", "x" * 1000, code=2)


@pytest.mark.parametrize("command", ["players", "pause", "export"])
def test_a_command_in_the_wrong_folder_makes_no_database(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LUDUS_OHT_DATABASE", raising=False)
    assert run("oht", [command]) == 2
    assert "there is no database oht.db" in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ("players", "--database", "postgresql://anna:topsecret@localhost:1/name"),
        ("players", "--databas", "postgresql://anna:topsecret@localhost:1/name"),
        ("players", "postgresql://anna:topsecret@localhost:1/" + "x" * 100),
        ("players", "--database", "mysql://anna:topsecret@localhost:1/name"),
        ("players", "--database", "postgresql://anna@localhost:1/name?password=topsecret"),
        ("players", "--database", "postgresql://anna:topsecret@localhost:1/name", "--help"),
        ("players", "--help"),
    ],
)
def test_the_password_of_a_database_is_never_printed(arguments, monkeypatch, capsys):
    monkeypatch.setenv("LUDUS_OHT_DATABASE", "postgresql://anna:topsecret@localhost:1/name")
    try:
        assert run("oht", list(arguments)) == 2
    except SystemExit as stop:
        assert stop.code == 0
    done = capsys.readouterr()
    assert (done.out or done.err) and "topsec" not in done.out + done.err and "Traceback" not in done.err


@pytest.mark.parametrize("command", [name for name, (module, _) in COMMANDS.items() if module == "teacher"])
def test_every_command_has_help(command, capsys):
    with pytest.raises(SystemExit) as stop:
        run("oht", [command, "--help"])
    text = capsys.readouterr().out
    assert stop.value.code == 0 and f"ludus oht {command}" in text and "--database URL" in text and "--json" in text


def test_without_the_extra_there_is_one_sentence(monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("ludus.protocols.oht")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    assert run("oht", ["players"]) == 2
    assert "pip install 'ludus[oht]'" in capsys.readouterr().err
