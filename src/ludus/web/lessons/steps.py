"""The lesson on Monte Carlo tree search as JSON: what each simulation did, phase by phase.

The page goes forwards and backwards through it without the server. A long lesson is sent in parts; as the seed
decides everything, a later part begins with the same simulations, which are made again and not sent again.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass

from ludus._core import Rng
from ludus.play.talk import title_of
from ludus.search.mcts import MctsSettings
from ludus.web.lessons.mcts import Choice, LessonMcts, Node, Simulation
from ludus.web.lessons.stage import Json, Stage, changes
from ludus.web.lessons.words import Words, filled_in, formula_of

MOST_ROWS = 6  # formulas that are shown for one choice


@dataclass(frozen=True)
class Part:
    """Which simulations are wanted, and for how long to work on them."""

    first: int
    simulations: int
    seconds: float


def mcts_lesson(
    stage: Stage, settings: MctsSettings, seed: int, part: Part, network: str | None = None
) -> Generator[None, None, Json]:
    """A part of the lesson, made one simulation a step. When the time is up it has fewer than asked for."""
    words = Words(stage, settings.rule, network)
    writer = Writer(stage, words, LessonMcts(stage.state, settings, Rng(seed)))
    end = time.monotonic() + part.seconds
    for _ in range(part.first):
        writer.skip()
        yield
    simulations: list[Json] = []
    nodes_before = len(writer.search.nodes)
    while len(simulations) < part.simulations and (time.monotonic() < end or not simulations):
        simulations.append(writer.simulation())
        yield
    formula = formula_of(settings.rule)
    return {
        "rule": formula.name,
        "formula": formula.text,
        "letters": formula.letters,
        "network": network,
        "title": title_of(stage.game),
        "players": list(stage.players),
        "position": writer.position(writer.search.root),
        "begin": words.begin(),
        "first": part.first,
        "nodes": [writer.node(node) for node in writer.search.nodes[nodes_before if part.first else 0 :]],
        "simulations": simulations,
        "layouts": stage.layouts,
    }


class Writer:
    """Makes simulations and writes them down. Nodes are known by their number in the order of making."""

    def __init__(self, stage: Stage, words: Words, search: LessonMcts) -> None:
        self.stage, self.words, self.search = stage, words, search
        self.told = {search.root}  # nodes whose position the page knows
        self._positions: dict[Node, Json] = {}

    def position(self, node: Node) -> Json:
        if node not in self._positions:
            self._positions[node] = self.stage.position(node.state)
        return self._positions[node]

    def skip(self) -> None:
        """A simulation that was told before."""
        self.told.update(self.search.simulate().path)

    def simulation(self) -> Json:
        """The next simulation."""
        made = self.search.simulate()
        return {
            "select": [self.choice(choice) for choice in made.choices] or [self.stay(made)],
            "expand": {
                "leaf": made.leaf.index,
                "new": [node.index for node in made.made],
                "words": self.words.expansion(made),
            },
            "simulate": self.playout(made),
            "backup": self.backup(made),
            "positions": self.new_positions(made),
        }

    def node(self, node: Node) -> Json:
        if node.parent is None or node.action is None:
            return {"parent": None, "move": None, "player": node.chooser, "prior": 0.0, "over": False}
        move = self.stage.write(node.parent.state, node.action)
        about = {"parent": node.parent.index, "move": move, "player": node.chooser}
        return about | {"prior": round(node.prior, 4), "over": node.state.over}

    # -------------------------------------------------------------------------------------- phases

    def choice(self, choice: Choice) -> Json:
        ranked = sorted(choice.options, key=lambda option: (option is choice.chosen, option.score), reverse=True)
        shown = sorted(ranked[:MOST_ROWS], key=lambda option: option.score, reverse=True)  # the chosen one among them
        return {
            "node": choice.node.index,
            "chosen": choice.chosen.node.index,
            "words": self.words.choice(choice),
            "rows": [[option.node.index, filled_in(self.words.rule, choice, option)] for option in shown],
            "rest": len(choice.options) - len(shown),
        }

    def stay(self, made: Simulation) -> Json:
        root = made.leaf.index
        return {"node": root, "chosen": root, "words": self.words.stays(made), "rows": [], "rest": 0}

    def playout(self, made: Simulation) -> Json:
        state, before = made.path[-1].state, self.position(made.path[-1])
        moves, positions = [], []
        for action in made.played:
            moves.append(self.stage.write(state, action))
            state = state.play(action)
            after = self.stage.position(state)
            positions.append(changes(before, after))
            before = after
        return {"moves": moves, "positions": positions, "words": self.words.playout(made)}

    def backup(self, made: Simulation) -> Json:
        """The path from the root down, with the visits and totals that its nodes have now."""
        return {
            "path": [[node.index, node.visits, round(node.total, 6)] for node in made.path],
            "amaf": [[node.index, node.amaf_visits, node.amaf_total] for node in made.amaf],
            "words": self.words.backup(made),
        }

    def new_positions(self, made: Simulation) -> dict[str, Json]:
        """Positions of nodes on the path that the page has not seen, as changes from their parents'."""
        new: dict[str, Json] = {}
        for node in made.path:
            if node not in self.told and node.parent is not None:
                new[str(node.index)] = changes(self.position(node.parent), self.position(node))
                self.told.add(node)
        return new
