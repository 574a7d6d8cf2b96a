"""Targets: files. Game files, records, trainings in TOML, networks, exercises."""

import json
import os
import struct
import tempfile
from functools import cache
from itertools import islice
from pathlib import Path

import ludus
from ludus.learn.checkpoint import load_checkpoint
from ludus.learn.config import game_of, settings_in
from ludus.learn.exercise_file import ExerciseFile
from ludus.play.record import read_record, read_records
from ludus.play.sgf import files_of, read_collection, write_sgf
from ludus.protocols.gtp_files import load
from ludus.protocols.gtp_table import Table
from tests.fuzz.contract import attempt, check, choice, target, text_of
from tests.fuzz.texts import no_code

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # files that need no disk


@cache
def folder() -> Path:
    """A folder for the files of this process."""
    return Path(tempfile.mkdtemp(prefix="ludus-fuzz-", dir=MEMORY))


def written(name: str, data: bytes) -> Path:
    path = folder() / name
    path.write_bytes(data)
    return path


@target("sgf")
def sgf(data: bytes) -> None:
    """Game files of Go and Hex: as records, and as positions for the GTP engine."""
    for game, record in attempt(lambda: list(islice(read_collection(data), 3))) or []:
        check(game.after(record.actions) is not None, "a game was read that cannot be played")
        [(again, same)] = read_collection(write_sgf(record, files_of(game) and game))
        check(again.after(same.actions).cells() == game.after(record.actions).cells(), "written and read, it differs")
    path = written("game.sgf", data)
    for name in ("go", "hex"):
        attempt(lambda name=name: load(Table(ludus.make(name, size=9)), [str(path)]))
    attempt(lambda: load(Table(ludus.make("go", size=9)), [str(path), "2"]))


@target("records")
def records(data: bytes) -> None:
    """The records of matches, a line of JSON for each."""
    line = text_of(data)
    record = attempt(lambda: read_record(line))
    if record is not None:
        game = attempt(record.made_game)
        if game is not None:
            attempt(lambda: list(record.replay(game)))
        attempt(lambda: read_record(record.line()))
    attempt(lambda: read_records(written("games.jsonl", data)))


@target("toml")
def toml(data: bytes) -> None:
    """The configuration of a training: its settings and its game."""
    written("config.toml", data)
    attempt(lambda: settings_in(folder()))
    with no_code():
        attempt(lambda: game_of(folder()).start())


@target("networks", largest=4096)
def networks(data: bytes) -> None:
    """A saved network: any bytes, or any description with any numbers behind it."""
    kind, data = choice(data, ["bytes", "description"])
    if kind == "description":
        about, _, weights = data.partition(b"\n")
        data = struct.pack("<Q", len(about)) + about + weights
    checkpoint = attempt(lambda: load_checkpoint(written("network.safetensors", data)))
    if checkpoint is not None:
        game = ludus.make("tic_tac_toe")
        evaluator = attempt(lambda: checkpoint.evaluator(game))
        if evaluator is not None:
            attempt(lambda: evaluator.evaluate([game.start()]))


@target("exercises")
def exercises(data: bytes) -> None:
    """The exercises of a training: what is damaged is left out."""
    game = ludus.make("tic_tac_toe")
    file = ExerciseFile(written("exercises.jsonl", data))
    for block in file.blocks(game):
        check(len(block) == len(block.scores) and block.policies.shape[1] == game.num_actions, "a block does not fit")
    file.mend()


def tiny_network() -> bytes:
    """A whole file of a small network of tic-tac-toe, for the corpus."""
    from ludus.learn.checkpoint import save_checkpoint
    from ludus.learn.network import make_network
    from ludus.learn.settings import NetworkSettings

    game = ludus.make("tic_tac_toe")
    settings = NetworkSettings(net="mlp", hidden=(4,))
    path = folder() / "tiny.safetensors"
    save_checkpoint(path, make_network(settings, game.planes_shape, game.num_actions), game, True, 1, {})
    return path.read_bytes()


def described(whole: bytes) -> bytes:
    """A network's file as the second kind of input has it: its description on a line, then its numbers."""
    (length,) = struct.unpack("<Q", whole[:8])
    return b"\x01" + json.dumps(json.loads(whole[8 : 8 + length])).encode() + b"\n" + whole[8 + length :]
