"""How a tournament is set up. The flags of `ludus oht serve` are made from these."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass, fields
from typing import Literal

from ludus.errors import BadOption, whole_option, within
from ludus.game import Game
from ludus.games import find
from ludus.protocols.oht.serving.house import check as check_agents
from ludus.protocols.oht.table import check as check_game


@dataclass(frozen=True)
class TournamentSettings:
    """The game, the opponents, and the rules of a round."""

    board: int | None = None  # rows and columns of the board: 7 for Hex and 8 for Othello, if not given
    game: str = "hex"  # the JSON protocol also carries tic_tac_toe, connect_four and othello, which is our own addition
    opponents: tuple[str, ...] = ("random", "mcts:simulations=100", "mcts:simulations=1000")  # of an official round
    games: int = 50  # against each of them
    verification: tuple[str, ...] = ("random", "mcts:simulations=100")  # opponents of a verification round
    verification_games: int = 100  # in all of a verification round
    move_seconds: float = 30.0  # for each answer of a client

    def __post_init__(self) -> None:
        whole_option("games", self.games, 1, 1000)
        whole_option("verification-games", self.verification_games, 1, 1000)
        within("move-seconds", self.move_seconds, 0.1, 3600)
        if not self.opponents or not self.verification:
            raise BadOption("a round needs at least one opponent, such as --opponents random mcts:simulations=100")
        if "random" not in self.verification:
            raise BadOption("one opponent of a verification round is random, so --verification must name it")
        if self.verification_games < len(self.verification):
            raise BadOption("a verification round needs at least one game against each of its opponents")

    def make_game(self) -> Game:
        """The game that is played, after a check that the protocols can carry it and every opponent plays it."""
        kind = find(self.game)
        if self.board is not None and "size" not in {f.name for f in fields(kind)}:
            raise BadOption(f"the board of {kind.name} always has the same size: leave out --board")
        game = kind() if self.board is None else kind(**{"size": self.board})
        check_game(game)
        check_agents([*self.opponents, *self.verification], game)
        return game


@dataclass(frozen=True)
class LeagueSettings:
    """When the connected players of the league meet, and how often."""

    league_at: tuple[str, ...] = ()  # times of day at which rounds begin, such as 18:00 20:30
    league_every: float | None = None  # minutes from one round to the next
    league_games: int = 10  # of two players in one round
    league_opponents: int = 10  # at most, for each player in one round; everybody meets everybody in a small league

    def __post_init__(self) -> None:
        whole_option("league-games", self.league_games, 1, 1000)
        whole_option("league-opponents", self.league_opponents, 1, 1000)
        if self.league_every is not None:
            within("league-every", self.league_every, 0.01, 1e5)
        for time in self.league_at:
            if not re.fullmatch(r"([01]?\d|2[0-3]):[0-5]\d", time):
                raise BadOption(f"write a time of day as 18:30, not {time!r}")


@dataclass(frozen=True)
class PageSettings:
    """What the standings page shows, how lost tokens are replaced, and who may read the numbers at /metrics."""

    public_names: bool = False  # show the names of accounts, not only the handles that players have chosen
    mail_command: str | None = None  # sends temporary tokens; it reads a message with its headers: "sendmail -t"

    metrics_token: str = ""  # /metrics wants it as `Authorization: Bearer …`; without one it answers to this machine

    def __post_init__(self) -> None:
        if self.mail_command is not None and (not self.mail_words or not shutil.which(self.mail_words[0])):
            raise BadOption(
                f"--mail-command must be a program of this machine, such as 'sendmail -t', not {self.mail_command!r}"
            )

    @property
    def mail_words(self) -> tuple[str, ...]:
        """The program and its arguments. It is started without a shell."""
        try:
            return tuple(shlex.split(self.mail_command or ""))
        except ValueError:  # a quote that is not closed
            return ()


@dataclass(frozen=True)
class Bound:
    """How much the server takes upon itself. Beyond it, new connections are closed."""

    connections: int = 600  # in all
    waiting: int = 400  # of them, not logged in yet
    waiting_of_one: int = 256  # not logged in yet, from one address; a class may share one
    of_account: int = 4  # of one account
    login_seconds: float = 120.0  # for each question of the login
    handshake_seconds: float = 20.0  # until the connection is encrypted


Protocol = Literal["text", "json", "league"]
