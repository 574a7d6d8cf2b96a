"""A game as an address: `hex,size=5/c3.b4.d2@2` is Hex 5×5 after three moves, with the second one selected.

The link alone holds the game. Reading one never fails on its moves: it goes as far as they are legal and says which
part is wrong.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from urllib.parse import quote, unquote

from ludus.errors import LudusError, UnknownGame
from ludus.game import Action, Game
from ludus.play import talk
from ludus.show.explanation import plural
from ludus.text import did_you_mean
from ludus.web.library import Library

LONGEST = 20_000  # characters of a link
MOST_MOVES = 2_000


class BadLink(LudusError):
    """This address names no game."""


@dataclass(frozen=True)
class Linked:
    """What a link means."""

    name: str  # of the game, as pages know it
    game: Game
    actions: tuple[Action, ...]
    selected: int  # how many of the moves have been made where the page looks
    wrong: str = ""  # which part of the link could not be used, in a sentence


def write_link(library: Library, game: Game, actions: Sequence[Action], selected: int | None = None) -> str:
    """The link of a game after some actions."""
    options = [f"{key}={quote(str(value), safe='-_.')}" for key, value in library.changed(game).items()]
    head = ",".join([quote(library.name_of(game), safe="-_."), *options])
    written = (talk.write(game, state, action) for state, action in zip(game.states(actions), actions, strict=False))
    moves = [quote(move, safe="-_").replace(".", "%2E") for move in written]
    at = "" if selected is None or selected == len(actions) else f"@{selected}"
    return head + (f"/{'.'.join(moves)}{at}" if moves else "")


def read_link(library: Library, link: str) -> Linked:
    """The game and the moves of a link; a link whose game cannot be made is refused."""
    link = link.lstrip("#/")
    if len(link) > LONGEST:
        raise BadLink(f"this link is longer than {LONGEST} characters")
    head, _, rest = link.partition("/")
    name, game = read_game(library, head)
    moves, _, at = rest.partition("@")
    actions, wrong = read_moves(game, [unquote(word) for word in moves.split(".") if word])
    wanted = int(at) if at.isdecimal() and len(at) <= 6 else -1
    selected = wanted if 0 <= wanted <= len(actions) else len(actions)
    if at and not wrong and wanted != selected:
        wrong = f"The link selects move {at[:12]!r}, but it has {plural(len(actions), 'move')}."
    return Linked(name, game, actions, selected, wrong)


def nearest_link(library: Library, link: str, usual: str) -> str:
    """The nearest good link to one that names no game: with the most similar name, and its moves where they fit."""
    link = link.lstrip("#/")
    name = re.split("[,/]", link, maxsplit=1)[0]
    near = next(iter(get_close_matches(unquote(name), list(library.texts), n=1, cutoff=0.4)), usual)
    with contextlib.suppress(LudusError):
        read_link(library, near + link[len(name) :])
        return near + link[len(name) :]
    return near


def read_game(library: Library, head: str) -> tuple[str, Game]:
    """The game of a link, with its options."""
    name, *parts = head.split(",")
    name = unquote(name)
    if name not in library.texts:
        raise UnknownGame(
            f"the link names a game {name[:40]!r}, which is not here; {did_you_mean(name, library.texts)}"
        )
    texts = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise BadLink(f"in the link, {unquote(part)[:40]!r} is no option: an option is written name=value")
        texts[unquote(key)] = unquote(value)
    return name, library.make(name, library.read_options(name, texts))


def read_moves(game: Game, words: list[str]) -> tuple[tuple[Action, ...], str]:
    """The moves as far as they can be played, and what is wrong with the next one."""
    state = game.start()
    actions: list[Action] = []
    for number, word in enumerate(words[:MOST_MOVES], 1):
        if state.over:
            return tuple(actions), f"The game is over after move {number - 1}; the link goes on with {word[:20]!r}."
        try:
            action = talk.read(game, state, word)
        except LudusError as error:
            return tuple(actions), f"Move {number} of the link, {word[:20]!r}, cannot be played: {error}."
        actions.append(action)
        state = state.play(action)
    return tuple(actions), ""
