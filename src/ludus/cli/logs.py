"""The flags of logs, which servers and long commands have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ludus.monitor.logs import Level, set_up

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]


@dataclass(frozen=True)
class LogOptions:
    """What is written down about the work."""

    log_level: Level | None = None  # info for --log-json and --log-file, else warning
    log_json: Flag = False  # a JSON object a line, for other programs
    log_file: Path | None = None  # where to; standard error if not given

    def begin(self) -> None:
        """From now on."""
        set_up(self.log_level, self.log_json, self.log_file)
