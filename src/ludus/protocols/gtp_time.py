"""Time as GTP counts it: an amount for the game, then periods in which a number of stones must be played."""

from __future__ import annotations

from dataclasses import replace

from ludus.agents.agent import TimeLeft
from ludus.game import Player
from ludus.protocols.gtp_lines import Refusal, number, whole

LEAST = 0.05  # seconds: GTP counts whole ones, so 0 may mean almost one; and a move is due in any case
NO_LIMIT = "time_settings 0 1 0"  # a period without stones means that there is no limit


class GtpClock:
    """What `time_settings` and `time_left` have told an engine, and what it has used since."""

    def __init__(self, main: float = 0.0, period: float = 0.0, stones: int = 0, by_periods: bool = False) -> None:
        self.by_periods = by_periods  # every move has a period of its own, and what is counted down is periods
        self.period = TimeLeft(period, 0.0, stones) if period > 0 and stones > 0 else None
        start = TimeLeft(main) if main > 0 else self.period
        free = period > 0 and stones == 0  # which GTP defines as no limit
        self.start = None if free else start
        self.restart()

    def restart(self) -> None:
        """A new game begins with all the time again."""
        self.left: list[TimeLeft | None] = [self.start, self.start]

    def tell(self, player: Player, seconds: float, stones: int) -> None:
        """The controller's clock shows this; no stones: it is the time for the whole game."""
        if self.by_periods and stones > 0:
            stones = 1
        over = seconds == 0 and stones == 0 and self.period is not None
        self.left[player] = self.period if over else TimeLeft(max(LEAST, seconds), 0.0, stones or None)

    @staticmethod
    def of_kgs(kind: str, *words: str) -> GtpClock:
        """The clock of `kgs-time_settings`: none, absolute, canadian (stones in a period) or byoyomi (periods)."""
        main, period = [abs(number(word)) for word in (*words[:2], "0", "0")[:2]]
        match kind.lower(), len(words):
            case "none", 0:
                return GtpClock(period=1)
            case "absolute", 1:
                return GtpClock(main)
            case "canadian", 3:
                return GtpClock(main, period, whole(words[2]))
            case "byoyomi", 3:
                return GtpClock(main, period, min(1, whole(words[2])), by_periods=True)
        raise Refusal("syntax error")

    def press(self, player: Player, seconds: float) -> None:
        """The engine has moved after `seconds`."""
        left = self.left[player]
        if left is None:
            return
        rest, stones = left.seconds - seconds, None if left.moves is None else left.moves - 1
        if rest <= 0 or stones == 0:
            self.left[player] = self.period or replace(left, seconds=LEAST)
        else:
            self.left[player] = replace(left, seconds=rest, moves=stones)


def settings_words(left: TimeLeft) -> str:
    """The `time_settings` for a game that begins with this clock. GTP has no increments; `time_left` includes them."""
    whole = max(1, int(left.seconds))
    return f"time_settings {whole} 0 0" if left.moves is None else f"time_settings 0 {whole} {left.moves}"


def left_words(color: str, left: TimeLeft) -> str:
    """The `time_left` before a move."""
    return f"time_left {color} {int(left.seconds)} {left.moves or 0}"
