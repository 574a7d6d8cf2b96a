"""Which compiled core this processor gets. It is chosen here, before anything imports `ludus._core`.

A wheel for x86-64 has the core several times: for every processor (`ludus/_core`), and for two levels of the System V
ABI in folders beside this file: `v3` (AVX2, BMI2 and FMA: since 2013) and `v4` (AVX-512). The folder that fits becomes
the first place where Python looks for modules of `ludus`, so the core is called `ludus._core` whichever it is. A core
that was compiled for one machine (`make`), or for another kind of processor, stands alone.

The environment variable LUDUS_CPU asks for one of them by name; `ludus._core.processor` says which one it is.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

LEVELS = ("baseline", "v3", "v4")  # each has all that those before it have
HERE = Path(__file__).parent


def levels_here(best: str) -> list[str]:
    """The levels, lowest first, that there is a core for and that a processor of the level `best` can run."""
    return [level for level in LEVELS[: LEVELS.index(best) + 1] if level == "baseline" or (HERE / level).is_dir()]


def best_level() -> str | None:
    """The level of this processor; None if the core was compiled for one kind of processor only."""
    try:
        from ludus.cpu import _processor
    except ImportError:
        return None
    return _processor.level()


def choose(wanted: str, best: str | None) -> str | None:
    """The level whose core is to be used; None for the only one. `wanted` is empty or a level.

    A wrong name ends the program with a sentence, as Python does with its own variables: there is no `ludus` yet that
    could catch an error.
    """
    if best is None:
        if wanted:
            raise SystemExit(f"LUDUS_CPU={wanted}: this Ludus has one core only, so there is nothing to choose")
        return None
    there = levels_here(best)
    if wanted and wanted not in there:
        raise SystemExit(f"LUDUS_CPU={wanted}: the cores that this processor can run are {', '.join(there)}")
    return wanted or there[-1]


level = choose(os.environ.get("LUDUS_CPU", ""), best_level())
if level not in (None, "baseline"):
    sys.modules["ludus"].__path__.insert(0, str(HERE / level))
