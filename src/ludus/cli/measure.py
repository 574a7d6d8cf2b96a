"""`ludus measure GAME --agent zoo:hex5`: how strong an agent is, against the truth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from ludus._core import Rng
from ludus.cli import options as flags
from ludus.errors import BadOption, seed_option, whole_option

if TYPE_CHECKING:  # imports PyTorch
    from ludus.game import Game
    from ludus.learn.measure import Choose

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Measure:
    """How strong an agent is, against the truth: a network (zoo:hex5, runs/hex5, a file), bare or with a search
    (zoo:hex5,simulations=200), or any other agent. Only for games that our solvers can solve."""

    agent: str = ""  # whose play: zoo:hex5, runs/hex5,seconds=0.1, mcts:simulations=1000
    positions: int = 1000  # of each kind, in which it is seen how often the true result is kept
    seconds: float = 60.0  # at most, to draw and solve the positions of each kind
    games: int = 0  # as first player from the empty board against a perfect opponent
    proof: int = 0  # walk all positions into which a defender can lead it, if there are no more than this
    seed: int = 31415  # of the positions and of the opponent
    json: Flag = False  # print JSON

    def __post_init__(self) -> None:
        seed_option("seed", self.seed)
        whole_option("positions", self.positions, 0, 10**6)
        whole_option("games", self.games, 0, 10**6)
        whole_option("proof", self.proof, 0, 10**8)
        if not 0 < self.seconds <= 10**6:
            raise BadOption(f"seconds must be above 0 and at most 1000000, not {self.seconds:g}")


def main(arguments: list[str]) -> None:
    game, options = flags.read("measure", Measure, arguments)
    if not options.agent:
        raise BadOption(f"say whose strength: ludus measure {arguments[0]} --agent zoo:hex5")
    from ludus.cli.train import require_torch

    require_torch()
    from ludus.agents import accept, close, make_agent
    from ludus.learn.measure import chooser

    agent = make_agent(options.agent)
    rows = []
    try:
        accept(agent, game)
        for row in measure(game, chooser(game, agent, Rng(options.seed)), options):
            rows.append(row)
            if not options.json:
                print(f"{options.agent} {row['text']}", flush=True)
    finally:
        close(agent)
    if options.json:
        print(json.dumps({"agent": options.agent, "measured": rows}, indent=1))


def measure(game: Game, choose: Choose, options: Measure) -> Iterator[dict[str, Any]]:
    """Everything that was asked for, one after the other."""
    from ludus.learn.measure import (
        SOURCES,
        Perfect,
        games_against_perfect,
        positions,
        prove,
        results_kept,
        winning_starts,
    )
    from ludus.search.solve import Solver

    for kind in SOURCES if options.positions else ():
        meter = positions(game, kind, options.positions, options.seconds, options.seed)
        yield results_kept(meter, kind, choose).plain() | {"kind": kind}
    if options.games:
        yield games_against_perfect(game, choose, options.games, Perfect(), options.seed).plain() | {"kind": "perfect"}
    if options.proof:
        solver = Solver()
        for words, starts in winning_starts(game, solver).items():
            yield prove(starts, words, choose, solver, options.proof).plain() | {"kind": "proof"}
