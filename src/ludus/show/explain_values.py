"""Explains a decision of any agent by what the agent says about it: its values or visits of actions, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludus._core import Rng
from ludus.agents import Agent, Decision
from ludus.errors import BadOption
from ludus.game import Action, Game, State
from ludus.show.explanation import Explanation, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class ValuesExplanation(Explanation):
    """A decision with the value of every action that the agent looked at."""

    decision: Decision

    def ranked(self) -> list[tuple[Action, float]]:
        """The actions, the chosen one first and then the best."""
        return sorted(self.decision.values.items(), key=lambda item: (item[0] != self.chosen, -item[1]))

    def table(self) -> list[str]:
        ranked = self.ranked()
        lines = [f"{'move':>6} {'value':>7}"]
        lines += [f"{self.write(action):>6} {value:>+7.2f}" for action, value in ranked[:10]]
        if len(ranked) > 10:
            lines.append(f"and {plural(len(ranked) - 10, 'other move')}")
        return lines

    def as_json(self) -> dict[str, object]:
        return {
            "kind": "values",
            "move": self.write(self.chosen),
            "why": self.decision.why,
            "moves": [{"move": self.write(action), "value": value} for action, value in self.ranked()],
            "line": [self.write(action) for action in self.decision.line],
        }

    def in_words(self) -> str:
        move, player = self.write(self.chosen), self.state.player
        words = [
            f"Player {player} is to move. The agent gave {plural(len(self.decision.values), 'move')} a value, from -1 "
            f"(lost) to +1 (won), and chose {move}."
        ]
        if self.decision.why:
            words.append(f"About {move} it says: {self.decision.why}.")
        return " ".join(words)

    def draw(self, figure: Figure) -> None:
        from ludus.show.picture import draw_moves, draw_words

        grid = figure.add_gridspec(2, 1, height_ratios=(1, 0.12))
        values = self.decision.values
        labels = {action: f"{value:+.2f}" for action, value in values.items()}
        title = f"The value of each move for player {self.state.player}:\nfrom -1 (lost) to +1 (won)"
        draw_moves(figure.add_subplot(grid[0]), self, values, labels, title, top=1.0)
        draw_words(figure.add_subplot(grid[1]), self)


def explain_values(game: Game, state: State, agent: Agent, rng: Rng) -> ValuesExplanation:
    """Asks the agent for a decision. One that says nothing about its actions cannot be explained."""
    decision = agent.decide(state, rng)
    if not decision.values:
        raise BadOption(
            "this agent says nothing about the moves that it did not choose; explain shows mcts, minimax, alphabeta, "
            "deepening, greedy, flat and networks: say --agent mcts:simulations=2000, for example"
        )
    return ValuesExplanation(game, state, decision.action, decision)
