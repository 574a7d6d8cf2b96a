"""What others found to help a training: each by itself, at equal seconds of one core, on three seeds.

    python experiments/tricks.py hex5            all of them on Hex 5×5, 60 seconds each                   (1 hour)
    python experiments/tricks.py hex5 norm mix   only these, and the plain training beside them
    python experiments/tricks.py table           what came out, from experiments/tricks/*.jsonl

Seconds are those that the process has computed, so a busy machine disturbs little. Every training has one core.
The curve of the truth meter (1,000 positions) is kept; a training that was done before is not done again.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import ludus
from ludus.learn.run import Run
from ludus.learn.settings import ZERO, TrainSettings
from ludus.learn.trainer import Trainer
from ludus.learn.truth import load_meter, make_meter

HERE = Path(__file__).parent / "tricks"
TESTS = {  # size of the Hex board, seconds, channels, blocks
    "hex5": (5, 60.0, 16, 3),
    "hex5-long": (5, 120.0, 16, 3),
    "hex7": (7, 240.0, 32, 4),
}
PLAIN = replace(  # whatever the recipe is by now
    ZERO,
    network=replace(ZERO.network, heads="dense", owners=False),
    learn=replace(ZERO.learn, minibatch=128, reuse=8.0, value_mix=0.0, surprise=0.0),
)
GOOD = {"network": {"heads": "pooled", "owners": True}, "learn": {"value_mix": 0.5, "minibatch": 256, "reuse": 6.0}}
TRICKS: dict[str, dict[str, dict[str, object]]] = {  # what each changes
    "plain": {},
    "pooled": {"network": {"heads": "pooled"}},
    "norm": {"network": {"norm": True}},
    "owners": {"network": {"owners": True}},
    "mix": {"learn": {"value_mix": 0.5}},
    "surprise": {"learn": {"surprise": 0.5}},
    "bfloat16": {"learn": {"precision": "bfloat16"}},
    "cosine": {"learn": {"schedule": "cosine"}},
    "restarts": {"learn": {"schedule": "restarts"}},
    "batch256": {"learn": {"minibatch": 256}},
    "reuse4": {"learn": {"reuse": 4.0}},
    "reuse16": {"learn": {"reuse": 16.0}},
    "deep": {"network": {"blocks": 6}},
    "deep-norm": {"network": {"blocks": 6, "norm": True}},
    "wide": {"network": {"channels": 32}},
    "fewer": {"search": {"simulations": 32}},
    "more": {"search": {"simulations": 128}},
    "lr4": {"learn": {"lr": 0.004}},
    "grow": {"search": {"simulations": 24, "simulations_end": 104}},
    "good": GOOD,
    "good-reuse4": GOOD | {"learn": GOOD["learn"] | {"reuse": 4.0}},
    "good-deep": GOOD | {"network": GOOD["network"] | {"blocks": 8}},
    "good-norm": GOOD | {"network": GOOD["network"] | {"norm": True}},
    "good-deep-norm": GOOD | {"network": GOOD["network"] | {"blocks": 8, "norm": True}},
    "good-restarts": GOOD | {"learn": GOOD["learn"] | {"schedule": "restarts"}},
    "good-surprise": GOOD | {"learn": GOOD["learn"] | {"surprise": 0.5}},
    "exercises": {
        "network": {"heads": "pooled", "channels": 32},
        "learn": {"minibatch": 256, "reuse": 12.0, "lr": 0.003},
        "exercises": {"exercises": 1.0, "exercise_seconds": 0.02},
    },
    "good-lr4": GOOD | {"learn": GOOD["learn"] | {"lr": 0.004}},
}


def settings_of(test: str, trick: str, seed: int) -> TrainSettings:
    _, seconds, channels, blocks = TESTS[test]
    parts = {
        name: replace(getattr(PLAIN, name), **TRICKS[trick].get(name, {}))
        for name in ("network", "search", "learn", "exercises")
    }
    shape = {"channels": channels, "blocks": blocks} | TRICKS[trick].get("network", {})
    parts["network"] = replace(parts["network"], **shape)
    return replace(PLAIN, minutes=seconds / 60, seed=seed, checkpoints=2, parallel=64, **parts)


def train(test: str, trick: str, seed: int) -> None:
    path = HERE / f"{test}-{trick}-{seed}.jsonl"
    if path.exists():
        return
    game, folder = ludus.make("hex", size=TESTS[test][0]), Path("runs") / "tricks" / path.stem
    shutil.rmtree(folder, ignore_errors=True)
    meter_path = Path("runs") / "tricks" / f"{test}.json"
    meter_path.parent.mkdir(parents=True, exist_ok=True)
    if (meter := load_meter(meter_path, game)) is None:
        meter = make_meter(game, 1000, 120)
        meter.save(meter_path)
    run = Run(folder)
    settings, spent = settings_of(test, trick, seed), 0.0  # the meter's own time does not count
    trainer = Trainer(game, settings, run, clock=lambda: time.process_time() - spent)
    run.begin("hex", game, settings)
    rows, evaluations, due = [], 0, 5.0

    def watch(played, losses) -> None:
        nonlocal evaluations, due, spent
        evaluations += played.evaluations if played is not None else 0
        if trainer.seconds < due and trainer.progress < 1:
            return
        began, due = time.process_time(), trainer.seconds + 5
        rows.append({
            "seconds": round(trainer.seconds, 1), "episode": trainer.episode, "evaluations": evaluations,
            "truth": round(meter.measure(trainer.evaluator).kept, 4),
        })  # fmt: skip
        spent += time.process_time() - began

    trainer.train(watch)
    run.close()
    HERE.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    shutil.rmtree(folder)
    print(f"{path.stem:24} {rows[-1]}", flush=True)


def table() -> None:
    """The truth at the end, averaged over the last fifth of the curve, and its spread over the seeds."""
    ends: dict[str, list[float]] = {}
    for path in sorted(HERE.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        last = [row["truth"] for row in rows if row["seconds"] >= 0.8 * rows[-1]["seconds"]]
        ends.setdefault(path.stem.rsplit("-", 1)[0], []).append(float(np.mean(last)))
    for name, shares in sorted(ends.items(), key=lambda item: -np.mean(item[1])):
        print(f"{name:24} {np.mean(shares):.1%}  ({', '.join(f'{share:.1%}' for share in shares)})")


if __name__ == "__main__":
    if sys.argv[1:] == ["table"]:
        table()
    elif len(sys.argv) > 1 and sys.argv[1] in TESTS and set(sys.argv[2:]) <= set(TRICKS):
        os.sched_setaffinity(
            0, {min(os.sched_getaffinity(0))} if not os.environ.get("CORE") else {int(os.environ["CORE"])}
        )
        for seed in (1, 2, 3):
            for trick in sys.argv[2:] or TRICKS:
                train(sys.argv[1], trick, seed)
    else:
        sys.exit(__doc__)
