"""Agents from which the levels of a game may be chosen, the weakest first and close to each other."""

from __future__ import annotations


def greedy(*overlooks: float) -> list[str]:
    """Agents that see one move ahead and overlook moves."""
    return [f"greedy:overlooks={share:g}" if share else "greedy" for share in overlooks]


def searching(*simulations: int, like: str = "") -> list[str]:
    """Tree searches."""
    return [f"mcts:simulations={count}{like}" for count in simulations]


SEES_LITTLE = greedy(0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0)
KNOWING = ",rave=true,hints=true,playout=quick"
ESTIMATE = ",playout=estimate,c=0.2"
CANDIDATES: dict[str, list[str]] = {  # by the name of the ladder
    "hex7": [
        *SEES_LITTLE,
        *(f"zoo:hex7,choice=epsilon,epsilon={share:g}" for share in (0.2, 0.1, 0.05)),
        "zoo:hex7", "zoo:hex7,simulations=50", "zoo:hex7,simulations=400", "zoo:hex7,seconds=1",
    ],
    "hex": [
        *SEES_LITTLE,
        *searching(10, 20, 35, 60, 100, 200, 400, 800, 1500, 3000, 6000, like=KNOWING),
        "mcts:seconds=1" + KNOWING,
    ],
    "go": [
        *greedy(0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0),
        *searching(20, 35, 50, 75, 100, 150, 200, 300, 400, 600, 900, 1200, 2000, 3500, 6000, like=KNOWING),
        "mcts:seconds=1" + KNOWING,
    ],
    "othello": [
        *greedy(0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0),
        *(f"alphabeta:depth={depth}" for depth in (2, 3, 4, 5, 6)),
        "deepening:seconds=0.02", "deepening:seconds=0.1", "deepening:seconds=1",
    ],
    "connect_four": [
        *SEES_LITTLE,
        *searching(20, 60, 200, 500, 1500, 5000, like=",playout=estimate"),
        *searching(20_000, 60_000),
        "perfect:seconds=0.1", "perfect:seconds=1",
    ],
    "tic_tac_toe": [*greedy(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0), "perfect:seconds=1"],
    "nim": ["greedy", *searching(3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 400), "perfect:seconds=1"],
    "ledge": [
        "greedy",
        *searching(5, 10, 15, 25, 40, 70, 120, 200, 400, 800, 1500, 2500, 5000, 10_000, 20_000, 50_000),
        "perfect:seconds=1",
    ],
}  # fmt: skip
