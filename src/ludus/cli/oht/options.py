"""The options of the teacher's commands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]
DatabaseUrl = Annotated[str, tyro.conf.arg(metavar="URL", help_behavior_hint="")]
Name = Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="NAME")]


@dataclass(frozen=True, kw_only=True)
class Command:
    """What all commands take."""

    database: DatabaseUrl = ""
    """sqlite:///FILE or postgresql://USER@HOST/NAME; else $LUDUS_OHT_DATABASE, else sqlite:///oht.db"""
    json: Flag = False  # print JSON


@dataclass(frozen=True, kw_only=True)
class Secret(Command):
    """Where a password comes from. It is asked for twice, without being shown, if neither flag is given."""

    generate: Flag = False  # make up a password, and print it once
    password_stdin: Flag = False  # read the password from the first line of standard input


@dataclass(frozen=True, kw_only=True)
class AddPlayer(Secret):
    """A new account. Prints its token, which is shown only this once."""

    name: Name  # what the player logs in with
    email: str = ""  # by which a lost token can be replaced
    attempts: int = 5  # official attempts


@dataclass(frozen=True, kw_only=True)
class AddClass(Command):
    """An account for every line of a class list: name,email[,password][,attempts]. All of them, or none."""

    file: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="FILE.csv")]  # its first line names the columns
    output: Path  # a new file for the tokens, and for the passwords where the list has none
    attempts: int = 5  # official attempts, where the list does not say


@dataclass(frozen=True, kw_only=True)
class Players(Command):
    """The accounts, their attempts and their best scores."""


@dataclass(frozen=True, kw_only=True)
class NewToken(Command):
    """A new token for an account, shown only this once. The old one is no longer valid."""

    name: Name  # the account


@dataclass(frozen=True, kw_only=True)
class NewPassword(Secret):
    """A new password for an account."""

    name: Name  # the account


@dataclass(frozen=True, kw_only=True)
class GiveBack(Command):
    """The last official attempt of a player no longer counts, nor does its score. Its games stay in the database."""

    name: Name  # the account


@dataclass(frozen=True, kw_only=True)
class Pause(Command):
    """No new rounds until `ludus oht open`; games that are being played go on."""


@dataclass(frozen=True, kw_only=True)
class Open(Command):
    """Players may begin rounds again."""


@dataclass(frozen=True, kw_only=True)
class Close(Command):
    """The end of the qualifying period: no more official attempts. Verification rounds and the league go on."""


@dataclass(frozen=True, kw_only=True)
class Export(Command):
    """The results as CSV, for grading: a line for every account, with the score of each of its attempts."""

    output: Path | None = None  # a file; standard output if not given
