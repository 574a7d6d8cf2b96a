"""How often somebody may ask: so many times at once, and so many times a second in the long run."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

REMEMBERED = 10_000  # who is remembered at most; the one who asked longest ago is forgotten first


class Pace:
    """Counts requests by whoever makes them (the generic cell rate algorithm)."""

    def __init__(self, per_second: float, at_once: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.step, self.slack, self.clock = 1 / per_second, (at_once - 1) / per_second, clock
        self._due: OrderedDict[Hashable, float] = OrderedDict()  # when the next request would be in time

    def take(self, who: Hashable, patience: float = 0.0) -> float:
        """The seconds until a request may be served. It counts only if they are no more than `patience`."""
        now = self.clock()
        due = max(self._due.get(who, now), now)
        wait = max(0.0, due - self.slack - now)
        if wait <= patience:
            self._due[who] = due + self.step
            self._due.move_to_end(who)
            if len(self._due) > REMEMBERED:
                self._due.popitem(last=False)
        return wait
