"""Messages as text, and back. What comes from a page is checked field by field against the types of messages.py."""

from __future__ import annotations

import json
import types
from dataclasses import MISSING, fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from ludus.errors import LudusError
from ludus.system import read_json
from ludus.web.messages import ASKS, TELLS, AboutGame, ClockFace, LineMove, Seat, Status

LARGEST = 64 << 10  # bytes of a message from a page
NAMES = {kind: name for name, kind in TELLS.items()}


class BadMessage(LudusError):
    """This is no message that a page may send."""


def read_ask(text: str | bytes) -> Any:
    """The message that a page has sent; refuses anything else with a sentence."""
    if len(text) > LARGEST:
        raise BadMessage(f"a message may have {LARGEST} bytes, not {len(text)}")
    try:
        row = read_json(text)
    except ValueError:
        raise BadMessage("a message is one JSON object") from None
    kind = ASKS.get(str(row.pop("ask", ""))) if isinstance(row, dict) else None
    if kind is None:
        raise BadMessage(f"a message has a field ask, which is one of {', '.join(ASKS)}")
    hints = get_type_hints(kind)
    for name, value in row.items():
        if name not in hints or not fits(value, hints[name]):
            raise BadMessage(f"{kind.__name__.lower()} has no field {name!r} with such a value")
    missing = [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
    if lacks := [name for name in missing if name not in row]:
        raise BadMessage(f"{kind.__name__.lower()} needs a field {lacks[0]}")
    return kind(**row)


def fits(value: object, hint: Any) -> bool:
    """Is a value from JSON of this type?"""
    kind, inside = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if kind in (types.UnionType, Union):
        return any(fits(value, option) for option in inside)
    if kind is Literal:
        return value in inside
    if kind is list:
        return isinstance(value, list) and all(fits(item, inside[0]) for item in value)
    if kind is dict:
        return isinstance(value, dict) and all(fits(item, inside[1]) for item in value.values())
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


def write_tell(tell: Any) -> str:
    """A message for a page, as text."""
    return json.dumps({"tell": NAMES[type(tell)], **vars(tell)}, separators=(",", ":"), allow_nan=False)


# ------------------------------------------------------------------------------------------- for JavaScript


def typedefs() -> str:
    """The content of static/messages.js: the same types for JavaScript, as JSDoc."""
    shapes: list[type] = [AboutGame, Seat, LineMove, ClockFace, Status]
    lines = [
        "// The types of all messages, written by `python -m ludus.web.codec`. Not edited by hand.",
        "",
    ]
    lines += [typedef(kind, kind.__name__) for kind in shapes]
    lines += [typedef(kind, f"{name.capitalize()}Ask", f'ask: "{name}"') for name, kind in ASKS.items()]
    lines += [typedef(kind, f"{name.capitalize()}Told", f'tell: "{name}"') for name, kind in TELLS.items()]
    return "\n".join([*lines, "export {};", ""])


def typedef(kind: type, name: str, first: str = "") -> str:
    about = "" if is_typeddict(kind) else " " + (kind.__doc__ or "").strip().splitlines()[0]
    parts = [first] if first else []
    parts += [f"{key}: {in_javascript(hint)}" for key, hint in get_type_hints(kind).items()]
    return f"/**{about} @typedef {{{{ {', '.join(parts)} }}}} {name} */"


def in_javascript(hint: Any) -> str:
    """A Python type as JSDoc writes it."""
    kind, inside = get_origin(hint), get_args(hint)
    if kind in (types.UnionType, Union):
        return " | ".join(in_javascript(option) for option in inside)
    if kind is Literal:
        return " | ".join(json.dumps(word) for word in inside)
    if kind is list:
        return f"Array<{in_javascript(inside[0])}>"
    if kind is dict:
        return f"Record<string, {in_javascript(inside[1])}>"
    simple = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "any"}
    return simple.get(hint) or str(hint.__name__)


if __name__ == "__main__":
    print(typedefs(), end="")
