"""Othello's pattern values: plays the games that they are fitted to, and fits them.

    python experiments/othello_patterns.py play FOLDER --size 8 --games 100000    # until then, or Ctrl-C; goes on later
    python experiments/othello_patterns.py fit FOLDER --size 8                    # writes src/ludus/games/…

A game begins with random plies and goes on with alpha-beta; at the end every position is labelled with the margin that
the exact solver proves, and what came before with the margin of the first solved one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import ludus
from ludus import search
from ludus.search.solve import Solver

SOLVED = {8: 14, 6: 16}  # with so many empty cells or fewer, the label is exact
SHARD = 1000  # games in a file


def random_opening(game, rng):
    """A position after random plies: mostly few, so that what follows is like a game; sometimes many."""
    cells = game.size**2 - 4
    longest = cells // 5 if rng.uniform() < 0.7 else cells // 2
    state = game.start()
    for _ in range(4 + rng.below(max(1, longest - 4))):
        if state.over:
            break
        state = state.play(rng.choice(state.actions()))
    return state


def one_game(game, solver, rng, depth):
    """The positions of one game as bits (mine, theirs), and the margin of each for the player to move."""
    planes, players, margins = [], [], []
    state = random_opening(game, rng)
    result = None  # for player 0, of the first solved position
    while not state.over:
        empty = state.cells().count(0) if callable(state.cells) else list(state.cells).count(0)
        solved = empty <= SOLVED[game.size]
        exact = solver.margin(state) if solved else None
        if solved and result is None:
            result = exact if state.player == 0 else -exact
        if len(state.actions()) > 1 or state.actions()[0] != game.size**2:  # a pass is no decision
            planes.append(state.planes()[:2])
            players.append(state.player)
            margins.append(exact)
        if solved and rng.uniform() < 0.5:
            action = rng.choice(state.actions())
        else:
            action = search.alphabeta(state, 1 if solved else depth, table=1 << 12).action
        state = state.play(action)
    if result is None:
        result = state.margin(0)
    labels = [exact if exact is not None else (result if p == 0 else -result) for exact, p in zip(margins, players)]
    return planes, labels


def play(folder, size, games, depth):
    """Plays shard after shard; every shard has dice of its own, so the work can stop and go on."""
    game, solver = ludus.make("othello", size=size), Solver(8 << 20)
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(games // SHARD):
        path = folder / f"{size}-{shard:04}.npz"
        if path.exists():
            continue
        rng, planes, labels = ludus.Rng(1000 * size + shard), [], []
        for _ in range(SHARD):
            more_planes, more_labels = one_game(game, solver, rng, depth)
            planes += more_planes
            labels += more_labels
        bits = np.packbits(np.array(planes, bool).reshape(len(planes), 2, -1), axis=2)
        part = path.with_suffix(".part.npz")
        np.savez(part, bits=bits, labels=np.array(labels, np.int8))
        part.rename(path)
        print(f"{path.name}: {len(labels):,} positions", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["play"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--depth", type=int, default=4)
    options = parser.parse_args()
    play(options.folder, options.size, options.games, options.depth)


if __name__ == "__main__":
    main()
