"""The command line. Each command lives in a module of its own, imported when it is called."""

from __future__ import annotations

import importlib
import io
import os
import sys

COMMANDS = {
    "serve": "the page in the browser: play, review, watch it learn, lessons",
    "play": "play a game yourself, in the terminal: ludus play hex --size 7 --against level:3",
    "match": "two agents play each other: ludus match mcts random --game hex --games 100",
    "tournament": "many agents, a crosstable and ratings: ludus tournament random greedy mcts --game othello --size 6",
    "train": "a network learns by playing against itself: ludus train hex --size 5",
    "plan": "settings for a training of some minutes, and what to expect: ludus plan hex --size 6 --minutes 30",
    "topp": "the networks of a training meet each other: ludus topp runs/hex5",
    "zoo": "the networks that come with Ludus, with their measured strength",
    "measure": "how strong an agent is, against the truth: ludus measure hex --size 5 --agent zoo:hex5",
    "games": "the games, their options and how their moves are written",
    "agents": "the agents that can play, and their options",
    "levels": "opponents of known strength for a game, from a beginner to the strongest: ludus levels hex --size 7",
    "demo": "a network learns Hex in about a minute, and meets its earlier selves",
    "solve": "what perfect play leads to, proven: ludus solve hex --size 5 --position c3",
    "explain": "what a search saw, as a picture and a table",
    "review": "every move of a game judged: ludus review game.sgf",
    "check": "hold a game, ours or yours, to the contract: ludus check my_game.py:MyState",
    "gtp": "an engine for GoGui, Sabaki and HexGui: ludus gtp go --size 9 --agent mcts",
    "oht": "the online Hex tournament: ludus oht serve, ludus oht play, and the teacher's commands",
    "course": "files for the students of a course: ludus course csc384 agent.py",
    "othello": "the Othello of the courses, with their own flags: ludus othello -d 6 -a agent.py",
    "othello-agent": "an agent for the manager of the Othello course",
    "bench": "measure speed, alone or against another program",
}


def main() -> None:
    """The program `ludus`."""
    from ludus.text import never_fail_to_print

    never_fail_to_print(sys.stdout, sys.stderr)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    columns = os.environ.get("COLUMNS", "80")
    if not columns.isdecimal() or not 20 <= int(columns[:9]) <= 1000:
        del os.environ["COLUMNS"]  # an impossible width, which some libraries would use unchecked
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(usage())
        sys.exit(0 if arguments else 2)
    if arguments[0] == "--version":
        from ludus import __version__, _core

        print(f"ludus {__version__} (core for {_core.processor})")
        return
    sys.exit(run(arguments[0], arguments[1:]))


def usage() -> str:
    width = max(len(name) for name in COMMANDS)
    lines = [f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()]
    return "usage: ludus COMMAND …\n\n" + "\n".join(lines) + "\n\n`ludus COMMAND --help` tells more about a command."


def complain(sentence: str) -> None:
    """Why a command ends: on standard error, and in its log if it has begun one."""
    try:
        from ludus.monitor import logs
    except (ImportError, MemoryError):  # there may be too little memory for anything more
        print(sentence, file=sys.stderr)
    else:
        logs.complain(sentence)


def run(command: str, arguments: list[str]) -> int:
    """Runs one command. Returns the exit code; a user's mistake is one sentence."""
    from ludus.errors import Interrupted, LudusError

    if command not in COMMANDS:
        print(f"ludus: there is no command {command!r}; there are {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    try:
        importlib.import_module(f"ludus.cli.{command.replace('-', '_')}").main(arguments)
    except Interrupted as error:
        complain(f"ludus {command}: {error}")
        return 1
    except LudusError as error:
        complain(f"ludus {command}: {error}")
        return 2
    except MemoryError:
        complain(f"ludus {command}: there is not enough memory for that")
        return 1
    except KeyboardInterrupt:
        complain("\nstopped")
        return 130
    except EOFError:
        print(f"\nludus {command}: the input ended where an answer was needed", file=sys.stderr)
        return 2
    except BrokenPipeError:  # a reader such as `head` has closed the pipe
        sys.stderr.close()
    except OSError as error:
        from ludus.system import NO_ROOM, trouble_of

        again = ", and say the same again" if error.errno in NO_ROOM else ""
        complain(f"ludus {command}: {trouble_of(error)}{again}")
        return 1
    return 0
