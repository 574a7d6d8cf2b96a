"""What an agent of the course is, and how an agent or a search of Ludus becomes one."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ludus._core import Rng
from ludus.agents import Agent, Decision, TimeLeft, accept, make_agent, reset, write_agent
from ludus.agents.mcts import actions_since
from ludus.courses.brown.clock import ClockReader
from ludus.courses.brown.features import in_own_territory, passed, rules, sensible_actions
from ludus.courses.brown.go_search_problem import Action
from ludus.courses.brown.states import as_go_state, legal_actions_of, native_of
from ludus.errors import BadOption, LudusError
from ludus.game import Game, NativeState, native, rebuild

LOST = -0.9  # a value of the other player from here down is taken for a lost game


class GameAgent(ABC):
    """Chooses actions in the course's games."""

    @abstractmethod
    def get_move(self, game_state: Any, time_limit: float) -> Action:
        """The action to play. `time_limit` is what is left on the agent's clock, in seconds, for all its moves."""

    def reset(self) -> None:  # noqa: B027  (most agents remember nothing)
        """A new game begins. Runners of 2024 do not say so."""


class NativeAgent(GameAgent):
    """An agent that decides on native states. It notices new games itself and keeps its clock.

    Whatever state it is given, it answers with one of that state's own legal actions, as a plain int.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.rng = Rng(secrets.randbelow(1 << 62) if seed is None else seed)
        self.clock = ClockReader()
        self.decision: Decision | None = None  # the last one, for those who want to know why
        self._last: NativeState | None = None

    @abstractmethod
    def decide(self, position: NativeState, left: TimeLeft | None) -> Decision:
        """The decision in a position of native Go."""

    def get_move(self, game_state: Any, time_limit: float | None = None) -> Action:
        position = native_of(game_state)
        if self._last is None or not goes_on(self._last, position):
            self.reset()
        left, self._last = self.clock.start(time_limit), position
        legal = refuse_no_legal(legal_actions_of(game_state))  # PyGo takes its time for these, and the clock runs
        if left is not None:
            left = replace(left, seconds=max(1e-3, left.seconds - self.clock.running()))
        if len(legal) == 1:
            self.decision = Decision(legal[0], "the only legal action")
        elif wins_by_passing(game_state, position):
            self.decision = Decision(legal[-1], "the other player has passed, and the count is won")
        else:
            self.decision = self.decide(position, left)
        self.clock.stop()
        return allowed(self.decision, game_state, legal)

    def reset(self) -> None:
        """A new game begins."""
        self.clock.forget()
        self._last = None


def goes_on(before: NativeState, now: NativeState) -> bool:
    """Is this the same game and player, some moves later? Boards without a past are new games while they are empty."""
    if now.origin is not None:
        return len(now.cells()) - now.cells().count(0) > 1
    return before.player == now.player and bool(actions_since(before, now))


def wins_by_passing(state: Any, position: NativeState) -> bool:
    """Would a second pass win by the state's own count? Asked only of boards without a past: PyGo counts otherwise."""
    if position.origin is None or not passed(position):
        return False
    after = as_go_state(state).clone()
    after.apply_action(rules(position).size ** 2)
    return after.is_terminal_state() and after.terminal_value()[position.player] > 0


def wastes_a_point(position: NativeState, action: Action) -> bool:
    """Is this a stone in the player's own territory, while passes of both would win? PyGo would count it off.

    Asked only of boards without a past. After a pass, `wins_by_passing` has already answered.
    """
    last = rules(position).size ** 2
    if position.origin is None or action == last or passed(position) or not in_own_territory(position, action):
        return False
    return native(position.play(last)).play(last).score(position.player) > 0


def refuse_no_legal(legal: list[Action]) -> list[Action]:
    if not legal:
        raise BadOption("the game is over, so there is no move to get")
    return legal


def allowed(decision: Decision, state: Any, legal: Sequence[Action]) -> Action:
    """The chosen action, or the next best where the state's own rules forbid it: those of PyGo differ from ours."""
    if decision.action in legal:
        return int(decision.action)
    others = [action for action in decision.visits if action in legal and decision.visits[action]]
    if others:
        return int(max(others, key=lambda action: decision.visits[action]))
    return int(sensible_actions(state, legal)[0])


class LudusAgent(NativeAgent):
    """Any agent of Ludus, by its text or as an object, as an agent of the course."""

    def __init__(self, agent: Agent | str, name: str | None = None, seed: int | None = None) -> None:
        super().__init__(seed)
        self.agent: Agent = make_agent(agent) if isinstance(agent, str) else agent
        self.name = name or write_agent(self.agent)
        self._games: dict[Game, Game] = {}  # the rules by which the agent plays, for those of the runner

    def decide(self, position: NativeState, left: TimeLeft | None) -> Decision:
        decision = self.agent.decide(self.by_its_rules(position), self.rng, left)
        return decision if not wastes_a_point(position, decision.action) else self.or_pass(position, decision, left)

    def or_pass(self, position: NativeState, decision: Decision, left: TimeLeft | None) -> Decision:
        """The pass in the place of a stone that costs a point, if a second search finds it won as well."""
        after = native(position.play(rules(position).size ** 2))
        if left is not None:
            left = replace(left, seconds=max(1e-3, 0.5 * (left.seconds - self.clock.running())), increment=0.0)
        reply = self.agent.decide(self.by_its_rules(after), self.rng, left)
        if reply.value is None or reply.value > LOST:
            return decision
        return Decision(after.history[-1], "nothing is left to win, and a stone would cost a point", -reply.value)

    def by_its_rules(self, position: NativeState) -> NativeState:
        """The same position by rules that the agent accepts: a network may only know Go without repetitions."""
        game = rules(position)
        if game not in self._games:
            self._games[game] = self.accepted(game)
        mine = self._games[game]
        return position if mine == game else native(rebuild(mine, position.origin, position.history))

    def accepted(self, game: Game) -> Game:
        strict = replace(game, **{"superko": "forbidden"})
        try:
            accept(self.agent, game)
            return game
        except LudusError:
            accept(self.agent, strict)
            return strict

    def reset(self) -> None:
        super().reset()
        reset(self.agent)

    def __str__(self) -> str:
        return self.name
