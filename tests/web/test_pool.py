"""The pool: jobs share workers fairly, can be cancelled at once, and survive what others do to their worker."""

import asyncio
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ludus
from ludus.agents import make_agent
from ludus.errors import LudusError
from ludus.web.searching import workers
from ludus.web.searching.jobs import Analyse, Branch, Move
from ludus.web.searching.pool import Busy
from ludus.web.searching.tasks import Place
from ludus.web.searching.tools import Limits
from ludus.web.searching.worker import Worker
from tests.web.tasks import Count, Hang, Heard, Held, Leave, Rubbish, gone, with_pool

HEX = Place("hex", {"size": 7})
PLAYERS = "tests/play/players.py"


# ---------------------------------------------------------------------------------------------- turns


def numbers_of(tasks, steps):
    """How many steps each of some tasks has made when a worker has made so many in all."""
    out = io.StringIO()
    worker = Worker(Limits(), out, turn=0)
    for number, task in enumerate(tasks):
        worker.on_start(number, pickle.dumps(task))
    for _ in range(steps):
        worker.advance(worker.next_job())
    return [job.count for job in worker.jobs.values()]


def test_jobs_take_turns():
    assert numbers_of([Count()] * 5, 50) == [10] * 5


def test_somebody_who_waits_comes_first_but_nobody_starves():
    assert numbers_of([Count(), Count(), Count(urgent=True)], 40) == [10, 10, 20]
    assert numbers_of([Count(), Count(urgent=True), Count(urgent=True), Count(urgent=True)], 40) == [10, 10, 10, 10]


def test_a_job_that_joins_late_has_its_turn_in_the_first_round():
    out = io.StringIO()
    worker = Worker(Limits(), out, turn=0)
    for number in range(9):
        worker.on_start(number, pickle.dumps(Count()))
    for _ in range(100):
        worker.advance(worker.next_job())
    worker.on_start(9, pickle.dumps(Count(urgent=True)))
    worker.advance(worker.next_job())
    assert worker.jobs[9].count == 1


def test_a_cancelled_job_makes_no_further_step():
    out = io.StringIO()
    worker = Worker(Limits(), out, turn=0)
    for number in range(2):
        worker.on_start(number, pickle.dumps(Count()))
    for _ in range(10):
        worker.advance(worker.next_job())
    worker.on_cancel(0)
    for _ in range(10):
        worker.advance(worker.next_job())
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [m["steps"] for m in said if m["job"] == 0] == [1, 2, 3, 4, 5, 5]
    assert worker.jobs[1].count == 15


# ---------------------------------------------------------------------------------------------- the pool


def test_reports_come_in_order_and_the_last_one_says_so():
    async def test(pool):
        heard = Heard(pool, Count(20))
        await heard.last()
        assert [report.facts["number"] for report in heard] == list(range(1, 21))
        assert [report.done for report in heard] == [False] * 19 + [True]
        assert all(0 <= report.facts["share"] <= 1 for report in heard)
        assert heard.job.done

    with_pool(test)


def test_cancelling_stops_a_job_within_a_slice_or_two_and_nothing_more_is_reported(tmp_path):
    async def test(pool):
        heard = Heard(pool, Held(f"{tmp_path}/go"))
        await heard.until()
        heard.job.cancel()
        assert heard.job.done
        (tmp_path / "go").touch()  # it was in the middle of its second step
        await gone(pool)
        assert len(heard) == 1 and heard.job.steps <= 3

    with_pool(test)


def test_fifty_searches_at_once_all_make_progress_and_a_move_among_them_comes():
    async def test(pool):
        many = [Heard(pool, Analyse(HEX, "mcts", f"table {i}", seconds=600)) for i in range(50)]
        move = Heard(pool, Move(HEX, "mcts:simulations=2000", 1, "table 0"))
        assert (await move.last())["kind"] == "move"
        for heard in many:
            first = await heard.until(lambda report: report.facts["simulations"] > 0)
            later = await heard.until(lambda r, first=first: r.facts["simulations"] > first.facts["simulations"])
            assert later.facts["share"] < 0.5  # two workers for fifty
        for heard in many:
            heard.job.cancel()
        await gone(pool)

    with_pool(test, workers=2)


