"""What a player tells the server at its login. Passwords and tokens are read when they are needed and kept nowhere."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path

from ludus.errors import BadOption
from ludus.protocols.oht.playing.link import Refused
from ludus.protocols.oht.playing.text_client import Kind
from ludus.protocols.oht.playing.values import printable

PASSWORD, TOKEN = "LUDUS_OHT_PASSWORD", "LUDUS_OHT_TOKEN"  # environment variables


class Secrets:
    """The answers to the questions of a login. What was typed once serves all rounds of one command."""

    def __init__(self, user: str | None, nickname: str | None, token_file: Path | None, official: bool) -> None:
        self.user, self.nickname, self.official = user, nickname, official
        # Taken out of the environment, so that programs started for an agent do not inherit them.
        self._password, self._token = os.environ.pop(PASSWORD, None), os.environ.pop(TOKEN, None)
        if token_file is not None:
            self._token = read_token(token_file)
        self._asked: set[str] = set()

    def new_round(self) -> None:
        self._asked.clear()

    def answer(self, keyword: str, kind: Kind, prompt: str) -> str:
        """The answer to a prompt of the text protocol."""
        if keyword in self._asked:
            raise Refused(f"the server has asked for the {keyword} again: it did not accept the answer")
        self._asked.add(keyword)
        match keyword:
            case "username":
                self.user = self.user or ask(prompt)
                return self.user
            case "password":
                self._password = self._password or ask(prompt, hidden=True)
                return self._password
            case "player-name":
                self.nickname = self.nickname or self.user or ask(prompt)
                return self.nickname
            case "qualify":
                return "Y" if self.official else "n"
        return "n"

    def token(self) -> str:
        """The token of the JSON protocol."""
        self._token = self._token or ask("API token: ", hidden=True)
        return self._token


def read_token(file: Path) -> str:
    """The token in a file; what is wrong with the file is said without showing what is in it."""
    try:
        words = file.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not a text"
        raise BadOption(f"cannot read the token in {file}: {why.lower()}") from None
    if len(words) != 1:
        raise BadOption(f"{file} must hold a token and nothing else, but it has {len(words)} words")
    return words[0]


def ask(prompt: str, hidden: bool = False) -> str:
    """What a person types, or the next line of standard input where nobody sits; never empty."""
    prompt = printable(prompt)
    while True:
        if sys.stdin.isatty():
            text = getpass.getpass(prompt) if hidden else input(prompt)
        elif not (text := sys.stdin.readline()):
            what = prompt.strip().rstrip(":").strip()
            raise BadOption(f"the server asks for {what!r}, and standard input has no more lines; see --help")
        if text := text.strip("\r\n"):
            return text
