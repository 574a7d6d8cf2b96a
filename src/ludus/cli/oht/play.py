"""`ludus oht play --server HOST --agent AGENT`: plays in an online Hex tournament and shows the results as it goes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from ludus.cli.oht.secret import Secrets
from ludus.cli.parse import parse
from ludus.errors import BadOption, seed_option, whole_option, within

if TYPE_CHECKING:
    from ludus.cli.oht.results import Screen
    from ludus.protocols.oht.playing.client import Player
    from ludus.protocols.oht.playing.tally import RoundResult

Flag = Annotated[bool, tyro.conf.FlagCreatePairsOff]
PORTS = {"text": 33000, "json": 33001, "league": 30000}  # of `ludus oht serve`, if its flags do not say otherwise


@dataclass(frozen=True, kw_only=True)
class Play:
    """Play in an online Hex tournament with an agent: a verification round, unless --official asks for an attempt.

    The password of the text protocol is asked for without showing it, or read from the environment variable
    LUDUS_OHT_PASSWORD or from standard input; the token of the JSON protocol from LUDUS_OHT_TOKEN or --token-file.
    """

    server: str  # HOST or HOST:PORT; without a port it is 33000, 33001 for the JSON protocol, 30000 for the league
    agent: str  # who plays, such as zoo:hex7,simulations=200 (`ludus agents` lists them all)
    game: str = "hex"  # what the server plays: hex, connect_four, tic_tac_toe or othello
    protocol: Literal["text", "json"] | None = None  # text, or json if --league or --token-file is given
    official: Flag = False  # an official attempt, of which every account has a few
    verification: Flag = False  # a verification round, which costs nothing; the default
    league: Flag = False  # play against the other players who are connected
    cert: Path = Path("server.crt")  # the server's certificate, which the teacher hands out
    user: str | None = None  # text protocol: the username; asked for if not given
    nickname: str | None = None  # text protocol: the handle by which others see you; it stays as it is, if not given
    token_file: Path | None = None  # JSON protocol: a file with the token and nothing else
    rounds: int = 1  # verification rounds, or rounds of the league, one after another
    move_seconds: float | None = None  # how long the agent may think about a move; its own settings if not given
    seed: int | None = None  # of the agent's random numbers; others in every run if not given
    show: Flag = False  # draw the board before each of our moves
    json: Flag = False  # print the result as JSON

    def __post_init__(self) -> None:
        whole_option("rounds", self.rounds, 1, 1000)
        if self.seed is not None:
            seed_option("seed", self.seed)
        if self.move_seconds is not None:
            within("move-seconds", self.move_seconds, 0.001, 1e6)
        if self.official and (self.verification or self.league or self.rounds > 1):
            raise BadOption("--official is one official attempt: leave out --verification, --league and --rounds")
        if self.league and self.protocol == "text":
            raise BadOption("the league is played by the JSON protocol: leave out --protocol text")
        if self.wire == "json" and (self.user or self.nickname):
            raise BadOption("--user and --nickname are for the text protocol; the JSON protocol has a token")
        if self.wire == "text" and self.token_file:
            raise BadOption("--token-file is for the JSON protocol; the text protocol has a username and a password")

    @property
    def wire(self) -> Literal["text", "json"]:
        """The protocol that is spoken."""
        return self.protocol or ("json" if self.league or self.token_file else "text")

    @property
    def kind(self) -> str:
        return "official" if self.official else "league" if self.league else "verification"

    def address(self) -> tuple[str, int]:
        """Host and port of the server."""
        found = re.fullmatch(r"(?P<host>[^\s:/@]+)(?::(?P<port>\d{1,5}))?", self.server.strip())
        usual = PORTS["league" if self.league else self.wire]
        port = int(found["port"] or usual) if found else 0
        if not found or not 0 < port < 65536:
            raise BadOption(f"--server is HOST or HOST:PORT, such as 127.0.0.1:{usual}, not {self.server!r}")
        return found["host"], port


def main(command: str, arguments: list[str]) -> None:
    options = parse(Play, arguments, "ludus oht play")
    options.address()
    secrets = Secrets(options.user, options.nickname, options.token_file, options.official)
    from ludus.cli.oht.results import Screen
    from ludus.protocols.oht.playing.table_player import make_player

    player = make_player(options.game, options.agent, options.seed, options.move_seconds)
    rounds: list[RoundResult] = []
    try:
        with Screen(options, player) as screen:
            for _ in range(1 if options.league else options.rounds):
                play_round(options, player, secrets, screen, rounds)
    finally:
        player.close()
        finish(options, rounds)


def play_round(options: Play, player: Player, secrets: Secrets, screen: Screen, rounds: list[RoundResult]) -> None:
    """One round: connects, logs in, plays to the end. In the league, as many rounds as are wanted."""
    from ludus.protocols.oht.playing.client import Contestant, JsonContestant, play_text
    from ludus.protocols.oht.playing.link import linked

    secrets.new_round()
    host, port = options.address()
    with linked(host, port, options.cert) as link:
        if options.wire == "text":
            plain = Contestant(player, screen.see)
            rounds.append(plain.result)
            play_text(link, plain, secrets.answer)
            screen.end_round(plain.result)
            return
        contestant = JsonContestant(player, link, secrets.token, options.official, screen.see, screen.say)
        for _ in range(options.rounds if options.league else 1):
            if options.league:
                contestant.new_round()
            rounds.append(contestant.result)
            contestant.play()
            screen.end_round(contestant.result)


def finish(options: Play, rounds: list[RoundResult]) -> None:
    """Prints what was played, also if it did not come to its end."""
    played = [result for result in rounds if result.series or result.score is not None]
    if options.json:
        about = {"kind": options.kind, "protocol": options.wire, "agent": options.agent, "game": options.game}
        print(json.dumps(about | {"rounds": [result.plain() for result in played]}, indent=1))
        return
    from ludus.cli.oht.results import in_words, table_of
    from ludus.cli.tables import print_tables

    for result in played:
        print_tables(table_of(result))
        print(in_words(result))