def test_too_many_jobs_are_refused_with_a_sentence_until_one_ends():
    async def test(pool):
        jobs = [pool.start(Count(), lambda report: None) for _ in range(3)]
        with pytest.raises(Busy, match="too many people at once"):
            pool.start(Count(), lambda report: None)
        jobs[0].cancel()
        await asyncio.sleep(0)
        while pool.workers[0].count == 3:
            await asyncio.sleep(0.01)
        pool.start(Count(3), lambda report: None)

    with_pool(test, jobs=3)


def test_a_report_that_is_no_json_is_a_failure_that_is_told():
    async def test(pool):
        heard = Heard(pool, Rubbish())
        assert (await heard.last())["number"] == 2
        assert heard[0].failed and "JSON" in heard[0].facts["sentence"]

    with_pool(test)


def test_a_job_ends_when_its_time_is_up():
    async def test(pool):
        last = await Heard(pool, Count(pause=0.01)).last()
        assert last["failure"] == "time" and "longer than 0.3 seconds" in last["sentence"]

    with_pool(test, limits=Limits(job_seconds=0.3))


def test_a_table_stays_with_its_worker_unless_that_one_has_much_more_to_do():
    async def test(pool):
        def start(table, urgent=True):
            return pool.start(Count(table=table, urgent=urgent), lambda report: None).worker

        first = start("a")
        assert start("b") is not first
        assert start("a") is first and start("a") is first
        assert start("a", urgent=False) is not first  # analyses go where there is least to do
        assert start("b", urgent=False) is not first
        for _ in range(9):
            start("a")
        assert sorted(worker.load for worker in pool.workers) in ([6, 9], [7, 8])

    with_pool(test, workers=2)


def test_an_analysis_that_only_waits_for_questions_is_no_load():
    async def test(pool):
        heard = Heard(pool, Analyse(HEX, "mcts", "a", seconds=0.1))
        await heard.until(lambda report: report.facts["ended"])
        while pool.workers[0].load:
            await asyncio.sleep(0.01)
        assert not heard.job.done and len(pool.workers[0].jobs) == 1

    with_pool(test)


def test_a_mistake_of_who_is_told_ends_neither_the_job_nor_its_worker():
    async def test(pool):
        faults, numbers = [], []
        asyncio.get_running_loop().set_exception_handler(lambda loop, about: faults.append(about["message"]))

        def clumsy(report):
            numbers.append(report.facts["number"])
            raise LudusError("I cannot hear this")

        pid = await worker_of(pool)
        await pool.start(Count(3), clumsy).ended.wait()
        assert numbers == [1, 2, 3] and faults == ["the report of a Count could not be told"] * 3
        assert pool.workers[0].pid == pid

    with_pool(test)


async def worker_of(pool):
    """The process of the first worker, once it has done something."""
    await Heard(pool, Count(1)).last()
    return pool.workers[0].pid


def test_a_closed_pool_takes_no_task():
    async def test(pool):
        heard = Heard(pool, Count())
        await heard.until()
        await pool.close()
        assert heard[-1].done and heard[-1].facts["sentence"] == "the server is closing"
        with pytest.raises(Busy, match="closing"):
            pool.start(Count(), heard.hear)

    with_pool(test)


# ---------------------------------------------------------------------------------------------- bad neighbours


def test_a_step_that_hangs_ends_alone_and_the_others_go_on_meanwhile():
    async def test(pool):
        hanging, counting = Heard(pool, Hang(seconds=5)), Heard(pool, Count())
        await hanging.until()
        told = counting[-1].facts["number"] if counting else 0
        await counting.until(lambda report: report.facts["number"] > told + 20)  # while the other one hangs
        assert not hanging.job.done
        last = await hanging.last()
        assert last["failure"] == "flag" and "no answer came in time" in last["sentence"]
        await counting.until(lambda report: report.facts["number"] > 5, seen=len(counting))
        assert not counting.job.done

    with_pool(test)


