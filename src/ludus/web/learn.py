"""Watching things learn: the addresses under /api/learn. Everything is asked for again and again, so answers are small.

What is read from disk is in trainings.py and tournaments.py, processes in chores.py, what may be started in orders.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ludus.errors import LudusError
from ludus.web.chores import Chore
from ludus.web.learn_views import contest_card, contest_view, training_card, training_view
from ludus.web.orders import (
    ResumeOrder,
    ToppOrder,
    TournamentOrder,
    TrainOrder,
    free_name,
    read_order,
    written,
)  # fmt: skip
from ludus.web.replays import replay_of
from ludus.web.tournaments import Contests
from ludus.web.trainings import Training, Trainings

if TYPE_CHECKING:
    from ludus.web.site import Site

LARGEST_ORDER = 16 << 10  # bytes
MOST_CARDS = 60  # of each kind
LOG = 8 << 10  # bytes of the end of a log
Json = dict[str, Any]


class Learn:
    """What a server knows about learning. Its methods read files, so they run outside the event loop."""

    def __init__(self, site: Site) -> None:
        self.site, self.chores = site, site.chores
        self.runs, self.library = site.settings.runs, site.library
        self.trainings = Trainings(self.runs, self.library, self.chores)
        self.contests = Contests(self.runs, self.library, self.chores)

    # ------------------------------------------------------------------------------ looking

    def cards(self, asked: Json) -> Json:
        """Everything in the runs folder, a card each."""
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

    # ------------------------------------------------------------------------------ starting and stopping

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


def routes(site: Site) -> list[BaseRoute]:
    """The addresses under /api/learn."""
    learn = Learn(site)

    def answer(work: Callable[[Json], Json]) -> Callable[[Request], Any]:
        async def respond(request: Request) -> Response:
            try:
                asked = {**request.query_params, **request.path_params}
                if request.method == "POST":
                    asked["body"] = await body_of(request)
                return JSONResponse(await to_thread.run_sync(work, asked))
            except LudusError as error:
                return JSONResponse({"sentence": sentence(error)}, 400)

        return respond

    run, key = "/api/learn/runs/{name}", "/api/learn/tournaments/{key:path}"
    gets: list[BaseRoute] = [
        Route("/api/learn", answer(learn.cards)),
        Route(f"{run}/games/{{number}}", answer(learn.training_game)),
        Route(f"{run}/log", answer(learn.log)),
        Route(run, answer(learn.training), methods=["GET"]),
        Route(f"{key}/games/{{number}}", answer(learn.contest_game)),
        Route(key, answer(learn.contest), methods=["GET"]),
    ]
    posts: list[BaseRoute] = [
        Route("/api/learn/runs", answer(learn.start_training), methods=["POST"]),
        Route(f"{run}/stop", answer(learn.stop_training), methods=["POST"]),
        Route(f"{run}/resume", answer(learn.resume_training), methods=["POST"]),
        Route(f"{run}/topp", answer(learn.start_topp), methods=["POST"]),
        Route("/api/learn/tournaments", answer(learn.start_contest), methods=["POST"]),
        Route(f"{key}/stop", answer(learn.stop_contest), methods=["POST"]),
        Route(f"{key}/resume", answer(learn.resume_contest), methods=["POST"]),
    ]
    return [*gets, *posts]


async def body_of(request: Request) -> Json:
    """The JSON object in the body of a request; an empty one if there is none."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_ORDER:
            raise LudusError(f"an order may have {LARGEST_ORDER} bytes")
    try:
        row = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise LudusError("an order is one JSON object") from None
    if not isinstance(row, dict):
        raise LudusError("an order is one JSON object")
    return row


def refuse_resume(training: Training, order: ResumeOrder) -> None:
    """Refuses to go on with what is finished, cannot be gone on with, or is none of our games."""
    if training.game is None:
        raise LudusError(
            "the game of this training is none of the games of this server; resume it from the command line"
        )
    if order.episodes is not None and order.episodes <= training.episode:
        raise LudusError(f"the run {training.name} has played {training.episode} games already; ask for more than that")
    if order.episodes is None and training.episode >= training.episodes:
        raise LudusError(f"the run {training.name} has played all its {training.episodes} games; ask for more to go on")


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


def sentence(error: LudusError) -> str:
    """An error as a sentence with a capital letter and a full stop."""
    words = str(error).strip()
    return f"{words[:1].upper()}{words[1:]}".rstrip(".") + "."
