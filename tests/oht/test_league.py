"""The league: who meets whom and when, and what happens to those who are slow, leave, or come back."""

import asyncio
import contextlib
from collections import Counter
from datetime import datetime

import pytest

from ludus.games import make
from ludus.protocols.oht.results import Round, Seat, Series
from ludus.protocols.oht.serving import league as league_module
from ludus.protocols.oht.serving.league import LeagueRound
from ludus.protocols.oht.serving.league_plan import next_time, pairings
from ludus.protocols.oht.serving.progress import Playing
from ludus.protocols.oht.settings import LeagueSettings
from tests.oht.arena import in_arena
from tests.oht.crowd import Heard, hear, json_round, say
from tests.oht.link import Closed

GAMES = {"league_games": 4}
HEX = make("hex", size=3)


@pytest.mark.parametrize("players", range(2, 16))
def test_everybody_meets_everybody_up_to_the_limit_and_nobody_twice(players):
    for most in range(1, players + 2):
        pairs = pairings(players, most)
        assert len({frozenset(pair) for pair in pairs}) == len(pairs) and all(a != b for a, b in pairs)
        met = Counter(player for pair in pairs for player in pair)
        limit = min(most, players - 1)
        assert max(met.values()) == limit and min(met[player] for player in range(players)) >= limit - players % 2
        if most >= players - 1:
            assert len(pairs) == players * (players - 1) // 2


@pytest.mark.parametrize("players", range(2, 16))
def test_everybody_is_player_1_about_as_often_as_player_2(players):
    for most in range(1, players):
        pairs = pairings(players, most)
        first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
        assert all(abs(first[player] - second[player]) <= 2 for player in range(players))


def at(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S")


def test_rounds_begin_at_their_times_of_day_today_or_tomorrow():
    settings = LeagueSettings(league_at=("18:00", "20:30"))
    assert next_time(settings, at("2026-03-01 12:00:00")) == at("2026-03-01 18:00:00")
    assert next_time(settings, at("2026-03-01 18:00:00")) == at("2026-03-01 20:30:00")
    assert next_time(settings, at("2026-02-28 23:00:00")) == at("2026-03-01 18:00:00")


def test_rounds_come_every_so_many_minutes_or_never():
    assert next_time(LeagueSettings(league_every=1.5), at("2026-03-01 12:00:00")) == at("2026-03-01 12:01:30")
    both = LeagueSettings(league_every=60, league_at=("12:10",))
    assert next_time(both, at("2026-03-01 12:00:00")) == at("2026-03-01 12:10:00")
    assert next_time(LeagueSettings(), at("2026-03-01 12:00:00")) is None


class Member:
    """A client in the league, which plays in the background."""

    def __init__(self, arena, player, pause=0.0):
        self.heard, self.player = Heard(), player
        self.task = asyncio.create_task(arena.json(player, seed=player, door="league", heard=self.heard, pause=pause))

    async def leave(self):
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError, Closed):
            await self.task


@contextlib.asynccontextmanager
async def members(arena, *players, **rest):
    """Players who are connected and wait for a round."""
    here = [Member(arena, player, **rest) for player in players]
    await until(lambda: len(arena.server.league.players) == len(players))
    yield here
    for member in here:
        await member.leave()


async def until(true):
    while not true():  # the arena does not wait for ever
        await asyncio.sleep(0.01)


def games_of(round, account):
    """The games of an account in a round: did it win, and how did they end?"""
    series_of = {planned.number: round.plan[planned.series] for planned in round.planned()}
    own = [
        game
        for game in round.played
        if account in {s.account for s in (series_of[game.number].one, series_of[game.number].two)}
    ]
    return [(game.winner == series_of[game.number].number_of(account), game.ended) for game in own]


@in_arena(league=GAMES)
async def test_several_clients_meet_each_other_and_are_told_their_scores(arena):
    async with members(arena, 0, 1, 2, 3) as here:
        round = await arena.server.league.play_round()
        await until(lambda: all(member.heard.score is not None for member in here))
        assert round.finished and round.games == 6 * 4
        for member in here:
            assert member.heard.planned == [4, 4, 4] and member.heard.starters == [1, 2, 1, 2] * 3
            own = games_of(round, arena.accounts[member.player].id)
            assert sorted(won for won, _ in own) == sorted(member.heard.won)
            assert member.heard.score == round_to(100 * sum(member.heard.won) / 12)
            assert len(member.heard.stats) == 3
    wins = sum(row.league_wins for row in arena.store.standings())
    assert (wins, sum(row.league_games for row in arena.store.standings())) == (24, 48)


