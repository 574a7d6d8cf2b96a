"""When the rounds of the league begin, and who meets whom."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime, timedelta

from ludus.protocols.oht.settings import LeagueSettings


def pairings(players: int, most: int) -> list[tuple[int, int]]:
    """Pairs of players such that each meets up to `most` others, in an order in which many can play at once.

    The circle method: one player stays, the others move around; each turn of the circle pairs everybody once. If
    their number is odd, one of them rests in each turn, so there is one turn more. The first of a pair is player 1 of
    its series: whoever has been it less often.
    """
    order: list[int | None] = [*random.sample(range(players), players), *([None] if players % 2 else [])]
    half, met, first = len(order) // 2, Counter[int](), Counter[int]()
    pairs = []
    for turn in range(min(most + players % 2, len(order) - 1)):
        for place, (a, b) in enumerate(zip(order[:half], reversed(order[half:]), strict=True)):
            if a is None or b is None or met[a] >= most or met[b] >= most:
                continue
            turned = first[a] > first[b] or (first[a] == first[b] and (turn + place) % 2 == 1)
            pairs.append((b, a) if turned else (a, b))
            met.update((a, b))
            first[pairs[-1][0]] += 1
        order = [order[0], order[-1], *order[1:-1]]
    return pairs


def next_time(settings: LeagueSettings, now: datetime) -> datetime | None:
    """When the next round begins; None if no rounds are set."""
    times = [datetime.strptime(time, "%H:%M").time() for time in settings.league_at]
    days = (now.date(), now.date() + timedelta(days=1))
    all_times = [datetime.combine(day, time) for day in days for time in times]
    if settings.league_every:
        all_times.append(now + timedelta(minutes=settings.league_every))
    return min((time for time in all_times if time > now), default=None)
