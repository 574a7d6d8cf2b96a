"""The schedule of a tournament: pairs, sides, openings and seeds. All of it follows from one seed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from ludus._core import Rng
from ludus.errors import BadOption
from ludus.game import Action, Game, Player, begun_by

PATIENCE = 200  # random openings in a row that were all seen before; then openings get a ply longer
LONGEST = 12  # plies of an opening, at most


@dataclass(frozen=True)
class Meeting:
    """One game to be played. `agents[p]` is the number of the agent that plays for player p."""

    number: int
    agents: tuple[int, int]
    opening: tuple[Action, ...]
    seed: int
    starter: Player | None = None  # who makes the first move, where starters alternate


def schedule(
    game: Game,
    agents: int,
    games: int,
    plies: int,
    seed: int,
    one_against_all: bool,
    paired: bool = True,
    alternate_starter: bool = False,
) -> list[Meeting]:
    """Every pair meets `games` times, with openings of its own. Each is played twice in a row, with colours exchanged;
    or, if not paired, once. If starters alternate, every other opening is begun by player 1.

    Rounds go through all pairs, so that a tournament that is stopped early has games of every pair.
    """
    pairs = [(0, i) for i in range(1, agents)] if one_against_all else list(combinations(range(agents), 2))
    if not pairs or games < 1:
        raise BadOption("a tournament needs at least two agents and one game for every pair")
    rounds = [k // 2 if paired else k for k in range(games)]
    starters: list[Player | None] = [0, 1] if alternate_starter else [None]
    count = (rounds[-1] + 1) * len(pairs)
    openings = {s: draw_openings(game if s is None else begun_by(game, s), count, plies, seed) for s in starters}
    meetings = []
    for k in range(games):
        for which, (one, other) in enumerate(pairs):
            number = 2 * (k // 2 * len(pairs) + which) + k % 2  # the same whatever `games` is
            first = (one, other) if (k + k // 2 + one + other) % 2 == 0 else (other, one)
            starter = starters[k // 2 % len(starters)]  # two games each, so that both agents have both roles
            opening = openings[starter][rounds[k] * len(pairs) + which]
            meetings.append(Meeting(number, first, opening, (seed * 1_000_003 + number) % 2**64, starter))
    return sorted(meetings, key=lambda meeting: meeting.number)


def draw_openings(game: Game, count: int, plies: int, seed: int) -> list[tuple[Action, ...]]:
    """Random openings, all different as long as the game has enough; they grow by a ply when it has not."""
    if not 0 <= plies <= LONGEST:
        raise BadOption(f"an opening has 0 to {LONGEST} random plies, not {plies}")
    rng = Rng(seed)
    if plies == 0:
        return [()] * count
    found: dict[tuple[Action, ...], None] = {}
    misses = 0
    while len(found) < count:
        opening = random_opening(game, plies, rng)
        misses = misses + 1 if opening is None or opening in found else 0
        if opening is not None:
            found.setdefault(opening)
        if misses > PATIENCE:
            if plies == LONGEST or not found:
                break
            plies, misses = plies + 1, 0
    distinct = list(found) or [()]
    return [distinct[i % len(distinct)] for i in range(count)]


def random_opening(game: Game, plies: int, rng: Rng) -> tuple[Action, ...] | None:
    """Random actions from the start; None if they end the game."""
    state, opening = game.start(), []
    for _ in range(plies):
        if state.over:
            return None
        opening.append(rng.choice(state.actions()))
        state = state.play(opening[-1])
    return None if state.over else tuple(opening)
