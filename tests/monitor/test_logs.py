"""Logs: one formatter for lines and JSON, levels, files, and no secrets."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludus.errors import BadOption
from ludus.monitor import logs

LUDUS = (sys.executable, "-c", "from ludus.cli import main; main()")


@pytest.fixture(autouse=True)
def quiet_afterwards():
    yield
    logs.set_up(None, False, None)


def written(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_of_json_has_time_level_logger_message_and_what_stands_beside_it(tmp_path):
    logs.set_up(None, True, tmp_path / "log")
    logs.logger("oht").info("a game is stored", extra=logs.about(round=3, share=1 / 3, path=tmp_path, none=None))
    (row,) = written(tmp_path / "log")
    assert list(row)[:4] == ["time", "level", "logger", "message"] and row["time"].endswith("Z")
    assert (row["level"], row["logger"], row["message"]) == ("info", "oht", "a game is stored")
    assert (row["round"], row["share"], row["path"], row["none"]) == (3, 0.333333, str(tmp_path), None)


def test_what_stands_beside_a_message_cannot_take_the_place_of_its_level(tmp_path):
    logs.set_up(None, True, tmp_path / "log")
    logs.logger("oht").warning("true", extra=logs.about(level="error", message="false", time=0))
    assert {key: written(tmp_path / "log")[0][key] for key in ("level", "message")} == {
        "level": "warning", "message": "true",
    }  # fmt: skip


def test_a_message_is_one_line_whatever_it_says(tmp_path):
    for as_json in (False, True):
        path = tmp_path / f"log{as_json}"
        logs.set_up(None, as_json, path)
        logs.logger("oht").info("two\nlines \x1b[31m", extra=logs.about(nickname="a\r\n2026 error oht: a lie"))
        assert len(path.read_text().splitlines()) == 1 and "\x1b" not in path.read_text()


@pytest.mark.parametrize(
    ("level", "heard"), [("debug", "diwe"), (None, "iwe"), ("info", "iwe"), ("warning", "we"), ("error", "e")]
)
def test_levels(level, heard, tmp_path):
    logs.set_up(level, True, tmp_path / "log")
    log = logs.logger("web")
    for kind in ("debug", "info", "warning", "error"):
        getattr(log, kind)(kind)
    assert "".join(row["message"][0] for row in written(tmp_path / "log")) == heard


def test_of_libraries_only_warnings_are_written_down_whatever_the_level(tmp_path):
    """Theirs may hold what clients have sent: at their debug level websockets shows headers with cookies."""
    logs.set_up("debug", True, tmp_path / "log")
    logging.getLogger("websockets.server").debug("< Cookie: ludus_token=abc")
    logging.getLogger("uvicorn.error").warning("invalid request")
    assert [row["message"] for row in written(tmp_path / "log")] == ["invalid request"]


@pytest.mark.parametrize(
    "text",
    [
        "GET /?token=s3cret-word&table=1",
        '{"token": "s3cret-word"}',
        "password='s3cret-word'",
        "cannot connect to postgresql://teacher:s3cret-word@localhost/oht",
        "Authorization: Bearer s3cret-word",
        "X-Api-Token: s3cret-word",
        "Cookie: ludus_token=s3cret-word; other=1",
        "the word itself: opensesame",
    ],
)
def test_secrets_are_covered_in_messages_in_what_stands_beside_them_and_in_traces(text, tmp_path):
    logs.hide("opensesame")
    logs.set_up(None, True, tmp_path / "log")
    log = logs.logger("web")
    log.warning(text)
    log.warning("beside", extra=logs.about(asked=text, several=[text], named={"asked": text}))
    try:
        raise RuntimeError(text)
    except RuntimeError:
        log.exception("an error")
    told = (tmp_path / "log").read_text(encoding="utf-8")
    assert len(written(tmp_path / "log")) == 3 and "RuntimeError" in told and "…" in told
    assert "s3cret" not in told and "opensesame" not in told


def test_an_everyday_sentence_about_tokens_stays_as_it_is():
    told = "Hanna asks for a new token: ludus oht new-token Hanna"
    assert logs.covered(told) == told


def test_a_log_file_that_cannot_be_opened_gets_one_sentence(tmp_path):
    with pytest.raises(BadOption, match=r"--log-file .* cannot be written: no such file or directory"):
        logs.set_up(None, True, tmp_path / "none" / "log")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_under_the_log_is_said_once_and_stops_nobody(capfd):
    logs.set_up(None, True, Path("/dev/full"))
    for _ in range(3):
        logs.logger("oht").info("a game is stored")
    told = capfd.readouterr().err
    assert told.count("the log cannot be written") == 1 and "Traceback" not in told


def test_a_log_file_that_was_moved_away_is_begun_anew(tmp_path):
    logs.set_up(None, True, tmp_path / "log")
    logs.logger("oht").info("one")
    os.rename(tmp_path / "log", tmp_path / "log.1")
    logs.logger("oht").info("two")
    assert [written(tmp_path / name)[0]["message"] for name in ("log.1", "log")] == ["one", "two"]


# ------------------------------------------------------------------------------------------------ commands


def run(*arguments, cwd):
    return subprocess.run([*LUDUS, *arguments], capture_output=True, text=True, timeout=300, cwd=cwd)


TOURNAMENT = ("tournament", "random", "greedy", "--game", "hex", "--size", "3", "--games", "2", "--out", "here")


def test_with_log_json_a_command_says_nothing_on_standard_error_that_is_not_json(tmp_path):
    done = run(*TOURNAMENT, "--log-json", "--log-level", "debug", cwd=tmp_path)
    rows = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 0 and [row["message"] for row in rows] == [
        "the tournament begins or goes on", "a game has ended", "a game has ended", "the tournament is over",
    ]  # fmt: skip
    done = run(*TOURNAMENT, "--seed", "2", "--log-json", cwd=tmp_path)
    rows = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 2 and rows[-1]["level"] == "error" and "other settings (seed)" in rows[-1]["message"]


def test_with_a_log_file_the_terminal_stays_as_it_was(tmp_path):
    plain = run(*TOURNAMENT, "--again", cwd=tmp_path)
    logged = run(*TOURNAMENT, "--again", "--log-file", "log", cwd=tmp_path)
    assert plain.returncode == logged.returncode == 0 and plain.stderr == logged.stderr == ""
    assert [line.split()[1:3] for line in (tmp_path / "log").read_text().splitlines()] == 2 * [["info", "tournament:"]]


def test_a_training_writes_its_metrics_into_the_log(tmp_path):
    flags = ["--size", "3", "--simulations", "10", "--hidden", "8", "--episodes", "12", "--checkpoints", "2"]
    done = run("train", "hex", *flags, "--truth", "0", "--run", "run", "--log-json", cwd=tmp_path)
    rows = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 0 and {row["logger"] for row in rows} == {"train"}
    measured = [row for row in rows if row["message"] == "measured"]
    assert measured[-1]["episode"] == 12 and measured[-1]["actor_loss"] > 0
    assert rows[0]["message"] == "the training begins" and rows[-1]["message"] == "the training is finished"
