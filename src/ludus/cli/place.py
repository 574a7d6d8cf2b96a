"""Where a command lets its games be played: `--on here`, which is this machine, or `--on ray`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ludus.errors import BadOption, whole_option

if TYPE_CHECKING:  # imports PyTorch
    from ludus.learn.remote import HireSelfPlay
    from ludus.learn.settings import TrainSettings
    from ludus.play.tournament import Hire


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where games are played."""

    on: Literal["here", "ray"] = "here"  # this machine, or Ray, which can have many machines
    address: str | None = None  # of a Ray cluster to join: 10.0.0.1:6379; without one, Ray is started on this machine

    def __post_init__(self) -> None:
        if self.address is not None and self.on == "here":
            raise BadOption("--address is that of a Ray cluster: say --on ray, too")
        if self.address is not None and not self.address.strip():
            raise BadOption("--address is empty; it is that of a Ray cluster, such as 10.0.0.1:6379")


@dataclass(frozen=True, kw_only=True)
class Training(Place):
    """Where the games of a training are played."""

    workers: int = 0  # with --on ray: players, a core each; 0: one for every core of the cluster

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_option("workers", self.workers, 0, 10_000)
        if self.workers and self.on == "here":
            raise BadOption("--workers goes with --on ray; on this machine every core plays")


@contextlib.contextmanager
def tournament_crew(place: Place) -> Iterator[Hire]:
    """Who plays a tournament."""
    from ludus.play.tournament import local_crew

    if place.on == "here":
        yield local_crew
        return
    from ludus.cluster.start import ray_at

    with ray_at(place.address):
        from ludus.cluster.games import Games

        yield lambda tournament, games: Games(tournament)


@contextlib.contextmanager
def training_crew(place: Training, settings: TrainSettings) -> Iterator[HireSelfPlay | None]:
    """Who plays the games of a training; None: the threads of its own process."""
    if place.on == "here":
        yield None
        return
    from ludus.cluster.start import ray_at
    from ludus.learn.remote import refuse_alone

    refuse_alone(settings)
    with ray_at(place.address):
        from ludus.cluster.players import Players

        yield lambda plan: Players(plan, place.workers)
