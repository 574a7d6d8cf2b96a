"""A request for a lesson becomes the lesson. It runs in a process of its own, so whatever it does, the server goes on.

What a page may ask for is checked and bounded here.
"""

from __future__ import annotations

import json
import tomllib
from functools import lru_cache

from ludus.errors import BadOption, BrokenGame, LudusError, seed_option, switch_option, whole_option, within
from ludus.evaluator import Evaluator
from ludus.game import Game
from ludus.learn import zoo
from ludus.search.mcts import Critic, EpsilonGreedy, MctsSettings, Puct, Rave, Rule, Uct
from ludus.text import did_you_mean
from ludus.web.lessons_alphabeta import How, alphabeta_lesson
from ludus.web.lessons_mcts import PLAYOUTS
from ludus.web.lessons_stage import Json, Stage, stage_of
from ludus.web.lessons_steps import Part, mcts_lesson

MOST_SIMULATIONS = 500  # of a whole lesson …
MOST_AT_ONCE = 100  # … and of one part of it
SECONDS = 5.0  # for one part
DEEPEST = 12  # plies
RULES = ("uct", "epsilon_greedy", "puct", "rave")


def work(lesson: str, request: Json, visitors: tuple[str, ...]) -> tuple[int, bytes]:
    """The status and the body of the answer. `visitors` are the games that the server was started with."""
    try:
        stage = stage_of(request, visitors)
        made = mcts(stage, request) if lesson == "mcts" else alphabeta(stage, request)
    except LudusError as error:
        return 400, json.dumps({"error": str(error)}).encode()
    except Exception as error:  # whatever a visitor's game does
        broken = BrokenGame(f"the game failed: {type(error).__name__}: {error}")
        return 400, json.dumps({"error": str(broken)}).encode()
    return 200, json.dumps(made, separators=(",", ":"), ensure_ascii=False).encode()


# --------------------------------------------------------------------------- Monte Carlo tree search


def mcts(stage: Stage, request: Json) -> Json:
    first, simulations, seed = request.get("first", 0), request.get("simulations", 40), request.get("seed", 1)
    whole_option("simulations", simulations, 1, MOST_AT_ONCE)
    whole_option("first", first, 0, MOST_SIMULATIONS - simulations)
    seed_option("seed", seed)
    network = network_for(stage.game)
    settings, used = settings_of(stage.game, rule_of(stage.game, request), request.get("priors", "even"), network)
    made = mcts_lesson(stage, settings, seed, Part(first, simulations, SECONDS), used)
    return made | {"fitting_network": network, "most": MOST_SIMULATIONS}


def rule_of(game: Game, request: Json) -> Rule:
    """The rule of selection that a page asks for."""
    name = request.get("rule", "uct")
    c, epsilon, k = request.get("c", 1.4), request.get("epsilon", 0.1), request.get("k", 30)
    within("c", c, 0, 100)
    within("epsilon", epsilon, 0, 1)
    within("k", k, 0, 1e6)
    if name == "uct":
        return Uct(c)
    if name == "epsilon_greedy":
        return EpsilonGreedy(epsilon)
    if name == "puct":
        return Puct(c)
    if name == "rave":
        if getattr(game, "swap", False):
            raise BadOption("the lesson on RAVE does not know the swap; choose swap off or another rule")
        return Rave(c, k)
    raise BadOption(f"there is no rule {str(name)[:50]!r}; {did_you_mean(str(name)[:50], RULES)}")


def settings_of(game: Game, rule: Rule, priors: object, network: str | None) -> tuple[MctsSettings, str | None]:
    """The settings of the search, and the network that it asks."""
    if priors not in ("even", "network"):
        raise BadOption("priors must be even or network")
    if priors == "even" or not isinstance(rule, Puct):
        return MctsSettings(rule, PLAYOUTS), None
    if network is None:
        raise BadOption("no network that comes with Ludus fits this game; choose even priors")
    evaluator, critic = load_network(network, game)
    if critic:
        return MctsSettings(rule, Critic(evaluator)), network
    return MctsSettings(Puct(rule.c, evaluator), PLAYOUTS), network


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


# ------------------------------------------------------------------------------------------ alpha-beta


def alphabeta(stage: Stage, request: Json) -> Json:
    depth, pruning, ordering = request.get("depth", 5), request.get("pruning", True), request.get("ordering", False)
    whole_option("depth", depth, 1, DEEPEST)
    switch_option("pruning", pruning)
    switch_option("ordering", ordering)
    return alphabeta_lesson(stage, How(depth, pruning, ordering))
