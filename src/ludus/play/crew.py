"""The seam between what is to be done and where: run these jobs, give me the results as they finish.

Behind it are processes of this machine (workers.py), or the machines of a cluster (ludus/cluster/).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Protocol, Self, TypeVar

Job = TypeVar("Job", contravariant=True)
Result = TypeVar("Result", covariant=True)


class Crew(Protocol[Job, Result]):
    """Workers, somewhere. They work inside `with`; leaving it ends them and everything they have started."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of these jobs, as they finish, one for each. A job is taken when somebody is free to do it, so
        jobs may be without end; one whose worker was lost is done again by another, if the loss is nobody's fault.
        """

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
