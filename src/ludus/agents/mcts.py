"""The Monte Carlo agents: tree search in its variants, and flat Monte Carlo, the simplest of them."""

from __future__ import annotations

import contextlib
import math
import mmap
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ludus._core import Rng, rollouts
from ludus.agents.agent import Decision, TimeLeft
from ludus.agents.closing import LOOK, closing
from ludus.agents.endgame import Endgame
from ludus.agents.pace import LEAST, Pace, pace
from ludus.errors import BadOption
from ludus.game import Action, State, past_of, seen_by
from ludus.search.limits import FOREVER, refuse_finished, seconds_option, simulations_option
from ludus.search.mcts import (
    Child,
    EpsilonGreedy,
    Mcts,
    MctsSettings,
    Puct,
    Rave,
    Rollout,
    Rule,
    Uct,
    best_child,
    draw_child,
)

SPARE = 16 << 20  # bytes
UNTIMED = 1e5  # seconds: whoever has so many has no clock
PATIENCE, FEW = 10.0, 10  # seconds in which a game in Python without a clock must allow so many simulations
TEAMWORK = 0.01  # seconds that it takes at least for further threads to be worth their start


@dataclass
class MctsAgent:
    """Monte Carlo tree search. Its tree is kept between the moves of a game."""

    explained_as: ClassVar[str] = "mcts"
    usual: ClassVar[int] = 1000  # simulations, if nothing limits the search
    endgame_part: ClassVar[float] = 0.5  # of the time of a move that the solver may take

    simulations: int | None = None  # per move; 1000, if nothing else limits the search
    seconds: float | None = None  # per move; or what the clock allows
    growth: float = 0.0  # more simulations as the game goes on: this share of them for every ply played
    rule: Literal["uct", "ucb1", "epsilon", "puct", "rave"] = "uct"  # which child is visited next
    c: float | None = None  # exploration; None: what played best (UCT 0.5, UCB1 0.7, PUCT 1, RAVE 0.1, with hints 0)
    epsilon: float = 0.1  # of the rule epsilon
    rave: bool = False  # the same as rule=rave
    k: float = 1000.0  # of the rule rave
    hints: bool = False  # of the rule rave: new nodes begin with the game's own knowledge
    playout: Literal["uniform", "quick", "textbook", "estimate"] = "uniform"  # how a leaf gets its value
    expansion: Literal["one", "all"] = "one"  # children added at a leaf
    solver: bool = True  # proven wins and losses are used in the tree
    choice: Literal["visits", "value"] = "visits"  # the move played: the most visited, or the best on average
    temperature: float = 0.0  # above 0: draw by visits
    threads: int = 1  # that share one tree
    keep: bool = True  # keep the tree between moves
    endgame: bool = False  # with a limit in seconds: ask the solver when few cells are empty
    memory: int = 1000  # megabytes of the tree, which then grows no further
    _endgame: Endgame = field(default_factory=Endgame, init=False, repr=False, compare=False)
    _search: Mcts | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        simulations_option(self.simulations)
        seconds_option(self.seconds)
        if not isinstance(self.threads, int) or not 1 <= self.threads <= 256:
            raise BadOption(f"threads must be a whole number from 1 to 256, not {self.threads!r}")
        self.settings().native()  # refuses what does not go together, before a game begins
        if not isinstance(self.growth, int | float) or self.growth < 0:
            raise BadOption(f"growth must be a number from 0 up, not {self.growth!r}")

    def settings(self) -> MctsSettings:
        return MctsSettings(self.tree_rule(), Rollout(self.playout), self.expansion, self.solver, memory=self.memory)

    def tree_rule(self) -> Rule:
        usual = {"uct": 0.5, "ucb1": 0.5**0.5, "puct": 1.0, "rave": 0.0 if self.hints else 0.1}
        name = "rave" if self.rave else self.rule
        c = usual.get(name, 0.0) if self.c is None else self.c
        match name:
            case "uct" | "ucb1":
                return Uct(c, two_ln=name == "ucb1")
            case "epsilon":
                return EpsilonGreedy(self.epsilon)
            case "puct":
                return Puct(c)
            case "rave":
                return Rave(c, self.k, self.hints)
        raise BadOption(f"there is no rule {self.rule!r}; there are uct, ucb1, epsilon, puct and rave")

    def reset(self) -> None:
        """A new game begins: forget the tree."""
        self._search = None

    @property
    def bytes(self) -> int:
        """The memory of its tree."""
        return 0 if self._search is None else self._search.bytes

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        *_, decision = self.thoughts(state, rng, left, math.inf)
        return decision

    def thoughts(self, state: State, rng: Rng, left: TimeLeft | None = None, slice: float = 0.05) -> Iterator[Decision]:
        """What it would play after every `slice` seconds of its search; the last one is the decision."""
        refuse_finished(state)
        began, plan = time.perf_counter(), self.plan(state, left)
        part = self._endgame.part(state, self.endgame_part)
        solving = part * plan.target if self.endgame and plan.target < FOREVER else 0.0
        if exact := self._endgame.decide(state, solving):
            yield exact
            return
        if last := self.closing(state, rng, plan):
            yield last
            return
        if not self.keep:
            self._search = None  # at the beginning, because freeing a tree takes time as well
        search = self._search = self.tree_for(state, rng, 0.5 * plan.target)
        used = time.perf_counter() - began
        for done in self.think(search, state, left, slice, used):
            children = search.children()
            if slice < math.inf and any(child.visits for child in children):
                yield self.decision(search, children, best_child(children, self.choice), done, began)
        if self.temperature > 0:
            chosen = draw_child(children, self.temperature, rng)
        else:
            chosen = best_child(children, self.choice)
        yield self.decision(search, children, chosen, done, began)

    def closing(self, state: State, rng: Rng, plan: Pace) -> Decision | None:
        """The end of a game in which nothing is left to gain, if a short search says so."""
        if self.temperature > 0:
            return None  # whoever draws its moves plays for the sake of the positions
        simulations = self.budget(state) or (None if plan.target < FOREVER else self.usual)
        most = None if simulations is None else max(100, round(LOOK * simulations))
        return closing(state, self.settings(), rng, most, LOOK * plan.target if plan.target < FOREVER else None)

    @staticmethod
    def decision(search: Mcts, children: list[Child], chosen: Child, done: int, began: float) -> Decision:
        """What a search knows after a number of simulations, and the child that was chosen."""
        share = chosen.visits / max(1, sum(child.visits for child in children))
        sure = {1: "a proven win", 0: "a proven draw", -1: "a proven loss"}
        why = f"{share:.0%} of the visits, value {chosen.value:+.2f}"
        return Decision(
            chosen.action,
            sure[chosen.proven] if chosen.proven is not None else why,
            value=chosen.value if chosen.proven is None else float(chosen.proven),
            values={child.action: child.value for child in children if child.visits},
            visits={child.action: child.visits for child in children},
            line=search.line(),
            nodes=search.nodes,
            simulations=done,
            seconds=time.perf_counter() - began,
        )

    def think(
        self, search: Mcts, state: State, left: TimeLeft | None, slice: float, used: float = 0.0
    ) -> Iterator[int]:
        """Searches as long as the settings and the clock say; how many simulations it has made, after every slice.

        `used` is how many seconds of this move are gone already.
        """
        simulations = self.budget(state)
        plan = self.plan(state, left)
        most = max(LEAST, plan.most - used)
        target = max(LEAST, plan.target - used)
        if left is not None:
            slice = min(slice, max(0.1 * target, LEAST))
            if most <= LEAST and any(child.visits for child in search.children()):
                yield 0  # no time: what the kept tree says
                return
            if len(state.actions()) == 1:
                simulations = 2  # some rules spend the first one on the root itself
        elif simulations is None and self.seconds is None:
            simulations = self.usual
        endless = most >= UNTIMED and past_of(state) is None  # nobody looks at a clock, and playouts may not end
        slice = min(slice, PATIENCE) if endless else slice
        began, spent, done = time.perf_counter(), 0.0, 0
        with some_memory_spared():
            while True:
                piece = min(slice, most - spent)
                done += self.go_on(search, simulations and simulations - done, piece if piece < 0.5 * FOREVER else None)
                yield done
                spent = time.perf_counter() - began
                if endless and spent >= PATIENCE and done < FEW * spent / PATIENCE:
                    return  # what it has is all that it will get
                if search.proven is not None or spent >= most or slice >= most or done >= (simulations or math.inf):
                    return
                if left is not None and self.settled(search, done, spent, target):
                    return

    def go_on(self, search: Mcts, simulations: int | None, seconds: float | None) -> int:
        """Lets the search run. Returns how many simulations it has made."""
        return search.run(simulations, seconds, self.team(seconds))

    def team(self, seconds: float | None) -> int:
        """How many threads take part in a slice of so many seconds: in a very short one others would come too late."""
        return self.threads if seconds is None or seconds >= TEAMWORK else 1

    def plan(self, state: State, left: TimeLeft | None) -> Pace:
        """How long this move should take and may take, by the settings and the clock."""
        own = self.seconds or FOREVER
        plan = Pace(own, own) if left is None else pace(left, state)
        return Pace(min(plan.target, own), min(plan.most, own))

    @staticmethod
    def settled(search: Mcts, done: int, spent: float, target: float) -> bool:
        """Is it time to move? Before the target if no other action can still overtake; after it with a clear lead."""
        ranked = sorted(search.children(), key=lambda child: -child.visits)
        first, second = ranked[0], ranked[min(1, len(ranked) - 1)]
        if spent < target:
            return first.visits - second.visits > done / spent * (target - spent)
        return first.value >= second.value and first.visits > 1.5 * second.visits

    def budget(self, state: State) -> int | None:
        """How many simulations this move gets, if they are counted."""
        if self.simulations is None or self.growth == 0:
            return self.simulations
        past = past_of(state)
        plies = len(past.history) if past is not None else 0
        return round(self.simulations * (1 + self.growth * plies))

    def tree_for(self, state: State, rng: Rng, seconds: float) -> Mcts:
        """The old tree, if the game has gone on from its root, as far as it can be kept in time; else a new one."""
        began, old = time.perf_counter(), self._search
        played = None if old is None else actions_since(old.root, state)
        if old is None or played is None:
            return Mcts(state, self.settings(), rng.split())
        for action in played:
            old.advance(action, max(LEAST, seconds - (time.perf_counter() - began)))
        return old


