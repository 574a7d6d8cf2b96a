"""What pages start, stop and resume: trainings, TOPPs and tournaments. What they may order is checked in orders.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.errors import LudusError
from ludus.web.learning.chores import Chore
from ludus.web.learning.look import Json, Looking
from ludus.web.learning.orders import (
    ResumeOrder,
    ToppOrder,
    TournamentOrder,
    TrainOrder,
    free_name,
    read_order,
    written,
)
from ludus.web.learning.trainings import Training

if TYPE_CHECKING:
    from ludus.web.site import Site


class Ordering:
    """Carries out what pages order. The methods take what a page has asked, as texts, with the order in "body"."""

    def __init__(self, site: Site, looking: Looking) -> None:
        self.site, self.chores, self.runs, self.library = site, site.chores, site.settings.runs, site.library
        self.trainings, self.contests = looking.trainings, looking.contests

    def start_training(self, asked: Json) -> Json:
        order = read_order(TrainOrder, asked["body"])
        game = self.library.make(order.game, order.options)
        name = free_name(self.runs, order.name, f"{game.title}{getattr(game, 'size', '')}")
        self._train(Chore(self.runs / name, "train"), order)
        return {"name": name}

    def _train(self, chore: Chore, order: TrainOrder) -> None:
        self.chores.start(chore, order.arguments(self.library, chore.folder), written(order))

    def resume_training(self, asked: Json) -> Json:
        """Goes on with a training; one that was stopped before its first game was finished is begun again."""
        order = read_order(ResumeOrder, asked["body"])
        training = self.trainings.find(asked["name"])
        if training.state in ("running", "stopping"):
            raise LudusError(f"the run {training.name} is at work already")
        before = training.chore.order
        if training.episode == 0 and before is not None:
            self._train(training.chore, read_order(TrainOrder, before))
            return {"name": training.name}
        refuse_resume(training, order)
        kept = (before or {}) | ({} if order.episodes is None else {"episodes": order.episodes})
        self.chores.start(training.chore, order.arguments(training.folder), kept)
        return {"name": training.name}

    def stop_training(self, asked: Json) -> Json:
        training = self.trainings.find(asked["name"])
        if training.state == "running" and not training.chore.running:
            raise LudusError(f"the run {training.name} was started from the command line; stop it there with Ctrl-C")
        self.chores.stop(training.chore)
        return {"name": training.name}

    def start_topp(self, asked: Json) -> Json:
        """The saved networks of a training meet each other."""
        training = self.trainings.find(asked["name"])
        if training.game is None:
            raise LudusError("the game of this training is none of the games of this server")
        if len(training.saved) < 2:
            raise LudusError("its networks can meet once there are two of them; wait until the second one is saved")
        order = read_order(ToppOrder, asked["body"] | {"stages": training.saved})
        chore = Chore(training.folder, "topp")
        self.chores.start(chore, order.arguments(training.folder), written(order))
        return {"name": training.name}

    def start_contest(self, asked: Json) -> Json:
        order = read_order(TournamentOrder, asked["body"])
        game = self.library.make(order.game, order.options)
        name = free_name(self.runs, order.name, f"tournament-{game.title}{getattr(game, 'size', '')}")
        self._contest(Chore(self.runs / name, "tournament"), order)
        return {"key": name}

    def _contest(self, chore: Chore, order: TournamentOrder) -> None:
        players = order.players(self.library, self.site.opponents)
        arguments = order.arguments(self.library, self.site.opponents, chore.folder)
        self.chores.start(chore, arguments, written(order) | {"players": players})

    def resume_contest(self, asked: Json) -> Json:
        contest = self.contests.find(asked["key"])
        before = contest.order
        if contest.state in ("running", "stopping"):
            raise LudusError("this tournament is at work already")
        if before is None:
            raise LudusError(
                "this tournament was started from the command line; the same command goes on with it there"
            )
        if contest.is_topp:
            order = read_order(ToppOrder, before)
            self.chores.start(contest.chore, order.arguments(contest.chore.folder), written(order))
        else:
            plain = {key: value for key, value in before.items() if key != "players"}
            self._contest(contest.chore, read_order(TournamentOrder, plain))
        return {"key": contest.key}

    def stop_contest(self, asked: Json) -> Json:
        contest = self.contests.find(asked["key"])
        if contest.order is None:
            raise LudusError("this tournament was started from the command line; stop it there with Ctrl-C")
        self.chores.stop(contest.chore)
        return {"key": contest.key}


def refuse_resume(training: Training, order: ResumeOrder) -> None:
    """Refuses to go on with what is finished, cannot be gone on with, or is none of our games."""
    if training.game is None:
        raise LudusError(
            "the game of this training is none of the games of this server; resume it from the command line"
        )
    if order.episodes is not None and order.episodes <= training.episode:
        raise LudusError(f"the run {training.name} has played {training.episode} games already; ask for more than that")
    if order.episodes is None and training.progress >= 1:
        raise LudusError(f"the run {training.name} has played all its {training.episode} games; ask for more to go on")
