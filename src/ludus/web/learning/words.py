"""What the page says about trainings and tournaments. Every sentence about strength has its 95% interval."""

from __future__ import annotations

from typing import Any

from ludus.errors import LudusError
from ludus.learn.stages import verdict
from ludus.play.rating import score_interval
from ludus.play.standing import Row, Standing
from ludus.play.talk import title_of
from ludus.web.learning.tournaments import Contest
from ludus.web.learning.trainings import Training

RECIPES = {
    "classic": "rollouts first, then the network's own judgement",
    "zero": "the network's own judgement only",
    "textbook": "rollouts only, one game after the other",
}
LABELS = {  # of settings; those not listed here are called by their own names
    "episodes": "games against itself",
    "minutes": "minutes of training",
    "checkpoints": "saved networks",
    "spacing": "distance between saved networks",
    "parallel": "games side by side",
    "alternate_starter": "either player begins",
    "simulations": "simulations for every move",
    "rule": "rule of selection",
    "c": "exploration (c)",
    "lr": "learning rate",
    "net": "kind of network",
    "minibatch": "positions in a minibatch",
    "reuse": "cases learned for every case played",
    "minibatches": "minibatches after every game",
    "buffer": "positions remembered",
}


def percent(share: float) -> str:
    return f"{share:.0%}"


def interval(points: float, games: int) -> str:
    """The 95% interval of a share."""
    low, high = score_interval(points, games)
    return f"95% interval {percent(low)} to {percent(high)}"


# ------------------------------------------------------------------------------------------- trainings


def title_of_training(training: Training) -> str:
    """What it learns: Hex 4×4."""
    game = training.game
    if game is not None:
        return title_of(game)
    return str(training.config.get("game", {}).get("name", "a game"))[-40:]


def sentence_of_training(training: Training) -> str:
    """How good it is, or what keeps it from being so, in one sentence."""
    state = training.state
    if state == "failed":
        return f"It could not go on: {training.complaint.rstrip('.')}."
    return truth_in_words(training) or against_in_words(training) or begin_in_words(state)


def verdict_of_training(training: Training) -> str:
    """What came out, once it is finished; how good it is until then."""
    if training.state == "finished" and training.verdict:
        return training.verdict
    return sentence_of_training(training)


def truth_in_words(training: Training) -> str:
    shares = [row["truth"] for row in training.rows if "truth" in row]
    if not shares or training.truth is None:
        return ""
    count = training.truth.problems
    return (
        f"Its first choice keeps {percent(shares[-1])} of the true results "
        f"({interval(shares[-1] * count, count)}, {count} positions)."
    )


def against_in_words(training: Training) -> str:
    rows = [row for row in training.rows if "against_last" in row and row.get("against_games")]
    if not rows:
        return ""
    share, games = rows[-1]["against_last"], int(rows[-1]["against_games"])
    return (
        f"It scored {share * games:g} of {games} against the network saved before ({interval(share * games, games)})."
    )


def begin_in_words(state: str) -> str:
    if state == "running":
        return "It is getting ready: an exact solver prepares positions to measure it with, where it can."
    return "Nothing has been measured yet."


def settings_in_words(training: Training) -> list[tuple[str, str]]:
    """All settings of a training, each with what people call it."""
    config = training.config
    told = [("game", title_of_training(training))]
    options = {key: value for key, value in config.get("game", {}).items() if key not in ("name", "code", "size")}
    told += [(key.replace("_", " "), value_in_words(value)) for key, value in options.items()]
    recipe = str(config.get("recipe", ""))
    told += [("recipe", f"{recipe}: {RECIPES[recipe]}")] if recipe in RECIPES else []
    for key, value in config.items():
        if isinstance(value, dict) and key != "game":
            told += [(label_of(name), value_in_words(inner)) for name, inner in value.items()]
        elif key not in ("game", "recipe"):
            told.append((label_of(key), value_in_words(value)))
    return told


def label_of(name: str) -> str:
    return LABELS.get(name, name.replace("_", " "))


def value_in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else f"{value}"


# ------------------------------------------------------------------------------------------- tournaments


def title_of_contest(contest: Contest) -> str:
    """What is played: Hex 4×4."""
    game = contest.game
    return title_of(game) if game is not None else "a game"


def verdict_of_contest(contest: Contest, table: Standing) -> str:
    """Who is ahead, and how sure that is; of a TOPP, whether training has helped and how steadily."""
    if contest.state == "failed":
        return f"It could not go on: {contest.chore.complaint().rstrip('.')}."
    if not contest.records:
        return "No game is finished yet."
    if contest.is_topp and all(tally.games for tally in table.pairs.values()):
        try:
            said = verdict(contest.stages, table).replace("episodes", "games")
            return said.replace("against the one after 0.", "against the untrained one.")
        except (LudusError, LookupError, ValueError):
            pass  # a tournament of other networks than those that are saved
    return leader_in_words(contest, table.rows)


def sentence_of_contest(contest: Contest, table: Standing) -> str:
    """The first sentence of the verdict."""
    return verdict_of_contest(contest, table).partition(". Of the ")[0].rstrip(".") + "."


def leader_in_words(contest: Contest, rows: list[Row]) -> str:
    best, label = rows[0], contest.labels
    low, high = best.interval
    level = [label[row.agent] for row in rows if (row.all.points, row.all.games) == (best.all.points, best.all.games)]
    score = f"with {best.all.points:g} of {best.all.games} points"
    certainty = f"(95% interval {percent(low)} to {percent(high)})"
    if len(level) > 1:
        return capital(f"{join_names(level)} are level {score} each {certainty}.")
    verb = "won" if contest.state == "finished" else "leads"
    words = f"{label[best.agent]} {verb} {score} {certainty}"
    second = next((row for row in rows[1:] if row.all.games), None)
    if second is not None and best.rating.low < second.rating.high:
        words += f"; whether it is stronger than {label[second.agent]} is not yet certain"
    return capital(f"{words}.")


def join_names(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
