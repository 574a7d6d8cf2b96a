"""Prints, as JSON, what must be the same on every processor: counts of searches, and answers of networks.

    python .ci/counts.py > .ci/counts.json    after a change that is meant to move them

counts.json holds the numbers; smoke.py compares every core of a wheel with them, tests/test_cpu.py the core at hand.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import ludus
from ludus import _core
from ludus.search import alphabeta
from ludus.search.mcts import Mcts, MctsSettings, Puct, Rave, Uct
from ludus.search.solve import Solver

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("nim", {}), ("ledge", {}), ("tic_tac_toe", {}), ("connect_four", {}), ("othello", {"size": 6}),
    ("othello", {"size": 8}), ("hex", {"size": 5}), ("hex", {"size": 11}), ("go", {"size": 5}), ("go", {"size": 9}),
]  # fmt: skip
RULES = [Uct(), Puct(), Rave()]
CLOSE = 1e-4  # answers of networks may differ by so much: their sums may be fused and in another order


def search_counts() -> dict[str, Any]:
    """Random games, nodes and visits of searches under fixed seeds."""
    counts: dict[str, Any] = {}
    for name, options in GAMES:
        start = ludus.make(name, **options).start()
        trees = []
        for rule in RULES:
            search = Mcts(start, MctsSettings(rule=rule), ludus.Rng(1))
            search.run(1000)
            trees.append([search.nodes, [child.visits for child in search.children()][:12]])
        counts[" ".join([name, *map(str, options.values())])] = {
            "rollouts": list(ludus.rollouts(start, 300, ludus.Rng(1))),
            "quick rollouts": list(ludus.rollouts(start, 100, ludus.Rng(1), "quick")),
            "alpha-beta": alphabeta(start, 3).nodes,
            "trees": trees,
        }
    counts["hex 4 is won"] = Solver().value(ludus.make("hex", size=4).start())
    counts["othello 6 after 24 moves"] = [solved_endgame(seed) for seed in range(3)]
    return counts


def solved_endgame(seed: int) -> int | None:
    """What a position of Othello 6×6 near its end is worth."""
    rng, state = ludus.Rng(seed), ludus.make("othello", size=6).start()
    for _ in range(24):
        if not state.over:
            state = state.play(rng.choice(state.actions()))
    return None if state.over else Solver().value(state)


def network_answers() -> list[float]:
    """Policies and values of a perceptron and of convolutions with made-up weights."""
    dice = np.random.default_rng(1)

    def layer(inner: int, width: int) -> tuple[Any, Any]:
        weights = dice.standard_normal((inner, width)) / inner**0.5
        return weights.astype(np.float32), dice.standard_normal(width).astype(np.float32)

    planes = dice.integers(0, 2, (9, 4, 5, 5)).astype(np.float32)
    perceptron = _core.perceptron([layer(100, 48), layer(48, 48)], [layer(48, 25)], [layer(48, 1)], "tanh", True)
    body = [layer(9 * 4, 24), layer(9 * 24, 24), layer(9 * 24, 24)]
    heads = [layer(24, 2), layer(50, 25), layer(24, 1)], [layer(24, 1), layer(25, 16), layer(16, 1)]
    convolutions = _core.convolutions(body, *heads, "relu", 4, 5, 5)
    answers = [part for network in (perceptron, convolutions) for part in network.judge(planes)]
    return [round(float(number), 6) for part in answers for number in np.ravel(part)]


def differences(found: dict[str, Any], kept: dict[str, Any]) -> list[str]:
    """What differs from the numbers that are kept."""
    wrong = [name for name in kept["searches"] if found["searches"].get(name) != kept["searches"][name]]
    far = np.max(np.abs(np.subtract(found["networks"], kept["networks"])))
    return wrong + ([f"networks by {far:.2g}"] if not far < CLOSE else [])


def main() -> None:
    print(json.dumps({"searches": search_counts(), "networks": network_answers()}, indent=1))


if __name__ == "__main__":
    main()
