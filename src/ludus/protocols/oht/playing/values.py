"""What both protocols do with values: Python's own numbers for the wire, our number in a series, and hooks.

The hooks are the methods that the course's clients have; whoever plays a tournament has them.
"""

from __future__ import annotations

from typing import Any, Protocol

from ludus import text
from ludus.protocols.oht.playing.link import BadMessage

SHOWN = 80  # characters of a message that an error quotes


class Hooks(Protocol):
    """What a player does about the messages of a tournament."""

    def handle_get_action(self, state: Any) -> Any: ...
    def handle_series_start(
        self, unique_id: Any, series_id: Any, player_map: Any, num_games: Any, game_params: Any
    ) -> None: ...
    def handle_game_start(self, start_player: Any) -> None: ...
    def handle_game_over(self, winner: Any, end_state: Any) -> None: ...
    def handle_series_over(self, stats: Any) -> None: ...
    def handle_tournament_over(self, score: Any) -> None: ...


def plain(value: Any) -> Any:
    """The same value with Python's own numbers, lists and tuples, where an actor returned numpy's."""
    if isinstance(value, bool) or value is None:
        return value
    for kind in (int, float, str):
        if isinstance(value, kind):
            return kind(value)
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # an array or a number of numpy or torch
        return plain(value.tolist())
    return int(value) if hasattr(value, "__index__") else value


def own_number(unique_id: Any, player_map: Any) -> Any:
    """The number in the series, 1 or 2, that a map of players gives to our id."""
    try:
        return next(entry[1] for entry in player_map if entry[0] == unique_id)
    except (StopIteration, TypeError, LookupError):
        raise BadMessage(
            f"the server says that our id is {unique_id!r:.20}, but the map of players is {shortened(player_map)}"
        ) from None


def shortened(value: Any) -> str:
    """How a value is quoted in a sentence; only the beginning of a long one."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def printable(words: Any, most: int = 500) -> str:
    """A server's words as a terminal may show them: without escape sequences and other control characters."""
    return "".join(letter for letter in text.plain(str(words)) if letter.isprintable())[:most]