def round_to(percent):
    return float(f"{percent:.2f}")


@in_arena(league=GAMES)
async def test_the_games_of_a_round_are_listed_a_few_times_however_many_play(arena, monkeypatch):
    """A large class has ten thousand of them: listed for every player or series, they would stop the server."""
    listed, planned = [], Round.planned
    monkeypatch.setattr(Round, "planned", lambda round: listed.append(round) or planned(round))
    async with members(arena, 0, 1, 2, 3) as here:
        assert await arena.server.league.play_round()
        await until(lambda: all(member.heard.score is not None for member in here))
    assert len(listed) <= 2


class Leaving:
    """A client that is here when it is looked for, and gone a moment later."""

    def __init__(self):
        self.looks, self.wire = 0, None

    @property
    def lost(self):
        self.looks += 1
        return self.looks > 1

    async def series_start(self, *_): ...
    async def series_over(self, *_): ...


def test_a_player_who_leaves_between_the_look_and_the_series_does_not_end_the_round():
    class Players(dict):
        """Each player is found once."""

        def get(self, account):
            return self.pop(account, None)

    class Stored:
        async def record(self, _, played):
            recorded.append((played.number, played.winner, played.ended))

    recorded = []
    plan = (Series(Seat("a", 1), Seat("b", 2), 3),)
    round = LeagueRound(Round(1, "league", None, plan), HEX, Players({1: Leaving(), 2: Leaving()}), Stored())
    asyncio.run(round.play())
    assert recorded == [(number, 0, "gone") for number in range(3)]  # both are gone, so nobody wins


@in_arena(league=GAMES)
async def test_nobody_plays_alone_and_a_second_round_is_another_round(arena):
    assert await arena.server.league.play_round() is None
    async with members(arena, 0):
        assert await arena.server.league.play_round() is None
    async with members(arena, 0, 1) as here:
        first, second = await arena.server.league.play_round(), await arena.server.league.play_round()
        assert first.id != second.id and first.finished and second.finished
        await until(lambda: len(here[0].heard.winners) == 8)


@in_arena(league=GAMES)
async def test_who_leaves_loses_all_the_games_that_are_left_to_those_who_stay(arena):
    async with members(arena, 0, 1, 2, pause=0.01) as here:
        playing = asyncio.create_task(arena.server.league.play_round())
        await until(lambda: here[2].heard.winners)
        await here[2].leave()
        round = await playing
        await until(lambda: None not in (here[0].heard.score, here[1].heard.score))
    assert round.finished
    gone = games_of(round, arena.accounts[2].id)
    assert len(gone) == 8 and [ended for _, ended in gone].count("gone") >= 4
    assert not any(won for won, ended in gone if ended == "gone")
    stayed = games_of(round, arena.accounts[0].id)
    assert all(won for won, ended in stayed if ended == "gone") and len(stayed) == 8
    assert here[0].heard.score == round_to(100 * sum(won for won, _ in stayed) / 8)
    begun = here[0].heard.planned + here[1].heard.planned  # their own series twice, and the one that was cut short
    assert len(here[0].heard.stats + here[1].heard.stats) == len(begun) == 3
    assert all(sum(row[2] for row in stats) == 4 for stats in here[0].heard.stats + here[1].heard.stats)


@in_arena(league=GAMES)
async def test_a_slow_player_does_not_hold_up_the_series_of_the_others(arena):
    """One of the others may have to play against it first; the other four play all their series."""
    link = await arena.link("league")
    await hear(link)
    say(link, arena.tokens[0])  # and answers nothing more
    others = [Member(arena, player) for player in range(1, 6)]
    await until(lambda: len(arena.server.league.players) == 6)
    playing = asyncio.create_task(arena.server.league.play_round())
    await until(lambda: sum(len(other.heard.stats) >= 3 for other in others) >= 4)
    assert not playing.done()
    link.cut()
    round = await playing
    assert round.finished and {ended for _, ended in games_of(round, arena.accounts[0].id)} == {"gone"}
    await until(lambda: all(other.heard.score is not None for other in others))
    for other in others:
        await other.leave()


@in_arena(league=GAMES)
async def test_an_illegal_move_loses_the_rest_of_the_series_and_the_player_may_come_back(arena):
    link = await arena.link("league")
    await hear(link)
    say(link, arena.tokens[0])
    others = [Member(arena, player, pause=0.03) for player in (1, 2, 3)]
    await until(lambda: len(arena.server.league.players) == 4)
    playing = asyncio.create_task(arena.server.league.play_round())
    while (message := await hear(link))["topic"] != "request_action":
        pass
    say(link, [7, 7])
    while message["topic"] != "error":
        message = await hear(link)
    assert "(7, 7) is not a legal move" in message["error"]
    link.cut()
    back = Member(arena, 0)
    round = await playing
    own = Counter(ended for _, ended in games_of(round, arena.accounts[0].id))
    assert own == {"illegal": 1, "gone": 3, "rules": 8} and round.finished
    await until(lambda: back.heard.score is not None)
    for member in (back, *others):
        await member.leave()


