"""Lists for spreadsheets: a class list that comes in, the secrets of a new class and the grades that go out.

A cell that begins like a formula would be computed by the spreadsheet that opens it. Names come from players, so such
cells get an apostrophe in front, which spreadsheets take as "this is text".
"""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludus.errors import LudusError
from ludus.protocols.oht.storage.accounts import NewAccount
from ludus.protocols.oht.storage.names import MOST_ATTEMPTS
from ludus.protocols.oht.storage.standings import Result, Standing

COLUMNS = ("name", "email", "password", "attempts")
LARGEST = 2_000_000  # bytes of a class list
FORMULA = tuple("=+-@\t\r＝＋－＠")
Cell = str | int | float | None


@dataclass(frozen=True)
class Line:
    """A line of a class list."""

    number: int  # in the file, from 1
    new: NewAccount


def read_class(path: Path, attempts: int) -> list[Line]:
    """The accounts of a class list, each with its line; `attempts` where the list does not say."""
    data = path.read_bytes()
    if len(data) > LARGEST:
        raise LudusError(f"{path} is too large for a class list: more than {LARGEST:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise LudusError(f"{path}, line {line}: this is not UTF-8; save the list as CSV in UTF-8") from None
    return read_lines(text, str(path), attempts)


def read_lines(text: str, name: str, attempts: int) -> list[Line]:
    """The lines of a class list. Columns are separated by commas, or by semicolons as some spreadsheets write them."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in first else ",", strict=True)
    lines: list[Line] = []
    wrong: list[str] = []
    try:
        header = next(reader, None)
        if header is None:
            raise LudusError(f"{name} is empty: a class list begins with a line that names its columns, name,email")
        columns = read_columns([cell.strip().lower() for cell in header], f"{name}, line 1")
        for cells in filter(any_text, reader):
            try:
                lines.append(Line(reader.line_num, read_line(columns, cells, attempts)))
            except LudusError as error:
                wrong.append(f"line {reader.line_num}: {error}")
    except csv.Error as error:
        wrong.append(f"line {reader.line_num}: this is not CSV, perhaps because of a quotation mark ({error})")
    if wrong:
        raise LudusError(f"{name}, {in_one_sentence(wrong)}; nothing was added")
    return lines


def any_text(cells: list[str]) -> bool:
    return any(cell.strip() for cell in cells)


def read_columns(names: list[str], where: str) -> list[str]:
    """The names of the columns, from the first line."""
    odd = [name for name in names if name not in COLUMNS]
    if odd or "name" not in names or len(set(names)) < len(names):
        raise LudusError(
            f"{where}: the first line must name the columns: name, and if you like email, password and attempts, "
            f"each once; this one says {', '.join(names)[:80]!r}"
        )
    return names


def read_line(columns: list[str], cells: list[str], attempts: int) -> NewAccount:
    """One account of a class list."""
    if len(cells) != len(columns):
        raise LudusError(f"the number of cells is {len(cells)}, but there are {len(columns)} columns")
    row = {name: cell.strip() for name, cell in zip(columns, cells, strict=True)}
    granted = row.get("attempts") or str(attempts)
    if not (granted.isascii() and granted.isdecimal()) or len(granted) > 9:
        raise LudusError(f"attempts must be a whole number from 0 to {MOST_ATTEMPTS}, not {granted[:40]!r}")
    return NewAccount(row["name"], row.get("email", ""), row.get("password") or None, int(granted)).checked()


def in_one_sentence(wrong: Sequence[str], most: int = 5) -> str:
    """The first few of several mistakes, and how many more there are."""
    more = len(wrong) - most
    return "; ".join(wrong[:most]) + (f"; and {more} more" if more > 0 else "")


# --------------------------------------------------------------------------------------------- going out


def to_csv(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table as comma-separated values, safe to open in a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def harmless(cell: Cell) -> Cell:
    """A cell that no spreadsheet computes."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def write_secrets(path: Path, new: Sequence[NewAccount], made_up: Sequence[bool]) -> None:
    """Writes names, tokens and the passwords that were made up, readable by the owner only, to a file that is new."""
    rows = [
        (one.name, one.email, one.password if own else "", one.token) for one, own in zip(new, made_up, strict=True)
    ]
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise LudusError(f"{path} exists already, and secrets never replace a file: say another --output") from None
    try:
        write_out(file, to_csv(("name", "email", "password", "token"), rows))
    except BaseException:
        path.unlink()  # half of the secrets are of no use
        raise


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read. Whoever reads it sees all of it, or what was there before."""
    path = path.resolve()
    if path.exists() and not path.is_file():  # a device or a pipe takes what comes, and must not be replaced
        path.write_text(text, encoding="utf-8")
        return
    try:
        file, part = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)  # for its owner only
    except OSError as error:
        raise LudusError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
    try:
        write_out(file, text)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def write_out(file: int, text: str) -> None:
    """Writes a text to an open file, durably, and closes it."""
    with open(file, "w", encoding="utf-8", newline="") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())


def grades(standings: Sequence[Standing], results: Sequence[Result]) -> str:
    """The results of all accounts for grading, a line for each. Attempts that were given back have no score in it."""
    own: defaultdict[int, list[Result]] = defaultdict(list)
    for one in results:
        if one.kind == "official" and not one.given_back:
            own[one.account].append(one)
    most = max(map(len, own.values()), default=0)
    header = [
        "name", "email", "handle", "best_score", "attempts_used", "attempts_left", "attempts_given_back",
        *(f"attempt_{number}" for number in range(1, most + 1)),
        "verification_rounds", "best_verification_score", "league_games", "league_wins",
    ]  # fmt: skip
    return to_csv(header, [grade(row, own[row.account], most) for row in standings])


def grade(row: Standing, attempts: list[Result], most: int) -> list[Cell]:
    scores = [attempt_in_words(one) for one in attempts] + [None] * (most - len(attempts))
    return [
        row.name, row.email, row.handle, percent(row.best), row.attempts_used, row.attempts_left, row.given_back,
        *scores,
        row.verification_rounds, percent(row.verification_best), row.league_games, row.league_wins,
    ]  # fmt: skip


def attempt_in_words(attempt: Result) -> Cell:
    """The score of an attempt, or how far it is."""
    if attempt.finished:
        return percent(attempt.score)
    return f"unfinished ({attempt.played} of {attempt.games} games)"


def percent(score: float | None) -> float | None:
    return None if score is None else round(score, 2)
