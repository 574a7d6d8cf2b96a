"""How strong an agent is, measured against the truth: results that it keeps, proofs, games against perfect play.

An agent is usually a network, bare or with a search: zoo:hex5, runs/hex5,simulations=200. Matches against other agents
are in play/; the truth meter of a training is in truth.py, and draws its positions with another seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludus._core import Rng
from ludus.agents.agent import Agent, reset
from ludus.agents.random import RandomAgent
from ludus.errors import LudusError
from ludus.game import Action, Game, Player, State
from ludus.learn.policy_agent import PolicyAgent
from ludus.learn.truth import FEWEST, Meter, draw_problems, likeliest
from ludus.play.rating import score_interval
from ludus.play.talk import title_of
from ludus.search.solve import Solver

SEED = 31415  # of positions: not that of the meter of a training
TABLE_BYTES = 512 << 20  # of a solver that plays whole games
SOURCES = {  # kinds of positions: who played the games, and whether those count in which nothing can be spoiled
    "searches": "positions from games of tree searches in which some move spoils the result",
    "random": "positions from random games in which some move spoils the result",
    "all": "positions of all kinds from games of tree searches",
}

Start = tuple[State, Player]  # a state, and the player that the agent is
Choose = Callable[[Sequence[State]], list[Action]]  # one action for each state


class CannotMeasure(LudusError):
    """There is no truth to measure against."""


@dataclass(frozen=True)
class Measured:
    """A share with its 95% interval, and what it is a share of."""

    points: float
    count: int
    text: str

    @property
    def share(self) -> float:
        return self.points / self.count

    def plain(self) -> dict[str, Any]:
        low, high = score_interval(self.points, self.count)
        return {"text": self.text, "share": round(self.share, 4), "low": round(low, 4), "high": round(high, 4),
                "count": self.count}  # fmt: skip


def chooser(game: Game, agent: Agent, rng: Rng) -> Choose:
    """What an agent plays in many states; a bare network is asked about all of them at once."""
    if isinstance(agent, PolicyAgent) and agent.choice == "greedy" and not agent.simulations and not agent.seconds:
        evaluator = agent.bare(game.start())
        return lambda states: likeliest(evaluator, states) if states else []

    def choose(states: Sequence[State]) -> list[Action]:
        actions = []
        for state in states:
            reset(agent)
            actions.append(agent.decide(state, rng).action)
        return actions

    return choose


# ------------------------------------------------------------------------------------------- true results kept


def positions(game: Game, kind: str, count: int, seconds: float, seed: int = SEED) -> Meter:
    """Positions of a kind of SOURCES; refuses a game in which fewer than twenty can be solved in time."""
    agent = RandomAgent() if kind == "random" else None
    problems = draw_problems(game, Solver(), count, seconds, seed, every_position=kind == "all", agent=agent)
    if not problems:
        raise CannotMeasure(
            f"the solver found fewer than {FEWEST} positions of {title_of(game)} in {seconds:g} seconds that it could "
            "solve"
        )
    return Meter(game, problems, {})


def results_kept(meter: Meter, kind: str, choose: Choose) -> Measured:
    """The share of positions in which what is chosen keeps the true result."""
    right = meter.right(choose(meter.states))
    return Measured(float(right.sum()), len(right), f"keeps {percent(right.sum(), len(right))} of {len(right):,} "
                    f"{SOURCES[kind]}")  # fmt: skip


# ------------------------------------------------------------------------------------------- proof


@dataclass
class Proof:
    """A walk through all positions that a defender can lead an agent into, from starts that the agent has won."""

    starts: str  # in words
    positions: int = 0  # different ones with the agent to move, all won for it
    spoiled: list[State] = field(default_factory=list)  # of these, the ones whose win it lets go
    finished: bool = True  # were all positions walked?

    def plain(self) -> dict[str, Any]:
        return {"text": self.text, "positions": self.positions, "spoiled": len(self.spoiled), "starts": self.starts,
                "finished": self.finished}  # fmt: skip

    @property
    def text(self) -> str:
        """What came out, in words."""
        held = f"lets {len(self.spoiled):,} wins go" if self.spoiled else "holds every win"
        if not self.finished:
            return f"{held} in the first {self.positions:,} positions from {self.starts}; there are more"
        return f"{held} in all {self.positions:,} positions into which a defender can lead it from {self.starts}"


def prove(starts: Sequence[Start], words: str, choose: Choose, solver: Solver, most: int = 10**6) -> Proof:
    """Lets the defender try everything: after each choice of the agent every legal reply is walked, each state once.

    The starts, `words` in words, must be won for the agent. Where it has let a win go, nothing more is walked. The
    walk also ends where it would come to more than `most` positions.
    """
    proof, seen = Proof(words), set(starts)
    frontier = list(starts)
    while frontier:
        mine = [(state, me) for state, me in frontier if state.player == me]
        if proof.positions + len(mine) > most:
            proof.finished = False
            return proof
        proof.positions += len(mine)
        after = [(state.play(a), me) for state, me in frontier if state.player != me for a in state.actions()]
        for (state, me), action in zip(mine, choose([state for state, _ in mine]), strict=True):
            child = state.play(action)
            if won(solver, child, me):
                after.append((child, me))
            else:
                proof.spoiled.append(state)
        frontier = [node for node in dict.fromkeys(after) if node not in seen and not node[0].over]
        seen.update(frontier)
    return proof


def won(solver: Solver, state: State, player: Player) -> bool:
    """Is a state won for a player?"""
    value = solver.value(state)
    assert value is not None, "without a limit of time the solver always answers"
    return value == (1 if state.player == player else -1)


def winning_starts(game: Game, solver: Solver) -> dict[str, list[Start]]:
    """The empty board, and every board after one move, each with the player who wins there; draws are left out."""
    start = game.start()
    nodes = [start, *(start.play(action) for action in start.actions())]
    known = [(state, me) for state in nodes for me in (0, 1) if not state.over and won(solver, state, me)]
    empty = [node for node in known if node[0] == start]
    openings = known[len(empty) :]
    named = {"the empty board": empty, f"{len(openings)} openings of one move, as the player who wins there": openings}
    return {words: nodes for words, nodes in named.items() if nodes}


# ------------------------------------------------------------------------------------------- perfect opponents


@dataclass
class Perfect:
    """An agent that never throws a result away; among equally good actions it draws one.

    The solver has `seconds` for a move. What it could not prove in that time counts as a draw, and is counted.
    What it knows is kept from one game to the next, because most games begin alike.
    """

    seconds: float = 120.0
    unproven: int = 0  # moves
    _solver: Solver = field(default_factory=lambda: Solver(TABLE_BYTES))
    _known: dict[State, dict[Action, int | None]] = field(default_factory=dict)

    def choose(self, state: State, rng: Rng) -> Action:
        if state not in self._known:
            self._known[state] = self._solver.actions(state, self.seconds)
        values = self._known[state]
        self.unproven += None in values.values()
        best = max(value or 0 for value in values.values())
        return rng.choice([action for action, value in values.items() if (value or 0) == best])


def games_against_perfect(game: Game, choose: Choose, games: int, perfect: Perfect, seed: int = SEED) -> Measured:
    """Games as first player from the empty board; a draw is half a point."""
    rng, points, different = Rng(seed), 0.0, set()
    for _ in range(games):
        state, me, played = game.start(), game.start().player, []  # type: State, Player, list[Action]
        while not state.over:
            played.append(choose([state])[0] if state.player == me else perfect.choose(state, rng))
            state = state.play(played[-1])
        points += (state.score(me) + 1) / 2
        different.add(tuple(played))
    text = (
        f"scores {points:g} of {games} as first player from the empty board against a perfect opponent "
        f"({interval(points, games)}; {len(different)} different games)"
    )
    if perfect.unproven:
        text += f"; {perfect.unproven} of the opponent's moves were not proven in {perfect.seconds:g} s"
    return Measured(points, games, text)


# ------------------------------------------------------------------------------------------- words


def percent(points: float, count: int) -> str:
    """A share with its interval."""
    return f"{points / count:.1%} ({interval(points, count)})"


def interval(points: float, count: int) -> str:
    low, high = score_interval(points, count)
    return f"{low:.1%} to {high:.1%}"
