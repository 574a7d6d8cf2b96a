"""One target in a process of its own, which coverage leads: python -m tests.fuzz.one MODULE NAME FOLDER INPUTS SEED.

The folder keeps what was reached: the inputs that found something new, the faults, and the counts. An exception is
written down and the run goes on; a crash, a hang or too much memory end this process, and libFuzzer keeps the input.
"""

import hashlib
import os
import random
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path

from tests.fuzz.counts import Counts, write_counts
from tests.fuzz.kinds import of_another_kind

CORPUS = Path(__file__).parent / "corpus"
SECONDS = 60  # for one input: a hang, even on a busy machine
MEMORY = 3000  # megabytes
EVERY = 1.0  # seconds between two reports
INSTRUMENTED = ["ludus", "sgfmill", "tomllib", "shlex"]  # whose branches count as coverage


class Watch:
    """Runs a target, counts, and writes down what it breaks, each place once."""

    def __init__(self, run, folder: Path, counts: Counts, goal: int) -> None:
        self.run, self.folder, self.counts, self.goal = run, folder, counts, goal
        self.told, self.parent = time.monotonic(), os.getppid()

    def __call__(self, data: bytes) -> None:
        try:
            self.run(data)
        except Exception as error:
            self.keep(data, error)
        self.counts.inputs += 1
        now = time.monotonic()
        if now - self.told >= EVERY or self.counts.inputs >= self.goal:
            self.counts.seconds += now - self.told
            self.told = now
            write_counts(self.folder, self.counts)
            if os.getppid() != self.parent:  # nobody waits for this process any more
                os._exit(0)

    def keep(self, data: bytes, error: Exception) -> None:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).name != "contract.py"]
        where = f"{type(error).__name__} at {Path(frames[-1].filename).name}:{frames[-1].lineno}"
        if where in self.counts.faults:
            return
        name = hashlib.sha256(data).hexdigest()[:12]
        (self.folder / "faults" / name).write_bytes(data)
        (self.folder / "faults" / f"{name}.txt").write_text(
            "".join(traceback.format_exception(error)), "utf-8", "replace"
        )
        self.counts.faults[where] = name
        write_counts(self.folder, self.counts)


def main(module: str, name: str, place: str, inputs: str, seed: str) -> None:
    import atheris

    # An editable install has a finder of its own, which must not come before the one that instruments.
    sys.meta_path.sort(key=lambda finder: "editable" in type(finder).__module__)
    folder = Path(place)
    for part in ("corpus", "faults"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=INSTRUMENTED):
        import_module(module)  # all of Ludus must be imported here, to be seen
        target = import_module("tests.fuzz.contract").TARGETS[name]
    atheris.instrument_func(target.run)
    counts, goal = Counts.of(folder), int(inputs)
    flags = [
        f"-runs={goal - counts.inputs}", f"-max_len={target.largest}", f"-timeout={SECONDS}", f"-seed={seed}",
        f"-rss_limit_mb={MEMORY}", f"-artifact_prefix={folder / 'faults'}/", "-reload=0",
        str(folder / "corpus"), *(str(seeds) for seeds in [CORPUS / name] if seeds.is_dir()),
    ]  # fmt: skip

    def mutate(data: bytes, largest: int, number: int) -> bytes:
        rng = random.Random(number)
        changed = of_another_kind(data, rng) if rng.random() < 0.2 else None
        return atheris.Mutate(data, largest) if changed is None or len(changed) > largest else changed

    atheris.Setup([sys.argv[0], *flags], Watch(target.run, folder, counts, goal), custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
