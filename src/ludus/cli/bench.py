"""`ludus bench`: speed, as a ratio measured in one run."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import tyro

from ludus._core import Rng, rollouts, time_copies
from ludus.game import Game
from ludus.games import make

# Our games, and the same games as OpenSpiel calls them (where it has them).
Peer = tuple[str, dict[str, Any]] | None
ROWS: list[tuple[str, dict[str, Any], Peer]] = [
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


@dataclass(frozen=True)
class Rollouts:
    """Uniform random games per second, on one thread."""

    against: Literal["nobody", "openspiel"] = "nobody"  # measured in the same run, taking turns
    game: str | None = None  # only this game
    seconds: float = 0.3  # per measurement
    repeats: int = 7  # measurements of each side
    json: Flag = False  # print JSON


@dataclass(frozen=True)
class Copies:
    """Nanoseconds to copy a state."""

    json: Flag = False  # print JSON


def main(arguments: list[str]) -> None:
    kinds: dict[str, Callable[..., Any]] = {"rollouts": Rollouts, "copies": Copies}
    options = tyro.extras.subcommand_cli_from_dict(kinds, args=arguments, prog="ludus bench")
    if isinstance(options, Rollouts):
        bench_rollouts(options)
    else:
        bench_copies(options)


def bench_rollouts(options: Rollouts) -> None:
    wanted = [row for row in ROWS if options.game in (None, row[0])]
    if not wanted:
        make(str(options.game))  # says which games there are
    if options.against == "openspiel":
        require_openspiel()
    if not options.json:
        print(HEADING)
    rows = []
    for name, settings, peer in wanted:
        row = measure_row(make(name, **settings), settings, peer if options.against == "openspiel" else None, options)
        rows.append(row)
        if not options.json:
            print(text_row(row), flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))


HEADING = (
    f"{'game':<14}{'options':<28}{'ludus':>12}{'stepwise':>12}{'peer':>10}{'ratio':>8}{'spread':>16}{'stepwise':>10}\n"
    f"{'':<42}{'games/s':>12}{'games/s':>12}{'games/s':>10}{'':>24}{'ratio':>10}"
)


def text_row(row: dict[str, Any]) -> str:
    options = " ".join(f"{k}={v}" for k, v in row["options"].items())
    line = f"{row['game']:<14}{options:<28}{row['ludus']:>12,.0f}{row['stepwise']:>12,.0f}"
    if row["peer"] is None:
        return line
    low, high = row["spread"]
    spread = f"{low:.1f} – {high:.1f}"
    return line + f"{row['peer']:>10,.0f}{row['ratio']:>8.1f}{spread:>16}{row['stepwise_ratio']:>10.1f}"


def measure_row(game: Game, settings: dict[str, Any], peer: Peer, options: Rollouts) -> dict[str, Any]:
    """Rates of both sides, taking turns. A ratio compares neighbours in time, for the machine may be busy."""
    start, rng = game.start(), Rng(1)

    def play(policy: str) -> Callable[[int], object]:
        return lambda n: rollouts(start, n, rng, policy)

    sides = {"ludus": play("uniform"), "stepwise": play("stepwise")}
    if peer is not None:
        sides["peer"] = openspiel_rollouts(*peer)
    batch = {side: batch_for(run, options.seconds) for side, run in sides.items()}
    rates: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(options.repeats):
        for side, run in sides.items():
            rates[side].append(rate(run, batch[side]))
    row: dict[str, Any] = {"game": game.name, "options": settings}
    row |= {side: statistics.median(rates[side]) for side in sides}
    if peer is None:
        return row | {"peer": None, "ratio": None}
    ratios = sorted(a / b for a, b in zip(rates["ludus"], rates["peer"], strict=True))
    steps = [a / b for a, b in zip(rates["stepwise"], rates["peer"], strict=True)]
    return row | {
        "ratio": statistics.median(ratios),
        "spread": [ratios[0], ratios[-1]],
        "stepwise_ratio": statistics.median(steps),
    }


def rate(run: Callable[[int], object], games: int) -> float:
    began = time.perf_counter()
    run(games)
    return games / (time.perf_counter() - began)


def batch_for(run: Callable[[int], object], seconds: float) -> int:
    """How many games take about so many seconds."""
    games = 1
    while True:
        began = time.perf_counter()
        run(games)
        spent = time.perf_counter() - began
        if spent > seconds / 4:
            return max(1, int(games * seconds / spent))
        games *= 4


def require_openspiel() -> None:
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        from ludus.errors import LudusError

        raise LudusError("OpenSpiel is not installed; get it with: pip install open_spiel") from None


def openspiel_rollouts(name: str, settings: dict[str, Any]) -> Callable[[int], object]:
    """Runs n of OpenSpiel's C++ rollouts from the start of a game.

    Its rollout evaluator cannot be called from Python by itself, but a search of one simulation with
    n rollouts per evaluation evaluates the root, and does little else.
    """
    import pyspiel

    game = pyspiel.load_game(name, settings)
    state = game.new_initial_state()

    def run(n: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(n, 1)
        return pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False).step(state)

    return run


def bench_copies(options: Copies) -> None:
    rows: list[dict[str, Any]] = []
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