def test_a_process_that_stands_still_is_replaced_and_only_who_may_be_to_blame_fails():
    async def test(pool):
        hanging, counting = Heard(pool, Hang(holding=True, seconds=60)), Heard(pool, Count())
        assert "ended twice" in (await hanging.last())["sentence"]
        await counting.until(seen=len(counting))
        assert not counting.job.done

    with_pool(test, limits=Limits(silent_seconds=5))


def test_a_process_may_take_long_to_start(monkeypatch):
    slow = [*workers.COMMAND[:-1], "import time; time.sleep(4); " + workers.COMMAND[-1]]
    monkeypatch.setattr(workers, "COMMAND", slow)

    async def test(pool):
        counting = Heard(pool, Count())
        await counting.until()
        assert counting.job.losses == 0

    with_pool(test, limits=Limits(silent_seconds=1.5))


def test_a_worker_that_is_killed_takes_nothing_with_it_but_a_moment():
    async def test(pool):
        heard = [Heard(pool, Count()) for _ in range(3)]
        move = Heard(pool, Move(HEX, "mcts:simulations=60000", 5, "a"))
        await heard[0].until(lambda report: report.facts["number"] == 3)
        os.kill(pool.workers[0].pid, signal.SIGKILL)
        for one in heard:
            await one.until(seen=len(one))
        own = make_agent("mcts:simulations=60000").decide(ludus.make("hex").start(), ludus.Rng(5))
        assert (await move.last())["action"] == own.action

    with_pool(test)


def test_who_ends_the_process_twice_has_failed():
    async def test(pool):
        assert (await Heard(pool, Leave()).last())["failure"] == "crash"
        assert (await Heard(pool, Count(3)).last())["number"] == 3

    with_pool(test)


def test_a_cancelled_step_that_hangs_does_not_stay(tmp_path):
    async def test(pool):
        heard = Heard(pool, Hang(seconds=60, sign=f"{tmp_path}/hangs"))
        while not (tmp_path / "hangs").exists():
            await asyncio.sleep(0.01)
        pid = pool.workers[0].pid
        heard.job.cancel()
        while pool.workers[0].pid in (pid, None):
            await asyncio.sleep(0.05)
        assert (await Heard(pool, Count(3)).last())["number"] == 3

    with_pool(test)


# ---------------------------------------------------------------------------------------------- memory


