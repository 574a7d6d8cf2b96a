"""What `ludus match`, `ludus tournament` and `ludus topp` share: flags, playing with a progress bar, files."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import tyro

from ludus.cli import options as flags
from ludus.cli.logs import LogOptions
from ludus.cli.place import Place, tournament_crew
from ludus.errors import BadOption, Interrupted, seed_option, within
from ludus.game import Game
from ludus.games import ALL
from ludus.monitor.logs import about, logger, say
from ludus.system import trouble_of

if TYPE_CHECKING:
    from ludus.play.record import Record
    from ludus.play.tournament import Outcome, Tournament

LOG = logger("tournament")
Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]
EVERY_GAME = 10**9  # what --show means without a number
LONGEST_PAUSE = 3600.0  # seconds
AGENTS = 'such as random mcts:simulations=1000 gtp:"gnugo --mode gtp"; `ludus agents` lists them all'


@dataclass(frozen=True, kw_only=True)
class Playing(Place):
    """What all three commands let one choose."""

    seed: int = 0  # of all random numbers
    workers: int = 0  # games at a time; 0: one for every core
    again: Flag = False  # play everything anew; the records there are kept under another name
    show: int = 0  # how many games to draw, move by move; --show without a number: all of them
    pause: float = 0.0  # seconds between the moves that are shown
    json: Flag = False  # print JSON
    logs: LogOptions = field(default_factory=LogOptions)

    def __post_init__(self) -> None:
        super().__post_init__()
        seed_option("seed", self.seed)
        if self.show < 0:
            raise BadOption(f"show is how many games to draw, 0 or more, not {self.show}")
        within("pause", self.pause, 0, LONGEST_PAUSE)


@dataclass(frozen=True, kw_only=True)
class Arena(Playing):
    """What `ludus match` and `ludus tournament` let one choose."""

    agents: Annotated[
        tyro.conf.Positional[tuple[str, ...]],
        tyro.conf.arg(metavar="AGENT AGENT …", help=AGENTS, help_behavior_hint=""),
    ]
    games: int = 20  # for every pair; every opening is played twice, with colours exchanged
    clock: str | None = None  # 15+1: seconds for the game + for each move; 2/move: seconds for each move
    opening: int = 2  # random plies before the agents begin
    alternate_starter: Flag = False  # the player who makes the first move changes every two games (Hex)
    out: Path | None = None  # the folder of records and report; one in runs/ if not given
    sgf: Flag = False  # Go and Hex: every game as an SGF file as well


Options = TypeVar("Options", bound=Arena)


def read(command: str, kind: type[Options], arguments: list[str]) -> tuple[Game, Options]:
    """The game and the command's own options; the game's options are flags as well."""
    name, rest = take_game(lone_show(arguments))
    if name is None:
        flags.help_without_game(f"ludus {command} --game GAME", kind, rest)
        raise BadOption(f"say which game: --game GAME, where GAME is one of {', '.join(ALL)}")
    return flags.read_both(f"ludus {command} --game {name}", kind, name, rest)


def lone_show(arguments: list[str]) -> list[str]:
    """The arguments, with a number after a --show that stands alone: it asks for every game."""
    result = []
    for index, word in enumerate(arguments):
        number = "".join(arguments[index + 1 : index + 2]).lstrip("+-").isdecimal()
        result.append(f"--show={EVERY_GAME}" if word == "--show" and not number else word)
    return result


def take_game(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The value of --game, and the arguments without it."""
    for i, word in enumerate(arguments):
        if word == "--game" and i + 1 < len(arguments):
            return arguments[i + 1], arguments[:i] + arguments[i + 2 :]
        if word.startswith("--game="):
            return word.removeprefix("--game="), arguments[:i] + arguments[i + 1 :]
    return None, arguments


# ----------------------------------------------------------------------------------------- playing


def play_out(
    game: Game, options: Arena, one_against_all: bool = False, until_decided: bool = False
) -> tuple[Tournament, Outcome, Path]:
    """Plays the tournament that the flags describe, and writes its files."""
    from ludus.play.clock import read_clock
    from ludus.play.tournament import Tournament

    if options.sgf:
        from ludus.play.sgf import files_of

        files_of(game)  # refuses games that have no such files
    tournament = Tournament(
        game, options.agents, options.games, read_clock(options.clock), options.opening, options.seed,
        one_against_all, until_decided, options.workers, alternate_starter=options.alternate_starter,
    )  # fmt: skip
    folder = options.out or tournament.usual_folder()
    outcome = watched(tournament, folder, options)
    save_files(tournament, outcome, folder, options.sgf)
    return tournament, outcome, folder


def watched(tournament: Tournament, folder: Path, options: Playing) -> Outcome:
    """Plays a tournament with a progress bar, and draws its first games; Ctrl-C says how to go on."""
    from ludus.cli.progress import progress
    from ludus.cli.watch import Viewer
    from ludus.play.tournament import run

    options.logs.begin()
    first = [meeting.number for meeting in tournament.meetings[: options.show]]
    try:
        LOG.info("the tournament begins or goes on", extra=about(folder=folder, games=len(tournament.meetings)))
        with tournament_crew(options) as hire, progress(tournament, quiet=options.json) as tell:
            viewer = Viewer(tournament.game, first, options.pause, sys.stderr if options.json else None)

            def watch(records: list[Record]) -> None:
                tell(records)
                viewer.see(records)
                for record in records:
                    LOG.debug("a game has ended", extra=about(number=record.number, score=record.score, end=record.end))

            outcome = run(tournament, folder, watch, options.again, hire)
            LOG.info("the tournament is over", extra=about(folder=folder, games=len(outcome.records)))
            return outcome
    except KeyboardInterrupt:
        say(LOG, f"\nstopped: finished games are kept in {folder}, and the same command goes on")
        raise SystemExit(130) from None
    except OSError as error:
        raise Interrupted(f"{trouble_of(error)}, and the same command goes on: finished games are kept") from None


# ----------------------------------------------------------------------------------------- keeping


def save_files(tournament: Tournament, outcome: Outcome, folder: Path, sgf: bool) -> None:
    """results.json, table.csv, report.html and, if wanted, a file per game."""
    from ludus.cli.tables import decided
    from ludus.play.report import html_report, write_csv
    from ludus.play.sgf import write_sgf
    from ludus.system import write_whole

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


def say_what_is_old(outcome: Outcome) -> None:
    """Says which games had been played before, and where records went that --again has replaced."""
    old = outcome.standing.games - outcome.played
    if outcome.played == 0:
        print("All games had been played before; --again plays them anew and keeps these records.")
    elif old > 0:
        print(f"{old} of the games had been played before.")
    if outcome.kept is not None:
        print(f"The records from before are kept in {outcome.kept}.")


def say_where(outcome: Outcome, folder: Path) -> None:
    """Says where the files are, and which games are old."""
    say_what_is_old(outcome)
    print(f"records and report: {folder}/games.jsonl, report.html, table.csv, results.json")
