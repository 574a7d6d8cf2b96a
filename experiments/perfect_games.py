"""Plays games of the agent `perfect` against others, and counts the results that it throws away.

    .venv/bin/python experiments/perfect_games.py connect_four --out runs/perfect.jsonl --games 20
    .venv/bin/python experiments/perfect_games.py hex --size 7 --won 40

Either side begins in turn. Every choice is judged by a solver of its own with a large table, which proves the value of
the position before and after it. With `--won N` a game begins from a position that is won for the agent, after four
random stones, and the other side is the solver's best defence. Every game is a line of the file, so that a run can be
stopped and goes on where it was.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import ludus
from ludus.agents import Agent, make_agent, reset
from ludus.game import Action, Game, State, seen_by
from ludus.play.rating import score_interval
from ludus.search.solve import Solver

OPPONENTS = ["random", "mcts:simulations=1000", "deepening:seconds=0.02", "perfect:seconds=0.1"]


class Judge:
    """Says which choices throw a proven result away; a position that it cannot prove in time is not judged."""

    def __init__(self, seconds: float) -> None:
        self.solver, self.seconds = Solver(512 << 20), seconds

    def verdict(self, state: State, action: Action) -> str:
        before, child = self.solver.value(state, self.seconds), state.play(action)
        after = self.solver.value(child, self.seconds)
        if before is None or after is None:
            return "unknown"
        kept = seen_by(state.player, child.player, after) == before
        return ("win", "draw", "loss")[1 - before] + ("" if kept else " thrown away")


def play(state: State, agents: list[Agent], me: int, judge: Judge, rng: ludus.Rng) -> dict[str, object]:
    """One game, judged where the agent moves."""
    verdicts: Counter[str] = Counter()
    known, actions, longest = 0, [], 0.0
    while not state.over:
        decision = agents[state.player].decide(state, rng)
        if state.player == me:
            verdicts[judge.verdict(state, decision.action)] += 1
            known += not decision.why.startswith("searching")
            longest = max(longest, decision.seconds)
        actions.append(int(decision.action))
        state = state.play(decision.action)
    return {"me": me, "score": state.score(me), "verdicts": verdicts, "known": known, "longest": round(longest, 3),
            "actions": actions}  # fmt: skip


def won_position(game: Game, judge: Judge, seed: int) -> State:
    """A position after four random stones that is won for the player to move."""
    rng = ludus.Rng(seed)
    while True:
        state = game.start()
        for _ in range(4):
            state = state.play(rng.choice(state.actions()))
        if judge.solver.value(state, judge.seconds) == 1:
            return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--size", type=int)
    parser.add_argument("--agent", default="perfect:seconds=0.5")
    parser.add_argument("--against", nargs="*", default=OPPONENTS)
    parser.add_argument("--games", type=int, default=10, help="against each")
    parser.add_argument("--won", type=int, default=0, help="games from won positions against perfect:seconds=2 instead")
    parser.add_argument("--judge", type=float, default=30.0, help="seconds for a position")
    parser.add_argument("--out", type=Path, default=Path("runs/perfect.jsonl"))
    chosen = parser.parse_args()
    game = ludus.make(chosen.game, **({"size": chosen.size} if chosen.size else {}))
    judge, agent = Judge(chosen.judge), make_agent(chosen.agent)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in chosen.out.read_text().splitlines()] if chosen.out.exists() else []
    opponents = ["perfect:seconds=2"] if chosen.won else chosen.against
    for number in range(chosen.won or chosen.games):
        for text in opponents:
            if any((row["against"], row["number"]) == (text, number) for row in rows):
                continue
            start = won_position(game, judge, number) if chosen.won else game.start()
            me = start.player if chosen.won else number % 2
            other = make_agent(text)
            reset(agent)
            agents = [agent, other] if me == 0 else [other, agent]
            rows.append({"against": text, "number": number, **play(start, agents, me, judge, ludus.Rng(number))})
            with chosen.out.open("a") as file:
                file.write(json.dumps(rows[-1]) + "\n")
    for text in dict.fromkeys(row["against"] for row in rows):
        print(told(text, [row for row in rows if row["against"] == text]))


def told(text: str, rows: list[dict]) -> str:
    """What came out of the games against one opponent, in words."""
    verdicts = sum((Counter(row["verdicts"]) for row in rows), Counter())
    points = sum((row["score"] + 1) / 2 for row in rows)
    low, high = score_interval(points, len(rows))
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(verdicts.items()))
    return (
        f"against {text}: {points:g} of {len(rows)} ({low:.0%} to {high:.0%}); judged: {kinds}; "
        f"{sum(row['known'] for row in rows)} of {sum(verdicts.values())} moves proven, the longest "
        f"{max(row['longest'] for row in rows)} s"
    )


if __name__ == "__main__":
    main()
