"""How far agents overrun their time: every agent on every game, in openings, middles and ends.

    python benchmarks/clock.py [--alone] [--agents mcts flat] [--games "hex size=7"] [--seconds 0.05 0.2] [--json FILE]

An agent plays a few moves in a row against random ones, so what it keeps between moves counts. `wall` is what passed on
the clock beyond the limit, `cpu` what the deciding thread computed beyond it. Where others use the machine too, a
thread waits for a processor, and the truth lies between the two. `--alone` leaves others out: all clocks of the process
then tell the processor time of their thread, as if it had a processor for itself (agents with one thread only).
Agents named with `+clock` have no limit of their own but a clock with so much time for the move.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from pens import Pens

import ludus
from ludus.agents import TimeLeft, accept, make_agent, reset
from ludus.games.python import PythonGame

GAMES = {
    "nim": {},
    "ledge": {},
    "tic_tac_toe": {},
    "connect_four": {},
    "othello size=6": {"size": 6},
    "othello size=8": {"size": 8},
    "hex size=5": {"size": 5},
    "hex size=7": {"size": 7},
    "hex size=11": {"size": 11},
    "go size=5": {"size": 5},
    "go size=9": {"size": 9},
    "go size=19": {"size": 19},
    "pens": {},
    "pens endless": {"endless": True},
}  # fmt: skip
OPTION = [  # {s} is the number of seconds
    "mcts:seconds={s}",
    "mcts:seconds={s},rave=true",
    "mcts:seconds={s},rave=true,hints=true,playout=quick",
    "mcts:seconds={s},playout=estimate,c=0.2",
    "mcts:seconds={s},expansion=all",
    "mcts:seconds={s},rule=puct",
    "mcts:seconds={s},endgame=true",
    "mcts:seconds={s},threads=2",
    "deepening:seconds={s}",
    "deepening:seconds={s},endgame=false",
]
CLOCK = [
    "mcts",
    "mcts:rave=true",
    "mcts:endgame=true",
    "deepening",
    "minimax:depth=30",
    "alphabeta:depth=30",
    "flat",
    "greedy",
]
NETWORKS = {
    "connect_four": "connect4", "othello size=6": "othello6", "othello size=8": "othello8", "hex size=5": "hex5",
    "hex size=7": "hex7", "hex size=11": "hex11", "go size=5": "go5", "go size=9": "go9",
}  # fmt: skip
PARTS = {"opening": 0.0, "middle": 0.5, "end": 0.85}  # of the length of a random game
MOVES = 3  # in a row
ALONE = "LUDUS_BENCHMARK_ALONE"  # set in a process whose clocks tell processor time
SHIM = """
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t which, struct timespec* now) {
  return syscall(SYS_clock_gettime, which == CLOCK_MONOTONIC ? CLOCK_THREAD_CPUTIME_ID : which, now);
}
"""


@dataclass
class Move:
    """One decision: what it was asked for, and what it took, in seconds."""

    agent: str
    game: str
    part: str
    move: int
    limit: float
    wall: float
    cpu: float


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--agents", nargs="*", help="only those whose text contains one of these")
    options.add_argument("--games", nargs="*", choices=GAMES, default=list(GAMES))
    options.add_argument("--seconds", nargs="*", type=float, default=[0.05, 0.2, 0.5])
    options.add_argument("--json", type=Path, help="every move, for other programs; written as it goes")
    options.add_argument("--alone", action="store_true", help="as on a processor of its own; needs Linux and cc")
    options = options.parse_args()
    if options.alone and ALONE not in os.environ:
        sys.exit(run_alone())
    moves: list[Move] = []
    for game in options.games:
        for text, clock in agents_for(game, options.alone):
            name = text + "+clock" if clock else text.replace("={s}", "")
            if options.agents and not any(part in name for part in options.agents):
                continue
            here = [move for s in options.seconds for move in measure(name, text.format(s=s), game, clock, s)]
            moves += here
            print(row(f"{game:14} {name:52}", here), flush=True)
            if options.json:
                options.json.write_text(json.dumps([asdict(move) for move in moves]) + "\n")
    print()
    for name in dict.fromkeys(move.agent for move in moves):
        print(row(f"{'all games':14} {name:52}", [move for move in moves if move.agent == name]))
    late = sum(is_late(move, move.wall) for move in moves), sum(is_late(move, move.cpu) for move in moves)
    print(f"{len(moves)} moves; more than 5 ms and 2% too late: {late[0]} by the wall, {late[1]} by processor time")


def run_alone() -> int:
    """The same again, with clocks that stand still while somebody else has the processor."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "shim.c", Path(folder) / "shim.so"
        source.write_text(SHIM)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        told = {"LD_PRELOAD": str(library), ALONE: "1"}
        return subprocess.run([sys.executable, *sys.argv], env=os.environ | told).returncode


def agents_for(game: str, alone: bool) -> list[tuple[str, bool]]:
    """Texts of agents, and whether they get a clock."""
    options, clocks = list(OPTION), list(CLOCK)
    if game in NETWORKS:
        zoo = f"zoo:{NETWORKS[game]}"
        options += [f"{zoo},seconds={{s}},threads=2", f"{zoo},seconds={{s}},threads=1"]
        clocks += [f"{zoo},simulations=100000", zoo]
    several = "threads=2"  # which Python's states cannot have
    texts = [(text, False) for text in options if several not in text or not (alone or game.startswith("pens"))]
    return texts + [(text, True) for text in clocks]


def measure(name: str, text: str, game_name: str, clock: bool, seconds: float) -> list[Move]:
    """A few decisions of an agent in every part of a game."""
    kind = game_name.split()[0]
    game = PythonGame(Pens, GAMES[game_name]) if kind == "pens" else ludus.make(kind, **GAMES[game_name])
    agent = make_agent(text)
    accept(agent, game)
    found = []
    for part, state in positions(game).items():
        rng = ludus.Rng(7)
        reset(agent)
        for move in range(MOVES):
            left = TimeLeft(seconds, 0.0, 1) if clock else None
            wall, cpu = time.perf_counter(), time.thread_time()
            decision = agent.decide(state, rng, left)
            cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
            found.append(Move(name, game_name, part, move, seconds, wall, cpu))
            player, state = state.player, state.play(decision.action)
            while not state.over and state.player != player:
                state = state.play(rng.choice(list(state.actions())))
            if state.over:
                break
    return found


def positions(game):
    """A state at the beginning, in the middle and near the end of a random game."""
    rng, states = ludus.Rng(3), [game.start()]
    while not states[-1].over and len(states) < 400:
        states.append(states[-1].play(rng.choice(list(states[-1].actions()))))
    return {part: states[int(share * (len(states) - 2))] for part, share in PARTS.items()}


def is_late(move: Move, took: float) -> bool:
    return took - move.limit > max(0.005, 0.02 * move.limit)


def row(label: str, moves: list[Move]) -> str:
    """The median and the worst overrun in ms and in %, by the wall and by processor time."""
    parts = []
    for kind in ("wall", "cpu"):
        over = [getattr(move, kind) - move.limit for move in moves]
        worst = max(range(len(over)), key=over.__getitem__)
        median, share = statistics.median(over), max(o / move.limit for o, move in zip(over, moves, strict=True))
        parts.append(f"{kind} {1e3 * median:7.1f} {1e3 * over[worst]:8.1f} ms {share:7.1%}")
    at = max(moves, key=lambda move: move.wall - move.limit)
    return f"{label} {'   '.join(parts)}   worst: {at.part} {at.move + 1} at {at.limit:g} s"


if __name__ == "__main__":
    sys.exit(main())
