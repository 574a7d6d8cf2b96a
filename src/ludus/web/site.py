"""What all parts of the server share: its folder, its pool of workers, its games, opponents and open tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from anyio import to_thread

from ludus.agents.levels import levels_of
from ludus.game import Game
from ludus.web.learning.chores import Chores
from ludus.web.library import Library
from ludus.web.live import LiveTable
from ludus.web.meters import Meters
from ludus.web.opponents import Opponents
from ludus.web.searching.pool import Pool
from ludus.web.table import Table
from ludus.web.tables import Tables

USUAL_SEARCH = "mcts:rave=true,hints=true,playout=quick"  # for every game without a strong network
GAMES_FOLDER = "page"  # in the runs folder: the games that were played on the page


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
    """The open server."""

    def __init__(self, settings: SiteSettings) -> None:
        self.settings = settings
        self.library = Library(settings.games)
        self.opponents = Opponents(self.library, settings.runs, settings.programs)
        self.tables = Tables(settings.runs / GAMES_FOLDER, self.library)
        self.pool = Pool(settings.workers)
        self.chores = Chores(settings.runs)
        self.meters = Meters(self)
        self._live: dict[str, LiveTable] = {}

    async def open(self) -> None:
        self.settings.runs.mkdir(parents=True, exist_ok=True)
        self.pool.open()

    async def close(self) -> None:
        await to_thread.run_sync(self.chores.close)
        await self.pool.close()
        self.tables.close()

    def live_table(self, table: Table) -> LiveTable:
        """The table with whatever goes on at it; the same one for all pages."""
        if table.key not in self._live:
            self._live[table.key] = LiveTable(self, table)
        return self._live[table.key]

    def forget(self, live: LiveTable) -> None:
        """Nobody may be looking at a table any more."""
        if not live.pages:
            self._live.pop(live.table.key, None)
            self.pool.forget(live.table.key)

    def analyst(self, game: Game) -> str:
        """The search that shows what it thinks: a network's, where that is the strongest level, else a tree search."""
        strongest = levels_of(game)[-1].agent
        return strongest if strongest.startswith("zoo:") else USUAL_SEARCH
