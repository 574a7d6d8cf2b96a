"""What `ludus match` and `ludus tournament` share: their flags, the progress bar, the tables, the files."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ludus.cli.parse import parse
from ludus.cli.tables import decided, short, show_game
from ludus.errors import BadOption
from ludus.game import Game, seen_by
from ludus.games import ALL, find, make
from ludus.play.clock import read_clock
from ludus.play.record import Record
from ludus.play.sgf import files_of, write_sgf
from ludus.play.standing import tally_of
from ludus.play.tournament import Outcome, Tournament, Watch, run
from ludus.system import write_whole

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class Arena:
    """What both commands let one choose."""

    agents: tyro.conf.Positional[tuple[str, ...]]  # such as: random mcts:simulations=1000 gtp:"gnugo --mode gtp"
    games: int = 20  # for every pair; every opening is played twice, with colours exchanged
    clock: str | None = None  # 15+1: seconds for the game + for each move; 2/move: seconds for each move
    opening: int = 2  # random plies before the agents begin
    seed: int = 0
    workers: int = 0  # processes; 0: one for every core
    out: Path | None = None  # the folder of records and report; one in runs/ if not said
    again: Flag = False  # play everything anew
    sgf: Flag = False  # Go and Hex: every game as an SGF file as well
    show: Flag = False  # draw every game, move by move, when it is finished
    pause: float = 0.0  # seconds between the moves that are shown
    json: Flag = False  # print JSON


Options = TypeVar("Options", bound=Arena)
EVERY = 20.0  # seconds between lines of progress where there is no terminal


def read(command: str, kind: type[Options], arguments: list[str]) -> tuple[Game, Options]:
    """The game and the command's own options; the game's options are flags as well."""
    name, rest = take_game(arguments)
    prog = f"ludus {command} AGENT AGENT --game {name or 'GAME'}"
    if name is None:
        if any(flag in arguments for flag in ("-h", "--help")):
            print(f"usage: ludus {command} AGENT AGENT … --game GAME …\n\n{(kind.__doc__ or '').strip()}\n")
            print(f"GAME is one of {', '.join(ALL)}, a class of yours (my_game.py:MyState) or openspiel:NAME")
            print(f"`ludus {command} --game hex --help` lists the flags.")
            raise SystemExit(0)
        raise BadOption(f"say which game: --game GAME, where GAME is one of {', '.join(ALL)}")
    if ":" in name:
        return make(name), parse(kind, rest, prog)
    both: Any = make_dataclass("Both", [("game", find(name)), ("options", kind)])
    both.__doc__ = kind.__doc__
    chosen = parse(both, rest, prog, config=(tyro.conf.OmitArgPrefixes,))
    return chosen.game, chosen.options


def take_game(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The value of --game, and the arguments without it."""
    rest, name = list(arguments), None
    for i, word in enumerate(rest):
        if word == "--game" and i + 1 < len(rest):
            name = rest[i + 1]
            del rest[i : i + 2]
            break
        if word.startswith("--game="):
            name = word.removeprefix("--game=")
            del rest[i]
            break
    return name, rest


# ----------------------------------------------------------------------------------------- playing


def play_out(game: Game, options: Arena, **more: Any) -> tuple[Tournament, Outcome, Path]:
    """Plays the tournament with a progress bar and writes its files; Ctrl-C says how to go on."""
    if options.sgf:
        files_of(game)  # refuses games that have no such files
    tournament = Tournament(
        game, options.agents, options.games, read_clock(options.clock), options.opening, options.seed,
        workers=options.workers, **more,
    )  # fmt: skip
    folder = options.out or tournament.usual_folder()
    try:
        with progress(tournament, quiet=options.json or options.show) as tell:

            def watch(records: list[Record]) -> None:
                tell(records)
                for record in records if options.show else []:
                    show_game(game, record, options.pause, sys.stderr if options.json else None)

            outcome = run(tournament, folder, watch, options.again)
    except KeyboardInterrupt:
        print(f"\nstopped: finished games are kept in {folder}, and the same command goes on", file=sys.stderr)
        raise SystemExit(130) from None
    save_files(tournament, outcome, folder, options.sgf)
    return tournament, outcome, folder


@contextmanager
def progress(tournament: Tournament, quiet: bool) -> Iterator[Watch]:
    """Shows the games that are done, the standing and the time left: a bar, or lines where there is no terminal."""
    console, total = Console(stderr=True), len(tournament.meetings)
    points = dict.fromkeys(tournament.names, 0.0)
    games = dict.fromkeys(tournament.names, 0)
    done, last, began = 0, time.monotonic(), time.monotonic()

    def add(records: list[Record]) -> str:
        nonlocal done
        done += len(records)
        for record in records:
            for player, agent in enumerate(record.agents):
                points[agent] += tally_of(seen_by(player, 0, record.score)).points
                games[agent] += 1
        leaders = sorted(points, key=lambda agent: -points[agent] / max(1, games[agent]))[:3]
        return "  ".join(f"{short(agent, 24)} {points[agent]:g}/{games[agent]}" for agent in leaders)

    if quiet:
        yield lambda records: None
    elif console.is_terminal:
        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), "left", TimeRemainingColumn(),
                   TextColumn("{task.fields[standing]}", markup=False))  # fmt: skip
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=total, standing="")

            def show(records: list[Record]) -> None:
                bar.update(task, advance=len(records), standing=add(records))

            yield show
    else:

        def tell(records: list[Record]) -> None:
            nonlocal last
            standing = add(records)
            now = time.monotonic()
            if now - last >= EVERY:
                last = now
                left = (now - began) / done * (total - done)
                print(f"{done} of {total} games, about {left:.0f} s left   {standing}", file=sys.stderr, flush=True)

        yield tell


# ----------------------------------------------------------------------------------------- keeping


def save_files(tournament: Tournament, outcome: Outcome, folder: Path, sgf: bool) -> None:
    """results.json, table.csv, report.html and, if wanted, a file per game."""
    from ludus.play.report import html_report, write_csv

    results = tournament.settings() | outcome.standing.plain() | {"decided": decided(tournament, outcome)}
    files = {
        "results.json": json.dumps(results, indent=1) + "\n",
        "table.csv": write_csv(outcome.standing),
        "report.html": html_report(tournament, outcome),
    }
    for name, text in files.items():
        write_whole(folder / name, text)
    if sgf:
        (folder / "sgf").mkdir(exist_ok=True)
        for record in outcome.records:
            write_whole(folder / "sgf" / f"{record.number:05}.sgf", write_sgf(record, tournament.game))


def say_where(outcome: Outcome, folder: Path) -> None:
    """Says where the files are, and which games are old."""
    old = outcome.standing.games - outcome.played
    if outcome.played == 0:
        print("All games had been played before and are only shown; --again plays them anew.")
    elif old > 0:
        print(f"{old} of the games had been played before.")
    print(f"records and report: {folder}/games.jsonl, report.html, table.csv, results.json")
