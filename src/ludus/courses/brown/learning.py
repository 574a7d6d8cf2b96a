"""Makes a data set from our own games, trains both networks on it and writes them: about half a minute.

python -m ludus.courses.brown.learning --games 400 --epochs 5
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.courses.brown.dataset import load_dataset, make_dataset, save_dataset
from ludus.courses.brown.learned_agents import POLICY_MODEL, VALUE_MODEL
from ludus.errors import LudusError, seed_option, whole_option, within

if TYPE_CHECKING:
    from ludus.learn.plain import Epoch

DATASET = "dataset_5x5.jsonl"


def parser() -> argparse.ArgumentParser:
    flags = argparse.ArgumentParser(
        prog="python -m ludus.courses.brown.learning",
        description=f"Writes a data set, {VALUE_MODEL} and {POLICY_MODEL}; the agents `learned` and `policy` use them.",
    )
    add = flags.add_argument
    add("--games", type=int, default=400, help="games of the data set")
    add("--simulations", type=int, default=300, help="of the tree search that plays them, for every move")
    add("--size", type=int, default=5, help="of the board")
    add("--epochs", type=int, default=5, help="passes over the data set")
    add("--lr", type=float, default=1e-3, help="learning rate")
    add("--seed", type=int, default=1, help="of all random numbers")
    add("--dataset", type=Path, default=None, help="a data set that is there already, instead of new games")
    add("--out", type=Path, default=Path(), help="the folder for the files")
    return flags


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line; a mistake is one sentence and exit code 2."""
    options = parser().parse_args(arguments)
    try:
        learn(options)
    except LudusError as error:
        print(f"ludus.courses.brown.learning: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"ludus.courses.brown.learning: cannot write the files: {error}", file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError as error:
        print(
            f"ludus.courses.brown.learning: networks need {error.name}; get it with: pip install 'ludus[learn]'",
            file=sys.stderr,
        )
        sys.exit(2)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        sys.exit(130)


def learn(options: argparse.Namespace) -> None:
    """The data set, the value network and the policy network."""
    from ludus.courses.brown import models

    whole_option("epochs", options.epochs, 1, 10_000)
    within("lr", options.lr, 1e-9, 10)
    seed_option("seed", options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.dataset is None:
        began = time.monotonic()
        rows = make_dataset(options.games, options.size, options.simulations, options.seed, tell_games(options.games))
        path = options.out / DATASET.replace("5x5", f"{options.size}x{options.size}")
        save_dataset(path, rows)
        print(f"{path}: {len(rows)} positions of {options.games} games, {time.monotonic() - began:.0f} s")
    else:
        rows = load_dataset(options.dataset)
    for train, file in ((models.train_value_network, VALUE_MODEL), (models.train_policy_network, POLICY_MODEL)):
        write(train, rows, options, options.out / file)
    size = models.board_size(rows)
    print(
        "Try them: python -m ludus.courses.brown --agent1 learned --agent2 greedy-random --mode tournament --games 40"
        + (f" --size {size}" if size != 5 else "")
    )


def write(train: Any, rows: list[Any], options: argparse.Namespace, path: Path) -> None:
    """Trains one network and writes it, with a line for every epoch."""
    from ludus.courses.brown.models import save_model

    began = time.monotonic()

    def tell(epoch: Epoch) -> None:
        said = f"{path.name} epoch {epoch.number}: loss {epoch.loss:.3f}, on other positions {epoch.held_out:.3f}"
        print(said, file=sys.stderr, flush=True)

    save_model(path, train(rows, options.epochs, options.lr, tell, options.seed))
    print(f"{path}: trained in {time.monotonic() - began:.0f} s")


def tell_games(total: int) -> Callable[[int], None]:
    """A line for every tenth of the games, on standard error."""
    step = max(1, total // 10)

    def tell(done: int) -> None:
        if done % step == 0 or done == total:
            print(f"{done} of {total} games", file=sys.stderr, flush=True)

    return tell


if __name__ == "__main__":
    main()
