"""The whole server is killed (kill -9) in the middle of play, again and again; then the accounts must be right.

Clients of both protocols play official attempts, and go on with them after every kill. Each writes down the games that
it heard the end of. In the end every such game is in the database as it was heard, every attempt was charged once, and
every account has had all its attempts, each with exactly the games of its plan.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ludus.protocols.oht.results import Seat
from ludus.protocols.oht.storage.accounts import NewAccount
from ludus.protocols.oht.storage.passwords import new_token
from ludus.protocols.oht.storage.store import Store
from tests.oht.crowd import Heard, play_json, play_text
from tests.oht.link import Closed, trusting
from tests.oht.rounds import CHEAP
from tests.ports import lasting_port

PASSWORD = "password of a test"


@dataclass(frozen=True)
class Plan:
    """What is played, and how often the server is killed."""

    url: str
    folder: Path
    kills: int = 50
    clients: int = 20
    attempts: int = 5
    games: int = 10  # against each opponent
    opponents: tuple[str, ...] = ("random", "mcts:simulations=30")
    board: int = 4
    pause: float = 0.01  # that a client thinks about a move
    between: tuple[float, float] = (0.1, 4.0)  # seconds from a start of the server to the next kill
    least: int = 0  # games that clients have heard the end of since the kill before, however long that takes
    seed: int = 0


@dataclass
class Player:
    """One client, over all its sessions."""

    name: str
    token: str
    text: bool
    seed: int
    heard: dict[tuple[int, int], int] = field(default_factory=dict)  # winner by attempt and number of the game
    begun: set[int] = field(default_factory=set)  # attempts that it was let into
    tries: int = 0  # to connect
    logins: int = 0  # of them, logins that came to the question what to play
    twice: int = 0  # games that it heard the end of twice
    now: Heard = field(default_factory=Heard)  # what it hears in this session
    done: bool = False


class Tournament:
    """The server as a process that is started again after every kill."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.ports = {"text": lasting_port(), "json": lasting_port()}
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Starts the server, and waits until it says that it is open."""
        arguments = ["--port", str(self.ports["text"]), "--json-port", str(self.ports["json"])]
        arguments += ["--league-port", "None", "--api-port", "None", "--board", str(self.plan.board)]
        arguments += ["--opponents", *self.plan.opponents, "--games", str(self.plan.games), "--verification", "random"]
        arguments += ["--workers", "1", "--database", self.plan.url]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludus.cli", "oht", "serve", *arguments],
            cwd=self.plan.folder, stdout=subprocess.PIPE, stderr=(self.plan.folder / "log").open("a"), text=True,
        )  # fmt: skip
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("Results are in"):
                return
        raise RuntimeError((self.plan.folder / "log").read_text())

    def workers(self) -> list[str]:
        """The processes that the server has started."""
        assert self.process
        pid = self.process.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    def kill(self) -> None:
        """Kills the server; what it has started must end by itself."""
        assert self.process
        workers = self.workers()
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        wait_for_the_end_of(workers)

    def stop(self) -> int:
        """Stops it in order; its exit code."""
        assert self.process
        self.process.terminate()
        self.process.communicate(timeout=100)
        return self.process.returncode


def wait_for_the_end_of(workers: list[str]) -> None:
    until = time.monotonic() + 100
    while any(map(runs, workers)):
        assert time.monotonic() < until, "the processes of the house live on"
        time.sleep(0.01)


def runs(pid: str) -> bool:
    """Does this process run? One that has ended and that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# --------------------------------------------------------------------------------------------- the clients


async def persist(player: Player, tournament: Tournament) -> None:
    """Plays attempt after attempt, and logs in again whenever the server is gone, until no attempt is left."""
    context = trusting(tournament.plan.folder / "server.crt")
    while not player.done:
        player.tries += 1
        heard = player.now = Heard()
        seed = 10**6 * player.seed + player.tries
        try:
            if player.text:
                port = tournament.ports["text"]
                await play_text(port, context, player.name, PASSWORD, True, seed, heard, tournament.plan.pause)
            else:
                port = tournament.ports["json"]
                await play_json(port, context, player.token, True, seed, heard, tournament.plan.pause)
        except (Closed, OSError):
            await asyncio.sleep(0.1)
        player.logins += bool(heard.question)
        remember(player, heard, tournament.plan)
        player.now = Heard()
        player.done = "no official attempt is left" in heard.refused


