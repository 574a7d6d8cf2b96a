"""OpenSpiel's bots as agents (`openspiel:mcts,simulations=1000`), and our agents as OpenSpiel's bots (`as_bot`).

They play OpenSpiel's games, and those of ours that have a twin there (openspiel_twins.py).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ludus._core import Rng
from ludus.agents import Agent, AgentFailed, Decision, TimeLeft, reset
from ludus.agents.pace import pace
from ludus.errors import BadOption, LudusError
from ludus.game import Action, Game, Player, State
from ludus.protocols.openspiel import first_line, quietly, require_openspiel
from ludus.protocols.openspiel_twins import Twin, game_of, twin_of
from ludus.protocols.openspiel_types import SpielBot, SpielMctsBot, SpielNode, SpielState
from ludus.search.limits import refuse_finished, seconds_option, simulations_option

ENDLESS = 10**9  # simulations, where only the time ends a search


@dataclass
class OpenSpielAgent:
    """A bot of OpenSpiel. The options are those of its Monte Carlo tree search, with its defaults.

    Its tree is new for every move. In Go with superko "forbidden" it believes that a repetition is a draw, as it is in
    OpenSpiel's Go; it plays the best of its moves that our rules allow.
    """

    name: str  # mcts, random, or what pyspiel.registered_bots() lists
    simulations: int | None = None  # per move; 1000, if nothing else limits the search
    seconds: float | None = None  # per move; or what the clock allows
    c: float = 2.0  # exploration
    rollouts: int = 1  # for each simulation
    solve: bool = True  # proven wins and losses are used in the tree
    memory: int = 1000  # megabytes

    def __post_init__(self) -> None:
        known = ["mcts", "random", *require_openspiel().registered_bots()]
        if self.name not in known:
            raise BadOption(f"OpenSpiel has no bot {self.name!r}; there are {', '.join(known)}")
        simulations_option(self.simulations)
        seconds_option(self.seconds)
        if self.c < 0 or self.rollouts < 1 or self.memory < 1:
            raise BadOption("c must be 0 or more, rollouts and memory 1 or more")

    def accept(self, game: Game) -> None:
        """Refuses games whose rules OpenSpiel does not have."""
        twin_of(game)

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        refuse_finished(state)
        began, seed = time.perf_counter(), rng.below(1 << 30)
        twin = twin_of(game_of(state))
        if self.name == "mcts":
            return self.search(state, twin, self.limits(state, left), seed, began)
        action = twin.translate(self.bot(twin, state.player, seed).step(twin.follow(state)))
        if action not in state.actions():
            raise AgentFailed("illegal", f"OpenSpiel's bot {self.name} chose action {action}, which is not legal here")
        return Decision(action, f"the choice of OpenSpiel's bot {self.name}", seconds=time.perf_counter() - began)

    def bot(self, twin: Twin, player: Player, seed: int) -> SpielBot:
        """One of the bots that OpenSpiel knows by name."""
        pyspiel = require_openspiel()
        try:
            with quietly():
                plain = self.name in ("random", "uniform_random")
                bot: SpielBot = (
                    pyspiel.make_uniform_random_bot(player, seed)
                    if plain
                    else pyspiel.load_bot(self.name, twin.spiel, player)
                )
                return bot
        except Exception as error:
            raise AgentFailed("exception", f"OpenSpiel cannot make its bot {self.name}: {first_line(error)}") from None

    def limits(self, state: State, left: TimeLeft | None) -> tuple[int, float | None]:
        """How many simulations and how many seconds this move may take."""
        seconds = self.seconds
        if left is not None:
            plan = pace(left, state)
            seconds = min(seconds or plan.most, plan.target if self.simulations is None else plan.most)
        if self.simulations is not None:
            return self.simulations, seconds
        return (1000, None) if seconds is None else (ENDLESS, seconds)

    def search(self, state: State, twin: Twin, limits: tuple[int, float | None], seed: int, began: float) -> Decision:
        """What OpenSpiel's tree search finds: the best of its moves that are legal for us."""
        legal = state.actions()
        if len(legal) == 1:
            return Decision(legal[0], "the only move", seconds=time.perf_counter() - began)
        spiel = twin.follow(state)
        root = self.mcts_bot(twin, limits[0], limits[1], seed, began).mcts_search(spiel)
        children = {twin.translate(child.action): child for child in root.children}
        best = max((a for a in children if a in legal), key=lambda a: rank(children[a]), default=None)
        if best is None:  # a search of one simulation has visited no child
            return Decision(legal[seed % len(legal)], "a random move: the search was too short to visit any")
        top = twin.spiel.max_utility()
        values = {a: c.total_reward / c.explore_count / top for a, c in children.items() if c.explore_count}
        score = proven(children[best])
        share = children[best].explore_count / max(1, root.explore_count)
        sure = {1: "a proven win", 0: "a proven draw", -1: "a proven loss"}
        return Decision(
            best,
            f"{share:.0%} of the visits, value {values.get(best, 0.0):+.2f}" if score is None else sure[score],
            value=values.get(best) if score is None else float(score),
            values=values,
            visits={a: child.explore_count for a, child in children.items()},
            line=[best, *(twin.translate(a) for a in line_below(children[best]))],
            simulations=root.explore_count,
            seconds=time.perf_counter() - began,
        )

    def mcts_bot(self, twin: Twin, simulations: int, seconds: float | None, seed: int, began: float) -> SpielMctsBot:
        """OpenSpiel's search, new. The time that has passed since the move began counts."""
        pyspiel = require_openspiel()
        evaluator = pyspiel.RandomRolloutEvaluator(self.rollouts, seed)
        settings = [twin.spiel, evaluator, self.c, simulations, self.memory, self.solve, seed, False]
        if seconds is not None:
            rest = max(1e-3, seconds - (time.perf_counter() - began))
            settings += [pyspiel.ChildSelectionPolicy.UCT, rest]
        try:
            bot: SpielMctsBot = pyspiel.MCTSBot(*settings)
            return bot
        except TypeError:
            raise LudusError("this OpenSpiel has no time limit; get a newer one: pip install -U open_spiel") from None


