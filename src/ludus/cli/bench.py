"""`ludus bench`: speed, as a ratio measured in one run."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Annotated, Literal, TypedDict

import tyro

from ludus._core import Rng, rollouts, time_copies
from ludus.cli import peers
from ludus.cli.parse import parse_one_of
from ludus.errors import BadOption
from ludus.game import State
from ludus.games import make
from ludus.system import cores

# Our games, and the same games as OpenSpiel calls them (where it has them).
Settings = dict[str, str | int | float | bool | None]
Peer = tuple[str, Settings] | None
ROWS: list[tuple[str, Settings, Peer]] = [
    ("nim", {"stones": 20, "most": 20}, ("nim", {"pile_sizes": "20", "is_misere": False})),
    ("ledge", {}, None),
    ("tic_tac_toe", {}, ("tic_tac_toe", {})),
    ("connect_four", {}, ("connect_four", {})),
    ("othello", {"size": 6}, None),
    ("othello", {"size": 8}, ("othello", {})),
    ("hex", {"size": 5}, ("hex", {"board_size": 5})),
    ("hex", {"size": 7}, ("hex", {"board_size": 7})),
    ("hex", {"size": 11}, ("hex", {"board_size": 11})),
    ("go", {"size": 5, "superko": "draw"}, ("go", {"board_size": 5, "komi": 0.5})),
    ("go", {"size": 9, "superko": "draw"}, ("go", {"board_size": 9, "komi": 5.5})),
    ("go", {"size": 19, "superko": "draw"}, ("go", {"board_size": 19, "komi": 7.5})),
]

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]
Against = Literal["nobody", "openspiel"]


class Row(TypedDict, total=False):
    """One line of the answer. Numbers of `ludus`, `stepwise` and `peer` are rates."""

    game: str
    options: Settings
    ludus: float
    stepwise: float
    peer: float | None
    ratio: float | None
    spread: list[float]
    stepwise_ratio: float
    bytes_per_node: float
    tree_nodes: int
    nodes: dict[str, int]
    value: float
    nanoseconds: float


Run = Callable[[int], int]  # does something n times; returns how many units of work that was


@dataclass(frozen=True)
class Rollouts:
    """Uniform random games per second, on one thread."""

    against: Against = "nobody"  # measured in the same run, taking turns
    game: str | None = None  # only this game
    seconds: float = 0.3  # per measurement
    repeats: int = 7  # measurements of each side
    json: Flag = False  # print JSON


@dataclass(frozen=True)
class Mcts:
    """Simulations per second of Monte Carlo tree search from the start of a game, one rollout each."""

    against: Against = "nobody"  # measured in the same run, taking turns
    game: str | None = None  # only this game
    simulations: tuple[int, ...] = (1000, 20_000)  # per search
    threads: int = 1  # of ours
    seconds: float = 0.3  # per measurement, at least
    repeats: int = 3  # measurements of each side
    json: Flag = False  # print JSON


@dataclass(frozen=True)
class AlphaBeta:
    """Nodes per second of alpha-beta, with our heuristics; OpenSpiel's is Python, and its heuristic is free."""

    against: Against = "nobody"  # measured in the same run, taking turns
    depth: int = 6
    seconds: float = 0.3  # per measurement, at least
    repeats: int = 5  # measurements of each side
    json: Flag = False  # print JSON


@dataclass(frozen=True)
class SelfPlay:
    """Self-play of an untrained network against itself, without a learner: positions and evaluations per second."""

    size: int = 5  # of the Hex board
    threads: int = field(default_factory=cores)  # the most
    simulations: int = 64  # for every move
    seconds: float = 6.0  # per measurement
    json: Flag = False  # print JSON


@dataclass(frozen=True)
class Copies:
    """Nanoseconds to copy a state."""

    json: Flag = False  # print JSON


