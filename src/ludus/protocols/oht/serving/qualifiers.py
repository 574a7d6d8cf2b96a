"""Rounds that a player enters alone: official attempts and verification rounds, against agents of the house."""

from __future__ import annotations

from ludus.game import Game
from ludus.monitor.logs import about, logger
from ludus.protocols.oht.results import Kind, Played, Round, Seat, Series, percent
from ludus.protocols.oht.serving.archive import Archive
from ludus.protocols.oht.serving.house import House
from ludus.protocols.oht.serving.pace import Pace
from ludus.protocols.oht.serving.progress import Playing, Progress
from ludus.protocols.oht.serving.series import Ended, Left, play_series, stats_of
from ludus.protocols.oht.serving.sides import Client, HouseSide, Side
from ludus.protocols.oht.settings import TournamentSettings

LOG = logger("oht")
ROUNDS_PER_SECOND, ROUNDS_AT_ONCE = 0.5, 30  # verification rounds of one account, each of which is stored


class Qualifiers:
    """Plays rounds and stores their games."""

    def __init__(self, settings: TournamentSettings, game: Game, archive: Archive, house: House) -> None:
        self.settings, self.game, self.archive, self.house = settings, game, archive, house
        self.playing: set[int] = set()  # accounts that are playing an official attempt
        self.progress = Progress()
        self.pace = Pace(ROUNDS_PER_SECOND, ROUNDS_AT_ONCE)

    def plan(self, kind: Kind, seat: Seat) -> tuple[Series, ...]:
        """The series of a new round. The player is number 1 in the first, 2 in the second, and so on."""
        official = kind == "official"
        opponents = self.settings.opponents if official else self.settings.verification
        total = self.settings.games * len(opponents) if official else self.settings.verification_games
        series = []
        for index, opponent in enumerate(opponents):
            games = total // len(opponents) + (index < total % len(opponents))
            pair = (seat, Seat(opponent)) if index % 2 == 0 else (Seat(opponent), seat)
            series.append(Series(*pair, games))
        return tuple(series)

    async def begin(self, kind: Kind, seat: Seat) -> Round | None:
        """A new round, or the official attempt that was interrupted; None if no attempt is left."""
        assert seat.account is not None
        plan, store = self.plan(kind, seat), self.archive.store
        if kind == "official":
            return await self.archive.ask(store.begin_official, seat.account, plan)
        return await self.archive.ask(store.begin, kind, seat.account, plan)

    async def play(self, round: Round, client: Client) -> bool:
        """Plays the games of a round that are missing; False if the client's session ended before."""
        assert round.account is not None
        now = Playing(round.account, round.kind, round.games, len(round.played))
        facts = about(round=round.id, account=round.account, kind=round.kind)
        LOG.info("a round is played", extra=facts)
        with self.progress.follow(now):
            ended = await self._play(round, client, now)
        LOG.info("a round has ended" if ended else "a round was interrupted", extra=facts)
        return ended

    async def _play(self, round: Round, client: Client, now: Playing) -> bool:
        played = list(round.played)

        async def record(game: Played) -> None:
            await self.archive.record(round.id, game)
            now.done += 1

        for index, series in enumerate(round.plan):
            numbers = {planned.number for planned in round.planned() if planned.series == index}
            missing = [planned for planned in round.missing() if planned.number in numbers]
            if not missing:
                continue
            before = [game for game in played if game.number in numbers]
            try:
                sides = self.sides(series, client)
                new, forfeited = await play_series(self.game, series, missing, sides, before, record)
            except Left:
                return False
            played += new
            if forfeited:
                await self.end(round, client, forfeited, series, [*before, *new], played)
                return False
        await client.wire.tournament_over(score_of(round, played))
        return True

    def sides(self, series: Series, client: Client) -> tuple[Side, Side]:
        """The client at its side of a series, the house at the other."""
        house = HouseSide(series.two if series.one.account is not None else series.one, self.house)
        return (client, house) if series.one.account is not None else (house, client)

    async def end(
        self, round: Round, client: Client, ended: Ended, series: Series, in_series: list[Played], played: list[Played]
    ) -> None:
        """The client has forfeited a game, which ends its session. An official attempt goes on after the next login."""
        assert ended.forfeit is not None
        stats, score = stats_of(series, in_series), score_of(round, played)
        await client.say_forfeit(ended.forfeit, ended.table, ended.played.winner, stats, score)


def score_of(round: Round, played: list[Played]) -> float:
    """The share of all games of a round that its player has won, in percent."""
    assert round.account is not None
    return percent(round.won_by(round.account, played), round.games)
