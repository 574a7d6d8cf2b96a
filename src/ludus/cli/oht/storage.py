"""What all commands about the tournament's database share: where it is, how it is opened, how a result is printed."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, TypeVar

from ludus.cli.oht.options import Command
from ludus.cli.parse import parse
from ludus.errors import BadOption

if TYPE_CHECKING:
    from ludus.protocols.oht.storage.store import Store

VARIABLE = "LUDUS_OHT_DATABASE"  # an address with a password is better kept here than on the command line
USUAL = "sqlite:///oht.db"

Options = TypeVar("Options")


def check_extra() -> None:
    """Refuses to go on where the packages that the tournament needs are not installed."""
    try:
        import ludus.protocols.oht.storage.store  # noqa: F401
    except ModuleNotFoundError as error:
        raise BadOption(
            f"the tournament needs the extra `oht` ({error.name} is missing): pip install 'ludus[oht]'"
        ) from None


def open_store(database: str, create: bool) -> Store:
    """The store at an address, or where the environment says, or in the current folder."""
    from ludus.protocols.oht.storage.store import Store

    return Store(database or os.environ.get(VARIABLE) or USUAL, create)


def parse_quietly(kind: type[Options], arguments: list[str], prog: str) -> Options:
    """The options of a command. Complaints repeat what was typed, but never the password of an address."""
    from ludus.protocols.oht.storage.passwords import without_passwords

    hidden = [without_passwords(argument) for argument in arguments]
    if hidden != arguments:
        parse(kind, hidden, prog)  # a complaint, or --help, ends it here
    return parse(kind, arguments, prog)


def tell(options: Command, values: dict[str, Any], words: str, shown: tuple[str, ...] = ("password", "token")) -> None:
    """Prints a result: as JSON, or as a sentence with the secrets in it on lines of their own."""
    if options.json:
        print(json.dumps(values, indent=1))
        return
    print(words)
    for name in shown:
        if name in values:
            print(f"{name}: {values[name]}")
    if any(name in values for name in shown):
        print("This is shown only once: only a hash of it is kept.")


def attempts_in_words(number: int) -> str:
    return "1 official attempt" if number == 1 else f"{number} official attempts"
