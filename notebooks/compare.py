"""Compares the stored outputs of a notebook with those of a fresh run.

Text must be the same. Of images the kind and the size count, of cells with the tag "varies" only the kinds of outputs.
"""

from __future__ import annotations

import hashlib
import struct
from base64 import b64decode
from collections.abc import Iterator
from typing import Any


def code_cells(book: Any) -> list[Any]:
    return [cell for cell in book.cells if cell.cell_type == "code"]


def code_mark(book: Any) -> str:
    """A hash of all code, which tells whether the outputs were made by another one."""
    return hashlib.sha256("\0".join(cell.source for cell in code_cells(book)).encode()).hexdigest()[:16]


def changes(stored: Any, fresh: Any) -> Iterator[str]:
    """A sentence for every code cell whose stored outputs are not those of a fresh run."""
    if stored.metadata.get("ludus", {}).get("code") != code_mark(stored):
        yield "the code was changed after the outputs were made"
    for number, (old, new) in enumerate(zip(code_cells(stored), code_cells(fresh), strict=True), 1):
        first = old.source.partition("\n")[0]
        if [kind(output) for output in old.outputs] != [kind(output) for output in new.outputs]:
            yield f"code cell {number} ({first}) has outputs of other kinds"
        elif "varies" not in old.metadata.get("tags", []):
            for was, now in zip(old.outputs, new.outputs, strict=True):
                if not alike(was, now):
                    yield f"code cell {number} ({first}) gives other outputs:\n{text_of(was)}\nnow:\n{text_of(now)}"


def kind(output: Any) -> tuple[str, ...]:
    """What an output is: its type, and the stream or the forms in which it can be shown."""
    return (output.output_type, *(sorted(output.data) if "data" in output else [output.get("name", "")]))


def text_of(output: Any) -> str:
    """Everything in an output that can be compared letter by letter."""
    if "data" not in output:
        return str(output.get("text", ""))
    return "\n".join(str(value) for form, value in sorted(output.data.items()) if not form.startswith("image/"))


def alike(was: Any, now: Any) -> bool:
    """Is the text the same, and are images of about the same size?"""
    pictures = [form for form in was.get("data", {}) if form.startswith("image/")]
    sizes = ((size(form, was.data[form]), size(form, now.data[form])) for form in pictures)
    return text_of(was) == text_of(now) and all(
        abs(a - b) <= 0.2 * a for old, new in sizes for a, b in zip(old, new, strict=True)
    )


def size(form: str, content: str) -> tuple[int, ...]:
    """Width and height of a PNG; the length of any other image."""
    return struct.unpack(">II", b64decode(content)[16:24]) if form == "image/png" else (len(content),)