def megabytes(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@linux
def test_a_closed_analysis_frees_its_memory():
    async def test(pool):
        await Heard(pool, Analyse(HEX, "mcts:simulations=100", "a", seconds=0.1)).until(lambda r: r.facts["ended"])
        before = megabytes(pool.workers[0].pid)
        heard = Heard(pool, Analyse(HEX, "mcts", "b", seconds=600))
        await heard.until(lambda report: report.facts["bytes"] > 60 << 20)
        assert megabytes(pool.workers[0].pid) > before + 50
        heard.job.cancel()
        await gone_but(pool, 1)
        assert megabytes(pool.workers[0].pid) < before + 20

    async def gone_but(pool, jobs):
        while pool.workers[0].count > jobs:
            await asyncio.sleep(0.01)

    with_pool(test)


def test_a_tree_stops_growing_at_its_bound_and_says_so():
    async def test(pool):
        heard = Heard(pool, Analyse(HEX, "mcts", "a", seconds=600))
        last = (await heard.until(lambda report: report.facts["ended"])).facts
        assert last["ended"] == "memory" and last["bytes"] < 40 << 20
        move = await Heard(pool, Move(HEX, "mcts:simulations=100000000", 1, "a")).last()
        assert move["kind"] == "move" and move["full"] and move["simulations"] < 10_000_000

    with_pool(test, limits=Limits(tree_bytes=8 << 20))


def test_when_memory_is_short_analyses_that_only_wait_for_questions_end():
    async def test(pool):
        waiting = Heard(pool, Analyse(HEX, "mcts", "a", seconds=600))
        await waiting.until(lambda report: report.facts["ended"] == "memory")
        assert await waiting.last() is not None  # it alone has more than the worker may keep
        assert (await Heard(pool, Analyse(HEX, "mcts", "b", seconds=0.2)).until(lambda r: r.facts["ended"])).facts

    with_pool(test, limits=Limits(tree_bytes=64 << 20, all_bytes=8 << 20))


# ---------------------------------------------------------------------------------------------- processes


def alive(pid):
    """Does this process run? One that has ended and that nobody has waited for does not."""
    try:
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        return not Path("/proc/self").exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_no_process_is_left_after_close_even_if_one_stands_still():
    pids = []

    async def test(pool):
        heard = [Heard(pool, Hang(table=f"{i}", holding=True, seconds=60)) for i in range(2)]
        for one in heard:
            await one.until()
        pids.extend(worker.pid for worker in pool.workers)

    with_pool(test, workers=2)
    assert len(pids) == 2 and not any(map(alive, pids))


SCRIPT = """
import asyncio
from tests.web.tasks import Count, Hang, Heard, Pool
async def main():
    pool = Pool(2)
    heard = [Heard(pool, task) for task in (Count(table="a"), Hang(table="b", holding=True, seconds=60))]
    for one in heard:
        await one.until()
    print(*(worker.pid for worker in pool.workers), flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


def test_no_process_is_left_when_the_server_is_killed():
    server = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
    pids = [int(word) for word in server.stdout.readline().split()]
    assert len(pids) == 2 and all(map(alive, pids))
    server.kill()
    server.wait()
    end = time.monotonic() + 100
    while time.monotonic() < end:
        if not any(map(alive, pids)):
            return
        time.sleep(0.05)
    raise AssertionError("a worker has outlived the server")


@linux
def test_workers_are_nice_and_load_no_network_library_before_they_need_it():
    async def test(pool):
        await Heard(pool, Move(HEX, "mcts:simulations=10", 1, "a")).last()
        pid = pool.workers[0].pid
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 10)
        with open(f"/proc/{pid}/maps") as file:
            assert "torch" not in file.read()

    with_pool(test)


# ---------------------------------------------------------------------------------------------- questions


def test_a_question_about_a_branch_is_answered_while_the_search_runs_and_after_it():
    async def test(pool):
        heard = Heard(pool, Analyse(HEX, "mcts", "a", seconds=0.5))
        first = (await heard.until()).facts
        best = first["actions"][0]["action"]
        asked = heard.job.ask(Branch((best,)))
        await heard.until(lambda report: report.facts["ended"] == "time")
        for answer in (await asked, await heard.job.ask(Branch((best,)))):
            assert answer["player"] == 1 and answer["path"] == [best]
            assert {"action", "name", "visits", "share", "value", "proven"} == set(answer["actions"][0])
            assert best not in [row["action"] for row in answer["actions"]]
        with pytest.raises(LudusError, match="not legal here"):
            await heard.job.ask(Branch((best, best)))
        with pytest.raises(LudusError, match="Branch"):
            await heard.job.ask("how are you?")
        heard.job.cancel()
        with pytest.raises(LudusError, match="has ended"):
            await heard.job.ask(Branch())

    with_pool(test)


def test_a_question_that_is_open_when_the_job_ends_is_refused():
    async def test(pool):
        heard = Heard(pool, Analyse(HEX, "mcts", "a"))
        await heard.until()
        asked = heard.job.ask(Branch())
        heard.job.cancel()
        with pytest.raises(LudusError, match="ended before it could answer"):
            await asked

    with_pool(test)
