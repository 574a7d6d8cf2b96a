"""The archive: games are stored together, patiently, and before anybody hears of them."""

import asyncio

import pytest

from ludus.protocols.oht.results import Played
from ludus.protocols.oht.serving import archive as archive_module
from ludus.protocols.oht.serving.archive import Archive
from ludus.protocols.oht.storage.store import DatabaseTrouble


class Memory:
    """A store that remembers what it was given, and fails as often as it is told."""

    def __init__(self, failures=0):
        self.failures, self.batches, self.closed = failures, [], False

    def record_all(self, games):
        if self.failures:
            self.failures -= 1
            raise DatabaseTrouble("for a test")
        self.batches.append({round_id: [game.number for game in played] for round_id, played in games.items()})

    def close(self):
        self.closed = True


def game(number):
    return Played(number, 1, ())


def test_games_that_end_at_the_same_time_are_stored_in_one_transaction():
    async def run():
        archive = Archive(store)
        await asyncio.gather(*(archive.record(n % 2, game(n)) for n in range(10)))
        archive.close()

    store = Memory()
    asyncio.run(run())
    assert sum(len(played) for batch in store.batches for played in batch.values()) == 10 and len(store.batches) <= 3


def test_a_database_that_fails_for_a_moment_is_tried_again(monkeypatch):
    async def run():
        archive = Archive(store)
        await archive.record(1, game(0))
        archive.close()

    monkeypatch.setattr(archive_module, "PAUSES", (0.0, 0.0, 0.0))
    store = Memory(failures=3)
    asyncio.run(run())
    assert store.batches == [{1: [0]}]


def test_a_database_that_goes_on_failing_is_said_to_everybody_who_waits(monkeypatch):
    async def run():
        archive = Archive(store)
        answers = await asyncio.gather(*(archive.record(1, game(n)) for n in range(3)), return_exceptions=True)
        assert len(answers) == 3 and all(isinstance(answer, DatabaseTrouble) for answer in answers)
        await archive.record(1, game(7))
        archive.close()

    monkeypatch.setattr(archive_module, "PAUSES", ())
    store = Memory(failures=1)
    asyncio.run(run())
    assert store.batches == [{1: [7]}]


def test_what_is_over_when_the_server_stops_is_stored():
    async def run():
        archive = Archive(store)
        waiting = [asyncio.create_task(archive.record(1, game(n))) for n in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        archive.close()

    store = Memory()
    asyncio.run(run())
    assert sorted(number for batch in store.batches for number in batch[1]) == [0, 1, 2] and store.closed


def test_what_waits_for_a_second_try_when_the_server_stops_is_stored(monkeypatch):
    async def run():
        archive = Archive(store)
        waiting = asyncio.create_task(archive.record(1, game(0)))
        while store.failures:
            await asyncio.sleep(0.001)
        waiting.cancel()
        archive.close()

    monkeypatch.setattr(archive_module, "PAUSES", (600.0,))
    store = Memory(failures=1)
    asyncio.run(run())
    assert store.batches == [{1: [0]}]


def test_a_question_is_answered_in_another_thread_and_its_error_comes_back():
    async def run():
        archive = Archive(Memory())
        assert await archive.ask(max, 1, 2) == 2 and await archive.check(min, 1, 2) == 1
        with pytest.raises(ZeroDivisionError):
            await archive.ask(divmod, 1, 0)
        archive.close()

    asyncio.run(run())
