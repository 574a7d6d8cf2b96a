"""Measures the levels of src/ludus/agents/levels.toml and writes their ratings there and into docs/levels.md.

python experiments/levels.py measure             all ladders; stopped, the same command goes on
python experiments/levels.py measure hex7 go     only these
python experiments/levels.py try hex,size=7 mcts:simulations=20 mcts:simulations=80 …
                                                 rates other agents, the weakest first, to choose levels from
python experiments/levels.py choose hex7         rates the candidates of level_candidates.py and chooses up to ten
                                                 levels from them, in steps as equal as can be; measure it after that
python experiments/levels.py page                only writes the tables of docs/levels.md again

Each level plays its neighbours and the level after next, every opening of two random plies twice with colours
exchanged, one game after the other. The games are kept in runs/levels-*, one folder for each pair of agents.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from level_candidates import CANDIDATES

from ludus.agents.levels import FILE
from ludus.game import Game
from ludus.games import make
from ludus.play.rating import ELO, Rating, Z, bradley_terry, information, score_interval
from ludus.play.standing import Tally
from ludus.play.tournament import Tournament, run
from ludus.system import write_whole

PAGE = Path(__file__).parent.parent / "docs" / "levels.md"
LONG = 0.4  # seconds a move: such agents play fewer games
PRIOR = 0.5
LEVELS = 10  # at most
SMALLEST, LARGEST = 108.0, 241.0  # steps in Elo: the stronger one scores 65 to 80%
ROUGHLY, FEW = 60, 12  # games of two candidates, and where one thinks for long
CLOSELY, QUICK = 240, 0.003  # games of two agents, if both need less than so many seconds for a move
MARK = "<!-- measured: written by experiments/levels.py -->"


class Ratings(NamedTuple):
    """What the games of a ladder say. Elo counts from the first agent."""

    ratings: list[Rating]
    steps: list[Rating]  # how far each agent is above the one before it; the first is at 0
    games: list[int]
    below: list[Tally | None]  # the games of each against the one before it
    seconds: list[float]  # that a move takes


# ------------------------------------------------------------------------------------------- playing


def play_ladder(game: Game, agents: list[str], games: int = 80, few: int = 24, trial: bool = False) -> Ratings:
    """Lets agents play their neighbours and those after next, and rates them. A trial has games of its own."""
    count = len(agents)
    points, seconds = np.zeros((count, count)), [[] for _ in agents]
    below: list[Tally | None] = [None] * count
    for apart in (1, 2):
        for low in range(count - apart):
            high = low + apart
            number = pair_games(agents[low], agents[high], games, few, apart)
            if not number:
                continue
            tally, times = play_pair(game, agents[high], agents[low], number, trial)
            if number < CLOSELY and max(times) < QUICK:
                tally, times = play_pair(game, agents[high], agents[low], CLOSELY, trial)
            points[high, low] += tally.points
            points[low, high] += tally.games - tally.points
            for index, mean in zip((high, low), times, strict=True):
                seconds[index].append(mean)
            if apart == 1:
                below[high] = tally
    played = [int(n) for n in (points + points.T).sum(axis=1)]
    ratings, steps = from_first(points)
    return Ratings(ratings, steps, played, below, [float(np.mean(s)) for s in seconds])


def pair_games(one: str, other: str, games: int, few: int, apart: int) -> int:
    """How often two agents play: those that think for long less often, and only against their neighbours."""
    if few >= games or max(thinking(one), thinking(other)) < LONG:
        return games
    return few if apart == 1 else 0


def thinking(agent: str) -> float:
    """The seconds a move that an agent thinks; 0 if it counts simulations."""
    found = re.search(r"seconds=([\d.]+)", agent)
    return float(found[1]) if found and "simulations=" not in agent else 0.0


def play_pair(game: Game, one: str, other: str, games: int, trial: bool) -> tuple[Tally, tuple[float, float]]:
    """How the first agent did against the second, and the mean seconds of their moves."""
    began = time.monotonic()
    mark = hashlib.sha256(json.dumps([game.identity(), one, other, trial]).encode()).hexdigest()[:10]
    match = Tournament(game, (one, other), games, seed=int(mark[:6], 16), workers=1)
    outcome = run(match, Path("runs") / f"levels-{game.name}-{mark}")
    rows = [outcome.standing[name] for name in match.names]
    forfeits = [row.forfeits for row in rows if row.forfeits]
    if forfeits:
        sys.exit(f"{one} against {other}: games were forfeited, {forfeits}")
    tally = outcome.standing.pairs[match.names[0], match.names[1]]
    print(
        f"  {tally.score:6.1%} of {tally.games} games: {one} against {other}, "
        f"{time.monotonic() - began:.0f} s for {outcome.played} new games",
        flush=True,
    )
    return tally, (rows[0].mean_seconds or 0.0, rows[1].mean_seconds or 0.0)


def from_first(points: np.ndarray) -> tuple[list[Rating], list[Rating]]:
    """Ratings above the first agent and above the one before, each with the 95% interval of that difference."""
    rated = bradley_terry(points, PRIOR)
    strength = np.array([rating.elo for rating in rated]) / ELO
    won = points + PRIOR * ((points + points.T) > 0)
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    covariance = np.linalg.pinv(information((won + won.T) * chance * (1 - chance)))

    def above(high: int, low: int) -> Rating:
        spread = covariance[high, high] + covariance[low, low] - 2 * covariance[high, low]
        half = Z * max(0.0, float(spread)) ** 0.5
        lead = float(strength[high] - strength[low])
        return Rating(*(round(ELO * x) + 0.0 for x in (lead, lead - half, lead + half)))

    count = len(points)
    return [above(i, 0) for i in range(count)], [above(i, max(0, i - 1)) for i in range(count)]


# ------------------------------------------------------------------------------------------- the commands


def try_agents(game_text: str, agents: list[str]) -> None:
    """Rates agents that may become levels."""
    name, *options = game_text.split(",")
    chosen = dict(option.split("=") for option in options)
    game = make(name, **{key: int(value) if value.isdigit() else value for key, value in chosen.items()})
    found = play_ladder(game, agents, trial=True)
    for agent, rating, step, seconds in zip(agents, found.ratings, found.steps, found.seconds, strict=True):
        print(f"{rating.elo:+6.0f}  {interval(step)} above the last  {seconds:.4f} s a move  {agent}")


def choose(name: str) -> None:
    """Rates the candidates of a ladder, and writes into the file which of them are its levels."""
    row = measured_ladder(read_file(), name)
    candidates = CANDIDATES[name]
    found = play_ladder(make(row["game"], **row["measured"]), candidates, ROUGHLY, FEW, trial=True)
    elo = [rating.elo for rating in found.ratings]
    chosen = even_steps(elo)
    for index, agent in enumerate(candidates):
        print(f"{'*' if index in chosen else ' '} {elo[index]:+6.0f}  {found.seconds[index]:.4f} s a move  {agent}")
    data = read_file()
    keys = [level["key"] for level in data["level"]]
    places = [round(i * (len(keys) - 1) / (len(chosen) - 1)) for i in range(len(chosen))]
    row = measured_ladder(data, name)
    about = {step["level"]: step["about"] for step in row["step"] if "about" in step}
    row["step"] = [
        {"level": keys[place], "agent": candidates[index]}
        | ({"about": about[keys[place]]} if keys[place] in about else {})
        for place, index in zip(places, chosen, strict=True)
    ]
    write_whole(FILE, file_text(data))


def even_steps(elo: list[float]) -> list[int]:
    """Which candidates to choose: the last one, and others below it in equal steps, ten levels at most."""
    last = len(elo) - 1
    span = elo[last] - elo[0]
    count = max(2, min(LEVELS, 1 + int(span / SMALLEST)))
    step = min(span / (count - 1), 0.9 * LARGEST)
    chosen = [last]
    for number in range(1, count):
        wanted = elo[last] - number * step
        below = range(chosen[-1])
        if not below:
            break
        chosen.append(min(below, key=lambda index: abs(elo[index] - wanted)))
    return sorted(set(chosen))


def measure(names: list[str]) -> None:
    """Measures ladders and writes what was found, ladder by ladder."""
    for name in names or [row["name"] for row in read_file()["ladder"] if "measured" in row]:
        row = measured_ladder(read_file(), name)
        print(f"{name}: {row['measured_on']}", flush=True)
        agents = [step["agent"] for step in row["step"]]
        game = make(row["game"], **row["measured"])
        found = play_ladder(game, agents, row.get("games", 80), row.get("top_games", 24))
        data = read_file()  # once more: it may have been edited in the meantime
        row = measured_ladder(data, name)
        if agents != [step["agent"] for step in row["step"]]:
            sys.exit(f"the agents of {name} were changed while they played; measure it again")
        for index, step in enumerate(row["step"]):
            note(step, found, index)
            print(f"{found.ratings[index].elo:+6.0f}  {interval(found.steps[index])} above the last  {step['agent']}")
        write_whole(FILE, file_text(data))
        write_page()


def measured_ladder(data: dict[str, Any], name: str) -> dict[str, Any]:
    """The table of a ladder; refuses a name that there is not, or a ladder that has no game to be measured on."""
    rows: dict[str, dict[str, Any]] = {row["name"]: row for row in data["ladder"] if "measured" in row}
    if name not in rows:
        sys.exit(f"there is no ladder {name!r} to measure; there are {', '.join(rows)}")
    return rows[name]


def note(step: dict[str, Any], found: Ratings, index: int) -> None:
    """Writes what was measured about one level into its table."""
    rating, above, tally = found.ratings[index], found.steps[index], found.below[index]
    step |= {"elo": rating.elo, "low": rating.low, "high": rating.high, "games": found.games[index]}
    step["seconds"] = round(found.seconds[index], 4)
    if tally is not None:
        step["above_last"] = {"elo": above.elo, "low": above.low, "high": above.high}
        step["against_last"] = {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}


# ------------------------------------------------------------------------------------------- files


def read_file() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def file_text(data: dict[str, Any]) -> str:
    """levels.toml: the comment on top as it is, and the data, one line for each level of a ladder."""
    comment = "".join(f"{line}\n" for line in FILE.read_text(encoding="utf-8").splitlines() if line.startswith("#"))
    parts = [comment]
    for table in ("level", "ladder"):
        for row in data[table]:
            plain = {key: value for key, value in row.items() if key != "step"}
            parts.append(f"[[{table}]]\n" + "".join(f"{key} = {inline(value)}\n" for key, value in plain.items()))
            if "step" in row:
                parts[-1] += "step = [\n" + "".join(f"    {inline(step)},\n" for step in row["step"]) + "]\n"
    return "\n".join(parts)


def inline(value: object) -> str:
    """A value as TOML on one line; JSON writes texts, numbers and switches the same way."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {inline(inner)}" for key, inner in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def write_page() -> None:
    """Writes the tables into docs/levels.md, below the line that says so."""
    data = read_file()
    names = {level["key"]: level["name"] for level in data["level"]}
    tables = [names_table(data["level"]), *(table_of(row, names) for row in data["ladder"])]
    before = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    write_whole(PAGE, before + MARK + "\n\n" + "\n".join(tables))


