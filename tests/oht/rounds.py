"""Small plans and games for the tests of the store."""

from ludus.protocols.oht.results import Played, Seat, Series
from ludus.protocols.oht.storage.passwords import Cost

CHEAP = Cost(n=2, r=1, p=1)  # for tests that are not about passwords
MOVES = tuple((i // 7, i % 7) for i in range(30))


def plan_for(account, games=4, opponents=("random", "mcts")):
    """A plan against agents of the house; the account is player 1 and player 2 in turn."""
    own = Seat("me", account)
    seats = [(own, Seat(agent)) if i % 2 == 0 else (Seat(agent), own) for i, agent in enumerate(opponents)]
    return [Series(one, two, games) for one, two in seats]


def result_for(round, number, won):
    """A game of a round that its account has won, or lost."""
    planned = round.planned()[number]
    own = round.plan[planned.series].number_of(round.account)
    return Played(number, own if won else 3 - own, MOVES)


def play(store, round, wins, until=None):
    """Records the games of a round from its first; the account wins as many as said."""
    games = range(round.games if until is None else until)
    store.record(round.id, [result_for(round, number, number < wins) for number in games])
    return store.round(round.id)
