"""A player in the online Hex tournament: what it does about every message, and how the tournament went for it.

The same contestant plays by both protocols; they differ in how one logs in.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ludus.errors import whole_option
from ludus.protocols.oht.playing import json_client, text_client
from ludus.protocols.oht.playing.link import BadMessage, LostConnection, Refused
from ludus.protocols.oht.playing.player import HexPlayer
from ludus.protocols.oht.playing.table_player import TablePlayer
from ludus.protocols.oht.playing.tally import RoundResult, SeriesResult
from ludus.protocols.oht.playing.values import printable, shortened

Watch = Callable[[RoundResult], None]
Player = HexPlayer | TablePlayer


class Contestant:
    """The hooks of both protocols, answered by an agent, and the result so far."""

    def __init__(self, player: Player, watch: Watch = lambda result: None) -> None:
        self.player, self.watch = player, watch
        self.result = RoundResult(game=player.title)

    def handle_series_start(
        self, unique_id: Any, series_id: Any, player_map: Any, num_games: Any, game_params: Any
    ) -> None:
        try:
            whole_option("num_games", num_games, 0, 10**6)
            whole_option("series_id", series_id, 1, 2)
            params = list(game_params)
            opponent = next((player for player, _ in player_map if player != unique_id), None)
        except (TypeError, ValueError):
            raise BadMessage(
                f"a series has a map of players, a number of games and the size of the board, [K]; the server sent "
                f"{shortened((player_map, num_games, game_params))}"
            ) from None
        self.result.series.append(SeriesResult(opponent, series_id, num_games))
        self.player.begin_series(params)
        self.watch(self.result)

    @property
    def series(self) -> SeriesResult:
        """The series that is being played."""
        if not self.result.series:
            raise BadMessage("the server began a game before it began a series")
        return self.result.series[-1]

    def handle_game_start(self, start_player: Any) -> None:
        self.player.start_game(start_player)

    def handle_get_action(self, state: Any) -> tuple[int, int]:
        began = time.perf_counter()
        action = self.player.choose(state)
        self.series.seconds += time.perf_counter() - began
        self.series.answers += 1
        return action

    def handle_game_over(self, winner: Any, end_state: Any) -> None:
        won = winner == self.series.player
        self.series.played += 1
        self.series.wins += won
        self.series.losses += not won and winner != 0  # 0 is a draw, which Hex does not know
        self.watch(self.result)

    def handle_series_over(self, stats: Any) -> None:
        """The server's own count is the one that matters: a series may have begun before a connection was lost."""
        series = self.series
        try:
            series.wins, series.losses = next(
                (int(wins), int(losses)) for _, number, wins, losses in stats if number == series.player
            )
        except (TypeError, ValueError, StopIteration):
            raise BadMessage(f"the server's statistics {shortened(stats)} are not (id, player, wins, losses)") from None
        earlier = max(0, series.wins + series.losses - series.games)
        series.games, series.played, series.over = series.games + earlier, series.played + earlier, True
        self.watch(self.result)

    def handle_tournament_over(self, score: Any) -> None:
        if not isinstance(score, int | float):
            raise BadMessage(f"the server's score is {shortened(score)}, which is not a number")
        self.result.score = score

    def handle_illegal_action(self, state: Any, illegal_action: Any) -> None:
        raise Refused(
            f"the server refused the action {shortened(illegal_action)} as illegal in the state {shortened(state)}, "
            "which ends the tournament"
        )


# ------------------------------------------------------------------------------------------- the two protocols

Answer = Callable[[str, text_client.Kind, str], str]  # to a prompt: its keyword, its kind and its text


def play_text(link: text_client.Link, contestant: Contestant, answer: Answer) -> None:
    """A round by the text protocol: logs in, plays, and returns when the tournament is over."""
    kind, text = text_client.log_in(link, answer)
    match kind:
        case "play":
            text_client.play(link, contestant)
            refuse_early_end(contestant.result)
        case "refused":
            raise Refused("the server does not accept this username and password")
        case "over":
            raise Refused(f"the server says: {printable(text).strip()}")
        case None if not text:
            raise LostConnection("the server has closed the connection during the login")
        case _:
            raise BadMessage(f"the server sent {shortened(text)} during the login, which is none of its questions")


def refuse_early_end(result: RoundResult) -> None:
    """Says so if a server has ended a tournament before all its games were played."""
    if not result.finished:
        total = result.total()
        raise Refused(
            f"the server ended the tournament early, after {total.played} of {total.games} games of the series so far; "
            "an answer may have come too late"
        )


class JsonContestant(Contestant):
    """A contestant that can also log in by the JSON protocol."""

    def __init__(
        self,
        player: Player,
        link: json_client.Link,
        token: Callable[[], str],
        official: bool,
        watch: Watch = lambda result: None,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        super().__init__(player, watch)
        self.link, self.official, self.say = link, official, say
        self._token = token

    def play(self) -> None:
        """Plays until the server says that the session is over, or in the league until the end of a round.

        In the league the connection stays, and play() can be called again for the next round.
        """
        while json_client.handle(self._next(), self):
            if self.result.league and self.result.score is not None:
                return
        if self.result.score is None:
            raise Refused("the server ended the session before the tournament was over")
        refuse_early_end(self.result)

    def _next(self) -> dict[str, Any]:
        """The next message. Our server says which game it plays, unless that is Hex, before an attempt is charged."""
        message = json_client.read_message(json_client.receive(self.link))
        game = message.get("game", HexPlayer.game)
        if message.get("topic") in ("question", "series_start") and game != self.player.game:
            wanted = printable(game, 40)
            raise Refused(f"the server plays {wanted}, not {self.player.game}: say --game {wanted}")
        return message

    def new_round(self) -> None:
        """The next round of the league begins."""
        self.result = RoundResult(league=True, game=self.player.title)

    def send(self, msg: Any) -> None:
        json_client.send(self.link, msg)

    def send_token(self) -> None:
        self.send(self._token())

    def handle_question(self, question: Any, prompt: Any) -> bool:
        """Yes to an official round if that is wanted; no to everything else."""
        if self.result.league:
            raise Refused("this port is for official attempts and verification rounds; the league has another one")
        answer = question == "qualify" and self.official
        self.say(f"{str(prompt).strip()} {'yes' if answer else 'no'}")
        return answer

    def handle_message(self, message: Any, level: Any) -> None:
        self.say(str(message))

    def handle_error(self, error: Any) -> None:
        raise Refused(f"the server ended the session: {printable(error)}")

    def handle_finish(self) -> None:
        pass
