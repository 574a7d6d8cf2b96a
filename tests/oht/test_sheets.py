"""Class lists, and lists for spreadsheets."""

import csv
import io
import stat

import pytest

from ludus.errors import LudusError
from ludus.protocols.oht.storage.accounts import NewAccount
from ludus.protocols.oht.storage.sheets import grades, harmless, read_class, to_csv, write_secrets
from tests.oht.rounds import plan_for, play


def read(tmp_path, content):
    path = tmp_path / "class.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return [(line.number, line.new) for line in read_class(path, attempts=5)]


def test_a_class_list_may_have_columns_in_any_order_and_blank_lines(tmp_path):
    text = 'Email, Name ,attempts\r\nanna@example.org,Anna,\r\n\r\n,"Bo ""b""",2\r\n'
    assert read(tmp_path, text) == [(2, NewAccount("Anna", "anna@example.org")), (4, NewAccount('Bo "b"', attempts=2))]


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("separator", [",", ";"])
def test_a_class_list_may_come_from_any_spreadsheet(tmp_path, start, separator):
    text = "name,email,password\nÅse,aase@example.org,geheim=12\n".replace(",", separator)
    assert read(tmp_path, start + text.encode()) == [(2, NewAccount("Åse", "aase@example.org", "geheim=12"))]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty: a class list begins with a line that names its columns"),
        ("Anna,anna@example.org\n", "line 1: the first line must name the columns"),
        ("name,name\n", "line 1: the first line must name the columns"),
        ("name,email\nAnna\n", "line 2: the number of cells is 1, but there are 2 columns; nothing was added"),
        ("name,email\nAnna,\nBob,nowhere\n", "line 3: this is not an e-mail address: 'nowhere'"),
        ("name,password\n\nBob,short\n", "line 3: a password has 8 to 256 characters, not 5"),
        ("name,attempts\nBob,many\n", "line 2: attempts must be a whole number from 0 to 10000, not 'many'"),
        ("name,attempts\nBob,-1\n", "line 2: attempts must be a whole number from 0 to 10000, not '-1'"),
        ("name,attempts\nBob,99999\n", "line 2: attempts must be a whole number from 0 to 10000"),
        ('name\n"Bob\n', "line 2: this is not CSV, perhaps because of a quotation mark"),
        (b"name\nB\xf8rge\n", "line 2: this is not UTF-8"),
        ("name\n" + "x" * 65 + "\na\tb\n", "line 2: a name has 1 to 64.*; line 3: a name has no control"),
        ("name\n" + "\x01\n" * 9, "line 6: .*; and 4 more; nothing was added"),
        (b"name\n" + b"x\n" * 1_000_001, "too large"),
    ],
)
def test_a_mistake_in_a_class_list_is_told_with_its_line(tmp_path, content, words):
    with pytest.raises(LudusError, match=words):
        read(tmp_path, content)


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", '=cmd|"/c calc"!A1'])
def test_a_cell_that_begins_like_a_formula_becomes_text(cell):
    assert harmless(cell) == f"'{cell}"
    assert next(csv.reader(io.StringIO(to_csv(["x"], [])))) == ["x"]


@pytest.mark.parametrize("cell", ["Anna", "a=b", "", None, -3, 2.5])
def test_other_cells_stay_as_they_are(cell):
    assert harmless(cell) == cell


def test_secrets_are_written_for_their_owner_only_and_never_over_a_file(tmp_path):
    path = tmp_path / "secrets.csv"
    people = [
        NewAccount("=Anna", "a@example.org", "k7xm-2dqa", token="t1"),
        NewAccount("Bob", "", "own one", token="t2"),
    ]
    write_secrets(path, people, [True, False])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "name,email,password,token\n'=Anna,a@example.org,k7xm-2dqa,t1\nBob,,,t2\n"
    with pytest.raises(LudusError, match="exists already"):
        write_secrets(path, people, [True, True])
    (tmp_path / "link.csv").symlink_to(tmp_path / "elsewhere.csv")
    with pytest.raises(LudusError, match="exists already"):
        write_secrets(tmp_path / "link.csv", people, [True, True])
    assert "own one" not in path.read_text() and not (tmp_path / "elsewhere.csv").exists()


def test_grades_have_a_column_for_every_attempt(store):
    anna = store.add_account("Anna", email="anna@example.org", attempts=4).id
    bob = store.add_account("Bob").id
    store.set_handle(bob, "=HYPERLINK(1)")
    for won, until in ((3, None), (8, None), (2, None), (1, 5)):
        play(store, store.begin_official(anna, plan_for(anna)), won, until)
        if won == 8:
            store.give_back(anna)
    rows = list(csv.DictReader(io.StringIO(grades(store.standings(), store.results()))))
    assert rows[0] == {
        "name": "Anna", "email": "anna@example.org", "handle": "Anna", "best_score": "37.5", "attempts_used": "3",
        "attempts_left": "1", "attempts_given_back": "1", "attempt_1": "37.5", "attempt_2": "25.0",
        "attempt_3": "unfinished (5 of 8 games)", "verification_rounds": "0", "best_verification_score": "",
        "league_games": "0", "league_wins": "0",
    }  # fmt: skip
    assert (rows[1]["handle"], rows[1]["best_score"], rows[1]["attempt_1"]) == ("'=HYPERLINK(1)", "", "")
