"""The store, asked from the event loop. It works in a thread of its own, so that nobody waits for the disk but those
who must."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from ludus.monitor.logs import about, logger
from ludus.monitor.metrics import Counter, Histogram
from ludus.protocols.oht.results import Played
from ludus.protocols.oht.storage.store import DatabaseTrouble, Store
from ludus.system import cores, give_way

P = ParamSpec("P")
T = TypeVar("T")

LOG = logger("oht")
PAUSES = (0.1, 0.5, 2.0, 5.0)  # seconds before a game is stored again, when the database cannot be used for a moment
Waiting = tuple[int, Played, asyncio.Future[None]]  # the round, a game of it, and who waits until it is stored


class Archive:
    """One thread that uses the store. Games that end at about the same time are stored together."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._thread = ThreadPoolExecutor(1, "store")
        # Password hashes are slow on purpose. Clients who play are served first.
        self._slow = ThreadPoolExecutor(min(4, cores()), "passwords", give_way)
        self._waiting: list[Waiting] = []
        self.games, self.moves, self.troubles = Counter("ended"), Counter(), Counter()
        self.seconds = Histogram()  # until a game was safe
        self._writing: asyncio.Task[None] | None = None

    async def ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a method of the store in its thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: question(*args, **kwargs))

    async def check(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls a method of the store that takes long, in a thread where only others of its kind wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self._slow, lambda: question(*args, **kwargs))

    async def record(self, round_id: int, played: Played) -> None:
        """Stores a game; returns when it is safe."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((round_id, played, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        asked = time.monotonic()
        await done
        self.seconds.note(time.monotonic() - asked)
        self.games.add(played.ended)
        self.moves.add(amount=len(played.moves))
        LOG.debug("a game is stored", extra=about(round=round_id, game=played.number, ended=played.ended))

    async def _write(self) -> None:
        while self._waiting:
            batch = list(self._waiting)  # they stay there until they are stored: the server may stop before
            trouble = await self._store(by_round(batch))
            del self._waiting[: len(batch)]
            for *_, done in batch:
                if not done.done():
                    done.set_exception(trouble) if trouble else done.set_result(None)

    async def _store(self, games: dict[int, list[Played]]) -> Exception | None:
        """Stores games in one transaction, patiently; why it cannot be done, if it cannot."""
        for pause in (*PAUSES, None):
            try:
                await self.ask(self.store.record_all, games)
                return None
            except DatabaseTrouble as error:
                self.troubles.add()
                LOG.warning(f"finished games wait to be stored: {error}", extra=about(games=len(self._waiting)))
                if pause is None:
                    return error
                await asyncio.sleep(pause)
            except Exception as error:
                return error
        return None

    def close(self) -> None:
        """Stores the games that are over, perhaps once more, which changes nothing; then closes the store."""
        self._slow.shutdown(cancel_futures=True)
        last = self._thread.submit(self.store.record_all, by_round(self._waiting)) if self._waiting else None
        self._thread.shutdown()
        self.store.close()
        if last:
            last.result()


def by_round(batch: list[Waiting]) -> dict[int, list[Played]]:
    games: dict[int, list[Played]] = {}
    for round_id, played, _ in batch:
        games.setdefault(round_id, []).append(played)
    return games
