"""The client of 2020 and 2021: BasicClientActorAbs, which talks to the server, and BasicClientActor, which plays."""

from __future__ import annotations

import getpass
import math
import pprint
import random
import socket
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NoReturn

from ludus.protocols.oht.playing import text_client
from ludus.protocols.oht.playing.link import tls_context

CERTIFICATE = "server.crt"  # in the folder in which the program is started


class BasicClientActorAbs(ABC):
    """Talks to the tournament server by the text protocol. A subclass has the seven handlers below."""

    port = 33000  # the course's; a subclass may have another one

    def __init__(self, IP_address: str | None = None, verbose: bool = True) -> None:  # noqa: N803
        self.verbose = verbose
        self.IP_address = "127.0.0.1" if IP_address is None else IP_address
        context = tls_context(CERTIFICATE)
        self.s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.ssl_sock = context.wrap_socket(self.s)
        self.series_id: Any = -1

    def connect_to_server(self) -> None:
        """Logs in, plays the tournament and leaves the program (SystemExit), however it ended."""
        print(f"Connecting to {self.IP_address}:{self.port} …")
        self.ssl_sock.connect((self.IP_address, self.port))
        if self.verbose:
            pprint.pprint(self.ssl_sock.getpeercert())
            print(self.ssl_sock.cipher())
        kind, text = text_client.log_in(self.ssl_sock, self._answer)
        match kind:
            case "play":
                print(text)
                self.play_tournament()
            case "refused":
                print(f"The server has not accepted the credentials: {text}")
            case None:
                print(f"An unrecognized message of the server ends the login: {text[:200]!r}")
        self.disconnect_from_server()

    @staticmethod
    def _answer(keyword: str, kind: text_client.Kind, prompt: str) -> str:
        """What the user types; again, if that is nothing, because an empty answer would never reach the server."""
        while True:
            if answer := getpass.getpass(prompt) if kind == "secret" else input(prompt):
                return answer

    def play_tournament(self) -> None:
        """Calls the handlers for the messages of the server until the tournament is over or an action was illegal."""
        text_client.play(self.ssl_sock, self, self.show_state)

    def show_state(self, state: str) -> None:
        """Prints a message of the server, if the actor is verbose."""
        if self.verbose:
            print(state)

    def disconnect_from_server(self) -> NoReturn:
        """Closes the connection and leaves the program."""
        self.ssl_sock.close()
        raise SystemExit

    def pick_random_free_cell(self, state: Sequence[int], size: int) -> tuple[int, int]:
        """Row and column of a random empty cell."""
        return random.choice([divmod(index, size) for index, cell in enumerate(state[1:]) if cell == 0])

    @abstractmethod
    def handle_get_action(self, state: Any) -> Any:
        """The action, (row, column), in a state: the player to move, 1 or 2, then the cells row by row."""

    @abstractmethod
    def handle_series_start(
        self, unique_id: Any, series_id: Any, player_map: Any, num_games: Any, game_params: Any
    ) -> None:
        """A series begins, in which this is player `series_id` (1 or 2); `game_params` is [size of the board]."""

    @abstractmethod
    def handle_game_start(self, start_player: Any) -> None:
        """A game begins, in which player `start_player` (1 or 2) has the first move."""

    @abstractmethod
    def handle_game_over(self, winner: Any, end_state: Any) -> None:
        """A game was won by player `winner` (1 or 2)."""

    @abstractmethod
    def handle_series_over(self, stats: Any) -> None:
        """A series is over; `stats` is a list of (unique id, series id, wins, losses)."""

    @abstractmethod
    def handle_tournament_over(self, score: Any) -> None:
        """The tournament is over; `score` is the percentage of games won."""

    @abstractmethod
    def handle_illegal_action(self, state: Any, illegal_action: Any) -> None:
        """The last action was illegal, which ends the tournament."""


class BasicClientActor(BasicClientActorAbs):
    """Plays at random and prints what happens: what students replace by their own."""

    def __init__(self, IP_address: str | None = None, verbose: bool = True) -> None:  # noqa: N803
        self.series_id: Any = -1
        BasicClientActorAbs.__init__(self, IP_address, verbose=verbose)

    def handle_get_action(self, state: Any) -> Any:
        return self.pick_random_free_cell(state, size=math.isqrt(len(state) - 1))

    def handle_series_start(
        self, unique_id: Any, series_id: Any, player_map: Any, num_games: Any, game_params: Any
    ) -> None:
        self.series_id = series_id

    def handle_game_start(self, start_player: Any) -> None:
        self.starting_player = start_player

    def handle_game_over(self, winner: Any, end_state: Any) -> None:
        print(f"The game was won by player {winner}; the end state is {end_state}")

    def handle_series_over(self, stats: Any) -> None:
        print(f"The series is over: {stats}")

    def handle_tournament_over(self, score: Any) -> None:
        print(f"The tournament is over; the score is {score}")

    def handle_illegal_action(self, state: Any, illegal_action: Any) -> None:
        print(f"The action {illegal_action} was illegal in the state {state}")
