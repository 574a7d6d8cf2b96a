"""ActorClient: same names, arguments and behaviour as in the course."""

import inspect
import os

import numpy as np
import pytest

from ludus.courses import ntnu
from ludus.courses.ntnu import ActorClient
from tests.courses.ntnu_rounds import HANDLERS, TOKEN, client_of, json_round, parameters, sit_down
from tests.oht.scripted import closed, server, tell


@pytest.fixture(autouse=True)
def home(folder, monkeypatch):
    sit_down(monkeypatch, folder)


def test_the_constructor_has_the_keywords_of_the_course():
    keywords = ["host", "port", "cert", "auth", "echo", "qualify", "api_port", "league_port", "log_fmt"]
    assert parameters(ActorClient) == keywords
    for name, expected in HANDLERS.items():
        assert parameters(getattr(ActorClient, name)) == expected
    assert parameters(ActorClient.handle_question) == ["question", "prompt"]
    assert parameters(ActorClient.handle_message) == ["message", "level"]
    assert parameters(ActorClient.handle_error) == ["error"]
    assert parameters(ActorClient.get_random_action) == ["state"]
    assert inspect.signature(ActorClient.run).parameters["mode"].default == "qualifiers"


def test_the_environment_gives_the_defaults(monkeypatch):
    client = ActorClient()
    assert (client.host, int(client.port), int(client.api_port), int(client.league_port)) == (
        "127.0.0.1", 33000, 32000, 30000,
    )  # fmt: skip
    assert client.auth is None and client.answers == {"qualify": None} and client.logger.level == 20
    given = {"HOST": "h", "PORT": "1", "CERT": "c", "AUTH": "a", "ECHO": "yes", "QUALIFY": "no", "API_PORT": "2"}
    for name, value in (given | {"LeAGUE_PORT": "3"}).items():
        monkeypatch.setenv(f"IT3105_{name}", value)
    client = ActorClient()
    assert [client.host, client.port, client.cert, client.auth, client.api_port, client.league_port] == [
        "h", "1", "c", "a", "2", "3",
    ]  # fmt: skip
    assert client.answers == {"qualify": "no"} and client.logger.level == 10
    assert ActorClient(host="x", auth=None, echo=False, qualify=None).auth is None


def test_the_certificate_lies_beside_the_module(tmp_path, monkeypatch):
    assert ActorClient().cert == os.path.join(os.path.dirname(os.path.abspath(ntnu.__file__)), "server.crt")
    (tmp_path / "my_client.py").write_text(
        "from ludus.courses.ntnu import ActorClient\n\n\nclass MyClient(ActorClient):\n    pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import my_client

    assert my_client.MyClient().cert == str(tmp_path / "server.crt")  # as with the course: client and certificate
    with pytest.raises(FileNotFoundError):
        my_client.MyClient().run()


def test_the_stock_client_plays_a_round(folder, capsys):
    with server(folder, json_round) as there:
        client_of(there, folder).run()
    log = capsys.readouterr().err
    assert "] INFO: Tournament over: score=" in log and "] INFO: Connection closed" in log
    assert "] WARNING: 100% fine" in log and "Series start: unique_id=-200 series_id=2" in log


def test_no_token_is_ever_logged_even_with_echo(folder, capsys):
    with server(folder, json_round) as there:
        client_of(there, folder, echo="yes").run()
    log = capsys.readouterr().err
    assert "DEBUG: Sending: True" in log and "request_action" in log
    assert TOKEN not in log


def test_a_token_is_asked_for_without_showing_it(folder, capsys):
    with server(folder, json_round) as there:
        client_of(there, folder, auth=None, echo=True).run()
    shown = capsys.readouterr()
    assert TOKEN not in shown.out + shown.err


def test_the_log_has_the_format_that_is_wanted(folder, capsys):
    with server(folder, json_round) as there:
        client_of(there, folder, log_fmt="<%(message)s>").run()
    assert "<Connection closed>\n" in capsys.readouterr().err


def test_modes(folder):
    with server(folder, json_round) as there:
        client = client_of(there, folder, port=1, league_port=there.port)
        client.run(mode="league")
    with pytest.raises(ValueError, match="qualifiers or league"):
        client.run("friendly")
    with pytest.raises(RuntimeError):
        _ = client.sock


@pytest.mark.parametrize(("qualify", "answer"), [(False, b"false"), ("n", b"false"), (1, b"true"), (None, b"true")])
def test_a_canned_answer_or_what_is_typed(folder, qualify, answer):
    with server(folder, lambda link: json_round(link, answer=answer)) as there:
        client_of(there, folder, qualify=qualify).run()


def test_an_answer_that_is_neither_yes_nor_no(capsys):
    with pytest.raises(ActorClient.Error, match="must be yes or no, not 'maybe'"):
        ActorClient(qualify="maybe").handle_question(question="qualify", prompt="Qualify?")
    assert ActorClient().handle_question("other", "Qualify?") is True  # typed


def test_an_error_of_the_server_is_raised(folder, capsys):
    def script(link):
        tell(link, '{"topic": "error", "error": "not your turn"}')
        assert closed(link)

    with server(folder, script) as there, pytest.raises(ActorClient.Error, match="not your turn"):
        client_of(there, folder).run()
    assert "ERROR: not your turn" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (lambda link: tell(link, '{"topic": "game_end"}'), RuntimeError),
        (lambda link: None, OSError),
        (lambda link: link.sendall(b"\xff\xff\xff\xff"), ValueError),
    ],
)
def test_a_broken_session_raises(folder, script, error):
    with server(folder, script) as there, pytest.raises(error):
        client_of(there, folder).run()


def test_a_client_of_a_student_runs_unchanged(folder):
    """The way the course's subclasses are written: numpy, a call of super() with positions, a state that is changed."""

    class MyClient(ActorClient):
        def handle_series_start(self, unique_id, series_id, player_map, num_games, game_params):
            self.number = series_id
            return super().handle_series_start(unique_id, series_id, player_map, num_games, game_params)

        def handle_get_action(self, state):
            assert state[0] == self.number and isinstance(state, list)
            board = np.array(state[1:]).reshape(3, 3)
            state[0] = None
            row, column = np.argwhere(board == 0)[0]
            return row, column

    with server(folder, json_round) as there:
        client_of(there, folder, MyClient).run()
