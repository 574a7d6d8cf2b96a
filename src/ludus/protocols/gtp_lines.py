"""Lines of GTP: commands come in, in the background, and what went wrong goes out in one line."""

from __future__ import annotations

import queue
import re
import threading
from typing import TextIO

from ludus.errors import LudusError, UnreadableAction


class Refusal(LudusError):
    """An answer that begins with a question mark, word for word."""


class Listener:
    """The lines of a reader, read in the background so that the next one can interrupt an analysis."""

    def __init__(self, reader: TextIO) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ahead: list[str | None] = []
        threading.Thread(target=self._listen, args=(reader,), daemon=True).start()

    def _listen(self, reader: TextIO) -> None:
        try:
            for line in reader:
                self._lines.put(line)
                if read_command(line)[1] == "quit":
                    break
        finally:
            self._lines.put(None)

    def next(self) -> str | None:
        """The next line, or None at the end."""
        return self._ahead.pop() if self._ahead else self._lines.get()

    def wait(self, seconds: float) -> bool:
        """Waits at most `seconds` for a line; True if there is one, or if the input has ended."""
        if not self._ahead:
            try:
                self._ahead.append(self._lines.get(timeout=seconds))
            except queue.Empty:
                return False
        return True


def read_command(line: str) -> tuple[str, str, list[str]]:
    """The number of a command if it has one, its name and its arguments; comments and control characters are cut."""
    words = re.sub(r"[\x00-\x1f\x7f]", "", line.replace("\t", " ")).split("#")[0].split()
    number = words.pop(0) if words and re.fullmatch("[0-9]+", words[0]) else ""
    return number, words[0] if words else "", words[1:]


def number(text: str) -> float:
    """A number among the arguments."""
    if not re.fullmatch(r"[+-]?\d{1,9}(\.\d*)?", text):
        raise Refusal("syntax error")
    return float(text)


def whole(text: str) -> int:
    """A whole number from 0 up among the arguments."""
    if not re.fullmatch(r"\d{1,9}", text):
        raise Refusal("syntax error")
    return int(text)


def complaint(error: Exception) -> str:
    """What went wrong, in one line."""
    text = " ".join(str(error).split())[:300]
    if isinstance(error, UnreadableAction):
        return f"syntax error: {text}"
    return text if isinstance(error, LudusError) else f"{type(error).__name__}: {text}"
