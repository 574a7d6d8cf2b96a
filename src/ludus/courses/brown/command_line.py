"""The course's command line, in the spelling of every generation.

`--agent1-type`, `--agent2-type` and `--num-games` are those of F24 and S25; `--agent1`, `--agent2` and `--games` those
of F25 and S26. The spelling says which output is printed, unless `--generation` does.
"""

from __future__ import annotations

import argparse
import sys

from ludus.courses.brown import generation, people
from ludus.courses.brown.game_runner import KINDS, GameRunner, create_agent, game_info, run_many
from ludus.courses.brown.playing import Terms, play_game
from ludus.courses.brown.students import is_theirs, told
from ludus.errors import BadOption, LudusError, seed_option

EARLY, LATE = ("--agent1-type", "--agent2-type"), ("--agent1", "--agent2", "--games")


def parser() -> argparse.ArgumentParser:
    """All flags of all generations."""
    flags = argparse.ArgumentParser(
        prog="python -m ludus.courses.brown",
        description="Go between two agents, or against one: the runner of Brown's CSCI 0410.",
        epilog=f"Agents: {', '.join(KINDS)}; any agent of Ludus (zoo:go5, …); or yours, agents.py:MyAgent.",
        allow_abbrev=False,
    )
    add = flags.add_argument
    add("--mode", choices=["gui", "text", "vs", "tournament"], default="gui",
        help="gui: you in the browser; text: you in the terminal; vs: one game; tournament: many games")  # fmt: skip
    add("--agent1-type", "--agent1", dest="agent1", default="alphabeta", metavar="AGENT", help="the first agent")
    add("--agent1-depth", type=int, default=2, metavar="PLIES", help="how deep it looks, if it has a depth")
    add("--agent2-type", "--agent2", dest="agent2", default=None, metavar="AGENT", help="the second agent")
    add("--agent2-depth", type=int, default=2, metavar="PLIES", help="how deep it looks, if it has a depth")
    add("--num-games", "--games", dest="games", type=int, default=10, metavar="N", help="games of a tournament")
    add("--time-limit", type=float, default=15.0, metavar="SECONDS", help="on the clock of each player")
    add("--time-increment", type=float, default=1.0, metavar="SECONDS", help="added after every move")
    add("--soft-time", action="store_true", help="go on when a clock has run out")
    add("--size", type=int, default=5, help="of the board")
    add("--quiet", action="store_true", help="print nothing in a tournament")
    add("--seed", type=int, default=None, help="of the agents' random numbers; another one every time if not given")
    add("--generation", default=None, help="f24, s25, f25 or s26: whose output is printed")
    return flags


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line; a mistake is one sentence and exit code 2."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        options = parser().parse_args(given)
        generation.use(options.generation or spelling(given, options.mode))
        run(options)
    except LudusError as error:
        print(f"ludus.courses.brown: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # a reader such as `head` has closed the pipe
        sys.stderr.close()
    except Exception as error:
        if not is_theirs(error):
            raise
        print(f"ludus.courses.brown: an agent has failed: {told(error)}", file=sys.stderr)
        sys.exit(2)


def spelling(given: list[str], mode: str) -> str:
    """The generation that the flags belong to; F24, the first, if they say nothing."""
    names = {word.partition("=")[0] for word in given}
    early, late = sorted(names & {*EARLY}), sorted(names & {*LATE})
    if early and late:
        raise BadOption(f"{early[0]} is of F24 and {late[0]} of F25: use one spelling, or say --generation")
    return "s26" if late else "s25" if mode == "text" else "f24"


def run(options: argparse.Namespace) -> None:
    """Plays what the options say."""
    how = generation.current()
    if options.seed is not None:
        seed_option("seed", options.seed)
    if options.mode == "gui":
        create_agent(options.agent1, depth=options.agent1_depth, size=options.size)  # refuses what cannot play
        people.play_on_page(options.agent1, options.agent1_depth, options.size)
        return
    seeds = (None, None) if options.seed is None else (options.seed, options.seed + 1)
    agent1 = create_agent(options.agent1, depth=options.agent1_depth, size=options.size, seed=seeds[0])
    terms = Terms(options.size, options.time_limit, options.time_increment, not options.soft_time)
    if options.mode == "text":
        people.play_in_terminal(agent1, terms.size, terms.time_limit if how.classes else 1, how)
        return
    second = options.agent2 or how.second_agent
    agent2 = create_agent(second, depth=options.agent2_depth, size=options.size, seed=seeds[1])
    if options.mode == "vs":
        play_one(agent1, agent2, terms)
    elif how.classes:
        GameRunner(terms.size, terms.time_limit, terms.time_increment, terms.hard_time_cutoff).play_tournament(
            agent1, agent2, options.games, not options.quiet
        )
    else:
        run_many(
            agent1, agent2, options.games, not options.quiet, terms.size, terms.time_limit, terms.time_increment,
            terms.hard_time_cutoff,
        )  # fmt: skip


def play_one(agent1: object, agent2: object, terms: Terms) -> None:
    """One game, and what the generation prints of it."""
    stats = play_game(agent1, agent2, terms, generation.current())
    if not generation.current().classes:
        print("Game Info:", game_info(stats))
        return
    print(f"Winner: {stats.winner}")
    print(f"Player 1 time remaining: {stats.player1_time_remaining:.1f}s")
    print(f"Player 2 time remaining: {stats.player2_time_remaining:.1f}s")
