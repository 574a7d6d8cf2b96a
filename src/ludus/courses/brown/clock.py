"""What the runner's clock says. It hands over only the seconds that are left; the increment is measured."""

from __future__ import annotations

import time
from collections.abc import Callable

from ludus.agents import TimeLeft

ASSUMED = 1.0  # the course's increment in seconds, until one was measured
MOST = 60.0
RESERVE = 0.06  # of the first reading is never planned with: a busy machine may stop a program for a moment


class ClockReader:
    """Turns the seconds left into a TimeLeft, from move to move of one game."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now
        self.forget()

    def forget(self) -> None:
        """A new game begins."""
        self.increment = ASSUMED
        self._first: float | None = None  # what the clock showed at the first move
        self._shown: float | None = None  # what it showed at the last one
        self._after = 0.0  # what it must have shown when that move was made

    def start(self, seconds: float | None) -> TimeLeft | None:
        """A move begins with this much on the clock; None: there is no clock."""
        self._began = self.now()
        if seconds is None:
            return None
        if self._shown is not None:
            # Against a person the runner says the same every time: that is no clock that gains.
            gained = 0.0 if seconds == self._shown else seconds - self._after
            self.increment = max(0.0, min(MOST, gained))
        self._shown = float(seconds)
        self._first = self._shown if self._first is None else self._first
        return TimeLeft(max(1e-3, 0.5 * self._shown, self._shown - RESERVE * self._first), self.increment)

    def running(self) -> float:
        """The seconds since the move began."""
        return self.now() - self._began

    def stop(self) -> float:
        """The move is made; the seconds that it took."""
        spent = self.running()
        if self._shown is not None:
            self._after = self._shown - spent
        return spent
