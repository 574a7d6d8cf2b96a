"""`ludus demo`: what `make demo` shows."""

from __future__ import annotations

import time
from dataclasses import dataclass

import tyro

from ludus._core import Rng, rollouts
from ludus.agents import FlatMonteCarloAgent, RandomAgent
from ludus.games import make
from ludus.games.paint import STONES


@dataclass(frozen=True)
class Demo:
    """Two agents play a game of Hex: one asks thousands of random games before every move, one does not think."""

    size: int = 7
    seed: int = 1
    rollouts: int = 500  # random games per legal move


def main(arguments: list[str]) -> None:
    options = tyro.cli(Demo, args=arguments, prog="ludus demo")
    game, rng = make("hex", size=options.size), Rng(options.seed)
    agents = (FlatMonteCarloAgent(options.rollouts), RandomAgent())
    print(f"Hex {options.size}x{options.size}: {agents[0]} (X) joins the upper right and lower left sides,")
    print(f"{agents[1]} (O) the upper left and lower right sides.\n")
    state, games, began = game.start(), 0, time.perf_counter()
    while not state.over:
        decision = agents[state.player].decide(state, rng)
        games += decision.simulations
        print(f"{STONES[state.player + 1]} {game.write(decision.action):<4} {decision.why}")
        state = state.play(decision.action)
    seconds = time.perf_counter() - began
    winner = 0 if state.score(0) > 0 else 1
    print(f"\n{game.draw(state)}\n")
    print(f"{STONES[winner + 1]} wins: {agents[winner]}. {games:,} random games in {seconds:.2f} s.\n")

    began = time.perf_counter()
    wins, _, _ = rollouts(game.start(), 1_000_000, rng)
    seconds = time.perf_counter() - began
    print(f"One million random games more, on one core: {seconds:.2f} s; the first player won {wins / 10_000:.1f}%.\n")
    print("What to try next:")
    print("  .venv/bin/ludus games                                what there is to play")
    print("  .venv/bin/ludus demo --size 11 --rollouts 100        a larger board")
    print("  .venv/bin/ludus check othello                        a game held to its contract")
    print("  .venv/bin/ludus bench rollouts --against openspiel   how fast it is (after `make test` or `make bench`)")
    print("  README.md                                            a tour in ten lines of Python")
