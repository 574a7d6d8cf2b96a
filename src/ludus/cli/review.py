"""`ludus review GAME` or `ludus review FILE`: every move of a game judged, and where the result changed hands."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from ludus._core import Rng
from ludus.cli import options as flags
from ludus.cli.parse import parse
from ludus.errors import BadOption, seed_option, within
from ludus.game import Action, Game

if TYPE_CHECKING:
    from ludus.play.assess import Effort
    from ludus.play.judged import Judged
    from ludus.play.record import Record

USUAL = "mcts:simulations=10000,rave=true,hints=true,playout=quick"
LONGEST = 60.0  # seconds of a search that counts its simulations
FILES = (".sgf", ".jsonl")
GRADES = {"gave_away": "gave it away", "forced": "no choice"}  # where the name of a grade is not what it is called


@dataclass(frozen=True)
class Review:
    """Every move of a game judged: by proof where the solver reaches, else by search.

    The game comes from a file:   ludus review game.sgf, ludus review games.jsonl --game-number 3
    or from its moves:            ludus review hex --size 5 --position "c3 b4 d2"
    For a game of your own:       ludus review my_game.py:MyState --record games.jsonl
    """

    position: str = ""  # the moves of the game, as people write them: "c3 b2"
    record: Path | None = None  # the file with the record of the game, .sgf or .jsonl
    game_number: int | None = None  # which game of the file, as it numbers them, from 0; the last one if not given
    seconds: float = 1.0  # in which the solver may prove the result of a position
    agent: str = USUAL  # whose search judges the others: mcts, or a network such as zoo:othello8,simulations=500
    seed: int = 0  # of the search's random numbers
    json: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False  # print JSON

    def __post_init__(self) -> None:
        seed_option("seed", self.seed)
        within("seconds", self.seconds, 0, 1e6)


def main(arguments: list[str]) -> None:
    game, actions, record, options = read(arguments)
    from ludus.play.talk import name_player

    names = (name_player(game, 0), name_player(game, 1))
    with flags.told_in_a_sentence(game):
        effort = effort_of(game, options)
        judged = judge(game, actions, effort, names, options)
    print_review(game, judged, names, record, options)


# ------------------------------------------------------------------------------------------- which game


def read(arguments: list[str]) -> tuple[Game, Sequence[Action], Record | None, Review]:
    """The game, its actions, its record if it has one, and the options."""
    if arguments and Path(arguments[0]).suffix.lower() in FILES:
        options = parse(Review, arguments[1:], f"ludus review {arguments[0]}")
        if options.position or options.record:
            raise BadOption(f"the moves come from {arguments[0]}: leave out --position and --record")
        record = choose(Path(arguments[0]), options.game_number)
        return record.made_game(), record.actions, record, options
    game, options = flags.read("review", Review, arguments)
    if options.record is None:
        from ludus.play.talk import read_moves

        if not options.position.strip():
            raise BadOption("say which game to review: its moves (--position), or a file (ludus review game.sgf)")
        if options.game_number is not None:
            raise BadOption("--game-number counts the games of a file: say --record FILE, too")
        with flags.told_in_a_sentence(game):
            return game, read_moves(game, options.position), None, options
    if options.position:
        raise BadOption("the moves come from the record: leave out --position")
    record = choose(options.record, options.game_number)
    list(record.replay(game))  # refuses a record of another game
    return game, record.actions, record, options


def choose(path: Path, number: int | None) -> Record:
    """One of the records in a file."""
    from ludus.play.record import read_records

    records = read_records(path)
    if not records:
        raise BadOption(f"there is no game in {path}")
    numbered = {record.number: record for record in records}
    if len(numbered) < len(records):  # games that were added one by one all have the number 0
        numbered = dict(enumerate(records))
    if number is None:
        return records[-1]
    if number not in numbered:
        raise BadOption(f"{path} has games {min(numbered)} to {max(numbered)}, but no game {number}")
    return numbered[number]


# ------------------------------------------------------------------------------------------- the review


def effort_of(game: Game, options: Review) -> Effort:
    """How much work goes into each position: the search of the agent that was named."""
    from ludus.agents import accept, make_agent
    from ludus.agents.mcts import searcher
    from ludus.play.assess import STEP, Effort

    agent = make_agent(options.agent)
    accept(agent, game)
    search = searcher(agent, game.start())
    seconds = max(STEP, LONGEST if search.seconds is None else search.seconds)
    simulations = search.simulations or (search.usual if search.seconds is None else 1 << 40)
    return Effort(options.seconds, simulations, seconds, search.settings())


def judge(
    game: Game, actions: Sequence[Action], effort: Effort, names: tuple[str, str], options: Review
) -> list[Judged]:
    """All judged moves. Says on a terminal how far it is."""
    from ludus.play.review import review

    found: dict[int, Judged] = {}
    for move in review(game, actions, effort, names, rng=Rng(options.seed)):
        if move is not None:
            found[move.ply] = move
        if sys.stderr.isatty():
            settled = sum(known.settled for known in found.values())
            print(f"\rjudged {settled} of {len(actions)} moves ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)
    return [found[ply] for ply in sorted(found)]


# ------------------------------------------------------------------------------------------- what is printed


def print_review(
    game: Game, judged: list[Judged], names: tuple[str, str], record: Record | None, options: Review
) -> None:
    from ludus.play.review_words import summary, turning_points

    *_, last = game.states([move.action for move in judged])
    score = record.score if record else last.score(0) if last.over else None
    text = summary(judged, names, score, record.end if record else "rules")
    turns = turning_points(judged, names)
    if options.json:
        moves = [move.as_json() for move in judged]
        points = [asdict(turn) for turn in turns]
        answer: dict[str, Any] = {"game": game.identity(), "players": names}
        print(json.dumps(answer | {"moves": moves, "turning_points": points, "summary": text}, indent=1))
        return
    print_table(judged, names)
    for turn in turns:
        print(f"move {turn.ply}: {turn.sentence}")
    print(("\n" if turns else "") + text)


def print_table(judged: list[Judged], names: tuple[str, str]) -> None:
    from rich.table import Table

    from ludus.cli.tables import print_tables

    if not judged:
        return
    table = Table()
    for name in ("move", "player", "played", "judgement", "in words"):
        table.add_column(name, justify="right" if name == "move" else "left")
    for move in judged:
        grade = GRADES.get(move.grade, move.grade)
        table.add_row(str(move.ply), names[move.player], move.move, grade, move.sentence)
    print_tables(table)
