"""`ludus oht`: the online Hex tournament. Each of its commands lives in a module of its own."""

from __future__ import annotations

import importlib

from ludus.errors import BadOption

COMMANDS = {  # each with the module that does it, and what it does
    "serve": ("serve", "the server that a teacher runs for a class"),
    "play": ("play", "play in a tournament with an agent: ludus oht play --server HOST --agent zoo:hex7"),
    "add-player": ("teacher", "a new account, with a password and a token"),
    "add-class": ("teacher", "an account for every line of a class list (CSV)"),
    "players": ("teacher", "the accounts, their attempts and their best scores"),
    "new-token": ("teacher", "a new token for an account; the old one is no longer valid"),
    "new-password": ("teacher", "a new password for an account"),
    "give-back": ("teacher", "give an official attempt back to a player"),
    "pause": ("teacher", "no new rounds until `ludus oht open`; games that are being played go on"),
    "open": ("teacher", "players may begin rounds again"),
    "close": ("teacher", "the end of the qualifying period: no more official attempts"),
    "export": ("teacher", "the results as CSV, for grading"),
}


def main(arguments: list[str]) -> None:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        raise SystemExit(0 if arguments else 2)
    command = arguments[0]
    if command not in COMMANDS:
        raise BadOption(f"there is no command {command!r}; there are {', '.join(COMMANDS)}")
    importlib.import_module(f"ludus.cli.oht.{COMMANDS[command][0]}").main(command, arguments[1:])


def usage() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items()]
    return (
        "usage: ludus oht COMMAND …\n\n"
        + "\n".join(lines)
        + "\n\n`ludus oht COMMAND --help` tells more about a command."
    )
