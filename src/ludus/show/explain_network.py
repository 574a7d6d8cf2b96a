"""Explains a network: its bare policy and value, and beside them the search that it guides, if there is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ludus._core import Rng
from ludus.agents import Decision
from ludus.game import Action, Game, State
from ludus.show.explain_mcts import MctsExplanation, TreeSearcher, explain_mcts
from ludus.show.explanation import Explanation, percent, plural, points

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class NetworkAgent(Protocol):
    """What an agent must tell about its network."""

    choice: str  # how it chooses from the policy: greedy, sample or epsilon

    def decide(self, state: State, rng: Rng) -> Decision: ...
    def policy_and_value(self, state: State) -> tuple[dict[Action, float], float | None]:
        """The policy over legal actions, and the value for the player to move, if the network has a critic."""

    def guided_search(self, state: State) -> TreeSearcher | None:
        """The search that the network guides; None if the agent plays the bare policy."""


@dataclass(frozen=True)
class NetworkExplanation(Explanation):
    """The policy and value of a network, and the search that it guides."""

    policy: dict[Action, float]  # over the legal actions; it sums to 1
    value: float | None  # for the player to move; None: the network has no critic
    search: MctsExplanation | None
    choice: str

    def ranked(self) -> list[Action]:
        """The actions, the chosen one first and then the likeliest."""
        return sorted(self.policy, key=lambda action: (action != self.chosen, -self.policy[action]))

    def visits(self) -> dict[Action, int]:
        return {child.action: child.visits for child in self.search.children} if self.search else {}

    def rows(self) -> list[dict[str, object]]:
        visits = self.visits()
        return [
            {"move": self.write(action), "policy": self.policy[action]}
            | ({"visits": visits.get(action, 0)} if self.search else {})
            for action in self.ranked()
        ]

    def table(self) -> list[str]:
        total = self.search.total if self.search else 1
        visits = self.visits()
        lines = [f"{'move':>6} {'policy':>8}" + (f" {'visits':>8} {'share':>7}" if self.search else "")]
        for action in self.ranked()[:10]:
            line = f"{self.write(action):>6} {self.policy[action]:>8.1%}"
            if self.search:
                line += f" {visits.get(action, 0):>8,} {visits.get(action, 0) / total:>7.1%}"
            lines.append(line)
        if len(self.policy) > 10:
            lines.append(f"and {plural(len(self.policy) - 10, 'other move')}")
        return lines

    def as_json(self) -> dict[str, object]:
        answer: dict[str, object] = {
            "kind": "network",
            "move": self.write(self.chosen),
            "value": self.value,
            "moves": self.rows(),
        }
        return answer if self.search is None else answer | {"search": self.search.as_json()}

    def draw(self, figure: Figure) -> None:
        from ludus.show.picture_network import draw_network

        draw_network(figure, self)

    def in_words(self) -> str:
        likeliest = max(self.policy, key=lambda action: self.policy[action])
        words = [
            f"Player {self.state.player} is to move. Without looking ahead, the network's policy gives "
            f"{self.write(likeliest)} {percent(self.policy[likeliest])}{self.runner_up(likeliest)}.",
            self.value_in_words(),
        ]
        if self.search is None:
            words.append(self.bare_choice(likeliest))
        else:
            words.append(self.search.in_words().removeprefix(f"Player {self.state.player} is to move. "))
            if self.chosen == likeliest:
                words.append("The search confirmed the network's first choice.")
            else:
                words.append(
                    f"The search disagreed with the network: {self.write(self.chosen)} has only "
                    f"{percent(self.policy[self.chosen])} of its policy."
                )
        return " ".join(words)

    def runner_up(self, likeliest: Action) -> str:
        others = [action for action in self.policy if action != likeliest]
        if not others:
            return ", the only legal move"
        second = max(others, key=lambda action: self.policy[action])
        return f" and {self.write(second)} {percent(self.policy[second])}"

    def value_in_words(self) -> str:
        player = self.state.player
        if self.value is None:
            return "It has no critic, so it gives no value of the position."
        ahead = player if self.value > 0 else 1 - player
        if abs(self.value) >= 0.9:
            who = f"player {ahead} is all but sure to win"
        elif abs(self.value) >= 0.3:
            who = f"player {ahead} is ahead"
        else:
            who = "the game is open"
        return (
            f"Its value of the position is {self.value:+.2f}: it expects player {player} to score "
            f"{points(self.value)} of the points (a win is 100%, a draw 50%), so it thinks that {who}."
        )

    def bare_choice(self, likeliest: Action) -> str:
        move = self.write(self.chosen)
        if self.choice == "greedy":
            return f"The agent plays the likeliest move, {move}."
        if self.choice == "sample":
            return f"The agent draws a move by these likelihoods; this time it drew {move}."
        said = "this time it is the likeliest" if self.chosen == likeliest else "this time it is a random one"
        return f"The agent mostly plays the likeliest move and now and then a random one; {said}: {move}."


def explain_network(game: Game, state: State, agent: NetworkAgent, rng: Rng) -> NetworkExplanation:
    """Asks a network for its policy and value, and runs the search that it guides."""
    policy, value = agent.policy_and_value(state)
    guided = agent.guided_search(state)
    if guided is None:
        return NetworkExplanation(game, state, agent.decide(state, rng).action, policy, value, None, agent.choice)
    search = explain_mcts(game, state, guided, rng)
    return NetworkExplanation(game, state, search.chosen, policy, value, search, agent.choice)
