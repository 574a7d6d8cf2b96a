"""Those who play for a training, as actors of Ray: weights go to them through the object store, games come back.

Players come and go with the machines of the cluster. What a lost one had not told yet is lost with it; nothing that
was told is told again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import Any, Self

import ray

from ludus.cluster.room import LostTooOften, Room, settle, told
from ludus.errors import LudusError
from ludus.learn.core_network import Weights
from ludus.learn.remote import Orders, Plan, Player, Report

LOSSES = 20  # players in a row that may be lost before they have told anything


class Players:
    """A crew that plays on a cluster."""

    def __init__(self, plan: Plan, count: int = 0) -> None:
        """`count` players; 0: one for every core of the cluster."""
        self._room = Room(count)
        self._plan = ray.put(plan)
        self._cores = plan.settings.teacher_threads + 1 if plan.settings.teacher == "solver" else 1
        self._hired = 0  # players so far; each has a number of its own
        self.lost = 0  # players that were lost with their machines
        self._lost_in_a_row = 0
        self._busy: dict[Any, Any] = {}  # the report that is awaited from each actor
        self._new: set[Any] = set()  # actors that have told nothing yet
        self._weights: Weights | None = None
        self._stored: Any = None  # the weights, as the object store knows them

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for actor in self._busy.values():
            with contextlib.suppress(Exception):  # the cluster may be gone
                ray.kill(actor)
        self._busy.clear()
        self._new.clear()
        self._stored = None

    def run(self, jobs: Iterable[Orders]) -> Iterator[Report]:
        """The reports on these orders, as they come; new orders go to a player as soon as it has told."""
        waiting = iter(jobs)
        while True:
            self._hire_and_dismiss(waiting)
            if not self._busy:
                return
            for task in self._room.finished(list(self._busy)):
                report = self._answer(task, waiting)
                if report is not None:
                    yield report

    def _hire_and_dismiss(self, waiting: Iterator[Orders]) -> None:
        """As many players as there is room for. One that has no room waits for it; is there to be none, it goes."""
        wanted = max(1, self._room.workers // (1 if self._room.most else self._cores))
        while len(self._busy) < wanted and (orders := next(waiting, None)) is not None:
            actor = ACTOR.options(num_cpus=self._cores).remote(self._plan, self._hired, wanted, os.getcwd())
            self._hired += 1
            self._new.add(actor)
            self._order(actor, orders)
        for task, actor in list(self._busy.items()):
            if len(self._busy) > wanted and actor in self._new:
                del self._busy[task]
                self._new.discard(actor)
                ray.kill(actor)

    def _order(self, actor: Any, orders: Orders) -> None:
        if orders.weights is not self._weights:
            self._weights, self._stored = orders.weights, ray.put(orders.weights)
        self._busy[actor.play.remote(self._stored, orders.episode, orders.progress)] = actor

    def _answer(self, task: Any, waiting: Iterator[Orders]) -> Report | None:
        """What a player has told; None if it is lost."""
        actor = self._busy.pop(task)
        try:
            answer = ray.get(task)
        except ray.exceptions.RayTaskError as error:
            raise told(error) from None
        except ray.exceptions.RayError as error:
            self._lose(actor, error)
            return None
        if isinstance(answer, Exception):
            raise answer
        self._new.discard(actor)
        self._lost_in_a_row = 0
        orders = next(waiting, None)
        if orders is not None:
            self._order(actor, orders)
        report: Report = answer
        return report

    def _lose(self, actor: Any, error: Exception) -> None:
        """A player is lost with its machine; another will take its place."""
        with contextlib.suppress(Exception):
            ray.kill(actor)
        self._new.discard(actor)
        self.lost += 1
        self._lost_in_a_row += 1
        if self._lost_in_a_row > LOSSES:
            raise LostTooOften(f"{LOSSES} players in a row were lost before they had played a game: {told(error)}")


# ------------------------------------------------------------------------------------- in a process of the cluster


class Seat:
    """A player in a process of the cluster."""

    def __init__(self, plan: Plan, number: int, players: int, folder: str) -> None:
        settle(folder)
        self.player = Player(plan, number, players)

    def play(self, weights: Weights, episode: int, progress: float) -> Report | LudusError:
        try:
            return self.player.play(Orders(weights, episode, progress))
        except LudusError as error:
            return error


ACTOR = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Seat)
