"""The tasks about one position that search: an agent's move, and an analysis whose tree can be looked into.

Perfect answers and hints are in answers.py. All values are for the player to move.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from ludus._core import Rng
from ludus.agents import Agent, Decision, TimeLeft
from ludus.agents.mcts import searcher
from ludus.errors import LudusError
from ludus.game import Action, Game, State
from ludus.play import talk
from ludus.play.match import ask, guarded, refuse_action, turn_of
from ludus.search.limits import refuse_finished
from ludus.search.mcts import Mcts
from ludus.web.searching.facts import Lines, analysis_facts, child_rows, decision_facts, speed
from ludus.web.searching.tasks import Aside, Facts, Place, Rest, Steps
from ludus.web.searching.tools import Tools, all_at_once

PATIENCE = 60.0  # seconds that an agent which cannot be watched has for a move when there is no clock
LATE = 5.0  # seconds after the time of a move before the agent counts as stuck
ANALYSIS = -1  # the seat of agents that analyse
NETWORK = -2  # the seat of agents that are asked for their bare opinion


@dataclass(frozen=True)
class Move:
    """An agent's decision. Reports what it considers (kind "thinking"), and at last the move (kind "move").

    With `full` the search ended early, because its tree had all the memory that one may have.
    """

    place: Place
    agent: str
    seed: int
    table: str
    left: TimeLeft | None = None
    urgent: bool = True

    def steps(self, tools: Tools) -> Steps:
        began = time.monotonic()
        game, state = yield from tools.open(self.place)
        refuse_finished(state)
        agent = yield from tools.agent(self.agent, self.place, game, state.player)
        lines = Lines(game, state)
        if hasattr(agent, "thoughts"):
            decision, full = yield from self.watch(agent, state, tools, lines, began)
        else:
            yield Aside(self.patience(agent))
            decision, full = ask(agent, state, Rng(self.seed), self.left), False
        turn_of(state.player, decision, 0.0, None)  # refuses what is no decision
        if decision.action not in state.actions():
            refuse_action(state, decision.action, game)
        return self.facts("move", decision, lines, began) | {"full": full}

    def watch(
        self, agent: Any, state: State, tools: Tools, lines: Lines, began: float
    ) -> Generator[Facts | Aside | None, None, tuple[Decision, bool]]:
        """The decision of an agent that can be watched, and whether it ended early because its tree was full."""
        decision = Decision(-1)
        if getattr(agent, "endgame", False):
            yield Aside(self.patience(agent))  # the solver comes first, and cannot be watched
        for decision in thoughts(agent, state, Rng(self.seed), self.left, tools.slice):
            if not tools.may_grow(int(getattr(agent, "bytes", 0))):
                return decision, True
            yield self.facts("thinking", decision, lines, began) if tools.due() else None
        return decision, False

    def patience(self, agent: Agent) -> float:
        """How long an agent may take until it counts as stuck."""
        own = getattr(agent, "seconds", None)
        seconds = self.left.seconds if self.left else float(own) if isinstance(own, int | float) else PATIENCE
        return seconds + LATE

    def facts(self, kind: str, decision: Decision, lines: Lines, began: float) -> Facts:
        seconds = time.monotonic() - began
        known = {"kind": kind, **decision_facts(decision), **lines.facts(decision.line)}
        return known | {"seconds": seconds} | speed(decision.simulations, seconds)


def thoughts(agent: Any, state: State, rng: Rng, left: TimeLeft | None, slice: float) -> Iterator[Decision]:
    """What an agent thinks, better and better; whatever goes wrong is an AgentFailed."""
    with guarded():
        coming = iter(agent.thoughts(state, rng, left, slice))
    while True:
        with guarded():
            decision: Decision | None = next(coming, None)
        if decision is None:
            return
        yield decision


@dataclass(frozen=True)
class Branch:
    """A question to an analysis: what its tree holds below some actions."""

    path: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Analyse:
    """A tree search that goes on until it is cancelled or its time or memory is used up.

    Reports what it knows (kind "analysis"), with `ended` once it has stopped: "time", "memory" or "proven". The
    bare opinion of a network comes once, at first (kind "opinion"). Then the tree stays, for questions.
    """

    place: Place
    agent: str  # mcts and its options, or a network that searches
    table: str
    seconds: float = 30.0
    network: str | None = None  # whose bare opinion is asked for, such as zoo:hex7
    seed: int = 0
    urgent: bool = False

    def steps(self, tools: Tools) -> Steps:
        game, state = yield from tools.open(self.place)
        refuse_finished(state)
        agent = yield from tools.agent(self.agent, self.place, game, ANALYSIS)
        search = Mcts(state, searcher(agent, state).settings(), Rng(self.seed))
        tools.answer = lambda question: branch(game, state, search, question)
        opinion = tools.alongside(lambda: self.opinion(tools, game, state)) if self.network else None
        lines, began, ended, done = Lines(game, state), time.monotonic(), "", 0
        while not ended:
            done += search.run(None, tools.slice)
            ended = self.ended(search, tools, began)
            due = ended or tools.due()
            yield analysis_facts(search, lines, done, time.monotonic() - began, ended) if due else None
            if opinion is not None and opinion.done():
                yield opinion.result()
                opinion = None
        if opinion is not None:
            yield tools.loading
            yield opinion.result()
        yield Rest()
        return {"kind": "analysis", "ended": ended}

    def ended(self, search: Mcts, tools: Tools, began: float) -> str:
        """Why the search stops now, if it does."""
        if search.proven is not None:
            return "proven"
        if not tools.may_grow(search.bytes):
            return "memory"
        return "time" if time.monotonic() - began >= self.seconds else ""

    def opinion(self, tools: Tools, game: Game, state: State) -> Facts:
        """What the network says without any search, or why it says nothing. Loading it may take seconds."""
        facts: Facts = {"kind": "opinion", "network": self.network, "policy": [], "value": None, "sentence": ""}
        try:
            agent: Any = all_at_once(tools.agent(self.network or "", self.place, game, NETWORK))
            if not hasattr(agent, "policy_and_value"):
                raise LudusError("only networks have an opinion without a search")
            policy, value = agent.policy_and_value(state)
        except Exception as error:
            return facts | {"sentence": str(error)}
        shares = sorted(policy.items(), key=lambda item: -item[1])
        return facts | {"policy": [{"action": int(a), "share": share} for a, share in shares], "value": value}


def branch(game: Game, state: State, search: Mcts, question: object) -> Facts:
    """The children below a path in a search's tree: their numbers and names, for the player to move there."""
    if not isinstance(question, Branch):
        raise LudusError("an analysis can be asked for a Branch of its tree only")
    *_, here = game.states(question.path, state)
    rows = [row | {"name": talk.write(game, here, row["action"])} for row in child_rows(search.children(question.path))]
    return {"path": list(question.path), "player": here.player, "over": here.over, "actions": rows}
