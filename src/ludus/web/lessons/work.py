"""The tasks that make lessons, in a worker of the pool. What a page may ask for is checked and bounded here."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ludus.errors import BadOption, seed_option, switch_option, whole_option, within
from ludus.evaluator import Evaluator
from ludus.game import Game
from ludus.learn import zoo
from ludus.search.mcts import Critic, EpsilonGreedy, MctsSettings, Puct, Rave, Rule, Uct
from ludus.text import did_you_mean
from ludus.web.lessons.alphabeta import How, alphabeta_lesson
from ludus.web.lessons.mcts import PLAYOUTS
from ludus.web.lessons.stage import Json, stage_after
from ludus.web.lessons.steps import Part, mcts_lesson
from ludus.web.searching.tasks import Aside, Place, Steps
from ludus.web.searching.tools import Tools

MOST_SIMULATIONS = 500  # of a whole lesson …
MOST_AT_ONCE = 100  # … and of one part of it
SECONDS = 5.0  # for one part
DEEPEST = 12  # plies
COUNTING = 10.0  # seconds after which a search that is counted is stuck
LOADING = 60.0  # seconds in which a network must be there
RULES = ("uct", "epsilon_greedy", "puct", "rave")


@dataclass(frozen=True)
class MctsTask:
    """A part of a lesson on Monte Carlo tree search."""

    place: Place
    moves: str = ""  # to the position in which it begins
    rule: str = "uct"
    c: float = 1.4
    epsilon: float = 0.1
    k: float = 30.0
    priors: str = "even"  # or "network": one that comes with Ludus and fits the game
    seed: int = 1
    first: int = 0  # simulations that the page knows already
    simulations: int = 40
    table: str = field(default="lessons", init=False)
    urgent: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        text_option("moves", self.moves)
        whole_option("simulations", self.simulations, 1, MOST_AT_ONCE)
        whole_option("first", self.first, 0, MOST_SIMULATIONS - self.simulations)
        seed_option("seed", self.seed)
        if self.priors not in ("even", "network"):
            raise BadOption("priors must be even or network")
        self.wanted()

    def wanted(self) -> Rule:
        """The rule of selection."""
        within("c", self.c, 0, 100)
        within("epsilon", self.epsilon, 0, 1)
        within("k", self.k, 0, 1e6)
        if self.rule not in RULES:
            name = str(self.rule)[:40]
            raise BadOption(f"there is no rule {name!r}; {did_you_mean(name, RULES)}")
        rules: dict[str, Rule] = {"uct": Uct(self.c), "puct": Puct(self.c), "rave": Rave(self.c, self.k)}
        return rules.get(self.rule, EpsilonGreedy(self.epsilon))

    def steps(self, tools: Tools) -> Steps:
        game, _ = yield from tools.open(self.place)
        stage = stage_after(game, self.moves)
        refuse_swap(game, self.wanted())
        network = network_for(game)
        used = network if self.priors == "network" and self.rule == "puct" else None
        if used is not None:
            yield tools.loading
        settings = self.settings(game, used)
        part = Part(self.first, self.simulations, SECONDS)
        made: Json = yield from mcts_lesson(stage, settings, self.seed, part, used)
        return made | {"fitting": network, "most": MOST_SIMULATIONS}

    def settings(self, game: Game, network: str | None) -> MctsSettings:
        """The settings of the search: with a network, its value takes the place of random play."""
        if network is None:
            if self.priors == "network" and self.rule == "puct":
                raise BadOption("no network that comes with Ludus fits this game; choose even priors")
            return MctsSettings(self.wanted(), PLAYOUTS)
        evaluator, critic = load_network(network, game)
        if critic:
            return MctsSettings(self.wanted(), Critic(evaluator))
        return MctsSettings(Puct(self.c, evaluator), PLAYOUTS)


@dataclass(frozen=True)
class AlphabetaTask:
    """A lesson on minimax or alpha-beta."""

    place: Place
    moves: str = ""
    depth: int = 5
    pruning: bool = True
    ordering: bool = False
    table: str = field(default="lessons", init=False)
    urgent: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        text_option("moves", self.moves)
        whole_option("depth", self.depth, 1, DEEPEST)
        switch_option("pruning", self.pruning)
        switch_option("ordering", self.ordering)

    def steps(self, tools: Tools) -> Steps:
        game, _ = yield from tools.open(self.place)
        stage = stage_after(game, self.moves)
        yield Aside(COUNTING)
        return alphabeta_lesson(stage, How(self.depth, self.pruning, self.ordering))


def text_option(name: str, value: Any) -> None:
    if not isinstance(value, str) or len(value) > 1000:
        raise BadOption(f"{name} must be a short text such as 'b2 a1'")


def refuse_swap(game: Game, rule: Rule) -> None:
    if isinstance(rule, Rave) and getattr(game, "swap", False):
        raise BadOption("the lesson on RAVE does not know the swap; choose swap off or another rule")


# ------------------------------------------------------------------------------------------- networks


def network_for(game: Game) -> str | None:
    """The name of a network of the zoo that was trained for a game."""
    wanted = {key: value for key, value in game.identity().items() if key != "starter"}
    return next((name for name, trained in trained_games() if trained == wanted), None)


@lru_cache(maxsize=1)
def trained_games() -> list[tuple[str, Json]]:
    """The networks of the zoo, each with its game."""
    games = []
    for name in zoo.names():
        config = tomllib.loads((zoo.folder_of(name) / "config.toml").read_text(encoding="utf-8"))
        games.append((name, {key: value for key, value in config["game"].items() if key != "starter"}))
    return games


@lru_cache(maxsize=8)
def load_network(name: str, game: Game) -> tuple[Evaluator, bool]:
    """A network of the zoo, and whether it gives values."""
    from ludus.learn.checkpoint import load_checkpoint

    checkpoint = load_checkpoint(zoo.path_of(name))
    return checkpoint.evaluator(game), checkpoint.network.critic is not None
