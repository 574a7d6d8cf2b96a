"""The games of a tournament as tasks of Ray.

A task hands its game to a process of its own, as on one machine: an agent that crashes or is stuck there loses its
game in the same way. A task that was lost with its machine was nobody's fault, and its game is played again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Self

import ray

from ludus.cluster.room import LostTooOften, Room, settle, told
from ludus.play.record import Record
from ludus.play.schedule import Meeting
from ludus.play.tournament import Tournament
from ludus.play.workers import Workers
from ludus.system import cores

LOSSES = 20  # times that a game may be lost with its machine
AHEAD = 2  # games that are sent for every core, so that none waits for the next


class Games:
    """A crew that plays on a cluster."""

    def __init__(self, tournament: Tournament) -> None:
        self._room = Room(tournament.workers)
        self.tournament = tournament
        self._order = ray.put((tournament, os.urandom(8).hex(), os.getcwd()))
        self._under_way: dict[Any, Meeting] = {}
        self._losses: dict[int, int] = {}

    @property
    def lost(self) -> int:
        """How many games were lost with their machines, and played again."""
        return sum(self._losses.values())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for task in self._under_way:
            with contextlib.suppress(Exception):  # the cluster may be gone
                ray.cancel(task, force=True)
        self._under_way.clear()

    def run(self, jobs: Iterable[Meeting]) -> Iterator[Record]:
        """The records of these meetings, as they come."""
        waiting = iter(jobs)
        while True:
            while len(self._under_way) < self._wanted and (meeting := next(waiting, None)) is not None:
                self._send(meeting)
            if not self._under_way:
                return
            for task in self._room.finished(list(self._under_way)):
                record = self._answer(task)
                if record is not None:
                    yield record

    @property
    def _wanted(self) -> int:
        """How many games are to be under way: more than are played, unless a number of workers was asked for."""
        return self._room.most or AHEAD * self._room.cores

    def _send(self, meeting: Meeting) -> None:
        self._under_way[PLAY_THERE.remote(self._order, meeting)] = meeting

    def _answer(self, task: Any) -> Record | None:
        """The record of a finished game; None if it was lost, and is played again."""
        meeting = self._under_way.pop(task)
        try:
            answer = ray.get(task)
        except ray.exceptions.RayTaskError as error:
            raise told(error) from None
        except ray.exceptions.RayError:
            self._losses[meeting.number] = self._losses.get(meeting.number, 0) + 1
            if self._losses[meeting.number] > LOSSES:
                raise LostTooOften(f"game {meeting.number} was lost with its machine {LOSSES} times") from None
            self._send(meeting)
            return None
        if isinstance(answer, Exception):
            raise answer
        # A node may have another file under the name of a game's, or none.
        record: Record = answer
        return replace(record, game=self.tournament.game_of(meeting).identity())


# ------------------------------------------------------------------------------------- in a process of the cluster

_at_work: dict[str, Workers] = {}  # of the tournament for which this process plays


def play_there(order: tuple[Tournament, str, str], meeting: Meeting) -> Record | Exception:
    """One game. Its process, and with it the agents, stays for the next one of the same tournament."""
    tournament, mark, folder = order
    if mark not in _at_work:
        for old in _at_work.values():
            old.__exit__()
        _at_work.clear()
        settle(folder)
        _at_work[mark] = Workers(tournament, 1, sharing=cores())
    try:
        return next(_at_work[mark].run([meeting]))
    except Exception as error:
        return told(error)


PLAY_THERE = ray.remote(num_cpus=1, max_retries=0)(play_there)
