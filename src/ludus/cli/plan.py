"""`ludus plan GAME --minutes 30`: which settings to train with, and what strength to expect."""

from __future__ import annotations

import json
import shutil
import textwrap
from dataclasses import asdict, dataclass
from typing import Annotated

import tyro

from ludus.cli import options as flags
from ludus.errors import BadOption


@dataclass(frozen=True)
class Options:
    """A training that fits into some minutes on this machine: its settings, as a command to paste, and what strength
    to expect, by a law fitted to our own runs. The speed of the machine is measured for a second."""

    minutes: float = 30.0  # of training
    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False  # print JSON

    def __post_init__(self) -> None:
        if not 0 < self.minutes <= 1_000_000:
            raise BadOption(f"minutes must be above 0 and at most 1000000, not {self.minutes:g}")


def main(arguments: list[str]) -> None:
    game, options = flags.read("plan", Options, arguments)
    from ludus.cli.train import require_torch

    require_torch()
    from ludus.learn.config import settings_from
    from ludus.learn.law import read_law
    from ludus.learn.network import make_network
    from ludus.learn.plan import make_plan
    from ludus.learn.speed import machine_speed, multiply_adds

    speed = machine_speed(game)
    plan = make_plan(game, options.minutes, speed, read_law())
    network = make_network(settings_from(plan.settings).network, game.planes_shape, game.num_actions)
    cost = multiply_adds(network, game.planes_shape)
    command = ["ludus train", flags.game_in_flags(game, arguments[0]), f"--minutes {options.minutes:g}"]
    told = {
        "command": " ".join([*command, *flags.flags_of(plan.settings)]),
        "forecast": None if plan.forecast is None else asdict(plan.forecast),
        "why": plan.why,
        "multiply_adds_per_second": round(speed),  # 0 for a game of which it cannot be measured
        "multiply_adds_per_evaluation": cost,
        "evaluations_per_second": round(speed / cost),
    }
    if options.json:
        print(json.dumps(told, indent=1))
        return
    print(told["command"])
    width = min(100, max(40, shutil.get_terminal_size().columns))
    for sentence in (
        *([] if plan.forecast is None else [f"Expect it to keep {plan.forecast.text} of the true results in positions "
                                            "in which some move spoils them (the truth meter, 95% range)."]),
        plan.why,
        *([f"This machine makes about {speed / cost:,.0f} evaluations of this network a second in self-play."]
          if speed else []),
    ):  # fmt: skip
        print(textwrap.fill(sentence, width))
