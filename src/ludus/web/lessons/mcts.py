"""Monte Carlo tree search for the theatre: one simulation at a time, with everything that its four phases did.

It is the textbook page (ludus/search/textbook.py) with all four rules and a record of what happened. With the same
seed its tree is that of the compiled search, visit for visit; tests/web/test_lessons.py checks it. The sentences about
it are in words.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ludus._core import Rng
from ludus.errors import LudusError
from ludus.game import Action, Player, State, seen_by
from ludus.search.mcts import Critic, EpsilonGreedy, MctsSettings, Puct, Rave, Rollout, Uct, ask

LONGEST = 200  # moves of a playout


@dataclass(eq=False)
class Node:
    """A state in the tree. Its sums are seen by the chooser, the player whose action led to it."""

    index: int  # in the order in which nodes were made
    state: State
    chooser: Player
    action: Action | None = None  # None: the root
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)  # in the order in which they were made
    untried: list[Action] | None = None  # None: its actions are not listed yet
    visits: int = 0
    total: float = 0.0
    prior: float = 0.0
    amaf_visits: int = 0
    amaf_total: float = 0.0

    @property
    def share(self) -> float:
        """The share of wins, a draw counting half; needs a visit."""
        return (self.total / self.visits + 1) / 2

    @property
    def amaf_share(self) -> float:
        """The share of wins among games in which the action came later; 1 if it never did. In single precision."""
        if self.amaf_visits == 0:
            return 1.0
        return float((np.float32(self.amaf_total) / np.float32(self.amaf_visits) + np.float32(1)) / np.float32(2))


@dataclass(frozen=True)
class Option:
    """A child as the rule saw it when it chose."""

    node: Node
    visits: int
    share: float  # of a child without visits: what the rule takes instead
    amaf_share: float
    score: float


@dataclass(frozen=True)
class Choice:
    """One step down the tree."""

    node: Node  # whose children were compared
    visits: int  # of that node
    options: tuple[Option, ...]
    chosen: Option
    drawn: float | None = None  # what epsilon-greedy drew from the numbers between 0 and 1


@dataclass(frozen=True)
class Simulation:
    """What the four phases of one simulation did."""

    choices: tuple[Choice, ...]  # select
    leaf: Node  # where the selection ended
    untried: int  # actions of the leaf that had no node
    made: tuple[Node, ...]  # expand
    path: tuple[Node, ...]  # from the root to where the playout began
    played: tuple[Action, ...]  # simulate
    value: float | None  # the critic's answer for the player to move at the leaf; None: there was a playout
    score: float  # of player 0
    amaf: tuple[Node, ...]  # back up: nodes whose action came later in this game, which RAVE counts


class LessonMcts:
    """A search that tells what it does. `nodes` holds every node in the order of making."""

    def __init__(self, state: State, settings: MctsSettings, rng: Rng) -> None:
        self.settings, self.rng = settings, rng
        self.root = Node(0, state, chooser=state.player)
        self.nodes = [self.root]
        self.tries_all_first = isinstance(settings.rule, Uct | EpsilonGreedy)

    def simulate(self) -> Simulation:
        """Makes one simulation."""
        choices = self.select()
        leaf = choices[-1].chosen.node if choices else self.root
        untried = len(leaf.state.actions()) - len(leaf.children)
        before, value = len(self.nodes), None
        if not leaf.state.over:
            value = self.expand(leaf)
        made = tuple(self.nodes[before:])
        path = [self.root, *(choice.chosen.node for choice in choices)]
        if self.tries_all_first:
            path += made
        score, played = play_out(path[-1].state, self.rng) if value is None else (0.0, [])
        if value is not None:
            score = seen_by(0, leaf.state.player, value)
        amaf = self.back_up(path, played, score)
        return Simulation(choices, leaf, untried, made, tuple(path), tuple(played), value, score, amaf)

    # ------------------------------------------------------------------------------------ phase one

    def select(self) -> tuple[Choice, ...]:
        """Down the tree by the rule, to a node with something new to try or to the end of a game."""
        choices: list[Choice] = []
        node = self.root
        while node.children and not (self.tries_all_first and node.untried):
            choices.append(self.choose(node))
            node = choices[-1].chosen.node
        return tuple(choices)

    def choose(self, node: Node) -> Choice:
        options = tuple(options_of(self.settings.rule, node))
        best = max(options, key=lambda option: option.score)  # the first of equals
        drawn = None
        if isinstance(self.settings.rule, EpsilonGreedy):
            drawn = self.rng.uniform()
            if drawn < self.settings.rule.epsilon:
                best = options[self.rng.below(len(options))]
        return Choice(node, node.visits, options, best, drawn)

    # ------------------------------------------------------------------------------------ phase two

    def expand(self, leaf: Node) -> float | None:
        """Gives the leaf a child, or all of them. Returns the critic's value, if a critic is asked."""
        if self.tries_all_first:
            self.expand_one(leaf)
            return None
        policy, value = self.ask(leaf.state)
        if policy is not None or leaf is self.root or leaf.visits > 0:
            self.expand_all(leaf, policy)
        return value

    def expand_one(self, leaf: Node) -> None:
        """One of the untried actions, any of them."""
        if leaf.untried is None:
            leaf.untried = list(leaf.state.actions())
        chosen = self.rng.below(len(leaf.untried))
        leaf.untried[0], leaf.untried[chosen] = leaf.untried[chosen], leaf.untried[0]
        self.add_child(leaf, leaf.untried.pop(0))

    def expand_all(self, leaf: Node, policy: Sequence[float] | None) -> None:
        """All actions, none of them visited. Their priors are the policy's shares, or all the same."""
        if leaf.untried is not None:
            return
        actions, leaf.untried = list(leaf.state.actions()), []
        weights = [1.0 if policy is None else float(policy[action]) for action in actions]
        for action, weight in zip(actions, weights, strict=True):
            child = self.add_child(leaf, action)
            if isinstance(self.settings.rule, Puct):
                child.prior = float(np.float32(weight / sum(weights)))

    def add_child(self, leaf: Node, action: Action) -> Node:
        child = Node(len(self.nodes), leaf.state.play(action), leaf.state.player, action, leaf)
        leaf.children.append(child)
        self.nodes.append(child)
        return child

    def ask(self, state: State) -> tuple[Sequence[float] | None, float | None]:
        """The evaluator's policy, and its value where it takes the place of playouts."""
        evaluator, critic = self.settings.evaluator(), isinstance(self.settings.judge, Critic)
        if evaluator is None:
            return None, None
        if critic:
            self.rng.uniform()  # the compiled search draws between a playout and the critic
        policies, values = ask(evaluator, [state])
        return policies[0], float(values[0]) if critic else None

    # ----------------------------------------------------------------------------------- phase four

    def back_up(self, path: Sequence[Node], played: Sequence[Action], score: float) -> tuple[Node, ...]:
        """The score (player 0's) goes up to the root, to every node as its chooser sees it."""
        for node in path:
            node.visits += 1
            node.total += seen_by(node.chooser, 0, score)
        return self.back_up_amaf(path, played, score) if isinstance(self.settings.rule, Rave) else ()

    def back_up_amaf(self, path: Sequence[Node], played: Sequence[Action], score: float) -> tuple[Node, ...]:
        """All moves as first: the score also counts for children whose action the same player played later."""
        later, counted = moves_of(path[-1].state, played), []
        for node in reversed(path):
            for child in node.children:
                if (child.chooser, child.action) in later:
                    child.amaf_visits += 1
                    child.amaf_total += seen_by(child.chooser, 0, score)
                    counted.append(child)
            if node.action is not None:
                later.add((node.chooser, node.action))
        return tuple(counted)


