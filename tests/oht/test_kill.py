"""The server as a process: killed in the middle of play, and stopped in order. `experiments/oht_kill.py` does more."""

import asyncio
import os
import signal

import pytest

from ludus.protocols.oht.storage.store import Store
from tests.oht.crowd import Heard, play_json
from tests.oht.link import Closed, trusting
from tests.oht.rounds import CHEAP
from tests.oht.server_kills import Plan, Tournament, enrol, run, wait_for_the_end_of

SMALL = {"clients": 4, "attempts": 1, "board": 3, "games": 8, "opponents": ("random", "mcts:simulations=5")}


def test_a_server_that_is_killed_loses_no_game_that_anybody_heard_of_and_charges_no_attempt_twice(url, tmp_path):
    plan = Plan(url, tmp_path, kills=3, between=(0.0, 0.2), least=4, pause=0.03, **SMALL)
    counts = asyncio.run(run(plan))
    assert counts["after the last kill"]["kills"] == 3
    assert counts["at the end"]["attempts finished"] == 4 and counts["at the end"]["games stored"] == 4 * 16
    assert counts["at the end"]["exit code"] == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_stores_what_is_over_and_tells_json_clients(number, tmp_path):
    plan = Plan(f"sqlite:///{tmp_path}/oht.db", tmp_path, **SMALL)
    players, tournament, heard = enrol(plan), Tournament(plan), Heard()
    tournament.start()

    async def play():
        context = trusting(tmp_path / "server.crt")
        playing = [play_json(tournament.ports["json"], context, one.token, True, 1, pause=0.01) for one in players[1:]]
        playing.append(play_json(tournament.ports["json"], context, players[0].token, True, 1, heard, 0.01))
        tasks = [asyncio.create_task(one) for one in playing]
        while len(heard.winners) < 2:
            await asyncio.sleep(0.01)
        workers = tournament.workers()
        os.kill(tournament.process.pid, number)
        return workers, await asyncio.gather(*tasks, return_exceptions=True)

    workers, ended = asyncio.run(play())
    said, _ = tournament.process.communicate(timeout=100)
    assert tournament.process.returncode == 0 and "The server has stopped." in said
    assert all(isinstance(one, Closed) or "the server is being stopped" in one.refused for one in ended)
    assert (tmp_path / "log").read_text() == ""
    assert workers
    wait_for_the_end_of(workers)
    store = Store(plan.url, cost=CHEAP)
    account = store.account(players[0].name)
    played = store.round(store.results(account.id)[0].round).played
    store.close()
    assert [game.winner for game in played][: len(heard.winners)] == heard.winners
    assert all(game.ended == "rules" for game in played)  # what was being played was not played
