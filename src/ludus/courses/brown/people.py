"""A person against an agent: in the terminal with the course's questions, or in the browser."""

from __future__ import annotations

import re
import subprocess
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludus.courses.brown.generation import Generation
from ludus.courses.brown.go_search_problem import Action, GoProblem, GoState
from ludus.courses.brown.go_utils import course_go
from ludus.courses.brown.playing import after
from ludus.errors import LudusError
from ludus.load import COMMAND_LINE

Hear = Callable[[str], str]  # prints a question and returns a line; raises EOFError


class Leaves(Exception):
    """The person has ended the input."""


def print_state(state: GoState) -> None:
    """The board as the course prints it: row 0 on top, B, W and dots."""
    board, size = state.get_board(), state.size
    print("  " + "".join(f"{column} " for column in range(size)))
    for row in range(size):
        cells = ("B" if board[0][row][c] else "W" if board[1][row][c] else "." for c in range(size))
        print(f"{row} " + "".join(f"{cell} " for cell in cells))
    print()


def play_in_terminal(agent: Any, size: int, seconds: float, how: Generation, hear: Hear = input) -> None:
    """A game in the terminal. The agent has Black; `seconds` is what it is told to be left at every move."""
    later = how.classes
    print(f"Starting game on {size}x{size} board..." if later else f"Starting game... {size}")
    problem = GoProblem(size)
    state = problem.start_state
    try:
        while not problem.is_terminal_state(state):
            action = agent.get_move(state.clone(), seconds)
            print(said("Agent", action, size, how))
            state = after(problem, state, action, agent)
            if problem.is_terminal_state(state):
                break
            print_state(state)
            if not later:
                print("Human's turn")
            action = (ask_later if later else ask)(state, hear)
            print(said("Human", action, size, how))
            state = problem.transition(state, action)
            if not later:
                print_state(state)
    except Leaves:
        print("\nThe game was not finished.")
        return
    print(verdict(problem.get_result(state), how))


def said(who: str, action: Action, size: int, how: Generation) -> str:
    """A move in the words of the generation."""
    written = how.write(action, size)
    return (
        f"{who} plays: {written}"
        if how.classes
        else (f"{who} Action: {action} , which corresponds to coordinate  {written}")
    )


def verdict(result: float, how: Generation) -> str:
    """The end of a game in the words of the generation."""
    if not how.classes:
        return f"Done!\nWinner: {result}"
    return "Game over!\n" + {1.0: "Agent wins!", -1.0: "Human wins!"}.get(result, "Draw!")


def number(question: str, hear: Hear) -> int | None:
    """A whole number that a person types; None for anything else."""
    try:
        return int(hear(question))
    except ValueError:
        return None
    except (EOFError, KeyboardInterrupt):
        raise Leaves from None


def ask(state: GoState, hear: Hear) -> Action:
    """A legal action by column and row, as in S25; column 0 of the row below the last one is the pass."""
    while True:
        column, row = number("Enter col of action: ", hear), number("Enter row of action: ", hear)
        if column is not None and row is not None and row * state.size + column in state.legal_actions():
            return row * state.size + column
        print(
            f"This is not legal here; columns and rows are 0 to {state.size - 1}, a pass is column 0, row {state.size}."
        )


def ask_later(state: GoState, hear: Hear) -> Action:
    """A legal action as F25 and S26 ask for it."""
    while True:
        try:
            passes = hear("Pass? (y/n): ").lower().startswith("y")
        except (EOFError, KeyboardInterrupt):
            raise Leaves from None
        if passes:
            return state.size**2
        row = number("Enter row (0-indexed): ", hear)
        column = None if row is None else number("Enter col (0-indexed): ", hear)
        if row is None or column is None:
            print("Invalid input! Try again.")
        elif 0 <= column < state.size and row * state.size + column in state.legal_actions():
            return row * state.size + column
        else:
            print("Illegal move! Try again.")


# ------------------------------------------------------------------------------------------- in the browser


def page_command(kind: str, depth: int, size: int) -> list[str]:
    """The command that serves the page with an agent of the course among the opponents."""
    plain = ":" in kind and ".py:" not in kind  # the text of an agent of Ludus, which the page knows itself
    file = Path(__file__).with_name("page_agent.py")
    agent = kind if plain else f"{file}:CourseAgent:kind={kind},depth={depth},size={size}"
    return [*COMMAND_LINE, "serve", "--no-open", "--program", f"{shown(kind)}={agent}"]


def shown(kind: str) -> str:
    """What the page calls an agent."""
    return kind if ".py:" in kind else kind.partition(":")[0]


def play_on_page(kind: str, depth: int, size: int, browse: Callable[[str], object] = webbrowser.open) -> None:
    """Serves the page until Ctrl-C, and opens it with Go of this size."""
    page = subprocess.Popen(page_command(kind, depth, size), stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://\S+", page.stdout.readline() if page.stdout else "")
        if address is None:
            raise LudusError("the page could not be started; `ludus serve` says why")
        link = f"{address[0]}#go,size={size},komi={course_go(size).komi:g},superko=draw"
        print(f"The board is at {link} (Ctrl-C stops it).")
        print(f"Choose the opponent {shown(kind)!r} among the other programs, and White for yourself.")
        print("Click a point, or use the arrow keys and Enter.", flush=True)
        browse(link)
        page.wait()
    except KeyboardInterrupt:
        print("\nstopped")
    finally:
        page.terminate()
        page.wait()