def main(arguments: list[str]) -> None:
    kinds: dict[str, Callable[..., Rollouts | Mcts | AlphaBeta | SelfPlay | Copies]] = {
        "rollouts": Rollouts,
        "mcts": Mcts,
        "alphabeta": AlphaBeta,
        "self-play": SelfPlay,
        "copies": Copies,
    }
    options: Rollouts | Mcts | AlphaBeta | SelfPlay | Copies = parse_one_of(kinds, arguments, "ludus bench")
    if isinstance(options, Copies):
        return bench_copies(options)
    if isinstance(options, SelfPlay):
        return bench_self_play(options)
    if options.seconds <= 0 or options.repeats < 1:
        raise BadOption("seconds must be above 0 and repeats at least 1")
    if options.against == "openspiel":
        peers.require_openspiel()
    match options:
        case Rollouts():
            unit, rows = "games/s", rollout_rows(options)
        case Mcts():
            unit, rows = "simulations/s", mcts_rows(options)
        case AlphaBeta():
            unit, rows = "nodes/s", alphabeta_rows(options)
    if options.json:
        print(json.dumps(list(rows), indent=1))
        return
    print(f"{unit:<42}{'ludus':>12}{'peer':>12}{'ratio':>8}  spread")
    for row in rows:
        print(text_row(row), flush=True)


def text_row(row: Row) -> str:
    options = " ".join(f"{k}={v}" for k, v in row["options"].items())
    line = f"{row['game']:<14}{options:<28}{row['ludus']:>12,.0f}"
    if row["peer"] is not None:
        low, high = row["spread"]
        line += f"{row['peer']:>12,.0f}{row['ratio']:>8.1f}  {low:.1f} – {high:.1f}"
    if "stepwise_ratio" in row:
        line += f"   step by step {row['stepwise_ratio']:.1f}"
    if "nodes" in row:
        line += "   nodes: " + ", ".join(f"{k} {v:,}" for k, v in row["nodes"].items())
    return line


def chosen_rows(only: str | None) -> list[tuple[str, Settings, Peer]]:
    rows = [row for row in ROWS if only in (None, row[0])]
    if not rows:
        make(str(only))  # says which games there are
    return rows


def rollout_rows(options: Rollouts) -> Iterator[Row]:
    for name, settings, peer in chosen_rows(options.game):
        start, rng = make(name, **settings).start(), Rng(1)
        sides: dict[str, Run] = {
            "ludus": lambda n, start=start, rng=rng: sum(rollouts(start, n, rng)),  # type: ignore[misc]
            "stepwise": lambda n, start=start, rng=rng: sum(rollouts(start, n, rng, "stepwise")),  # type: ignore[misc]
        }
        if peer and options.against == "openspiel":
            sides["peer"] = peers.rollouts(*peer)
        yield {"game": name, "options": settings, **measure(sides, options.seconds, options.repeats)}


def mcts_rows(options: Mcts) -> Iterator[Row]:
    from ludus.search import mcts

    for simulations in options.simulations:
        for name, settings, peer in chosen_rows(options.game):
            start = make(name, **settings).start()

            def search(n: int, start: State = start, simulations: int = simulations) -> int:
                return sum(
                    mcts.Mcts(start, rng=Rng(seed)).run(simulations, threads=options.threads) for seed in range(n)
                )

            sides: dict[str, Run] = {"ludus": search}
            if peer and options.against == "openspiel":
                sides["peer"] = peers.mcts(*peer, simulations)
            tree = mcts.Mcts(start)
            tree.run(simulations)
            yield {
                "game": name,
                "options": settings | {"simulations": simulations},
                **measure(sides, options.seconds, options.repeats),
                "bytes_per_node": round(tree.bytes / tree.nodes, 1),
                "tree_nodes": tree.nodes,
            }


