"""Positions per second of self-play: the yardstick, the plain loop (one game at a time), and many games side by side.

    python benchmarks/self_play.py [--size 5] [--seconds 10]

The yardstick is the loop as a course's text describes it, in plain Python and PyTorch; it has rollouts by the actor.
The share is the time inside the network. `ludus bench self-play` measures our side alone.
"""

from __future__ import annotations

import argparse
import json
import time

import torch
import yardstick

import ludus
from ludus.learn.speed import NETS, measure
from ludus.system import cores


def theirs(size, games, seconds):
    """Positions per second of the yardstick."""
    network, positions, began = yardstick.make_network(size), 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        positions += len(yardstick.play_game(size, network, games))
    return positions / (time.perf_counter() - began)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=5)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--nets", nargs="*", default=["mlp", "conv"])
    options.add_argument("--json")
    options = options.parse_args()
    torch.set_num_threads(1)
    game, rows = ludus.make("hex", size=options.size), []
    for games in (200, 1000):
        base = theirs(options.size, games, options.seconds)
        rows.append(("yardstick", "mlp", games, "rollouts", base, None, 1.0))
        for net in (net for net in NETS if net in options.nets):
            for threads, parallel in ((1, 1), (cores(), 128)):
                for judge in ("rollouts", "critic"):
                    found = measure(game, net, judge, threads, parallel, games, options.seconds)
                    speed = found.positions_per_second
                    rows.append((f"parallel {parallel}", net, games, judge, speed, found.in_network, speed / base))
    print(f"{'':14} {'net':5} {'games':>6} {'judge':9} {'positions/s':>12} {'in network':>11} {'× yardstick':>12}")
    for who, net, games, judge, speed, share, ratio in rows:
        inside = "" if share is None else f"{share:.0%}"
        print(f"{who:14} {net:5} {games:>6} {judge:9} {speed:>12.2f} {inside:>11} {ratio:>12.1f}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file)


if __name__ == "__main__":
    main()
