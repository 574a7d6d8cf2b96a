"""What the tests of the course's clients share: a student at a keyboard, and rounds of a scripted server."""

import inspect
import json
import os

import pytest

from ludus.courses.ntnu import ActorClient
from tests.oht.scripted import closed, json_series, tell, told

PASSWORD, TOKEN = "correct horse battery", "0123456789abcdef"
HANDLERS = {
    "handle_get_action": ["state"],
    "handle_series_start": ["unique_id", "series_id", "player_map", "num_games", "game_params"],
    "handle_game_start": ["start_player"],
    "handle_game_over": ["winner", "end_state"],
    "handle_series_over": ["stats"],
    "handle_tournament_over": ["score"],
}


def sit_down(monkeypatch, folder):
    """Sits in the folder of server.crt and types the answers to the prompts."""
    monkeypatch.chdir(folder)
    typed = {"username": "ann", "player-name": "Ann", "qualify": "n", "stress": "n", "Qualify": "y"}
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed[word] for word in typed if word in prompt))
    monkeypatch.setattr("getpass.getpass", lambda prompt: TOKEN if "token" in prompt else PASSWORD)
    for name in [name for name in os.environ if name.startswith("IT3105_")]:
        monkeypatch.delenv(name)


def parameters(method):
    return [name for name in inspect.signature(method).parameters if name != "self"]


def leaves(actor, port):
    """Plays with an actor of the text protocol; it leaves the program at the end."""
    actor.port = port
    with pytest.raises(SystemExit) as left:
        actor.connect_to_server()
    assert left.value.code is None
    assert actor.ssl_sock.fileno() == -1  # closed


def json_round(link, token=TOKEN, answer=b"true"):
    tell(link, '{"topic": "authentication"}')
    assert told(link)[4:] == json.dumps(token).encode()
    tell(link, '{"topic": "question", "question": "qualify", "prompt": "Qualify?"}')
    assert told(link)[4:] == answer
    tell(link, '{"topic": "message", "message": "100% fine", "level": "WARNING"}')
    stats = json_series(link, 3, 4, 2, 1)
    tell(link, json.dumps({"topic": "tournament_over", "score": 25.0 * stats[0][2]}))
    tell(link, '{"topic": "finish"}')
    assert closed(link)


def client_of(there, folder, kind=ActorClient, **options):
    return kind(**{"port": there.port, "cert": str(folder / "server.crt"), "qualify": True, "auth": TOKEN} | options)