def alphabeta_rows(options: AlphaBeta) -> Iterator[Row]:
    from ludus.search import alphabeta

    for name, peer in (("connect_four", "connect_four"), ("othello", "othello")):
        start = make(name).start()
        found = alphabeta(start, options.depth)
        plain = alphabeta(start, options.depth, caching=False, ordering=False)
        ordered = alphabeta(start, options.depth, caching=False, ordering=True)

        def search(n: int, start: State = start) -> int:
            return sum(alphabeta(start, options.depth, caching=False, ordering=False).nodes for _ in range(n))

        sides: dict[str, Run] = {"ludus": search}
        if options.against == "openspiel":
            sides["peer"] = peers.alphabeta(peer, {}, min(options.depth, 5))
        nodes = {"plain": plain.nodes, "ordering": ordered.nodes, "caching and ordering": found.nodes}
        yield {
            "game": name,
            "options": {"depth": options.depth},
            **measure(sides, options.seconds, options.repeats),
            "nodes": nodes,
            "value": found.value,
        }


def measure(sides: dict[str, Run], seconds: float, repeats: int) -> Row:
    """Rates of all sides, taking turns. A ratio compares neighbours in time, because the machine may be busy."""
    batch = {side: batch_for(run, seconds) for side, run in sides.items()}
    rates: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(repeats):
        for side, run in sides.items():
            rates[side].append(rate(run, batch[side]))
    row: Row = {"ludus": statistics.median(rates["ludus"]), "peer": None, "ratio": None}
    if "stepwise" in sides:
        row["stepwise"] = statistics.median(rates["stepwise"])
    if "peer" not in sides:
        return row
    ratios = {
        side: sorted(a / b for a, b in zip(rates[side], rates["peer"], strict=True)) for side in sides if side != "peer"
    }
    row["peer"] = statistics.median(rates["peer"])
    row["ratio"] = statistics.median(ratios["ludus"])
    row["spread"] = [ratios["ludus"][0], ratios["ludus"][-1]]
    if "stepwise" in ratios:
        row["stepwise_ratio"] = statistics.median(ratios["stepwise"])
    return row


def rate(run: Run, n: int) -> float:
    began = time.perf_counter()
    work = run(n)
    return work / (time.perf_counter() - began)


def batch_for(run: Run, seconds: float) -> int:
    """How many runs take about `seconds`."""
    n = 1
    while True:
        began = time.perf_counter()
        run(n)
        spent = time.perf_counter() - began
        if spent > seconds / 4:
            return max(1, int(n * seconds / spent))
        n *= 4


def bench_self_play(options: SelfPlay) -> None:
    from ludus.learn import speed

    if options.seconds <= 0 or not 1 <= options.threads <= 256 or options.simulations < 1:
        raise BadOption("seconds must be above 0, threads from 1 to 256 and simulations at least 1")
    rows = speed.rows(make("hex", size=options.size), options.threads, options.simulations, options.seconds)
    if options.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return
    print(f"Hex {options.size}×{options.size}, {options.simulations} simulations a move")
    head = f"{'network':<9}{'judge':<10}{'threads':>7}{'games':>7}{'positions/s':>13}"
    print(head + f"{'evaluations/s':>15}{'in network':>12}")
    for row in rows:
        print(f"{row.net:<9}{row.judge:<10}{row.threads:>7}{row.parallel:>7}{row.positions_per_second:>13,.0f}"
              f"{row.evaluations_per_second:>15,.0f}{row.in_network:>12.0%}", flush=True)  # fmt: skip


def bench_copies(options: Copies) -> None:
    rows: list[Row] = []
    for name, settings, _ in ROWS:
        start = make(name, **settings).start()
        time_copies(start, 1000)
        began = time.perf_counter()
        time_copies(start, 1_000_000)
        nanoseconds = (time.perf_counter() - began) * 1000
        rows.append({"game": name, "options": settings, "nanoseconds": nanoseconds})
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    for row in rows:
        text = " ".join(f"{k}={v}" for k, v in row["options"].items())
        print(f"{row['game']:<14}{text:<28}{row['nanoseconds']:>8.1f} ns a copy")
