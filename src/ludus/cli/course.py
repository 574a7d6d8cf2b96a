"""`ludus course COURSE FILE`: files for the students of a course. The files.py of a course says what there is."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol

import tyro

from ludus.cli.parse import parse
from ludus.errors import BadOption
from ludus.text import did_you_mean

COURSES = {  # packages in ludus/courses, each with a module `files` that has FILES
    "csc384": "Toronto CSC384: Othello",
}


class Offered(Protocol):
    """A file of a course. Its class is a dataclass whose fields are flags, and whose docstring says what it is for."""

    def content(self) -> str:
        """What is written."""

    def next_step(self, path: Path) -> str:
        """A sentence about what to do with it."""


@dataclass(frozen=True)
class Where:
    """Where it goes."""

    file: Annotated[Path, tyro.conf.Positional]  # the file to write
    force: bool = False  # also if it is there already


def main(arguments: list[str]) -> None:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        raise SystemExit(0 if arguments else 2)
    course, *rest = arguments
    if course not in COURSES:
        raise BadOption(f"there is no course {course!r}; {did_you_mean(course, COURSES)}")
    where, offered = read(course, rest)
    if where.file.exists() and not where.force:
        raise BadOption(f"{where.file} is there already; --force writes over it")
    if not where.file.absolute().parent.is_dir():
        raise BadOption(f"there is no folder {str(where.file.parent)!r} to write the file into")
    where.file.write_text(offered.content(), encoding="utf-8")
    print(f"{where.file} is written. {offered.next_step(where.file)}")


def usage() -> str:
    """The courses and the files that they offer."""
    lines = ["usage: ludus course COURSE FILE …", ""]
    for course, title in COURSES.items():
        lines += [f"  {course}  {title}"]
        for name, kind in files_of(course).items():
            lines += [f"    ludus course {course} {name}", f"      {(kind.__doc__ or '').strip().splitlines()[0]}"]
    return "\n".join([*lines, "", "`ludus course COURSE --help` lists the flags. docs/courses.md has the rest."])


def files_of(course: str) -> dict[str, type[Offered]]:
    """The files that a course offers, by their usual names."""
    offered: dict[str, type[Offered]] = importlib.import_module(f"ludus.courses.{course}.files").FILES
    return offered


def read(course: str, arguments: list[str]) -> tuple[Where, Offered]:
    """Where to write which file, with its options."""
    kind: Any = kind_of(course, arguments)
    parts: Any = [(name, Annotated[part, tyro.conf.arg(name="")]) for name, part in (("where", Where), ("what", kind))]
    both = make_dataclass("Both", parts)
    both.__doc__ = kind.__doc__
    chosen: Any = parse(both, arguments, f"ludus course {course}")
    return chosen.where, chosen.what


def kind_of(course: str, arguments: list[str]) -> type[Offered]:
    """The kind of file that is asked for: the only one that the course has, or the one of this name."""
    offered = files_of(course)
    if len(offered) == 1:
        return next(iter(offered.values()))
    named = [Path(word).name for word in arguments if Path(word).name in offered]
    if not named:
        raise BadOption(f"say which file: ludus course {course} FILE …, where FILE is one of {', '.join(offered)}")
    return offered[named[0]]
