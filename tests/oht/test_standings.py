"""Scores and standings, compared with a plain count over all games."""

import random

from ludus.protocols.oht.results import Played, Seat, Series
from ludus.protocols.oht.storage.standings import Meeting
from tests.oht.rounds import plan_for, play


def test_the_best_come_first_and_those_without_a_score_last(store):
    ids = {name: store.add_account(name).id for name in ("zoe", "Anna", "bob", "Carl")}
    play(store, store.begin_official(ids["bob"], plan_for(ids["bob"])), wins=6)
    play(store, store.begin_official(ids["Carl"], plan_for(ids["Carl"])), wins=0)
    play(store, store.begin_official(ids["zoe"], plan_for(ids["zoe"])), wins=5, until=5)  # unfinished
    rows = store.standings()
    assert [(row.name, row.best, row.attempts_used, row.attempts_left) for row in rows] == [
        ("bob", 75, 1, 4),
        ("Carl", 0, 1, 4),
        ("Anna", None, 0, 5),
        ("zoe", None, 1, 4),
    ]


def test_verification_rounds_count_when_they_are_finished(store):
    anna = store.add_account("Anna").id
    for won, until in ((2, None), (4, None), (5, 5)):
        play(store, store.begin("verification", anna, plan_for(anna)), won, until)
    (row,) = store.standings()
    assert (row.best, row.attempts_used, row.verification_rounds, row.verification_best) == (None, 0, 2, 50)


def test_the_league_counts_games_on_both_sides(store):
    anna, bob = store.add_account("Anna"), store.add_account("Bob")
    seats = Seat("a", anna.id), Seat("b", bob.id)
    begun = store.begin("league", None, [Series(*seats, 3), Series(*seats[::-1], 2), Series(Seat("mcts"), seats[1], 1)])
    store.record(begun.id, [Played(n, winner, ()) for n, winner in enumerate((1, 1, 2, 2, 0, 2))])
    rows = {row.name: (row.league_games, row.league_wins) for row in store.standings()}
    assert rows == {"Anna": (5, 3), "Bob": (6, 2)}
    assert store.results() == []  # it belongs to nobody
    ab, ba = (anna.id, bob.id), (bob.id, anna.id)
    assert store.meetings() == [Meeting(*ab, 1, 2), Meeting(*ab, 2, 1), Meeting(*ba, 0, 1), Meeting(*ba, 2, 1)]


def test_draws_and_forfeits_are_no_wins_of_the_loser(store):
    anna = store.add_account("Anna").id
    begun = store.begin_official(anna, plan_for(anna, 3, ("random",)))
    store.record(begun.id, [Played(0, 0, ()), Played(1, 2, (), "illegal"), Played(2, 1, (), "gone")])
    assert store.best(anna) == 100 / 3


def test_standings_agree_with_a_count_over_all_games(store):
    dice = random.Random(7)
    accounts = [store.add_account(f"player {i}", attempts=50) for i in range(8)]
    official, verified = {a.id: [] for a in accounts}, {a.id: [] for a in accounts}
    for _ in range(60):
        account = dice.choice(accounts).id
        plan = plan_for(account, dice.randrange(1, 5), ("random", "mcts", "greedy")[: dice.randrange(1, 4)])
        count = dice.random() < 0.5
        begun = store.begin_official(account, plan) if count else store.begin("verification", account, plan)
        missing = [game.number for game in begun.missing()]
        chosen = missing if dice.random() < 0.7 else dice.sample(missing, dice.randrange(len(missing) + 1))
        store.record(begun.id, [Played(number, dice.choice((0, 1, 2)), ()) for number in chosen])
        (official if count else verified)[account].append(begun.id)
        if dice.random() < 0.1:
            store.give_back(account)
    given_back = {one.round for one in store.results() if one.given_back}
    for row in store.standings():
        counted = [one for one in set(official[row.account]) if one not in given_back]
        assert row.attempts_used == len(counted) and row.attempts_left == 50 - len(counted)
        assert row.best == store.best(row.account) == best_by_hand(store, counted)
        assert row.verification_best == best_by_hand(store, verified[row.account])


def best_by_hand(store, ids):
    rounds = [one for one in map(store.round, ids) if one.finished]
    scores = [100 * one.won_by(one.account, one.played) / one.games for one in rounds]
    return max(scores, default=None)
