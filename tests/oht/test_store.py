"""Rounds, attempts and the status in the store, on both kinds of databases."""

import pytest

from ludus.errors import LudusError
from ludus.protocols.oht.results import Played, Seat, Series
from ludus.protocols.oht.storage.store import Store
from tests.oht.rounds import CHEAP, MOVES, plan_for, play, result_for


def test_a_round_is_read_back_as_it_was_written(store, anna):
    plan = plan_for(anna, 2, ("random", "mcts:simulations=10", "zoo:hex7," + "x" * 500))
    begun = store.begin("verification", anna, plan)
    games = [Played(0, 1, MOVES), Played(3, 2, (), "gone"), Played(5, 0, ((0, 6),), "time")]
    store.record(begun.id, games)
    stored = store.round(begun.id)
    assert (stored.kind, stored.account, stored.plan, stored.played) == (
        "verification",
        anna,
        tuple(plan),
        tuple(games),
    )
    assert [game.number for game in stored.missing()] == [1, 2, 4]


def test_recording_a_game_again_changes_nothing(store, anna):
    begun = store.begin("verification", anna, plan_for(anna))
    store.record(begun.id, [Played(2, 1, MOVES)])
    store.record(begun.id, [Played(2, 2, ()), Played(3, 1, MOVES)])
    store.record(begun.id, [])
    assert store.round(begun.id).played == (Played(2, 1, MOVES), Played(3, 1, MOVES))


def test_a_game_that_is_not_in_the_plan_is_refused_with_all_that_come_with_it(store, anna):
    begun = store.begin("verification", anna, plan_for(anna, 4))
    other = store.begin("verification", anna, plan_for(anna, 4))
    for bad in (8, -1):
        with pytest.raises(LudusError, match="games 0 to 7"):
            store.record_all({begun.id: [Played(0, 1, MOVES)], other.id: [Played(0, 1, MOVES), Played(bad, 1, MOVES)]})
    assert store.round(begun.id).played == store.round(other.id).played == ()
    with pytest.raises(LudusError, match="no round 99"):
        store.record(99, [Played(0, 1, MOVES)])
    with pytest.raises(LudusError, match="no round 99"):
        store.round(99)


def test_an_attempt_is_charged_when_it_begins_and_goes_on_until_it_is_finished(store, anna):
    first = store.begin_official(anna, plan_for(anna))
    assert store.attempts_left(anna) == 4
    play(store, first, wins=1, until=5)
    again = store.begin_official(anna, plan_for(anna, 50))  # another plan: the stored one goes on
    assert again.id == first.id and again.plan == first.plan and len(again.played) == 5
    assert store.attempts_left(anna) == 4
    store.record(first.id, [result_for(first, number, won=False) for number in (5, 6, 7)])
    second = store.begin_official(anna, plan_for(anna))
    assert second.id != first.id and store.attempts_left(anna) == 3


def test_without_an_attempt_there_is_no_round(store):
    account = store.add_account("Bob", attempts=1).id
    play(store, store.begin_official(account, plan_for(account)), wins=0)
    assert store.attempts_left(account) == 0 and store.begin_official(account, plan_for(account)) is None
    assert len(store.results(account)) == 1


def test_the_best_finished_official_attempt_counts(store, anna):
    assert store.best(anna) is None
    play(store, store.begin_official(anna, plan_for(anna)), wins=3)
    assert store.best(anna) == 37.5
    play(store, store.begin_official(anna, plan_for(anna)), wins=6)
    play(store, store.begin_official(anna, plan_for(anna)), wins=1)
    assert store.best(anna) == 75
    play(store, store.begin_official(anna, plan_for(anna)), wins=7, until=7)  # unfinished
    play(store, store.begin("verification", anna, plan_for(anna)), wins=8)
    assert store.best(anna) == 75


def test_an_attempt_that_is_given_back_no_longer_counts_and_keeps_its_games(store, anna):
    play(store, store.begin_official(anna, plan_for(anna)), wins=3)
    best = play(store, store.begin_official(anna, plan_for(anna)), wins=8)
    assert (store.best(anna), store.attempts_left(anna)) == (100, 3)
    assert store.give_back(anna) == best
    assert (store.best(anna), store.attempts_left(anna)) == (37.5, 4)
    assert store.round(best.id) == best
    assert [(one.given_back, one.score, one.counts) for one in store.results(anna)] == [
        (False, 37.5, True),
        (True, 100, False),
    ]
    assert store.give_back(anna) is not None and store.give_back(anna) is None
    assert store.attempts_left(anna) == 5


def test_an_unfinished_attempt_that_is_given_back_does_not_go_on(store, anna):
    first = store.begin_official(anna, plan_for(anna))
    assert store.give_back(anna).id == first.id
    play(store, first, wins=1, until=1)  # a game that was being played is still kept
    assert store.begin_official(anna, plan_for(anna)).id != first.id


def test_plans_that_could_not_be_scored_are_refused(store, anna):
    bob = store.add_account("Bob").id
    me, other = Seat("me", anna), Seat("Bob", bob)
    for kind, account, plan, words in (
        ("verification", anna, [], "at least one series"),
        ("verification", anna, [Series(me, Seat("random"), 0)], "at least one game"),
        ("verification", None, [Series(me, Seat("random"), 2)], "belongs to an account"),
        ("verification", anna, [Series(other, Seat("random"), 2)], "plays in every series"),
        ("league", None, [Series(me, me, 2)], "against itself"),
        ("official", anna, plan_for(anna), "begin_official"),
        ("league", None, [Series(me, Seat("nobody", 99), 2)], "refused a row"),
    ):
        with pytest.raises(LudusError, match=words):
            store.begin(kind, account, plan)
    with pytest.raises(LudusError, match="no account with the number 99"):
        store.begin_official(99, plan_for(99))
    assert store.results() == []


# ----------------------------------------------------------------------------------------- the tournament


def test_the_status_is_open_until_somebody_changes_it(url, store):
    assert store.status() == "open"
    store.set_status("paused")
    other = Store(url, create=False)
    assert other.status() == "paused"
    other.set_status("closed")
    assert store.status() == "closed"
    with pytest.raises(LudusError, match="open, paused, closed, not 'gone'"):
        store.set_status("gone")
    other.close()


def test_a_database_is_about_the_game_in_which_its_first_round_was_begun(url, store, anna):
    assert store.pin_game("hex 6") == "hex 6" and store.pin_game("hex 7") == "hex 7"
    store.begin("verification", anna, plan_for(anna))
    assert store.pin_game("hex 6") == "hex 7"
    other = Store(url, create=False)
    assert other.pin_game("hex 5") == "hex 7"
    other.close()


def test_a_store_that_is_opened_again_has_everything(url, store, anna):
    token = store.new_token(anna)
    begun = play(store, store.begin_official(anna, plan_for(anna)), wins=2, until=6)
    store.close()
    again = Store(url, cost=CHEAP)
    assert again.round(begun.id) == begun and again.by_token(token).id == anna
    assert again.begin_official(anna, plan_for(anna)).id == begun.id
    again.close()
