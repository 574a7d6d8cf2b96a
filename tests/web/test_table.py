"""A table is what its events say: a tree of moves, seats and clocks, kept line by line."""

import pytest

from ludus.play.record import read_record
from ludus.web.library import Library
from ludus.web.table import BadTable
from ludus.web.tables import NoTable, Tables

LIBRARY = Library()


@pytest.fixture
def tables(tmp_path):
    return Tables(tmp_path, LIBRARY)


def moves(tables, table, *actions, **more):
    for action in actions:
        tables.add(table, {"event": "move", "parent": table.head, "action": action, **more})


def test_a_move_elsewhere_begins_a_branch_and_nothing_is_lost(tables):
    table = tables.begin("hex", {"size": 5}, ["person", "level:beginner"])
    moves(tables, table, 12, 3)
    tables.add(table, {"event": "head", "node": 1})
    moves(tables, table, 4)
    assert table.line(0) == [1, 3] and table.head == 3
    assert [table.node(child).name for child in table.node(1).children] == ["d1", "e1"]
    table.look(2)
    assert table.line(1) == [1, 2]


def test_a_move_that_was_played_before_is_found_again(tables):
    table = tables.begin("hex", {"size": 5}, ["person", "person"])
    moves(tables, table, 12, 3)
    tables.add(table, {"event": "head", "node": 0})
    moves(tables, table, 12)
    assert table.head == 1 and len(table.nodes) == 3


def test_undo_goes_back_to_where_the_person_was_to_move(tables):
    table = tables.begin("hex", {"size": 5}, ["person", "level:beginner"])
    moves(tables, table, 12, 3, 4)
    assert table.before(3) == 2 and table.before(2) == 0 and table.before(0) is None
    second = tables.begin("hex", {"size": 5}, ["level:beginner", "person"])
    moves(tables, second, 12)
    assert second.before(1) is None  # the first move was the machine's


def test_everything_is_there_again_after_a_restart(tables, tmp_path):
    table = tables.begin("go", {"size": 5}, ["person", "level:beginner"], "15+1")
    moves(tables, table, 12, 3, seconds=2.0, value=0.25)
    tables.add(table, {"event": "end", "node": 2, "end": "resign", "fault": 0})
    again = Tables(tmp_path, LIBRARY).get(table.key)
    assert again.game == table.game and again.seats == table.seats and again.head == 2
    assert [node.left for node in again.nodes] == [(15, 15), (14, 15), (14, 14)]
    assert again.over(2) and again.score(2) == -1
    assert again.record(2) == table.record(2)


def test_a_line_that_was_cut_off_is_left_out(tables, tmp_path):
    table = tables.begin("hex", {"size": 5}, ["person", "person"])
    moves(tables, table, 12, 3)
    path = tmp_path / f"{table.key}.jsonl"
    path.write_text(path.read_text()[:-9])
    restarted = Tables(tmp_path, LIBRARY)
    again = restarted.get(table.key)
    assert again.head == 1
    moves(restarted, again, 7)
    assert Tables(tmp_path, LIBRARY).get(table.key).actions(2) == (12, 7)


def test_events_that_do_not_fit_are_refused_and_change_nothing(tables):
    table = tables.begin("hex", {"size": 5}, ["person", "person"])
    moves(tables, table, 12)
    for event in (
        {"event": "move", "parent": 1, "action": 12},
        {"event": "move", "parent": 9, "action": 1},
        {"event": "head", "node": -1},
        {"event": "fly"},
    ):
        with pytest.raises(BadTable):
            tables.add(table, event)
    assert len(table.nodes) == 2 and table.head == 1


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "0" * 12, "x" * 12, "../page/000000000000"])
def test_a_key_that_is_none_opens_nothing(tables, key):
    with pytest.raises(NoTable):
        tables.get(key)


def test_a_record_of_the_table_can_be_replayed(tables):
    table = tables.begin("tic_tac_toe", {}, ["person", "person"])
    moves(tables, table, 0, 3, 1, 4, 2)
    record = read_record(table.record(table.head).line())
    *_, last = record.replay(table.game)
    assert last.over and record.score == 1 and record.end == "rules"


def test_a_table_has_a_largest_size(tables, monkeypatch):
    monkeypatch.setattr("ludus.web.table.MOST_NODES", 4)
    table = tables.begin("hex", {"size": 5}, ["person", "person"])
    moves(tables, table, 1, 2, 3)
    with pytest.raises(BadTable, match="at most 4"):
        moves(tables, table, 4)


def test_many_tables_share_the_memory_and_none_is_lost(tables, monkeypatch):
    monkeypatch.setattr("ludus.web.tables.MOST_OPEN", 3)
    made = [tables.begin("nim", {}, ["person", "person"]) for _ in range(8)]
    for table in made:
        moves(tables, tables.get(table.key), 0)
    assert all(tables.get(table.key).head == 1 for table in made)
    assert len(tables.listed()) == 8
