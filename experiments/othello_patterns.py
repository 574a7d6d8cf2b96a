"""The weights of Othello's patterns on 8×8: plays the games that they are fitted to, and fits them.

    python experiments/othello_patterns.py play FOLDER --shards 0 100   # of 500 games each; may be stopped, and goes on
    python experiments/othello_patterns.py fit FOLDER                   # writes src/ludus/games/othello_weights.npz

A game begins with random plies and goes on with alpha-beta of four plies and the estimate as it is. Once few cells
are empty, the exact solver says the margin of every position. Earlier positions are labelled with the value that the
search found and with the margin that the game led to. Play and fit in turns: the next games use the new weights.
Without a file of weights, games are played with the estimate of the other sizes; then the margins alone are the labels,
and count less.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

import ludus
from ludus import _core, search
from ludus.games.othello import WEIGHTS
from ludus.search.solve import Solver

SOLVED = 12  # with so many empty cells or fewer the label is exact
LEAD = 8  # discs that count as a lead of 1: core/games/othello_patterns.h
UNIT = 16  # weights are in this part of a disc: the same page
STAGES = 10
STEPS = 10  # of conjugate gradients
RIDGE = 200.0  # how many positions it takes to outweigh what the weights were before
SEARCHED = 0.8  # the share of the search's value in a label
COUNT = 8.0  # of a position with a searched value, in positions without


def opening(game: ludus.Game, rng: ludus.Rng) -> ludus.State:
    """A position after random plies: mostly few, sometimes half of the game."""
    state = game.start()
    for _ in range(4 + rng.below(8 if rng.uniform() < 0.7 else 26)):
        if state.over:
            break
        state = state.play(rng.choice(state.actions()))
    return state


def play_game(game: ludus.Game, solver: Solver, rng: ludus.Rng, rows: list) -> None:
    """Adds rows (planes, margin, value), for the player to move; the value is the margin where that is exact."""
    state, result, open_rows = opening(game, rng), None, []
    while not state.over:
        planes, actions, value = state.planes()[:2], list(state.actions()), None
        if planes.sum() >= 64 - SOLVED:
            value = solver.margin(state)
            result = result if result is not None else (value if state.player == 0 else -value)
            action = search.alphabeta(state, 1, table=16).action if rng.uniform() < 0.5 else rng.choice(actions)
        else:
            found = search.alphabeta(state, 4, table=1 << 12)
            action = rng.choice(actions) if rng.uniform() < 0.02 else found.action
        if actions != [64]:  # a pass is no choice
            lead = None if value is not None else np.clip(found.value, -0.88, 0.88)
            guess = value if lead is None else LEAD * lead / (1 - abs(lead))
            open_rows.append((planes, state.player, value, guess))
        state = state.play(action)
    result = state.margin(0) if result is None else result
    for planes, player, value, guess in open_rows:
        rows.append((planes, value if value is not None else result if player == 0 else -result, guess))


def play(folder: Path, first: int, end: int) -> None:
    """Every shard has dice of its own, so the work can stop and go on."""
    game, solver = ludus.make("othello"), Solver(8 << 20)
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(first, end):
        path, rows, rng = folder / f"{shard:05}.npz", [], ludus.Rng(shard)
        if path.exists():
            continue
        for _ in range(500):
            play_game(game, solver, rng, rows)
        planes, margins, values = zip(*rows, strict=True)
        bits = np.packbits(np.array(planes, bool).reshape(-1, 2, 64), axis=2, bitorder="little")
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(file, bits=bits, margins=np.int8(margins), values=np.float32(values), searched=WEIGHTS.exists())
        part.rename(path)
        print(f"{path.name}: {len(margins):,} positions", flush=True)


def read(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions as rows of two words, what is to be learned of each, and how much it counts."""
    words, labels, counts = [], [], []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as file:
            share = SEARCHED if file["searched"] else 0.0
            words.append(file["bits"].reshape(-1, 16).view(np.uint64))
            labels.append(share * file["values"] + (1 - share) * file["margins"])
            counts.append(np.full(len(labels[-1]), COUNT if share else 1.0, np.float32))
    return np.concatenate(words), np.concatenate(labels).astype(np.float32), np.concatenate(counts)


def matrix_of(words: np.ndarray, classes: int) -> csr_matrix:
    """A row for each position: how often each weight counts."""
    found = _core.othello_patterns(np.ascontiguousarray(words))
    rows, places = found.shape
    ones, ends = np.ones(rows * places, np.float32), np.arange(0, rows * places + 1, places)
    return csr_matrix((ones, found.ravel(), ends), shape=(rows, classes))


def fit_stage(x: csr_matrix, y: np.ndarray, counts: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Least squares by conjugate gradients: weights near `before`, so that rare patterns keep what is known of them."""
    weights, scale = before.copy(), 1 / (x.T @ counts + RIDGE)
    rest = x.T @ (counts * (y - x @ weights))
    step = scale * rest
    size = rest @ step
    for _ in range(STEPS):
        image = x.T @ (counts * (x @ step)) + RIDGE * step
        length = size / (step @ image)
        weights, rest = weights + length * step, rest - length * image
        size, old = rest @ (scale * rest), size
        step = scale * rest + size / old * step
    return weights


def fit(folder: Path) -> None:
    """From the last stage to the first, each beginning with the weights of the one after it."""
    words, labels, counts = read(folder)
    discs, classes = np.bitwise_count(words).sum(1).astype(int), _core.othello_pattern_classes()
    stage, held = (discs - 4) * STAGES // 61, np.arange(len(words)) % 50_000 >= 47_500  # whole games are kept out
    all_weights, weights = np.zeros((STAGES, classes), np.int16), np.zeros(classes, np.float32)
    for s in reversed(range(STAGES)):
        low, high = discs[stage == s].min(), discs[stage == s].max()
        near = (discs >= low - 2) & (discs <= high + 2) & ~held
        x = matrix_of(words[near], classes)
        weights = fit_stage(x, labels[near], counts[near], weights)
        weights[np.asarray(x.sum(0)).ravel() < 8] = 0
        all_weights[s] = np.round(weights * UNIT)
        test = (stage == s) & held
        error = matrix_of(words[test], classes) @ weights - labels[test]
        print(
            f"{low} to {high} discs: {near.sum():,} positions, error {np.sqrt((error**2).mean()):.2f} discs", flush=True
        )
    np.savez_compressed(WEIGHTS, weights=all_weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["play", "fit"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, nargs=2, default=(0, 100), metavar=("FIRST", "END"))
    options = parser.parse_args()
    if options.what == "play":
        play(options.folder, *options.shards)
    else:
        fit(options.folder)


if __name__ == "__main__":
    main()
