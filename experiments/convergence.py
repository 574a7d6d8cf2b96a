"""How MCTS converges to perfect play: the share of exact moves as simulations grow.

Run: .venv/bin/python experiments/convergence.py          (about three minutes on two cores)
Makes: docs/images/convergence.png and the numbers that docs/search.md quotes.
"""

from __future__ import annotations

from pathlib import Path

import ludus
from ludus.search.mcts import Mcts, MctsSettings, Rave, Uct
from ludus.search.solve import Solver

BUDGETS = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000]
RULES = {"UCT, c = √2": Uct(), "UCT, c = 0.5": Uct(0.5), "RAVE": Rave(0.0)}


def positions(game: ludus.Game, plies: int, count: int) -> list:
    """Positions with something at stake: a perfect player must choose, since moves differ in value."""
    solver, found, seed = Solver(), [], 0
    while len(found) < count:
        seed += 1
        rng, state = ludus.Rng(seed), game.start()
        for _ in range(plies):
            if not state.over:
                state = state.play(rng.choice(state.actions()))
        if state.over:
            continue
        values = solver.actions(state)
        best = max(values.values())
        if min(values.values()) < best:
            found.append((state, {action for action, value in values.items() if value == best}))
    return found


def curve(cases: list, rule: Uct | Rave) -> list[float]:
    """The share of positions in which the most visited move is exact, for every budget."""
    shares = []
    for budget in BUDGETS:
        right = 0
        for i, (state, best) in enumerate(cases):
            tree = Mcts(state, MctsSettings(rule, solver=True), ludus.Rng(i))
            tree.run(budget)
            right += tree.best().action in best
        shares.append(right / len(cases))
    return shares


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    panels = {
        "Hex 5×5, after 4 random stones": positions(ludus.make("hex", size=5), 4, 200),
        "Connect Four, after 14 random stones": positions(ludus.make("connect_four"), 14, 200),
    }
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), sharey=True, constrained_layout=True)
    for panel, (title, cases) in zip(axes, panels.items(), strict=True):
        chance = sum(len(best) / len(state.actions()) for state, best in cases) / len(cases)
        print(f"{title}: a random move is exact in {chance:.1%}")
        for name, rule in RULES.items():
            shares = curve(cases, rule)
            print(f"  {name:<12}", "  ".join(f"{n}: {share:.1%}" for n, share in zip(BUDGETS, shares, strict=True)))
            panel.plot(BUDGETS, [100 * share for share in shares], marker="o", label=name)
        panel.axhline(100 * chance, color="grey", linestyle=":", label="a random move")
        panel.set_xscale("log")
        panel.set_title(title)
        panel.set_xlabel("simulations")
        panel.grid(alpha=0.3)
    axes[0].set_ylabel("exact moves, in %")
    axes[0].legend()
    path = Path(__file__).parent.parent / "docs" / "images" / "convergence.png"
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