@contextlib.contextmanager
def some_memory_spared() -> Iterator[None]:
    """Inside, a tree that takes all the memory there is leaves a little for the rest of the program."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError, MemoryError):  # pages that nobody touches: it costs microseconds
            stack.enter_context(mmap.mmap(-1, SPARE))
        yield


def searcher(agent: object, state: State) -> MctsAgent:
    """The tree search of an agent: its own, or the one that its network guides."""
    guided = agent if isinstance(agent, MctsAgent) else getattr(agent, "guided_search", lambda state: None)(state)
    if not isinstance(guided, MctsAgent):
        raise BadOption("an analysis needs a tree search: mcts with its options, or a network with simulations=…")
    return guided


def actions_since(before: State, now: State) -> list[Action] | None:
    """The actions that led from one state to another; None if they did not, or if the states do not remember it."""
    old, new = past_of(before), past_of(now)
    if old is None or new is None or (old.game, old.origin) != (new.game, new.origin):
        return None
    plies = len(old.history)
    return new.history[plies:] if new.history[:plies] == old.history else None


@dataclass
class FlatMonteCarloAgent:
    """Plays the same number of random games from every action and takes the one that scored best. No tree."""

    games: int = 500  # per action; fewer if the clock does not allow so many

    def decide(self, state: State, rng: Rng, left: TimeLeft | None = None) -> Decision:
        refuse_finished(state)
        began = time.perf_counter()
        seconds = FOREVER if left is None else pace(left, state).most
        values, played, actions = {}, [], state.actions()
        for waiting, action in zip(range(len(actions), 0, -1), actions, strict=True):
            share = (seconds - (time.perf_counter() - began)) / waiting  # of the time, equal for all
            values[action], games = self.value(state, action, rng, max(1e-6, share))  # at least one game
            played.append(games)
        best = max(values, key=values.__getitem__)
        return Decision(
            best,
            f"scored {values[best]:+.2f} on average in {played[actions.index(best)]} random games",
            value=values[best],
            values=values,
            simulations=sum(played),
            seconds=time.perf_counter() - began,
        )

    def value(self, state: State, action: Action, rng: Rng, seconds: float) -> tuple[float, int]:
        """The mean score, for the player to move, of random games that begin with an action, and their number."""
        lead = games = 0
        endless = seconds >= UNTIMED and past_of(state) is None
        while games < self.games:
            piece = PATIENCE if endless else seconds
            wins, draws, losses = rollouts(state.play(action), self.games - games, rng, seconds=piece)
            lead, games = lead + wins - losses, games + wins + draws + losses
            if not endless or wins + draws + losses < FEW:
                break  # the time is over, or these games do not end
        return seen_by(state.player, 0, lead / games), games  # player 0's lead
