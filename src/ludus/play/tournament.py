"""A tournament: all meetings of a schedule, on all cores, each written down when it ends.

Stopped at any moment, it goes on where it was: what is in the ledger is not played again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.agents import accept, close, make_agent
from ludus.errors import BadOption, seed_option, whole_option
from ludus.game import Game, begun_by, seen_by
from ludus.play.clock import Timing
from ludus.play.crew import Crew
from ludus.play.ledger import Ledger
from ludus.play.rating import Verdict, sequential_test
from ludus.play.record import Record
from ludus.play.schedule import Meeting, schedule
from ludus.play.standing import Standing, standing, tally_of
from ludus.play.workers import Workers
from ludus.system import cores

Watch = Callable[[list[Record]], None]  # called with the games that were there before, then with every new one


@dataclass(frozen=True)
class Tournament:
    """Who plays what, how often and how long."""

    game: Game
    agents: tuple[str, ...]
    games: int = 20  # for every pair
    clock: Timing | None = None
    opening: int = 2  # random plies before the agents begin
    seed: int = 0
    one_against_all: bool = False  # the first agent against each other one; else everybody against everybody
    until_decided: bool = False  # of two agents: stop when a sequential test knows who is better
    workers: int = 0  # processes; 0: one for every core
    paired: bool = True  # every opening is played twice, with colours exchanged; else once
    alternate_starter: bool = False  # the player who makes the first move changes every two games of a pair
    labels: tuple[str, ...] = ()  # names for tables and records, if the agents' own are too long

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise BadOption("a tournament needs at least two agents")
        if self.until_decided and len(self.agents) != 2:
            raise BadOption("only a match of two agents can be stopped when it is decided")
        whole_option("games", self.games, 1, 1_000_000)
        whole_option("workers", self.workers, 0, 1024)
        seed_option("seed", self.seed)
        if self.alternate_starter:
            begun_by(self.game, 0)  # refuses a game that is always begun by the same player
        for text in self.agents:
            agent = make_agent(text)
            accept(agent, self.game)
            close(agent)

    @property
    def names(self) -> list[str]:
        """The agents' names, all different."""
        return list(self.labels) or names_of(self.agents)

    @property
    def meetings(self) -> list[Meeting]:
        return schedule(
            self.game, len(self.agents), self.games, self.opening, self.seed, self.one_against_all, self.paired,
            self.alternate_starter,
        )  # fmt: skip

    def game_of(self, meeting: Meeting) -> Game:
        """The game of a meeting, with the starter of that meeting."""
        return self.game if meeting.starter is None else begun_by(self.game, meeting.starter)

    def settings(self) -> dict[str, Any]:
        """What identifies this tournament. More games are the same tournament, going on; changed agents are not."""
        code = {text: mark for text in self.agents if (mark := code_of(text))}
        return (
            ({"code": code} if code else {})
            | ({} if self.paired else {"paired": False})
            | ({"alternate_starter": True} if self.alternate_starter else {})
            | {
                "game": self.game.identity(),
                "agents": list(self.agents),
                "clock": str(self.clock) if self.clock else None,
                "opening": self.opening,
                "seed": self.seed,
                "one_against_all": self.one_against_all,
            }
        )

    def usual_folder(self) -> Path:
        """A folder that the same tournament always gets."""
        mark = hashlib.sha256(json.dumps(self.settings(), sort_keys=True).encode()).hexdigest()[:8]
        kind = "match" if len(self.agents) == 2 else "tournament"
        size = getattr(self.game, "size", "")
        return Path("runs") / f"{kind}-{self.game.title}{size}-{mark}"

    def standing(self, records: Sequence[Record]) -> Standing:
        return standing(self.names, records, self.game.start().player)


Hire = Callable[[Tournament, int], Crew[Meeting, Record]]


@dataclass(frozen=True)
class Outcome:
    """The result of a tournament."""

    records: list[Record]
    standing: Standing
    verdict: Verdict | None  # of the sequential test, if there was one
    played: int  # games of this run; the others were there before
    kept: Path | None = None  # where the old records were moved, if it was played anew


def local_crew(tournament: Tournament, games: int) -> Crew[Meeting, Record]:
    """Processes of this machine."""
    return Workers(tournament, min(tournament.workers or cores(), games))


def run(
    tournament: Tournament,
    folder: Path,
    watch: Watch = lambda records: None,
    anew: bool = False,
    hire: Hire = local_crew,
) -> Outcome:
    """Plays what is not yet in the folder's ledger; `anew` plays everything, and keeps the old ledger beside it.

    `hire` gets the crew that plays so many games of it.
    """
    meetings = tournament.meetings
    with Ledger(folder, tournament.settings(), anew) as ledger:

        def done() -> list[Record]:
            return [ledger.records[m.number] for m in meetings if m.number in ledger.records]

        before = done()
        watch(before)
        decided = verdict_of(tournament, before)
        open_meetings = [m for m in meetings if m.number not in ledger.records]
        if open_meetings and not (decided and decided.answer):
            with hire(tournament, len(open_meetings)) as crew:
                for record in crew.run(open_meetings):
                    ledger.add(record)
                    watch([record])
                    decided = verdict_of(tournament, done())
                    if decided and decided.answer:
                        break
        records = done()
    played = len(records) - len(before)
    if decided and decided.answer:
        records = [record for record in records if record.number < 2 * decided.pairs]
    return Outcome(records, tournament.standing(records), decided, played, ledger.kept)


def verdict_of(tournament: Tournament, records: Sequence[Record]) -> Verdict | None:
    """What the sequential test says of the pairs of games that are complete, in their order."""
    if not tournament.until_decided:
        return None
    by_number = {record.number: record for record in records}
    shares: list[float] = []
    while all(2 * len(shares) + k in by_number for k in (0, 1)):
        both = [by_number[2 * len(shares) + k] for k in (0, 1)]
        first = tournament.names[0]
        shares.append(sum(tally_of(seen_by(r.agents.index(first), 0, r.score)).points for r in both) / 2)
    return sequential_test(shares)


def names_of(agents: Sequence[str]) -> list[str]:
    """The names under which agents play, all different: the second of two equal ones gets a number."""
    names: list[str] = []
    for text in agents:
        count = list(agents[: len(names)]).count(text)
        names.append(f"{text} #{count + 1}" if count else text)
    return names


def code_of(agent: str) -> str | None:
    """A hash of a user's code or of the best network of a training, so that a changed agent counts as another one."""
    path = Path(re.split("[:,]", agent, maxsplit=1)[0]) / "best.safetensors"
    if ".py:" in agent:
        path = Path(agent.split(".py:")[0] + ".py")
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else None
