"""What is said about the four phases of a simulation: a sentence each, and the formulas with their numbers.

A formula is a text such as "0.50 + 1.4 × √(ln 7 / 3) = 1.63"; static/formula.js typesets it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludus.game import Player
from ludus.play.talk import move_in_words
from ludus.search.mcts import EpsilonGreedy, Puct, Rave, Rule, Uct
from ludus.web.lessons.mcts import Choice, Node, Option, Simulation, rave_weight
from ludus.web.lessons.stage import Stage

NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def number(count: int) -> str:
    """A count in words, as far as people write it so."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def counted(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun: "one move", "three moves"."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def sentence(text: str) -> str:
    """Text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def place_after(line: list[str]) -> str:
    """Where some moves lead to."""
    if not line:
        return "at the root"
    moves = "the move " if len(line) == 1 else "the moves "
    return f"after {moves if line[-1].isdecimal() else ''}{', '.join(line)}"


def plain(value: float) -> str:
    """A setting as people write it: 1.4, 0.05, 1000."""
    return f"{value:.4g}"


# ------------------------------------------------------------------------------------------- formulas


@dataclass(frozen=True)
class Formula:
    """A rule as a formula, and what its letters mean."""

    name: str
    text: str
    letters: str


def formula_of(rule: Rule) -> Formula:
    """The rule in general."""
    visits = "N: visits of the parent, n: of the child"
    if isinstance(rule, Puct):
        return Formula(
            "PUCT", "share + c × prior × √N / (1 + n)", f"{visits}; share of a child without visits: its parent's"
        )
    if isinstance(rule, Rave):
        text = "(1 − β) × share + β × AMAF + c × √(ln (N + 1) / (n + 1))"
        beta = "β = √(k / (3 N + k)), for a child without visits 1"
        letters = f"{visits}; {beta}; AMAF: share of games won with the move later on"
        return Formula("RAVE", text, letters)
    if isinstance(rule, EpsilonGreedy):
        return Formula("ε-greedy", "share", "with probability ε any child instead")
    return Formula("UCT", "share + c × √(ln N / n)", visits)


def filled_in(rule: Rule, choice: Choice, option: Option) -> str:
    """The formula with the numbers of one child."""
    share, total = f"{option.share:.2f}", f" = {option.score:.2f}"
    if isinstance(rule, Uct):
        return f"{share} + {plain(rule.c)} × √(ln {choice.visits} / {option.visits}){total}"
    if isinstance(rule, Puct):
        prior = f"{plain(rule.c)} × {option.node.prior:.2f} × √{choice.visits} / (1 + {option.visits})"
        return f"{share} + {prior}{total}"
    if isinstance(rule, Rave):
        return rave_filled_in(rule, choice, option) + total
    return share


def rave_filled_in(rule: Rave, choice: Choice, option: Option) -> str:
    beta, amaf = rave_weight(rule, choice.visits), f"{option.amaf_share:.2f}"
    mixed = f"{1 - beta:.2f} × {option.share:.2f} + {beta:.2f} × {amaf}" if option.visits else amaf
    if rule.c == 0:
        return mixed
    return f"{mixed} + {plain(rule.c)} × √(ln {choice.visits + 1} / {option.visits + 1})"


# ------------------------------------------------------------------------------------------ sentences


@dataclass(frozen=True)
class Words:
    """The sentences of one lesson."""

    stage: Stage
    rule: Rule
    network: str | None = None  # the name of the network that gives priors

    def begin(self) -> str:
        mover = sentence(self.stage.name(self.stage.state.player))
        return f"The tree begins with one node, the position on the board. {mover} is to move."

    def move(self, node: Node) -> str:
        """The move that leads to a node, in a sentence."""
        assert node.parent is not None and node.action is not None, "no move leads to the root"
        return move_in_words(self.stage.write(node.parent.state, node.action))

    def place(self, node: Node) -> str:
        line: list[str] = []
        while node.parent is not None and node.action is not None:
            line.insert(0, self.stage.write(node.parent.state, node.action))
            node = node.parent
        return place_after(line)

    # ------------------------------------------------------------------------------- phase one

    def choice(self, choice: Choice) -> str:
        """Why the selection went down one step as it did."""
        move = self.move(choice.chosen.node)
        if choice.drawn is not None:
            return self.drawn(choice, choice.drawn, move)
        value = filled_in(self.rule, choice, choice.chosen)
        if len(choice.options) == 1:
            return f"There is only one child {self.place(choice.node)}: {move}."
        children = f"of the {counted(len(choice.options), 'child', 'children')} {self.place(choice.node)}"
        equals = sum(option.score == choice.chosen.score for option in choice.options) - 1
        if equals:
            others = "another" if equals == 1 else f"{number(equals)} others"
            return f"{sentence(children)}, {move} and {others} have the largest value, {value}; the first is followed."
        return f"{sentence(children)}, {move} has the largest value: {value}. {self.unvisited(choice)}".rstrip()

    def unvisited(self, choice: Choice) -> str:
        """What stands for the share of wins of a child that has none."""
        if choice.chosen.visits:
            return ""
        if isinstance(self.rule, Rave):
            return "It has no visits yet, so its AMAF counts alone."
        return "It has no visits yet, so it begins with the share of its parent."

    def drawn(self, choice: Choice, drawn: float, move: str) -> str:
        assert isinstance(self.rule, EpsilonGreedy)
        epsilon = f"ε = {plain(self.rule.epsilon)}"
        if drawn < self.rule.epsilon:
            return f"The number drawn, {drawn:.2f}, is below {epsilon}, so any child is followed: {move}."
        return (
            f"The number drawn, {drawn:.2f}, is not below {epsilon}, so the child with the largest share of wins is "
            f"followed: {move} with {choice.chosen.share:.2f}."
        )

    def stays(self, simulation: Simulation) -> str:
        """Why the selection did not even leave the root."""
        moves = len(simulation.leaf.state.actions())
        if not isinstance(self.rule, Uct | EpsilonGreedy):
            return "The root has no children yet, so the selection ends there."
        if simulation.untried == moves:
            return "No move has been tried yet, so the selection ends at the root."
        have = "has" if simulation.untried == 1 else "have"
        untried = f"{number(simulation.untried)} of the {counted(moves, 'move')} {have} not been tried"
        return f"Here {untried}, so the selection ends at the root."

    # ------------------------------------------------------------------------------- phase two

    def expansion(self, simulation: Simulation) -> str:
        leaf, made = simulation.leaf, simulation.made
        if leaf.state.over:
            return "The game is over here, so there is nothing to add."
        if not made:
            return f"This is the first visit {self.place(leaf)}: children are added at the second."
        if isinstance(self.rule, Uct | EpsilonGreedy):
            if simulation.untried == 1:
                return f"The last move {self.place(leaf)} without a node gets one: {self.move(made[0])}."
            untried = f"{self.place(leaf)}, {counted(simulation.untried, 'move')}"
            return f"{sentence(untried)} have no node yet; one of them is drawn and gets one: {self.move(made[0])}."
        return f"All {counted(len(made), 'move')} {self.place(leaf)} get a node{self.priors(made)}."

    def priors(self, made: tuple[Node, ...]) -> str:
        if not isinstance(self.rule, Puct):
            return ", none of them visited yet"
        if self.network is None:
            return f" with the same prior, {made[0].prior:.2f}"
        best = max(made, key=lambda node: node.prior)
        return f"; the network {self.network} gives {self.move(best)} the largest prior, {best.prior:.2f}"

    # ------------------------------------------------------------------------------ phase three

    def playout(self, simulation: Simulation) -> str:
        last = simulation.path[-1].state
        if simulation.value is not None:
            share = (simulation.value + 1) / 2
            mover = self.stage.name(last.player)
            return f"No random game: the network {self.network} is asked instead. It expects {share:.0%} for {mover}."
        if not simulation.played:
            return f"There is nothing left to play: {self.result(simulation.score)}."
        moves = counted(len(simulation.played), "random move")
        return f"The game is played to its end with {moves}: {self.result(simulation.score)}."

    def result(self, score: float) -> str:
        """A finished game in words."""
        return "a draw" if score == 0 else f"{self.stage.name(0 if score > 0 else 1)} wins"

    # ------------------------------------------------------------------------------- phase four

    def backup(self, simulation: Simulation) -> str:
        return f"{self.counts(simulation)} {self.rave(simulation)}".strip()

    def counts(self, simulation: Simulation) -> str:
        if simulation.value is not None:
            return "Every node on the path counts one more visit and the network's value, as its player sees it."
        if simulation.score == 0:
            return "Every node on the path counts one more visit and half a win."
        winner: Player = 0 if simulation.score > 0 else 1
        return f"Every node on the path counts one more visit, and the nodes of {self.stage.name(winner)} a win."

    def rave(self, simulation: Simulation) -> str:
        beside = [node for node in simulation.amaf if node not in simulation.path]
        if not beside:
            return ""
        them = "it" if len(beside) == 1 else "them"
        return f"RAVE lets {counted(len(beside), 'other move')} learn, too: the same player made {them} later on."
