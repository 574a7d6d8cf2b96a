"""`ludus demo`: what `make demo` shows: a network learns Hex in about a minute, and meets its earlier selves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ludus.cli.parse import parse
from ludus.errors import seed_option
from ludus.games import make


@dataclass(frozen=True)
class Demo:
    """A network learns Hex by playing against itself, from nothing; then its saved stages play a tournament."""

    size: int = 5
    episodes: int = 800  # actual games
    games: int = 40  # for each pair of the tournament
    seed: int = 1  # of all random numbers

    def __post_init__(self) -> None:
        seed_option("seed", self.seed)


def main(arguments: list[str]) -> None:
    options = parse(Demo, arguments, "ludus demo")
    from ludus.cli import topp, train
    from ludus.search.solve import Solver

    game = make("hex", size=options.size)
    folder = train.unused(Path("runs") / "demo")
    board = f"{options.size}x{options.size}"
    print(f"A network that knows nothing learns Hex on {board}, from {options.episodes} games against")
    print("itself. Every few seconds an exact solver judges it on positions that it never sees.\n", flush=True)
    settings = ["--episodes", str(options.episodes), "--checkpoints", "4", "--spacing", "quadrupling"]
    settings += ["--minibatches", "2", "--every", "3", "--seed", str(options.seed), "--run", str(folder)]
    train.main(["hex", "--size", str(options.size), *settings])
    print(
        "\nThe Tournament of Progressive Policies: the network as it was, against itself as it was later.\n", flush=True
    )
    topp.main([str(folder), "--games", str(options.games)])
    values = Solver().actions(game.start())
    won = " ".join(game.write(action) for action, value in values.items() if value == 1)
    print(f"\nProven by the solver: the first player wins with {won}.\n")
    print("What to try next:")
    for command, what in next_steps(options, folder):
        print(f"  {command:<57}{what}".rstrip())


def next_steps(options: Demo, folder: Path) -> list[tuple[str, str]]:
    """What to try next, and what that is."""
    return [
        (
            f".venv/bin/ludus play hex --size {options.size} --against {folder}",
            "play against what you have just trained",
        ),
        (f"{folder}/training.png", "its curves"),
        (".venv/bin/ludus train hex --size 5 --episodes 3000", "a stronger one, in a few minutes"),
        ('.venv/bin/ludus explain hex --size 5 --position "c3"', "what a search saw, as a picture"),
        (".venv/bin/ludus match mcts alphabeta:depth=3 --game othello --size 6", ""),
        ("README.md", "a tour in ten lines of Python"),
    ]
