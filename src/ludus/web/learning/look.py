"""What pages see of learning: cards, an opened training or tournament, games. Only files are read, nothing is started.

The methods take what a page has asked, as texts by their names, and run outside the event loop.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from ludus.errors import LudusError
from ludus.web.learning.chores import Chore
from ludus.web.learning.replays import replay_of
from ludus.web.learning.tournaments import Contests
from ludus.web.learning.trainings import Trainings
from ludus.web.learning.views import contest_card, contest_view, training_card, training_view

if TYPE_CHECKING:
    from ludus.web.site import Site

MOST_CARDS = 60  # of each kind
FRESH = 0.5  # seconds in which the cards are not made anew: in a class, everybody asks every second
LOG = 8 << 10  # bytes of the end of a log
Json = dict[str, Any]


class Looking:
    """What a server knows about learning."""

    def __init__(self, site: Site) -> None:
        self.site, self.chores = site, site.chores
        self.runs, self.library = site.settings.runs, site.library
        self.trainings = Trainings(self.runs, self.library, self.chores)
        self.contests = Contests(self.runs, self.library, self.chores)
        self._mutex = threading.Lock()
        self._cards: Json | None = None  # the last answer, and when it was made
        self._made = 0.0

    def cards(self, asked: Json) -> Json:
        """Everything in the runs folder, a card each. All pages that ask at about the same time get the same."""
        with self._mutex:
            if self._cards is None or time.monotonic() - self._made > FRESH:
                self._cards, self._made = self._new_cards(), time.monotonic()
            return self._cards

    def forget(self) -> None:
        """Something was started or stopped."""
        self._cards = None

    def _new_cards(self) -> Json:
        trainings = [training_card(training) for training in self.trainings.all()]
        contests = [contest_card(contest) for contest in self.contests.all()]
        busy = len(self.chores.running())
        return {"trainings": trainings[:MOST_CARDS], "tournaments": contests[:MOST_CARDS], "busy": busy,
                "most": self.chores.most, "hidden": max(0, len(trainings) - MOST_CARDS)}  # fmt: skip

    def training(self, asked: Json) -> Json:
        """One training; only the measurements that are new to the page."""
        training = self.trainings.find(asked["name"])
        view = training_view(training, asked.get("mark", ""), number(asked, "after"), asked.get("about", ""))
        topp = Chore(training.folder, "topp")
        own = self.contests.of_run(training.name)
        return view | {"topp": own[0].key if own else None, "topp_running": topp.running,
                       "topp_complaint": topp.complaint() if topp.order and not topp.running else ""}  # fmt: skip

    def training_game(self, asked: Json) -> Json:
        """A game of self-play, move by move."""
        training = self.trainings.find(asked["name"])
        last = training.games - 1
        count = last if asked["number"] == "latest" else number(asked, "number") - 1
        played = training.played(count)
        about = {
            "number": count + 1,
            "names": None,
            "note": "" if played.opening == 0 else random_moves(played.opening),
        }
        return about | replay_of(self.library, played.game, played.actions, played.opening)

    def log(self, asked: Json) -> Json:
        """The end of what a training has printed."""
        return {"text": self.trainings.find(asked["name"]).chore.log(LOG)}

    def contest(self, asked: Json) -> Json:
        """One tournament; only the games that are new to the page."""
        return contest_view(self.contests.find(asked["key"]), asked.get("mark", ""), number(asked, "after"))

    def contest_game(self, asked: Json) -> Json:
        """A game of a tournament, move by move."""
        contest = self.contests.find(asked["key"])
        record, game = contest.record(number(asked, "number")), contest.game
        if game is None:
            raise LudusError("this game is none of the games of this server, so it cannot be shown")
        labels = contest.labels
        begun = (
            game
            if record.starter is None
            else self.library.make(self.library.name_of(game), record_options(record.game))
        )
        about = {"number": record.number, "names": [labels.get(name, name) for name in record.agents],
                 "note": record.why if record.fault is not None else random_moves(len(record.opening))}  # fmt: skip
        return about | replay_of(self.library, begun, record.actions, len(record.opening))


def number(asked: Json, name: str) -> int:
    """A whole number from an address; 0 if it is not given."""
    text = str(asked.get(name, "0"))
    if not text.isdecimal() or len(text) > 9:
        raise LudusError(f"{name} is a whole number, not {text[:20]!r}")
    return int(text)


def record_options(game: Json) -> Json:
    return {key: value for key, value in game.items() if key != "name"}


def random_moves(count: int) -> str:
    """How a game began."""
    if count == 0:
        return ""
    return "The first move was drawn by lot." if count == 1 else f"The first {count} moves were drawn by lot."
