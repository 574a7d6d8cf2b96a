"""What every parser that faces the outside promises: it answers, or refuses with one sentence. And the list of them.

A target is a function of bytes, whatever they are; it fails by letting an exception out.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ludus.errors import LONGEST, LudusError

TARGETS: dict[str, "Target"] = {}


@dataclass(frozen=True)
class Target:
    """A parser, and the largest input that it is given here: small ones are read a thousand times faster."""

    name: str
    run: Callable[[bytes], None]
    largest: int


class Broken(AssertionError):
    """A parser has not kept its promise."""


def target(name: str, largest: int = 1024) -> Callable[[Callable[[bytes], None]], Callable[[bytes], None]]:
    """Puts a function on the list of targets."""

    def add(run: Callable[[bytes], None]) -> Callable[[bytes], None]:
        TARGETS[name] = Target(name, run, largest)
        return run

    return add


def attempt(call, *allowed: type[BaseException]):
    """What a call returns, or None if it refuses with a sentence; `allowed` are refusals that never reach a person."""
    try:
        return call()
    except LudusError as error:
        check_sentence(str(error))
    except allowed:
        pass
    return None


def check_sentence(said: str) -> None:
    """A sentence is one line that every terminal can show, and not too long to be read."""
    if not said.strip() or not said.isprintable() or len(said) > LONGEST:
        raise Broken(f"this is not one sentence, {len(said)} characters: {said[:300]!r}")


def check(kept: bool, what: str) -> None:
    if not kept:
        raise Broken(what)


def text_of(data: bytes) -> str:
    """Bytes as text that may come in from anywhere: what is not UTF-8 is marked, as Python does it with arguments."""
    return data.decode("utf-8", "surrogateescape")


def choice(data: bytes, things):
    """The thing that the first byte chooses, and the other bytes."""
    return things[data[0] % len(things)] if data else things[0], data[1:]


def pieces(data: bytes, most: int = 50) -> list[bytes]:
    """The lines of an input, as the messages of a conversation."""
    return data.split(b"\n")[:most]
