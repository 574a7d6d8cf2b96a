"""The agents of the house: processes that may die, requests that nobody waits for any more."""

import asyncio
import multiprocessing
import os
import signal

import pytest

from ludus.errors import LudusError
from ludus.games import make
from ludus.protocols.oht.serving import house as house_module
from ludus.protocols.oht.serving.house import House
from ludus.protocols.oht.table import Table
from ludus.system import starting_workers

HEX = make("hex", size=4)
FOR_EVER = "mcts:simulations=1000000000,solver=false"  # the solver would soon have proven who wins


def with_house(workers=1):
    def decorate(test):
        async def run():
            house = House(workers)
            try:
                async with asyncio.timeout(300):
                    await test(house)
            finally:
                house.close()

        return lambda: asyncio.run(run())

    return decorate


def pids(house):
    return [thinker._process.pid for thinker in house._thinkers]


async def asked_of(house):
    """Waits until the first process has been asked for a move; its number."""
    while not (house._thinkers and house._thinkers[0]._asked):
        await asyncio.sleep(0.01)
    return pids(house)[0]


async def kill_first(house):
    """Kills the first process when it has been asked for a move, and waits until the house has noticed."""
    pid = await asked_of(house)
    os.kill(pid, signal.SIGKILL)
    while pid in pids(house):
        await asyncio.sleep(0.01)


@with_house()
async def test_a_random_agent_needs_no_process(house):
    table = Table(HEX, 1)
    assert {await house.choose("random", table) for _ in range(300)} == set(range(16))
    assert not house._thinkers


@with_house(workers=2)
async def test_many_moves_at_once_are_all_legal_and_each_is_for_its_own_table(house):
    tables = []
    for n in range(40):
        table = Table(HEX, 1 + n % 2)
        for action in range(n % 8):
            table.play(action)
        tables.append(table)
    moves = await asyncio.gather(*(house.choose("mcts:simulations=20", table) for table in tables))
    assert all(move in table.state.actions() for move, table in zip(moves, tables, strict=True))
    assert len(house._thinkers) == 2 and not any(thinker._asked or thinker.load for thinker in house._thinkers)


@with_house(workers=2)
async def test_a_process_that_dies_is_replaced_and_its_moves_are_asked_again(house):
    table = Table(HEX, 1)
    await house.choose("mcts:simulations=1", table)
    asked = [asyncio.create_task(house.choose("mcts:simulations=200000,solver=false", table)) for _ in range(6)]
    await asked_of(house)
    before = pids(house)
    await kill_first(house)
    assert all(0 <= move < 16 for move in await asyncio.gather(*asked))
    assert len(pids(house)) == 2 and pids(house) != before


@with_house()
async def test_a_move_over_which_processes_die_again_and_again_is_given_up(house):
    asked = asyncio.create_task(house.choose(FOR_EVER, Table(HEX, 1)))
    for _ in range(house_module.ATTEMPTS):
        await kill_first(house)
    with pytest.raises(LudusError, match="die again and again"):
        await asked
    assert await house.choose("mcts:simulations=1", Table(HEX, 1)) in range(16)


@with_house()
async def test_an_agent_that_fails_says_so_and_the_others_go_on(house):
    with pytest.raises(LudusError, match="has failed"):
        await house.choose("no_such_agent", Table(HEX, 1))
    assert await house.choose("mcts:simulations=1", Table(HEX, 1)) in range(16)


@with_house()
async def test_requests_that_nobody_waits_for_are_not_thought_about(house):
    table = Table(HEX, 1)
    await house.choose("mcts:simulations=1000", table)
    asked = [asyncio.create_task(house.choose(FOR_EVER, table)) for _ in range(5)]
    await asked_of(house)
    for one in asked[1:]:
        one.cancel()
    await kill_first(house)  # the first one is asked again; nobody waits for the others
    await asked_of(house)
    asked[0].cancel()
    await kill_first(house)
    assert await house.choose("mcts:simulations=1", table) in range(16)


def test_the_end_does_not_wait_for_an_agent_that_thinks():
    async def run():
        house = House(2)
        asked = asyncio.create_task(house.choose(FOR_EVER, Table(HEX, 1)))
        await asked_of(house)
        await asyncio.sleep(0.3)
        processes = [thinker._process for thinker in house._thinkers]
        house.close()
        assert not any(process.is_alive() for process in processes)
        asked.cancel()

    asyncio.run(asyncio.wait_for(run(), 100))


def blocked(answers):
    answers.put(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))


def test_a_worker_that_is_being_loaded_leaves_ctrl_c_to_the_server():
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    with starting_workers():
        process = context.Process(target=blocked, args=(answers,))
        process.start()
    assert answers.get(timeout=60)
    process.join(60)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
