"""Positions per second of self-play: the yardstick, the plain loop (one game at a time), and many games side by side.

    python benchmarks/self_play.py [--size 5] [--seconds 10]

Rollouts are the actor's in all rows but the last ones, which ask the critic. The share is the time inside the network.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from dataclasses import replace

import torch
import yardstick

import ludus
from ludus.learn.evaluator import NetworkEvaluator
from ludus.learn.network import Network
from ludus.learn.self_play import SelfPlay
from ludus.learn.settings import CLASSIC, NetworkSettings


class Timed(NetworkEvaluator):
    """A network that knows how long it was asked."""

    seconds = 0.0

    def judge(self, planes, players):
        began = time.perf_counter()
        answer = super().judge(planes, players)
        self.seconds += time.perf_counter() - began
        return answer


def ours(size, games, seconds, parallel, net, sigma):
    """Positions per second, and the share of time inside the network."""
    game = ludus.make("hex", size=size)
    network = Network(net, game.planes_shape, game.num_actions)
    search = replace(CLASSIC.search, simulations=games, sigma=sigma, sigma_end=sigma, openings=0.0, rule="uct", c=1.0)
    threads = 1 if parallel == 1 or net.net == "mlp" else 2  # as the trainer does
    counts, shares = [0] * threads, [0.0] * threads

    def work(i):
        judge = Timed(game, network)
        player, began = (
            SelfPlay(game, search, judge, max(1, parallel // threads), ludus.Rng(i), 10**6, 10**6),
            time.perf_counter(),
        )
        make_move = player._move

        def count(slot):
            counts[i] += 1
            if time.perf_counter() - began > seconds and counts[i] > 2 * parallel // threads:  # two moves of each game
                raise TimeoutError
            return make_move(slot)

        player._move = count
        try:
            for _ in player.games():
                pass
        except TimeoutError:
            shares[i] = judge.seconds / (time.perf_counter() - began)

    began = time.perf_counter()
    workers = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(counts) / (time.perf_counter() - began), sum(shares) / threads


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
    mlp, conv = NetworkSettings(hidden=(128, 128), residual=False), NetworkSettings(net="conv")
    rows = []
    for games in (200, 1000):
        base = theirs(options.size, games, options.seconds)
        rows.append(("yardstick", "mlp", games, "rollouts", base, None, 1.0))
        for name, net in (("mlp", mlp), ("conv", conv)):
            if name not in options.nets:
                continue
            for parallel in (1, CLASSIC.parallel):
                for sigma, judge in ((1.0, "rollouts"), (0.0, "critic")):
                    speed, share = ours(options.size, games, options.seconds, parallel, net, sigma)
                    rows.append((f"parallel {parallel}", name, games, judge, speed, share, speed / base))
    print(f"{'':14} {'net':5} {'games':>6} {'judge':9} {'positions/s':>12} {'in network':>11} {'× yardstick':>12}")
    for who, net, games, judge, speed, share, ratio in rows:
        inside = "" if share is None else f"{share:.0%}"
        print(f"{who:14} {net:5} {games:>6} {judge:9} {speed:>12.2f} {inside:>11} {ratio:>12.1f}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file)


if __name__ == "__main__":
    main()
