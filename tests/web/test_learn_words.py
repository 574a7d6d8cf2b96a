"""What the page says about a tournament: who is ahead, and never more than the games show."""

from types import SimpleNamespace

import pytest

from ludus.play.standing import Tally
from ludus.web.learning.words import leader_in_words

LABELS = {"a": "con after 400 games", "b": "Casual", "c": "Beginner"}


def row(agent, wins, losses):
    """What the sentence needs of a row of the table."""
    rating = SimpleNamespace(low=wins - 1.5, high=wins + 1.5)
    return SimpleNamespace(agent=agent, all=Tally(wins=wins, losses=losses), interval=(0.25, 0.75), rating=rating)


@pytest.mark.parametrize("state", ["running", "finished"])
def test_nobody_has_won_who_is_level_with_another(state):
    contest = SimpleNamespace(labels=LABELS, state=state)
    said = leader_in_words(contest, [row("a", 5, 5), row("b", 5, 5), row("c", 4, 6)])
    assert said == "Con after 400 games and Casual are level with 5 of 10 points each (95% interval 25% to 75%)."


def test_the_leader_has_an_interval_and_a_doubt():
    contest = SimpleNamespace(labels=LABELS, state="finished")
    said = leader_in_words(contest, [row("b", 6, 4), row("a", 5, 5)])
    assert said == (
        "Casual won with 6 of 10 points (95% interval 25% to 75%); "
        "whether it is stronger than con after 400 games is not yet certain."
    )
