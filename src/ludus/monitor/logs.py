"""Logs of servers and long commands: the standard library's loggers, and one formatter for lines and for JSON.

A message is a fixed sentence; what varies goes beside it: log.info("a game ended", extra=about(winner=1)). Loggers are
called oht, web, train and tournament; the messages of libraries are shown from
warnings on, whatever level is chosen, because theirs may repeat what a client has sent.
"""

from __future__ import annotations

import contextlib
import json
import logging
import logging.handlers
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

from ludus.errors import BadOption

Level = Literal["debug", "info", "warning", "error"]
OURS = "ludus"
SECRETS = [  # what must never stand in a log, wherever a message comes from
    (re.compile(r"""(?i)((?:token|password|secret|cookie)\w*(?:=["']?|["']\s*:\s*["']))[^\s"'&,;)]+"""), r"\1…"),
    (re.compile(r"(?i)(x-api-token\s*:\s*)\S+"), r"\1…"),
    (re.compile(r"(://[^:/@\s]*):[^@/\s]+@"), r"\1:…@"),
    (re.compile(r"(?i)\b(bearer\s+)[^\s\"']+"), r"\1…"),
]
_hidden: set[str] = set()
_asked: logging.Handler | None = None  # the log that somebody has asked for


def logger(room: str) -> logging.Logger:
    """The logger of a part of Ludus."""
    return logging.getLogger(f"{OURS}.{room}")


def about(**fields: Any) -> dict[str, dict[str, Any]]:
    """What goes beside a message, for `extra`."""
    return {"fields": fields}


def hide(secret: str) -> None:
    """From now on this text is covered in every log."""
    if len(secret) >= 4:
        _hidden.add(secret)


def covered(text: str) -> str:
    """A text without secrets."""
    for secret in _hidden:
        text = text.replace(secret, "…")
    for pattern, kept in SECRETS:
        text = pattern.sub(kept, text)
    return text


class Formatter(logging.Formatter):
    """A record as one line: to read, or as a JSON object. Tracebacks stand in JSON only."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        level, place = record.levelname.lower(), record.name.removeprefix(OURS + ".")
        message = covered(record.getMessage())
        fields = {key: told(value) for key, value in getattr(record, "fields", {}).items()}
        if self.as_json:
            trace = {"trace": covered(self.formatException(record.exc_info))} if record.exc_info else {}
            row = fields | {"time": when, "level": level, "logger": place, "message": message} | trace
            return json.dumps({key: row[key] for key in (*HEAD, *row) if key in row}, ensure_ascii=False)
        beside = ", ".join(f"{key}={value}" for key, value in fields.items())
        line = f"{when} {level:7} {place}: {message}" + (f" ({beside})" if beside else "")
        return "".join(character if character.isprintable() else repr(character)[1:-1] for character in line)


HEAD = ("time", "level", "logger", "message")


def told(value: Any) -> Any:
    """A value beside a message, as JSON knows it and without secrets."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return round(value, 6) if abs(value) < float("inf") else str(value)
    if isinstance(value, dict):
        return {str(key): told(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [told(one) for one in value]
    return covered(str(value))


class LastsOn:
    """A handler that says once that it cannot write, on a full disk for instance, and never stops the program."""

    failed = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        error = sys.exc_info()[1]
        if not self.failed and not isinstance(self, ToStderr):
            print(f"the log cannot be written: {error}; the program goes on", file=sys.stderr, flush=True)
        self.failed = True


class ToFile(LastsOn, logging.handlers.WatchedFileHandler):
    """A file; a new one when it was moved away, as programs do that keep logs short."""


class ToStderr(LastsOn, logging.StreamHandler[TextIO]):
    """Standard error."""


def set_up(level: Level | None, as_json: bool, path: Path | None) -> None:
    """From now on messages of this level and above are written down, on standard error or into a file.

    Without a level: from `info` on for JSON and for a file, from `warning` on for lines that a person sees.
    """
    global _asked
    chosen = level or ("info" if as_json or path is not None else "warning")
    handler: logging.Handler
    if path is None:
        handler = ToStderr(sys.stderr)
    else:
        try:
            handler = ToFile(path, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadOption(f"--log-file {path} cannot be written: {why}") from None
    handler.setFormatter(Formatter(as_json))
    root, ours = logging.getLogger(), logging.getLogger(OURS)
    for old in root.handlers[:]:
        if isinstance(old, LastsOn):  # of a command before, in the same process
            root.removeHandler(old)
            with contextlib.suppress(OSError):  # what was not written yet cannot be written now
                old.close()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    ours.setLevel(chosen.upper())
    _asked = handler if level or as_json or path is not None else None


def asked() -> bool:
    """Has somebody asked for a log? Else only what a person should know is written down, on standard error."""
    return _asked is not None


def takes_stderr() -> bool:
    """Does standard error belong to the log? Then commands show nothing else there."""
    return isinstance(_asked, ToStderr)


def say(log: logging.Logger, line: str, **fields: Any) -> None:
    """A line for whoever started the command: on standard error, and in the log. Where both are one, only once."""
    if asked():
        log.info(line.strip(), extra=about(**fields))
    if not takes_stderr():
        print(line, file=sys.stderr, flush=True)


def complain(sentence: str) -> None:
    """Why a command ends: on standard error, and in its log if there is one."""
    if asked():
        logging.getLogger(OURS).error(sentence.strip())
    if not takes_stderr():
        print(sentence, file=sys.stderr)