def remember(player: Player, heard: Heard, plan: Plan) -> None:
    """Which games of which attempt were heard of: the question of the login and the series say which they are."""
    if not heard.planned:
        return
    found = re.search(r"You have (\d+) remaining", heard.question)
    assert found
    attempt = plan.attempts - int(found[1]) + ("interrupted" not in heard.question)
    player.begun.add(attempt)
    series = {Seat(opponent).unique_id: index for index, opponent in enumerate(plan.opponents)}
    for opponent, left, winner in heard.ends:
        key = attempt, series[opponent] * plan.games + plan.games - left
        player.twice += key in player.heard
        player.heard[key] = winner


# --------------------------------------------------------------------------------------------- the accounts


def compare(plan: Plan, players: list[Player], finished: bool) -> dict[str, int]:
    """Compares what clients heard with the database; raises if they disagree, else gives the counts."""
    store = Store(plan.url, cost=CHEAP)
    counts = {"attempts begun": 0, "attempts finished": 0, "games stored": 0, "games heard of": 0}
    for player in players:
        account = store.account(player.name)
        assert account
        rounds = [store.round(one.round) for one in store.results(account.id)]
        stored = {(n, game.number): game for n, one in enumerate(rounds, 1) for game in one.played}
        for key, winner in player.heard.items():
            assert key in stored, f"{player.name} heard of game {key}, which is lost"
            assert stored[key].winner == winner, f"{player.name} heard that {winner} won game {key}"
        assert player.twice == 0, f"{player.name} heard of a game twice"
        assert player.begun <= set(range(1, len(rounds) + 1)), f"{player.name} has lost an attempt"
        assert len(rounds) <= plan.attempts and all(one.finished for one in rounds[:-1]), f"{player.name}: too many"
        assert all(game.ended in ("rules", "gone") for one in rounds for game in one.played)
        assert store.attempts_left(account.id) == plan.attempts - len(rounds)
        size = plan.games * len(plan.opponents)
        assert all(len(one.played) <= one.games == size for one in rounds)
        assert not finished or (len(rounds) == plan.attempts and rounds[-1].finished), f"{player.name} is not done"
        counts["attempts begun"] += len(rounds)
        counts["attempts finished"] += sum(one.finished for one in rounds)
        counts["games stored"] += len(stored)
        counts["games heard of"] += len(player.heard)
    store.close()
    return counts


async def run(plan: Plan, told: Callable[[str], object] = lambda line: None) -> dict[str, dict[str, int]]:
    """Kills the server as often as planned, then lets everybody finish: counts after the last kill and at the end."""
    players = enrol(plan)
    tournament, dice = Tournament(plan), random.Random(plan.seed)
    await asyncio.to_thread(tournament.start)
    playing = [asyncio.create_task(persist(player, tournament)) for player in players]
    kills, begun = 0, time.monotonic()
    while kills < plan.kills and not all(player.done for player in players):
        before = games_heard(players)
        await asyncio.sleep(dice.uniform(*plan.between))
        while games_heard(players) < before + plan.least and not all(player.done for player in players):
            await asyncio.sleep(0.01)
        await asyncio.to_thread(tournament.kill)
        kills += 1
        await asyncio.sleep(0.1)  # the clients notice
        counts = await asyncio.to_thread(compare, plan, players, False)
        new = games_heard(players) - before
        told(f"kill {kills:>3} after {time.monotonic() - begun:6.1f} s, {new:>4} games later: {counts}")
        await asyncio.to_thread(tournament.start)
    before_end = await asyncio.to_thread(compare, plan, players, False)
    await asyncio.gather(*playing)
    code = await asyncio.to_thread(tournament.stop)
    after = await asyncio.to_thread(compare, plan, players, True)
    logins = sum(player.logins for player in players)
    return {
        "after the last kill": {"kills": kills, **before_end},
        "at the end": {"exit code": code, "logins": logins, **after},
    }


def games_heard(players: list[Player]) -> int:
    return sum(len(player.heard) + len(player.now.ends) for player in players)


def enrol(plan: Plan) -> list[Player]:
    players = [Player(f"player{n}", new_token(), n % 2 == 0, n) for n in range(plan.clients)]
    store = Store(plan.url, cost=CHEAP)
    store.add_accounts(
        [NewAccount(one.name, "", PASSWORD if one.text else None, plan.attempts, one.token) for one in players]
    )
    store.close()
    return players