@in_arena(league=GAMES)
async def test_a_second_connection_takes_the_place_of_the_first(arena):
    async with members(arena, 0, 1) as here:
        again = Member(arena, 0)
        heard = await here[0].task
        assert "takes the place of this one" in heard.refused
        assert len(arena.server.league.players) == 2
        round = await arena.server.league.play_round()
        assert round.finished and all(ended == "rules" for _, ended in games_of(round, arena.accounts[0].id))
        await again.leave()


@in_arena(league=GAMES)
async def test_who_waits_stays_connected_and_hears_when_the_next_round_begins(arena, monkeypatch):
    monkeypatch.setattr(league_module, "REMIND", 0.05)
    arena.server.league.next = datetime(2030, 1, 1, 18, 30)
    link = await arena.link("league")
    await hear(link)
    say(link, arena.tokens[0])
    for _ in range(5):
        message = await hear(link)
        assert message["topic"] == "message" and message["level"] == "INFO"
        assert message["message"] == "You are in the league with 0 other players; the next round begins at 18:30:00."
    assert len(arena.server.league.players) == 1
    link.cut()


@in_arena(league=GAMES)
async def test_nobody_is_told_of_a_next_round_while_the_tournament_is_paused_or_a_round_is_played(arena):
    league = arena.server.league
    league.next = datetime(2030, 1, 1, 18, 30)
    arena.store.set_status("paused")
    assert "the tournament is paused, and no round begins until it is open again" in await league.news()
    arena.store.set_status("closed")  # the league goes on
    assert "the next round begins at 18:30:00" in await league.news()
    with league.progress.follow(Playing(1, "league", 2)):
        assert "a round is being played" in await league.news()


@in_arena(league={"league_games": 2, "league_every": 0.01})
async def test_rounds_are_played_at_their_times_and_not_while_the_tournament_is_paused(arena):
    async with members(arena, 0, 1) as here:
        await until(lambda: len(here[0].heard.winners) >= 4)
        arena.store.set_status("paused")
        await asyncio.sleep(0.1)
        before = len(here[0].heard.winners)
        begun = arena.server.league.next
        await until(lambda: arena.server.league.next > begun)
        assert len(here[0].heard.winners) <= before + 2  # a round that had begun


@in_arena(league={"league_games": 2, "league_every": 0.01})
async def test_the_league_goes_on_when_the_time_for_official_attempts_is_over(arena):
    arena.store.set_status("closed")
    async with members(arena, 0, 1) as here:
        await until(lambda: len(here[0].heard.winners) >= 4)


@in_arena(league={"league_games": 2, "league_every": 0.01})
async def test_a_clock_that_jumped_into_the_future_and_was_set_right_does_not_stop_the_league(arena, monkeypatch):
    """While it was wrong, the next round was set for a year that does not come."""
    monkeypatch.setattr(league_module, "REMIND", 0.05)
    async with members(arena, 0, 1) as here:
        await until(lambda: here[0].heard.winners)
        arena.server.league.next = datetime(2999, 1, 1)
        before = len(here[0].heard.winners)
        await until(lambda: len(here[0].heard.winners) >= before + 3)


@in_arena(league={"league_games": 2, "league_every": 0.01}, quiet=False)
async def test_a_round_that_fails_does_not_end_the_league(arena, monkeypatch):
    real, failures = arena.archive.store.begin, []

    def begin(*args):
        if not failures:
            failures.append(args)
            raise RuntimeError("for a test")
        return real(*args)

    monkeypatch.setattr(arena.archive.store, "begin", begin)
    async with members(arena, 0, 1) as here:
        await until(lambda: len(here[0].heard.winners) >= 2)
    assert arena.log.getvalue() == "a round of the league has failed: RuntimeError: for a test\n"


@in_arena(league=GAMES, calm=False)
async def test_when_the_server_stops_members_of_the_league_are_told_that_it_is_over(arena):
    link = await arena.link("league")
    here = asyncio.create_task(json_round(link, arena.tokens[0], False, Heard(), None))
    await until(lambda: arena.server.league.players)
    arena.running.cancel()
    heard = await here  # the loop of the client ends with `finish`
    assert heard.refused == ""
    link.cut()
