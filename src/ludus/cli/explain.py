"""`ludus explain GAME`: why an agent chooses its move, as a picture, a table and in words."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ludus._core import Rng
from ludus.cli import options as flags
from ludus.errors import BadOption, seed_option


@dataclass(frozen=True)
class Explain(flags.Position):
    """Why an agent chooses its move: a table and words here, and a picture in a file.

    It explains Monte Carlo tree search (mcts), tree search (minimax, alphabeta, deepening), networks (zoo:hex5, or a
    file), and any agent that gives its moves values (greedy, flat, your own).
    """

    agent: str = "mcts:simulations=2000"  # whose move; `alphabeta:depth=4`, `zoo:hex5`, …
    out: Path = Path("explain.png")  # the picture: .png, .svg or .pdf
    seed: int = 0  # of the agent's random numbers
    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False  # print JSON

    def __post_init__(self) -> None:
        seed_option("seed", self.seed)


def main(arguments: list[str]) -> None:
    game, state, options = flags.read_position("explain", Explain, arguments)
    from ludus.agents import accept, close, make_agent
    from ludus.search.limits import refuse_finished
    from ludus.show.explain import explain

    agent = make_agent(options.agent)
    if options.out.suffix not in (".png", ".svg", ".pdf"):
        raise BadOption(f"a picture is a .png, .svg or .pdf file, not {options.out.name!r}")
    if not options.out.parent.is_dir():
        raise BadOption(f"there is no folder {str(options.out.parent)!r} to put the picture into")
    if state.over and options.sgf is not None:
        raise BadOption("the game is over there, so there is nothing to search; --move N takes an earlier position")
    refuse_finished(state)
    try:
        accept(agent, game)
        explanation = explain(game, state, agent, Rng(options.seed))
    finally:
        close(agent)
    from ludus.show.picture import save_picture

    save_picture(explanation, options.out)
    if options.json:
        print(json.dumps(explanation.as_json() | {"picture": str(options.out)}, indent=1))
        return
    print(game.draw(state), "\n")
    print("\n".join(explanation.table()))
    print("\n" + textwrap.fill(explanation.in_words(), 100))
    print(f"\nthe picture: {options.out}")
