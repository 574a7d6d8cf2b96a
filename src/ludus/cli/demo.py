"""`ludus demo`: what `make demo` shows."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ludus._core import Rng, rollouts
from ludus.agents import make_agent
from ludus.cli.parse import parse
from ludus.games import make
from ludus.games.paint import STONES
from ludus.solve import Solver


@dataclass(frozen=True)
class Demo:
    """Two agents play a game of Hex, and say what they think."""

    size: int = 7
    first: str = "mcts:simulations=3000,rave=true"  # the agent that starts
    second: str = "alphabeta:depth=2"  # the other
    seed: int = 1


def main(arguments: list[str]) -> None:
    options = parse(Demo, arguments, "ludus demo")
    game, rng = make("hex", size=options.size), Rng(options.seed)
    names = (options.first, options.second)
    agents = tuple(make_agent(name) for name in names)
    print(f"Hex {options.size}x{options.size}. X is {names[0]} and joins the upper right and lower left sides,")
    print(f"O is {names[1]} and joins the upper left and lower right sides.\n")
    state, began = game.start(), time.perf_counter()
    while not state.over:
        decision = agents[state.player].decide(state, rng)
        print(f"{STONES[state.player + 1]} {game.write(decision.action):<4} {decision.why}", flush=True)
        state = state.play(decision.action)
    seconds = time.perf_counter() - began
    winner = 0 if state.score(0) > 0 else 1
    print(f"\n{game.draw(state)}\n")
    print(f"{STONES[winner + 1]} ({names[winner]}) wins after {seconds:.1f} s.\n")

    began = time.perf_counter()
    wins, _, _ = rollouts(game.start(), 1_000_000, rng)
    seconds = time.perf_counter() - began
    print(f"One million random games more, on one core: {seconds:.2f} s; the first player won {wins / 10_000:.1f}%.")
    began = time.perf_counter()
    five = make("hex", size=5)
    values = Solver().actions(five.start())
    seconds = time.perf_counter() - began
    won = " ".join(five.write(action) for action, value in values.items() if value == 1)
    print(f"Perfect play on 5x5, proven in {seconds:.2f} s: the first player wins with {won}.\n")
    print("What to try next:")
    print("  .venv/bin/ludus games                                   what there is to play")
    print('  .venv/bin/ludus explain hex --size 5 --position "c3"    what a search saw, as a picture')
    print("  .venv/bin/ludus solve connect_four --position 44444     the truth, proven")
    print("  .venv/bin/ludus demo --size 11 --second mcts:seconds=1  a longer game")
    print("  README.md                                               a tour in ten lines of Python")