def rank(child: SpielNode) -> tuple[float, int, float]:
    """How OpenSpiel compares moves at the end: proof first, then visits, then reward."""
    return (child.outcome[child.player] if child.outcome else 0.0, child.explore_count, child.total_reward)


def proven(child: SpielNode) -> int | None:
    """The true score of a move for its player, if that is proven."""
    if not child.outcome:
        return None
    paid = child.outcome[child.player]
    return int(paid > 0) - int(paid < 0)


def line_below(node: SpielNode) -> list[int]:
    """What the search expects after a move, in OpenSpiel's actions."""
    line = []
    while seen := [child for child in node.children if child.explore_count]:
        node = max(seen, key=rank)
        line.append(node.action)
    return line


# --------------------------------------------------------------------------------- our agents as bots of OpenSpiel


def as_bot(agent: Agent, game: Game, player: Player, rng: Rng) -> SpielBot:
    """An agent of ours as a pyspiel.Bot that plays a game, ours or `openspiel:…`, for one of OpenSpiel's players."""
    twin, base = twin_of(game), require_openspiel().Bot

    class LudusBot(base):  # type: ignore[misc, valid-type]
        """Decides as the agent does. The states hold what others have played, so informing it is not needed."""

        def player_id(self) -> Player:
            return player

        def restart(self) -> None:
            reset(agent)

        def restart_at(self, state: SpielState) -> None:
            reset(agent)

        def inform_action(self, state: SpielState, player_id: Player, action: Action) -> None:
            pass

        def provides_policy(self) -> bool:
            return True

        def get_policy(self, state: SpielState) -> list[tuple[Action, float]]:
            return self.step_with_policy(state)[0]

        def step(self, state: SpielState) -> Action:
            return self.step_with_policy(state)[1]

        def step_with_policy(self, state: SpielState) -> tuple[list[tuple[Action, float]], Action]:
            """A share of the visits for each legal action, or all for the chosen one; and that one."""
            twin.refuse_other(state)
            decision = agent.decide(twin.lead(state), rng)
            weights = decision.visits if any(decision.visits.values()) else {decision.action: 1}
            shares = {twin.translate(a): visits / sum(weights.values()) for a, visits in weights.items()}
            return [(a, shares.get(a, 0.0)) for a in state.legal_actions()], twin.translate(decision.action)

    bot: SpielBot = LudusBot()
    return bot
