"""What a run has reached, kept in its folder, so that it can be stopped at any time and gone on with."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass
class Counts:
    """Of one target."""

    inputs: int = 0
    seconds: float = 0.0
    faults: dict[str, str] = field(default_factory=dict)  # the place, and the name of an input
    covered: list[int] = field(default_factory=list)  # by the seeds alone, and now

    @staticmethod
    def of(folder: Path) -> "Counts":
        try:
            return Counts(**json.loads((folder / "counts.json").read_text(encoding="utf-8")))
        except FileNotFoundError:
            return Counts()


def write_counts(folder: Path, counts: Counts) -> None:
    new = folder / "counts.json.new"
    new.write_text(json.dumps(asdict(counts)), encoding="utf-8")
    os.replace(new, folder / "counts.json")
