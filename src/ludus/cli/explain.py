"""`ludus explain GAME`: what a search saw, as a picture and a table."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ludus._core import Rng
from ludus.cli import options as flags
from ludus.errors import BadOption, seed_option


@dataclass(frozen=True)
class Explain:
    """Run a search on a position and show what it saw: a table here, and a picture in a file."""

    position: str = ""  # the moves so far, as people write them: "c3 b2"
    agent: str = "mcts:simulations=2000"  # whose search
    out: Path = Path("explain.png")  # the picture: .png, .svg or .pdf
    seed: int = 0  # of the dice
    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False  # print JSON

    def __post_init__(self) -> None:
        seed_option("seed", self.seed)


def main(arguments: list[str]) -> None:
    game, options = flags.read("explain", Explain, arguments)
    from ludus.agents import make_agent
    from ludus.search.limits import refuse_finished
    from ludus.show.explain import in_words, mcts_only, table, think

    agent = mcts_only(make_agent(options.agent))
    if options.out.suffix not in (".png", ".svg", ".pdf"):
        raise BadOption(f"a picture is a .png, .svg or .pdf file, not {options.out.name!r}")
    if not options.out.parent.is_dir():
        raise BadOption(f"there is no folder {str(options.out.parent)!r} to put the picture into")
    state = game.after(options.position)
    refuse_finished(state)
    story = think(game, state, agent, Rng(options.seed))
    from ludus.show.picture import save_picture

    save_picture(story, options.out)
    if options.json:
        answer = {"move": game.write(story.chosen), "simulations": story.simulations, "moves": table(story, 1000)}
        answer["moments"] = [asdict(moment) for moment in story.moments]
        print(json.dumps(answer | {"line": [game.write(a) for a in story.line], "picture": str(options.out)}, indent=1))
        return
    print(game.draw(state), "\n")
    print(f"{'move':>6} {'visits':>8} {'share':>7} {'points':>7} {'bonus':>7}")
    for row in table(story):
        points = "" if row["points"] is None else f"{row['points']:.1%}"
        proof = {1: "proven win", 0: "proven draw", -1: "proven loss"}.get(row["proven"], "")  # type: ignore[call-overload]
        print(f"{row['move']:>6} {row['visits']:>8,} {row['share']:>7.1%} {points:>7} {row['bonus']:>7.1%} {proof}")
    print("\n" + textwrap.fill(in_words(story), 100))
    print(f"\nvisited nodes by depth: {', '.join(str(n) for n in story.depths)}")
    print(f"the picture: {options.out}")
