"""Who is playing right now, and how far they are. It is kept in memory only: after a restart nobody plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ludus.protocols.oht.results import Kind


@dataclass(eq=False)
class Playing:
    """One player in a round that is being played."""

    account: int
    kind: Kind
    games: int  # of this player in the round
    done: int = 0  # of them, games that are over


class Progress:
    """The rounds that are being played."""

    def __init__(self) -> None:
        self.players: list[Playing] = []

    @contextmanager
    def follow(self, *players: Playing) -> Iterator[None]:
        """Inside, these play."""
        self.players += players
        try:
            yield
        finally:
            for one in players:
                self.players.remove(one)