# ----------------------------------------------------------------------------------------- the rules


def options_of(rule: object, node: Node) -> list[Option]:
    """The children of a node with their scores, computed as in core/search/mcts/select.h."""
    made = []
    for child in node.children:
        share = child.share if child.visits else unvisited_share(rule, node)
        amaf = child.amaf_share if isinstance(rule, Rave) else 1.0
        made.append(Option(child, child.visits, share, amaf, score_of(rule, node, child, share, amaf)))
    return made


def unvisited_share(rule: object, node: Node) -> float:
    """What stands for the share of wins of a child that was never visited: with PUCT the share of its parent."""
    if not isinstance(rule, Puct):
        return 1.0
    mean = 0.0 if node.visits == 0 else node.total / node.visits
    return (seen_by(node.state.player, node.chooser, mean) + 1) / 2


def score_of(rule: object, node: Node, child: Node, share: float, amaf: float) -> float:
    """How much a rule wants to follow a child."""
    if isinstance(rule, Uct):
        return share + rule.c * math.sqrt(math.log(node.visits)) / math.sqrt(child.visits)
    if isinstance(rule, Puct):
        return share + rule.c * child.prior * math.sqrt(node.visits) / (1 + child.visits)
    if isinstance(rule, Rave):
        beta = rave_weight(rule, node.visits)
        mixed = (1 - beta) * share + beta * amaf if child.visits else amaf
        return mixed + rule.c * math.sqrt(math.log(node.visits + 1) / (child.visits + 1)) if rule.c > 0 else mixed
    return share


def rave_weight(rule: Rave, visits: int) -> float:
    """How much the AMAF share counts below a node with so many visits."""
    return math.sqrt(rule.k / (3 * visits + rule.k))


# -------------------------------------------------------------------------------------- phase three


def play_out(state: State, rng: Rng) -> tuple[float, list[Action]]:
    """Random play to the end: the score of player 0 and the actions."""
    played: list[Action] = []
    while not state.over:
        if len(played) == LONGEST:
            raise LudusError(
                f"a random game from here is longer than {LONGEST} moves, too long for a lesson; "
                "choose a smaller game or a later position"
            )
        played.append(rng.choice(state.actions()))
        state = state.play(played[-1])
    return state.score(0), played


def moves_of(state: State, actions: Sequence[Action]) -> set[tuple[Player, Action]]:
    """Who played what."""
    moves = set()
    for action in actions:
        moves.add((state.player, action))
        state = state.play(action)
    return moves


PLAYOUTS = Rollout("textbook")  # the random play that the theatre shows move by move
