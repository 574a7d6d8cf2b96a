"""kill -9 at random instants, in a small form: `make storm` does it a hundred times. The tournament server is killed in
tests/oht/test_kill.py."""

import pytest

from tests.storms import kills


def test_a_training_that_is_killed_again_and_again_loses_no_game_and_no_file(tmp_path):
    counts = kills.train(tmp_path, 4, seed=7)
    assert counts.killed == 4 and counts.gone_on >= 1 and counts.after == counts.before + 20
    assert (counts.lost, counts.twice, counts.broken) == (0, 0, 0)


def test_a_tournament_that_is_killed_again_and_again_ends_as_one_that_was_not(tmp_path):
    counts = kills.tournament(tmp_path, 4, seed=7, games=40)
    assert counts.killed >= 1 and counts.gone_on >= 1 and counts.after == 120
    assert (counts.lost, counts.twice, counts.broken) == (0, 0, 0)


def test_a_page_that_is_killed_again_and_again_keeps_every_move_that_anybody_was_told(tmp_path):
    pytest.importorskip("websockets", reason="websockets is missing: pip install 'ludus[web]'")
    counts = kills.page(tmp_path, 4, seed=7)
    assert counts.killed == 4 and counts.gone_on >= 1 and counts.after > counts.before
    assert (counts.lost, counts.twice, counts.broken) == (0, 0, 0)


# ------------------------------------------------------------------------------------------------ the storm's own eyes


def test_what_the_storm_would_call_broken_or_lost(tmp_path):
    """The checks themselves: each finds the fault that it is there for."""
    (tmp_path / "state.safetensors").write_bytes(b"\x08\0\0\0")
    (tmp_path / "settings.json").write_text('{"half": ')
    (tmp_path / "config.toml").write_text("a = ")
    (tmp_path / "games.jsonl").write_text('{"a": 1}\n{"b": \n{"cut off": ')
    (tmp_path / "good.jsonl").write_text('{"a": 1}\n{"cut off": ')
    (tmp_path / "good.json").write_text("{}")
    assert [fault.partition(":")[0] for fault in kills.broken_files(tmp_path)] == [
        "config.toml", "games.jsonl", "settings.json", "state.safetensors",
    ]  # fmt: skip
    assert kills.whole_lines(tmp_path / "good.jsonl") == ['{"a": 1}\n']
    assert kills.missing(["a", "b"], ["a", "b", "c"]) == 0
    assert kills.missing(["a", "b"], ["a"]) == kills.missing(["a", "b"], ["a", "c", "b"]) == 1
