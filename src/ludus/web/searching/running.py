"""A task under way in a worker: its steps, the time that it got, the questions that it is asked."""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass, field

from ludus.agents import AgentFailed
from ludus.errors import LudusError
from ludus.web.searching.tasks import Aside, Facts, Rest, Steps, Task
from ludus.web.searching.tools import Tools


@dataclass
class Ended:
    """A job's steps are over: with the facts of its last report."""

    facts: Facts


Said = Facts | Aside | Rest | Ended | None  # by one step


@dataclass(eq=False)
class Running:
    """A task under way in a worker."""

    number: int
    task: Task
    tools: Tools
    steps: Steps
    began: float = field(default_factory=time.monotonic)
    had: float = 0.0  # seconds of work
    count: int = 0  # steps made
    aside: Aside | None = None  # the next step, or the one under way, has a thread
    thread_since: float | None = None  # when its thread began
    rests_until: float | None = None
    cancelled: bool = False
    questions: list[tuple[int, bytes]] = field(default_factory=list)  # that wait for the end of a step

    @property
    def share(self) -> float:
        """How much of the time since it began the job was worked on."""
        return min(1.0, self.had / max(1e-9, time.monotonic() - self.began))

    def step(self) -> Said:
        """The next step, and what it says."""
        began, worked = time.monotonic(), time.process_time()
        try:
            return next(self.steps)
        except StopIteration as end:
            return Ended(end.value)
        except AgentFailed as failed:
            return Ended(failure(failed.kind, str(failed)))
        except LudusError as error:
            return Ended(failure("refused", str(error)))
        except (Exception, SystemExit) as error:  # a visitor's game may raise anything
            return Ended(failure("exception", f"{type(error).__name__}: {str(error)[:200]}"))
        finally:
            self.count += 1
            seconds = time.monotonic() - began
            self.had += seconds if self.aside else min(seconds, time.process_time() - worked)

    def answer(self, pickled: bytes) -> Facts:
        """The answer to a question; a refusal is an error in words."""
        try:
            if self.tools.answer is None:
                raise LudusError("this search cannot be asked now")
            return self.tools.answer(pickle.loads(pickled))
        except Exception as error:  # a visitor's game may raise anything
            return {"error": str(error) or type(error).__name__}


def failure(kind: str, sentence: str) -> Facts:
    """The last report of a job that went wrong."""
    return {"kind": "failed", "failure": kind, "sentence": sentence}
