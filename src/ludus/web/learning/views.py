"""Trainings and tournaments as JSON for the page: a card each for the overview, and one opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from ludus.game import Game
from ludus.play import talk
from ludus.play.rating import score_interval
from ludus.play.standing import Standing, plain_row
from ludus.web.layout import position_of
from ludus.web.learning import words
from ludus.web.learning.tournaments import Contest
from ludus.web.learning.trainings import Row, Training
from ludus.web.library import Library

MOST_ROWS = 400  # measurements in one answer; of more, some are left out evenly
MOST_GAMES = 3000  # games of a tournament in one answer, the last ones
CURVE = 40  # points of the small curve on a card

Json = dict[str, Any]
Item = TypeVar("Item")


# ------------------------------------------------------------------------------------------- trainings


def training_card(training: Training) -> Json:
    """A training in the overview."""
    points, what = curve_of(training.rows)
    last = training.rows[-1] if training.rows else {}
    return {
        "name": training.name, "title": words.title_of_training(training), "state": training.state,
        "sentence": words.sentence_of_training(training), "episode": training.episode, "episodes": training.episodes,
        "progress": training.progress, "minutes": training.minutes,
        "seconds": last.get("seconds", 0), "seconds_left": last.get("seconds_left"), "curve": points, "what": what,
        "changed": training.changed, "by_page": training.chore.order is not None,
    }  # fmt: skip


def curve_of(rows: Sequence[Row]) -> tuple[list[list[float]], str]:
    """The points of the most telling curve, and what it shows."""
    for name, what in (("truth", "true results kept"), ("actor_loss", "loss of the policy")):
        points = [[row["episode"], row[name]] for row in rows if name in row]
        if len(points) > 1:
            return thinned(points, CURVE), what
    return [], ""


def training_view(training: Training, mark: str, after: int, about: str) -> Json:
    """A training that is opened: what the page does not know yet of it."""
    begin = min(after, len(training.rows)) if mark == training.mark else 0
    rows = thinned(training.rows[begin:], MOST_ROWS)
    view = training_card(training) | {
        "mark": training.mark, "next": len(training.rows), "first": begin == 0,
        "rows": [plain_measurement(row) for row in rows], "games": training.games, "saved": training.saved,
        "about_mark": training.about_mark, "can_resume": training.game is not None,
        "verdict": words.verdict_of_training(training),
    }  # fmt: skip
    return view if about == training.about_mark else view | {"about": about_training(training)}


def plain_measurement(row: Row) -> Json:
    """A measurement as JSON can hold it, with the interval of its score."""
    plain = dict(row)
    if "believed" in row:
        plain["believed"] = list(row["believed"])
    if row.get("against_games") and "against_last" in row:
        games = int(row["against_games"])
        plain["against_interval"] = [round(end, 4) for end in score_interval(row["against_last"] * games, games)]
    return plain


def about_training(training: Training) -> Json:
    """What does not change while it goes on: settings, the empty board, the true values of first moves."""
    game = training.game
    about: Json = {"settings": words.settings_in_words(training), "openings": None, "folder": str(training.folder),
                   "positions": {} if training.truth is None else training.truth.positions,
                   "game": None if game is None else game_of_page(training.library, game)}  # fmt: skip
    if game is None or training.truth is None or not training.truth.openings or not training.names:
        return about
    start, true = game.start(), training.truth.openings
    actions = {game.write(action): action for action in true}
    layout, position = position_of(game, start)
    about["openings"] = {
        "layout": layout, "position": position, "mover": talk.names_of(game.board(start))[start.player],
        "actions": [actions.get(name) for name in training.names], "names": training.names,
        "true": [true.get(actions.get(name, -1)) for name in training.names],
    }  # fmt: skip
    return about


def game_of_page(library: Library, game: Game) -> Json:
    """A game as pages name it."""
    return {"name": library.name_of(game), "options": library.changed(game)}


# ------------------------------------------------------------------------------------------- tournaments


def contest_card(contest: Contest) -> Json:
    """A tournament in the overview."""
    table, labels = contest.standing(), contest.labels
    return {
        "key": contest.key, "name": contest.folder.parent.name if contest.is_topp else contest.folder.name,
        "title": words.title_of_contest(contest), "topp": contest.is_topp, "state": contest.state,
        "sentence": words.sentence_of_contest(contest, table), "games": len(contest.records), "total": contest.total,
        "players": [labels[name] for name in contest.names], "changed": contest.changed,
        "by_page": contest.order is not None,
        "scores": [[labels[row.agent], round(row.all.score, 4)] for row in table.rows[:5] if row.all.games],
    }  # fmt: skip


def contest_view(contest: Contest, mark: str, after: int) -> Json:
    """A tournament that is opened: the whole standing, and the games that the page does not know yet."""
    known = contest.mark == mark
    begin = max(min(after, len(contest.records)) if known else 0, len(contest.records) - MOST_GAMES)
    names, stages = contest.names, contest.stages.episodes
    place = {name: index for index, name in enumerate(names)}
    table = contest.standing()
    games = [
        [record.number, place[record.agents[0]], place[record.agents[1]], record.score, len(record.actions), record.end]
        for record in contest.records[begin:]
    ]
    return contest_card(contest) | {
        "mark": contest.mark, "next": len(contest.records), "first": not known or begin > after, "records": games,
        "agents": [{"agent": name, "label": contest.labels[name], "episode": stages.get(name)} for name in names],
        **standing_view(table, place), "called": called_of(contest), "can_replay": contest.game is not None,
        "verdict": words.verdict_of_contest(contest, table),
    }  # fmt: skip


def standing_view(table: Standing, place: dict[str, int]) -> Json:
    """The standing with agents as places in the list of agents."""
    return {
        "rows": [plain_row(row) | {"agent": place[row.agent]} for row in table.rows],
        "pairs": [[place[one], place[other], tally.points, tally.games]
                  for (one, other), tally in table.pairs.items() if tally.games],
        "different_games": table.different_games,
    }  # fmt: skip


def called_of(contest: Contest) -> list[str]:
    """What people call the two players of the game."""
    game = contest.game
    return list(talk.names_of(game.board(game.start()) if game is not None else None))


def thinned(items: Sequence[Item], most: int) -> list[Item]:
    """At most so many of them, evenly spread, with the last one and all that hold a match among them."""
    if len(items) <= most:
        return list(items)
    step = len(items) / most
    places = {int(step * i) for i in range(most)} | {len(items) - 1}
    places |= {i for i, item in enumerate(items) if isinstance(item, dict) and "against_last" in item}
    return [items[i] for i in sorted(places)]
