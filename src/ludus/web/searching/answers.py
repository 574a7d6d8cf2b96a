"""The tasks that answer a question about a position: which actions win, draw and lose, and a hint."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from ludus._core import Rng
from ludus.agents.mcts import MctsAgent, searcher
from ludus.game import Action, Game, State, empty_cells, seen_by
from ludus.play import talk
from ludus.search.limits import refuse_finished
from ludus.search.mcts import Mcts
from ludus.search.solve import Solver
from ludus.show.explanation import points
from ludus.web.searching.jobs import ANALYSIS
from ludus.web.searching.tasks import Facts, Place, Steps
from ludus.web.searching.tools import Tools

HOPELESS = 100  # slices after which the solver gives up if it has proven nothing at all
AT_ONCE = 0.4  # seconds in which a hint waits for a proof
LONGEST = 5.0  # seconds of one question about a visitor's game


class Proof:
    """Proves the values of a state's actions, a slice of time after the other, in the order given.

    Everything gets a little time in the first round and twice as much in each one after it. What the solver finds
    out in one slice helps it in the next.
    """

    def __init__(self, state: State, order: list[Action], solver: Solver, whole: bool = False) -> None:
        """`whole`: the solver remembers nothing, so the time of a round is not cut into slices."""
        self.state, self.solver, self.whole = state, solver, whole
        self.value: int | None = None  # for the player to move
        self.scores: dict[Action, int | None] = dict.fromkeys(order)

    @property
    def known(self) -> int:
        """How many actions are proven."""
        return sum(score is not None for score in self.scores.values())

    @property
    def proven(self) -> int:
        """How much is proven: the actions, and the position itself."""
        return self.known + (self.value is not None)

    @property
    def complete(self) -> bool:
        return self.known == len(self.scores)

    def steps(self, slice: float) -> Iterator[None]:
        """The work: at most `slice` seconds between two yields."""
        tries = 1
        while not self.complete:
            for action in (None, *self.scores):
                if self.is_open(action):
                    yield from self.attempt(action, slice, tries)
            tries *= 2

    def attempt(self, action: Action | None, slice: float, tries: int) -> Iterator[None]:
        """Tries to prove the value of an action, or of the state itself."""
        asked = self.state if action is None else self.state.play(action)
        pieces, seconds = (1, min(slice * tries, LONGEST)) if self.whole else (tries, slice)
        for _ in range(pieces):
            value = self.solver.value(asked, seconds)
            if value is not None:
                self.learn(action, int(seen_by(self.state.player, asked.player, value)))
            yield
            if not self.is_open(action):
                return

    def is_open(self, action: Action | None) -> bool:
        return (self.value if action is None else self.scores[action]) is None

    def learn(self, action: Action | None, value: int) -> None:
        """A value is proven, and perhaps others by it: in a lost position every action loses."""
        if action is None:
            self.value = value
        else:
            self.scores[action] = value
        if value == 1 and action is not None:
            self.value = 1
        if self.value == -1:
            self.scores = dict.fromkeys(self.scores, -1)
        if self.complete:
            self.value = max(score for score in self.scores.values() if score is not None)


def can_solve(game: Game, state: State, solver: Solver) -> bool:
    """Is there a solver for this game, and is it worth asking here?"""
    empty = empty_cells(state)
    return solver.can(state) and (empty is None or empty <= game.solver_limit)


def promising(search: Mcts) -> list[Action]:
    """The actions of a short search, the most visited first."""
    return [child.action for child in sorted(search.children(), key=lambda child: -child.visits)]


@dataclass(frozen=True)
class Perfect:
    """Which actions win, draw and lose. Reports (kind "perfect") whenever more is known.

    `ended` is "all", "time", or "hopeless" where the solver knows nothing; what is not proven is None.
    """

    place: Place
    table: str
    seconds: float = 20.0
    urgent: bool = False

    def steps(self, tools: Tools) -> Steps:
        game, state = yield from tools.open(self.place)
        refuse_finished(state)
        solver = tools.solver(self.place)
        if not can_solve(game, state, solver):
            return self.facts(Proof(state, list(state.actions()), solver), "hopeless")
        search = Mcts(state, MctsAgent().settings(), Rng(0))
        search.run(None, tools.slice)
        yield None
        proof, told = Proof(state, promising(search), solver, tools.outside), -1
        del search
        began = time.monotonic()
        for made, _ in enumerate(proof.steps(tools.slice), 1):
            if time.monotonic() - began > self.seconds or (made >= HOPELESS and not proof.proven):
                break
            news = proof.proven > told and tools.due()
            told = proof.proven if news else told
            yield self.facts(proof, "") if news else None
        return self.facts(proof, "all" if proof.complete else "time" if proof.proven else "hopeless")

    def facts(self, proof: Proof, ended: str) -> Facts:
        rows = [{"action": action, "value": score} for action, score in proof.scores.items()]
        return {"kind": "perfect", "ended": ended, "value": proof.value, "actions": rows, "known": proof.known}


@dataclass(frozen=True)
class Hint:
    """One good action, and why in words: exact where the solver answers at once, else by a short search."""

    place: Place
    table: str
    agent: str = "mcts"
    seconds: float = 1.0
    urgent: bool = True

    def steps(self, tools: Tools) -> Steps:
        game, state = yield from tools.open(self.place)
        refuse_finished(state)
        agent = yield from tools.agent(self.agent, self.place, game, ANALYSIS)
        search = Mcts(state, searcher(agent, state).settings(), Rng(0))
        search.run(None, tools.slice)
        yield None
        proof = Proof(state, promising(search), tools.solver(self.place), tools.outside)
        if can_solve(game, state, proof.solver):
            began = time.monotonic()
            for _ in proof.steps(tools.slice):
                if proven_best(proof) or proof.value == -1 or time.monotonic() - began > AT_ONCE:
                    break
                yield None
        began = time.monotonic()
        while not proven_best(proof) and search.proven is None and time.monotonic() - began < self.seconds:
            search.run(None, tools.slice)
            if not tools.may_grow(search.bytes):
                break
            yield None
        return hint_facts(game, state, search, proof)


def proven_best(proof: Proof) -> list[Action]:
    """The actions that keep a proven win or draw."""
    if proof.value is None or proof.value < 0:
        return []
    return [action for action, score in proof.scores.items() if score == proof.value]


def wins_now(state: State) -> Action | None:
    """An action that ends the game with a win, if there is one."""
    for action in state.actions():
        after = state.play(action)
        if after.over and after.score(state.player) > 0:
            return action
    return None


def hint_facts(game: Game, state: State, search: Mcts, proof: Proof) -> Facts:
    """The hint: the proven action if there is one, else the search's choice."""
    best = search.best()
    value = proof.value if proof.value is not None else search.proven
    keep, at_once = proven_best(proof), wins_now(state)
    action = at_once if at_once is not None else best.action if best.action in keep or not keep else keep[0]
    move = talk.write(game, state, action)
    line = search.line() if action == best.action else [action]
    if at_once is not None:
        sentence = f"{move} wins at once."
    elif value == 1:
        sentence = f"{move} wins, whatever the other player does."
    elif value == 0:
        sentence = f"{move} keeps the draw; no move does better against perfect play."
    elif value == -1:
        sentence = f"Every move loses against perfect play; {move} makes it hardest."
    else:
        sentence = f"{move} looks best: your chances are about {points(best.value)}."
        if len(line) > 1:
            sentence += f" Then perhaps {talk.expected(game, state.play(action), line[1:4])}."
    return {
        "kind": "hint",
        "action": action,
        "sentence": sentence,
        "exact": value is not None,
        "value": float(value) if value is not None else best.value,
        "line": line,
    }
