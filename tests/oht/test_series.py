"""Series and rounds without any network: scripted sides, and a store that is a list."""

import asyncio

import pytest

from ludus.games import make
from ludus.protocols.oht.results import Played, Round, Seat, Series, percent
from ludus.protocols.oht.serving.series import play_series, stats_of
from ludus.protocols.oht.serving.sides import Forfeit

ANNA, BEN = Seat("Anna", 7), Seat("Ben", 8)


class Script:
    """A side that plays the first legal action, forfeits in one of its games, and writes down what it hears."""

    def __init__(self, seat, forfeits=None, ended="illegal"):
        self.seat, self.forfeits, self.ended, self.heard, self.games = seat, forfeits, ended, [], 0
        self.lost = False

    async def series_start(self, ids, games, params):
        self.heard.append(("series", ids, games, params))

    async def game_start(self, starter):
        self.games += 1
        self.heard.append(("start", starter))

    async def choose(self, table):
        if self.games == self.forfeits:
            raise Forfeit(self.ended, "for a test")
        return next(iter(table.state.actions()))

    async def game_over(self, winner, table):
        self.heard.append(("over", winner))

    async def series_over(self, stats):
        self.heard.append(("end", stats))


def run(one, two, games=4, before=(), first=0):
    """Plays a series of Hex 3x3; what came of it, and the games in the order in which they were stored."""
    series = Series(one.seat, two.seat, first + games)
    planned = Round(1, "league", None, (series,)).planned()[first:]
    stored = []

    async def record(played):
        assert ("over", played.winner) not in one.heard[-1:] + two.heard[-1:]  # stored before anybody hears of it
        stored.append(played)

    result = asyncio.run(play_series(make("hex", size=3), series, planned, (one, two), before, record))
    return result, stored


def test_player_1_begins_the_first_game_and_then_they_take_turns():
    one, two = Script(ANNA), Script(BEN)
    run(one, two)
    assert [words[1] for words in one.heard if words[0] == "start"] == [1, 2, 1, 2]
    assert one.heard[0] == two.heard[0] == ("series", [(7, 1), (8, 2)], 4, [3])


def test_both_hear_the_same_results_and_the_statistics_add_up():
    one, two = Script(ANNA), Script(BEN)
    (played, ended), stored = run(one, two)
    assert ended is None and played == stored and len(played) == 4
    assert one.heard == two.heard
    wins = sum(game.winner == 1 for game in played)
    assert one.heard[-1] == ("end", [(7, 1, wins, 4 - wins), (8, 2, 4 - wins, wins)])


@pytest.mark.parametrize("ended", ["illegal", "time", "gone"])
def test_a_forfeit_is_stored_as_a_loss_and_ends_the_series(ended):
    one, two = Script(ANNA), Script(BEN, forfeits=2, ended=ended)
    (_, last), stored = run(one, two)
    assert len(stored) == 2 and stored[1].winner == 1 and stored[1].ended == ended
    assert last is not None and last.loser == 2
    assert one.heard[-1] == ("over", 1)  # the other one hears that it has won
    assert two.heard[-1] == ("start", 2)  # how to tell the one who forfeited is the wire's business


def test_a_series_that_goes_on_counts_the_games_of_before():
    one, two = Script(ANNA), Script(BEN)
    before = (Played(0, 1, ()), Played(1, 1, ()))
    (played, _), _ = run(one, two, games=2, before=before, first=2)
    assert [game.number for game in played] == [2, 3]
    assert one.heard[0][2] == 2  # as many games as are left
    assert sum(one.heard[-1][1][0][2:]) == 4


def test_a_draw_counts_for_nobody():
    series = Series(ANNA, BEN, 2)
    assert stats_of(series, [Played(0, 0, ()), Played(1, 2, ())]) == [(7, 1, 0, 1), (8, 2, 1, 0)]


def test_a_round_knows_which_games_are_missing():
    plan = (Series(ANNA, Seat("random"), 3), Series(Seat("greedy"), ANNA, 2))
    round = Round(1, "official", 7, plan, (Played(0, 1, ()), Played(3, 2, ())))
    assert [(game.number, game.series, game.starter) for game in round.missing()] == [(1, 0, 2), (2, 0, 1), (4, 1, 2)]
    assert round.won_by(7, round.played) == 2 and not round.finished


def test_agents_of_the_house_have_ids_that_no_account_has():
    ids = {Seat(name).unique_id for name in ("random", "greedy", "mcts:simulations=100", "zoo:hex7")}
    assert len(ids) == 4 and max(ids) < -1000


def test_percent_has_two_digits():
    assert percent(1, 3) == 33.33 and percent(0, 0) == 0.0