def names_table(levels: list[dict[str, str]]) -> str:
    """The names of the levels as a table of Markdown."""
    rows = [f"| {level['name']} | `{level['key']}` | {level['about']} |" for level in levels]
    return "\n".join(["| level | key | what to expect |", "|---|---|---|", *rows]) + "\n"


def table_of(row: dict[str, Any], names: dict[str, str]) -> str:
    """A ladder as a headline and a table of Markdown."""
    lines = [f"### {row['title']}", ""]
    if row.get("remark"):
        lines += [row["remark"], ""]
    columns = ["level", "agent", "Elo", "95%", "against the level below", "games", "s/move"]
    lines += [f"| {' | '.join(columns)} |", "|---|---|---:|---|---|---:|---:|"]
    for step in row["step"]:
        cells = [names[step["level"]], f"`{step['agent']}`", *measured_cells(step)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def measured_cells(step: dict[str, Any]) -> list[str]:
    """Rating, interval, score against the level below, games and time, as far as they were measured."""
    if "elo" not in step:
        return ["–"] * 5
    score = ""
    if "against_last" in step:
        tally = Tally(**step["against_last"])
        low, high = score_interval(tally.points, tally.games)
        score = f"{tally.points:g} of {tally.games}, {tally.score:.0%} ({low:.0%}–{high:.0%})"
    bounds = f"{step['low']:.0f} to {step['high']:.0f}" if score else ""
    return [f"{step['elo']:.0f}", bounds, score, str(step["games"]), f"{step['seconds']:.4f}"]


def interval(rating: Rating) -> str:
    return f"{rating.elo:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["choose", name] if name in CANDIDATES:
            choose(name)
        case ["measure", *names]:
            measure(names)
        case ["try", game_text, first, second, *rest]:
            try_agents(game_text, [first, second, *rest])
        case ["page"]:
            write_page()
        case _:
            sys.exit(__doc__)
