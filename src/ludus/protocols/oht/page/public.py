"""What everybody may see of the tournament: handles, scores and who plays. Names of accounts, if the teacher wants it;
addresses never."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ludus.play.rating import Rating, bradley_terry, score_interval
from ludus.play.talk import title_of
from ludus.protocols.oht.results import Kind
from ludus.protocols.oht.serving.progress import Playing
from ludus.protocols.oht.serving.server import Server
from ludus.protocols.oht.storage.names import key_of
from ludus.protocols.oht.storage.standings import Meeting, Standing
from ludus.protocols.oht.storage.store import Status


@dataclass(frozen=True)
class Share:
    """Games won, and their share in percent with its 95% interval."""

    won: int
    games: int
    percent: float
    low: float
    high: float


@dataclass(frozen=True)
class Strength:
    """A rating in the league in Elo with its 95% interval; the mean of all players is 0."""

    elo: int
    low: int
    high: int


@dataclass(frozen=True)
class Now:
    """What a player is playing."""

    kind: Kind
    game: int  # from 1
    games: int


@dataclass(frozen=True)
class Entry:
    """One player."""

    place: int | None  # by the best official score; None without one. Equal scores share a place
    player: int  # the number of the account
    name: str  # the handle, or "player 7"
    account: str | None  # the name of the account, where it is shown
    best: Share | None  # the best official attempt
    attempts_used: int
    attempts_left: int
    verification_rounds: int
    league: Share | None
    rating: Strength | None
    playing: tuple[Now, ...]


@dataclass(frozen=True)
class Live:
    """What the server knows besides the database, at one moment."""

    connections: int
    waiting: int  # players who are connected to the league
    next_round: float | None  # of the league, in seconds since 1970
    playing: tuple[Playing, ...]


@dataclass(frozen=True)
class Board:
    """The whole of it."""

    game: str
    status: Status
    connections: int
    league_players: int  # who are connected to it
    next_round: str | None  # of the league: when, with the time zone of the server; None while it is paused
    idle: int  # accounts that have not played yet and are not listed
    players: tuple[Entry, ...]  # the best official score first


def look(server: Server) -> Live:
    """What the server is doing now."""
    league = server.league
    playing = (*server.qualifiers.progress.players, *league.progress.players)
    copies = tuple(Playing(one.account, one.kind, one.games, one.done) for one in playing)
    next_round = league.next.timestamp() if league.next else None
    return Live(server.door.connections, len(league.players), next_round, copies)


def board_of(
    server: Server,
    live: Live,
    status: Status,
    standings: Sequence[Standing],
    ratings: dict[int, Rating],
    public_names: bool,
) -> Board:
    """What is shown. Players who have not played are counted, not listed."""
    playing: defaultdict[int, list[Now]] = defaultdict(list)
    for one in live.playing:
        playing[one.account].append(Now(one.kind, min(one.done + 1, one.games), one.games))
    names = shown_names(standings, public_names)
    scores = [one.best for one in standings if one.best is not None]
    entries = [
        Entry(
            None if one.best is None else 1 + sum(score > one.best for score in scores),
            one.account,
            names[one.account],
            one.name if public_names else None,
            None if one.best is None else share(round(one.best * one.best_games / 100), one.best_games),
            one.attempts_used,
            one.attempts_left,
            one.verification_rounds,
            share(one.league_wins, one.league_games),
            strength(ratings.get(one.account)),
            tuple(playing[one.account]),
        )
        for one in standings
    ]
    listed = tuple(entry for entry in entries if has_played(entry))
    soon = None if status == "paused" else live.next_round
    when = None if soon is None else datetime.fromtimestamp(soon).astimezone().isoformat()
    title, idle = title_of(server.qualifiers.game), len(entries) - len(listed)
    return Board(title, status, live.connections, live.waiting, when, idle, listed)


def has_played(entry: Entry) -> bool:
    return bool(entry.attempts_used or entry.verification_rounds or entry.league or entry.playing)


def share(won: int, games: int) -> Share | None:
    """A share of games with its interval; None without games."""
    if games == 0:
        return None
    low, high = score_interval(won, games)
    return Share(won, games, *(round(100 * part, 1) for part in (won / games, low, high)))


def strength(rating: Rating | None) -> Strength | None:
    return None if rating is None else Strength(round(rating.elo), round(rating.low), round(rating.high))


def shown_names(standings: Sequence[Standing], public: bool) -> dict[int, str]:
    """By account: the handle, if its player has chosen one, else the name if that is public, else a number.

    Handles are free, so two players may have the same one; their numbers then tell them apart.
    """
    names = {}
    for one in standings:
        chosen = key_of(one.handle) != key_of(one.name)
        names[one.account] = one.handle if chosen else one.name if public else f"player {one.account}"
    taken = Counter(map(key_of, names.values()))
    return {
        account: name if taken[key_of(name)] == 1 else f"{name} (player {account})" for account, name in names.items()
    }


def rate(meetings: Sequence[Meeting]) -> dict[int, Rating]:
    """Ratings of the players of the league, by account. A game that nobody won is half a point to each."""
    accounts = sorted({account for one in meetings for account in (one.one, one.two)})
    place = {account: index for index, account in enumerate(accounts)}
    points = [[0.0] * len(accounts) for _ in accounts]
    for one in meetings:
        first, second = place[one.one], place[one.two]
        points[first][second] += one.games * (1.0 if one.winner == 1 else 0.5 if one.winner == 0 else 0.0)
        points[second][first] += one.games * (1.0 if one.winner == 2 else 0.5 if one.winner == 0 else 0.0)
    return dict(zip(accounts, bradley_terry(points), strict=True)) if accounts else {}
