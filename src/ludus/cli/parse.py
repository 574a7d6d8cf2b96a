"""Flags from dataclasses, by tyro; and its complaints as one sentence."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import tyro

from ludus.errors import BadOption
from ludus.text import plain

Options = TypeVar("Options")
NUMBERS = {"INT": "a whole number", "FLOAT": "a number"}  # as tyro calls them


def parse(
    kind: type[Options],
    arguments: list[str],
    prog: str,
    description: str | None = None,
) -> Options:
    """The options of a command; `--help` prints and leaves. Flags of options within options have no prefixes."""
    config = (tyro.conf.OmitArgPrefixes,)
    return _in_one_sentence(lambda: tyro.cli(kind, args=arguments, prog=prog, description=description, config=config))


def parse_one_of(kinds: dict[str, Callable[..., Any]], arguments: list[str], prog: str) -> Any:
    """The options of one of several sub-commands."""
    return _in_one_sentence(lambda: tyro.extras.subcommand_cli_from_dict(kinds, args=arguments, prog=prog))


def _in_one_sentence(read: Callable[[], Options]) -> Options:
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            return read()
    except SystemExit as stop:
        if stop.code in (0, None):
            raise
        raise BadOption(sentence(said.getvalue())) from None
    finally:
        if not sys.exc_info()[0]:
            sys.stderr.write(said.getvalue())  # warnings are still shown


def sentence(box: str) -> str:
    """The first message in a box that tyro prints, as one line. In ASCII terminals the box consists of rules only."""
    lines: list[str] = []
    inside = False
    for line in plain(box).splitlines():
        text = line.strip().strip("│").strip()
        if text.startswith("╭") or set(text) <= set("─-╰╯"):  # the top of a box, a rule, the bottom, or nothing
            if lines:
                break  # the rest is advice on help
            inside = True
        elif inside:
            lines.append(text)
    words = " ".join(lines) or "these options cannot be read; see --help"
    words = re.sub(r"^Error parsing (?!-)[\w.]+: (?=\S)", "", words)
    words = re.sub(r"^Error parsing (\S+): invalid literal for int.*: ", r"\1 must be a whole number, not ", words)
    words = re.sub(r"^Error parsing (\S+): could not convert string to float: ", r"\1 must be a number, not ", words)
    words = re.sub(
        r"^Error parsing (\S+): no type matching {None}\|(INT|FLOAT) could be instantiated from \['(.*)'\].*",
        lambda found: f"{found[1]} must be {NUMBERS[found[2]]} or None, not {found[3]!r}",
        words,
    )
    words = re.sub(
        r"^[Ii]nvalid choice (.+) for argument '(\S+)'. Expected one of \((.+)\).*",
        lambda found: f"{found[2]} must be {in_order(found[3])}, not {found[1]}",
        words,
    )
    if words.startswith("Unrecognized"):
        words += "; --help lists what there is"
    return words[0].lower() + words[1:]


def in_order(choices: str) -> str:
    """The choices that tyro lists in quotes, in an order that is always the same."""
    words = set(re.findall(r"'(.*?)'", choices)) - {"None"}  # which is what holds if nothing is said
    return " or ".join(sorted(words, key=str.lower))
