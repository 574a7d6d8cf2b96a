"""The client of 2022 to 2024: ActorClient, which talks to the server by the JSON protocol."""

from __future__ import annotations

import contextlib
import getpass
import logging
import math
import os
import pprint
import random
import ssl
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ludus.courses.ntnu.side_api import SideApi
from ludus.errors import LudusError
from ludus.protocols.oht.playing import json_client
from ludus.protocols.oht.playing.link import tls_socket

LOG_FORMAT = "[%(asctime)s] %(levelname)s: %(message)s"
LEVELS = {"INFO": logging.INFO, "WARNING": logging.WARNING, "ERROR": logging.ERROR}


class NotGiven:
    """The default of an argument that the environment may give."""

    def __repr__(self) -> str:
        return "<from the environment>"


ENVIRONMENT = NotGiven()


class ActorClient(SideApi):
    """Plays in the qualifiers or in the league. A subclass overrides handle_get_action, and what else it likes."""

    class Error(LudusError):
        """The server has ended the session with an error, or an answer is not one."""

    def __init__(
        self,
        host: str | NotGiven = ENVIRONMENT,
        port: str | int | NotGiven = ENVIRONMENT,
        cert: str | os.PathLike[str] | NotGiven = ENVIRONMENT,
        auth: str | NotGiven | None = ENVIRONMENT,
        echo: object = ENVIRONMENT,
        qualify: object = ENVIRONMENT,
        api_port: str | int | NotGiven = ENVIRONMENT,
        league_port: str | int | NotGiven = ENVIRONMENT,
        log_fmt: str | None = None,
    ) -> None:
        self.host = given(host, "IT3105_HOST", "127.0.0.1")
        self.port = given(port, "IT3105_PORT", "33000")
        self.cert = given(cert, "IT3105_CERT", None) or certificate_of(type(self))
        self.auth = given(auth, "IT3105_AUTH", None)
        self.echo = given(echo, "IT3105_ECHO", "0")
        self.api_port = given(api_port, "IT3105_API_PORT", "32000")
        self.league_port = given(league_port, "IT3105_LeAGUE_PORT", "30000")
        self.log_fmt = log_fmt
        self.answers: dict[str, Any] = {"qualify": given(qualify, "IT3105_QUALIFY", None)}
        self.logger = self.create_logger()
        self._sock: ssl.SSLSocket | None = None

    # ------------------------------------------------------------------------------------- the session

    def run(self, mode: str = "qualifiers") -> None:
        """Plays until the server says that the session is over; `mode` is qualifiers or league."""
        ports = {"qualifiers": self.port, "league": self.league_port}
        if mode not in ports:
            raise ValueError(f"the mode is qualifiers or league, not {mode!r}")
        with self.connect(host=self.host, port=ports[mode]):
            while self.handle(self.recv()):
                pass

    def handle(self, msg: dict[str, Any]) -> bool:
        """Calls the hook of a message and sends its answer. False: the session is over."""
        return json_client.handle(msg, self)

    @property
    def sock(self) -> ssl.SSLSocket:
        """The connection to the server."""
        if self._sock is None:
            raise RuntimeError("the client is not connected")
        return self._sock

    @contextlib.contextmanager
    def connect(self, host: str, port: str | int) -> Iterator[ssl.SSLSocket]:
        """A connection to the server, closed at the end."""
        with self.create_socket() as sock:
            self._sock = sock
            try:
                self.logger.info("Connecting to %s:%s", host, port)
                sock.connect((host, int(port)))
                self.logger.debug("%s", pprint.pformat(sock.getpeercert()))
                self.logger.debug("%s", sock.cipher())
                yield sock
            finally:
                self._sock = None

    def create_socket(self) -> ssl.SSLSocket:
        """A TLS socket that trusts the certificate of the server."""
        return tls_socket(self.cert)

    def create_logger(self) -> logging.Logger:
        """A logger on standard error, with debug messages if the client echoes."""
        logger = logging.Logger("ActorClient")
        logger.setLevel(logging.DEBUG if json_client.read_answer(self.echo) else logging.INFO)
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(self.log_fmt or LOG_FORMAT))
        logger.addHandler(handler)
        return logger

    def recv(self) -> dict[str, Any]:
        """The next message of the server."""
        body = json_client.receive(self.sock)
        self.logger.debug("Received %s bytes: %s", len(body), body)
        return json_client.read_message(body)

    def send(self, msg: Any) -> None:
        """Sends a value as JSON."""
        self.logger.debug("Sending: %s", msg)
        json_client.send(self.sock, msg)

    def send_token(self) -> None:
        """Sends the token, or asks for it first. It is never logged."""
        json_client.send(self.sock, getpass.getpass("API token: ") if self.auth is None else self.auth)
        self.logger.info("Authenticating...")

    def get_random_action(self, state: Sequence[int]) -> tuple[int, int]:
        """Row and column of a random empty cell."""
        size = math.isqrt(len(state) - 1)
        return random.choice([divmod(index, size) for index, cell in enumerate(state[1:]) if cell == 0])

    # ------------------------------------------------------------------------------------- hooks

    def handle_question(self, question: Any, prompt: Any) -> bool:
        """The answer to a yes/no question: the one in `answers`, or what the user types."""
        answer = self.answers.get(question)
        if answer is not None:
            self.logger.info('Using the answer %s="%s"', question, answer)
        else:
            answer = input(f"{prompt} [y/n] ")
        meant = json_client.read_answer(answer)
        if meant is None:
            raise self.Error(f"the answer to {question} must be yes or no, not {answer!r}")
        return meant

    def handle_message(self, message: Any, level: Any) -> None:
        self.logger.log(LEVELS.get(level, logging.INFO), "%s", message)

    def handle_error(self, error: Any) -> None:
        self.logger.error("%s", error)
        raise self.Error(error)

    def handle_finish(self) -> None:
        self.logger.info("Connection closed")

    def handle_series_start(
        self, unique_id: Any, series_id: Any, player_map: Any, num_games: Any, game_params: Any
    ) -> None:
        """A series begins, in which this is player `series_id` (1 or 2); `game_params` is [size of the board]."""
        words = "Series start: unique_id=%s series_id=%s player_map=%s num_games=%s game_params=%s"
        self.logger.info(words, unique_id, series_id, player_map, num_games, game_params)

    def handle_game_start(self, start_player: Any) -> None:
        """A game begins, in which player `start_player` (1 or 2) has the first move."""
        self.logger.info("Game start: start_player=%s", start_player)

    def handle_get_action(self, state: Any) -> Any:
        """The action, (row, column), in a state: the player to move, 1 or 2, then the cells row by row."""
        action = self.get_random_action(state)
        self.logger.info("Get action: state=%s, a random action: %s", state, action)
        return action

    def handle_game_over(self, winner: Any, end_state: Any) -> None:
        """A game was won by player `winner` (1 or 2); the first element of the end state means nothing."""
        self.logger.info("Game over: winner=%s end_state=%s", winner, end_state)

    def handle_series_over(self, stats: Any) -> None:
        """A series is over; `stats` is a list of [unique id, series id, wins, losses]."""
        self.logger.info("Series over: stats=%s", stats)

    def handle_tournament_over(self, score: Any) -> None:
        """The tournament is over; `score` is the percentage of games won."""
        self.logger.info("Tournament over: score=%s", score)


def given(value: Any, variable: str, default: Any) -> Any:
    """An argument, or the environment's value of it, or the default."""
    return os.environ.get(variable, default) if isinstance(value, NotGiven) else value


def certificate_of(kind: type) -> str:
    """server.crt beside the module of a client, or beside that of the first superclass where there is one."""
    modules = [sys.modules.get(base.__module__) for base in kind.__mro__ if issubclass(base, ActorClient)]
    files = [Path(file).absolute().with_name("server.crt") for m in modules if (file := getattr(m, "__file__", None))]
    return str(next((file for file in files if file.is_file()), files[0]))
