"""The agents of the house, which think in processes of their own, so that the server has time for its clients.

A process gets a few moves to think about at once, as many as keep it busy for some milliseconds: so it need not wait
for the server between two moves, and no move waits long in a process while another one is free.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Sequence

from ludus._core import Rng
from ludus.agents import accept, make_agent
from ludus.errors import LudusError
from ludus.game import Action, Game
from ludus.monitor.logs import about, logger
from ludus.monitor.metrics import Counter, Histogram
from ludus.protocols.oht.serving.thinkers import Request, Thinker, ready
from ludus.protocols.oht.table import Table

LOG = logger("oht")
ATTEMPTS = 3  # how often a move is asked for when the process that thinks about it dies
AHEAD = 0.005  # seconds of work that a process may have before it


class House:
    """Answers for the agents. Requests are served in the order in which they come."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._thinkers: list[Thinker] = []
        self._waiting: deque[Request] = deque()
        self._seconds: dict[str, float] = {}  # that an agent thinks about a move, on average
        self._seeds = random.Random()  # seeded by the system
        self.answers, self.lost = Histogram(), Counter()  # seconds until a move came; processes that died

    async def choose(self, agent: str, table: Table) -> Action:
        """The agent's action in this position. A random one needs no thought, and so no other process."""
        seed = self._seeds.getrandbits(64)
        if agent == "random":
            return ready(agent, table.game).decide(table.state, Rng(seed)).action
        answer: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        self._waiting.append(Request(agent, table.game, tuple(table.actions), seed, answer))
        self._hand_out()
        asked = time.monotonic()
        action = await answer
        self.answers.note(time.monotonic() - asked)
        return action

    def expect(self, agents: Sequence[str]) -> None:
        """Starts the processes that these agents need, so that the first move does not wait for them."""
        if any(agent != "random" for agent in agents):
            self._start()

    @property
    def alive(self) -> int:
        """How many processes there are to think."""
        return sum(thinker.alive for thinker in self._thinkers)

    def _start(self) -> None:
        while len(self._thinkers) < self.workers:
            self._thinkers.append(Thinker(self._answered, self._died))

    def _hand_out(self) -> None:
        """Gives the requests that wait to processes that have little to do."""
        self._start()
        while self._waiting:
            idlest = min(self._thinkers, key=lambda thinker: thinker.load)
            if idlest.load >= AHEAD:
                return
            request = self._waiting.popleft()
            if not request.answer.done():  # its client may be gone
                idlest.ask(request, self._seconds.get(request.agent, AHEAD))

    def _answered(self, request: Request, answer: Action | str, seconds: float) -> None:
        """A process has thought about a move; a text says what went wrong."""
        before = self._seconds.get(request.agent, seconds)
        self._seconds[request.agent] = 0.8 * before + 0.2 * seconds
        if not request.answer.done():
            if isinstance(answer, str):
                request.answer.set_exception(LudusError(f"{request.agent} has failed: {answer}"))
            else:
                request.answer.set_result(answer)
        self._hand_out()

    def _died(self, thinker: Thinker, unanswered: Sequence[Request]) -> None:
        """A process is gone. What it was asked is asked again, in its turn; the first of it may be the reason."""
        self._thinkers.remove(thinker)
        self.lost.add()
        LOG.warning("a process in which agents think has ended", extra=about(asked=len(unanswered)))
        for place, request in enumerate(unanswered):
            request.failures += place == 0
            if request.failures < ATTEMPTS:
                self._waiting.insert(place, request)
            elif not request.answer.done():
                why = f"the processes in which {request.agent} thinks die again and again"
                request.answer.set_exception(LudusError(why))
        if self._waiting:
            self._hand_out()

    def close(self) -> None:
        for thinker in self._thinkers:
            thinker.end()
        self._thinkers.clear()


def check(agents: Sequence[str], game: Game) -> None:
    """Refuses agents that do not exist or do not play this game."""
    for agent in agents:
        accept(make_agent(agent), game)
