"""`ludus othello -d 6 -a agent.py`: the course's game with the course's own flags, in the terminal or on the page."""

from __future__ import annotations

import contextlib
import getopt
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.errors import BadOption

if TYPE_CHECKING:
    from ludus.courses.csc384.players import Flags

USAGE = """\
usage: ludus othello -d SIZE [-a AGENT] [-b AGENT] [-l LIMIT] [-m] [-c] [-o]
       ludus othello AGENT [AGENT]

The Othello of the course CSC384: the game ends when the player to move has no move.

  -d SIZE, --dimension=SIZE  the size of the board
  -a AGENT, --agent1=AGENT   with -b: plays dark and begins. Alone: plays light, and you play dark
  -b AGENT, --agent2=AGENT   plays light; `-b person` is you, against the agent of -a
                             without any agent, two people play on one screen
  -l LIMIT, --limit=LIMIT    the depth limit that programs are told; -1, if not given: none
  -m                         programs are told to use minimax instead of alpha-beta
  -c                         programs are told to cache states
  -o                         programs are told to order moves
  --seconds=SECONDS          for a move of an agent; 10, if not given
  --columbia                 the older dialect: programs are told their colour only, and the board is 4x4.
                             So are agents without -a and -b: ludus othello AGENT [AGENT]
  --web                      on the page in the browser, instead of in the terminal
  --port=PORT, --runs=FOLDER, --no-open
                             of the page, as in ludus serve
  -h, --help                 this text

AGENT is a program in a file, which is run as `python3 FILE`, or an agent of Ludus with its own options, such as mcts,
alphabeta:depth=5 or zoo:othello6 (`ludus agents` lists them).
"""
YOU = "person"  # in the place of an agent
LONG = [
    "help", "limit=", "dimension=", "agent1=", "agent2=", "seconds=", "columbia", "web", "port=", "runs=", "no-open",
]  # fmt: skip
SHORT = "hcmol:d:a:b:"
SAME = {"-d": "--dimension", "-a": "--agent1", "-b": "--agent2", "-l": "--limit", "-h": "--help"}


@dataclass(frozen=True)
class Game:
    """What the flags ask for."""

    dimension: int
    dark: str | None  # an agent; None: a person
    light: str | None
    flags: Flags
    web: bool
    given: dict[str, str]  # the flags as they were written


def main(arguments: list[str]) -> None:
    game = read(arguments)
    from ludus.courses.csc384.othello_game import OthelloGameManager, play_game
    from ludus.courses.csc384.players import make_player

    if game.web:
        open_page(game)
        return
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (input() then knows arrow keys and earlier lines)
    dark, light = (
        make_player(text, color, game.flags, game.dimension) for color, text in ((1, game.dark), (2, game.light))
    )
    play_game(OthelloGameManager(game.dimension), dark, light)


def read(arguments: list[str]) -> Game:
    """The game that the arguments describe; `--help` prints and leaves."""
    try:
        pairs, agents = getopt.gnu_getopt(arguments, SHORT, LONG)
    except getopt.GetoptError as error:
        raise BadOption(f"{error}; ludus othello --help lists what there is") from None
    given = {SAME.get(flag, flag): value for flag, value in pairs}
    if "--help" in given:
        print(USAGE, end="")
        raise SystemExit(0)
    columbia = bool(agents) or "--columbia" in given
    dark, light = players_of(given, agents)
    return Game(dimension_of(given, columbia), dark, light, flags_of(given, columbia), "--web" in given, given)


def players_of(given: dict[str, str], agents: list[str]) -> tuple[str | None, str | None]:
    """Who plays dark and who light. One agent alone plays light, against a person."""
    named = [given[flag] for flag in ("--agent1", "--agent2") if flag in given]
    if agents and named:
        raise BadOption(f"say who plays with -a and -b, or without them, but not both: {agents[0]} and {named[0]}")
    if len(agents) > 2:
        raise BadOption(f"two agents can play, not {len(agents)}: {', '.join(agents)}")
    if "--agent2" in given and "--agent1" not in given:
        raise BadOption("with -b there must be -a as well; -a alone is light, -a AGENT -b person is dark, against you")
    seats = [*agents, *named]
    dark, light = seats if len(seats) == 2 else (YOU, *(seats or [YOU]))
    return (None if dark == YOU else dark), (None if light == YOU else light)


def dimension_of(given: dict[str, str], columbia: bool) -> int:
    from ludus.courses.csc384.terminal import LARGEST

    text = given.get("--dimension", "4" if columbia else "")
    if not text:
        raise BadOption("please provide a board size: ludus othello -d 6 …")
    size = whole("-d", text)
    if not 2 <= size <= LARGEST:
        raise BadOption(f"the board size must be a number from 2 to {LARGEST}, not {size}")
    return size


def flags_of(given: dict[str, str], columbia: bool) -> Flags:
    """What programs are told. An agent of Ludus is told nothing, so there must be a program to tell it to."""
    from ludus.courses.csc384.players import Flags, is_program

    flags = Flags(whole("-l", given.get("--limit", "-1")), "-m" in given, "-c" in given, "-o" in given, columbia)
    told = [flag for flag in ("--limit", "-m", "-c", "-o") if flag in given]
    if told and columbia:
        raise BadOption("programs of the older dialect are told their colour only, not -l, -m, -c or -o")
    agents = [given[flag] for flag in ("--agent1", "--agent2") if flag in given]
    if told and agents and not any(map(is_program, agents)):
        raise BadOption("-l, -m, -c and -o are told to programs; give an agent of Ludus options: alphabeta:depth=5")
    try:
        seconds = float(given.get("--seconds", flags.seconds))
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 1e6:
        raise BadOption(f"--seconds must be a number above 0, not {given['--seconds']}")
    return replace(flags, seconds=seconds)


def whole(flag: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadOption(f"{flag} must be a whole number, not {text!r}") from None


def open_page(game: Game) -> None:
    """The same game on the page: the agents are the server's programs, and the table is ready."""
    from ludus.cli import serve
    from ludus.courses.csc384.players import agent_text

    try:
        from ludus.web.library import Library
        from ludus.web.site import GAMES_FOLDER
        from ludus.web.table import PERSON
        from ludus.web.tables import Tables
    except ModuleNotFoundError as error:
        raise serve.without_web(error) from None
    names = names_on_page([text for text in (game.dark, game.light) if text is not None])
    programs = tuple(f"{name}={agent_text(text, game.flags, game.dimension)}" for text, name in names.items())
    seats = [PERSON if text is None else f"program:{names[text]}" for text in (game.dark, game.light)]
    port, runs = whole("--port", game.given.get("--port", "8000")), Path(game.given.get("--runs", "runs"))
    options = serve.Serve(port=port, runs=runs, program=programs, browser="--no-open" not in game.given)
    tables = Tables(runs / GAMES_FOLDER, Library())
    table = tables.begin("othello", {"size": game.dimension, "passing": False}, seats)
    tables.close()
    serve.open_page(options, table.key)


def names_on_page(agents: list[str]) -> dict[str, str]:
    """What the page calls agents: the name of the file, or of the agent without its options; no name twice."""
    names: dict[str, str] = {}
    for text in dict.fromkeys(agents):
        name = Path(text).name.partition(":")[0]
        names[text] = f"{name} (light)" if name in names.values() else name
    return names
