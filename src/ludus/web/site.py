"""What all parts of the server share: its folder, its pool of workers, its games and programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class SiteSettings:
    """How the server is set up. Everything a page may name is named here first."""

    runs: Path = Path("runs")  # trainings, tournaments and kept games; a page sees no other folder
    games: tuple[str, ...] = ()  # games of visitors: "my_game.py:MyState"
    programs: dict[str, str] = field(default_factory=dict)  # outside programs by the name that the page shows
    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None  # wanted from every page, unless the server listens on this machine only
    workers: int | None = None  # processes that search; one for every core if not given


class Site:
    """The open server. Other parts hang their state here."""

    def __init__(self, settings: SiteSettings) -> None:
        self.settings = settings

    async def open(self) -> None:
        self.settings.runs.mkdir(parents=True, exist_ok=True)

    async def close(self) -> None:
        pass
