"""Explains a Monte Carlo tree search: it runs in pieces, and what it knew after each piece is kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from ludus._core import Rng
from ludus.game import Action, Game, Player, State
from ludus.search.mcts import Child, Mcts, MctsSettings
from ludus.search.settings import Actor, Critic, Judge, Mix, Rollout
from ludus.show.explanation import Explanation, percent, plural, points

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PIECES = 40  # moments at which the search is looked at
PROOFS = {1: "proven win", 0: "proven draw", -1: "proven loss"}


class TreeSearcher(Protocol):
    """What an agent must tell about its Monte Carlo tree search."""

    simulations: int | None
    seconds: float | None
    usual: int  # simulations, if nothing limits the search
    choice: Literal["visits", "value"]

    def settings(self) -> MctsSettings: ...


@dataclass(frozen=True)
class Moment:
    """What the root knew after a number of simulations."""

    simulations: int
    visits: dict[Action, int]
    values: dict[Action, float]


@dataclass(frozen=True)
class Branch:
    """A node at the top of the tree, with its most visited children."""

    action: Action | None  # None: the root
    player: Player  # who chose it
    visits: int
    value: float
    children: tuple[Branch, ...] = ()


@dataclass(frozen=True)
class MctsExplanation(Explanation):
    """A whole search, as a list of the moments at which it was looked at."""

    settings: MctsSettings
    moments: list[Moment]
    children: list[Child]  # of the root, the chosen one and then the most visited
    line: list[Action]
    tree: Branch
    depths: list[int]  # how many nodes of each depth were visited

    @property
    def simulations(self) -> int:
        return self.moments[-1].simulations

    @property
    def total(self) -> int:
        """All visits of the root's children."""
        return max(1, sum(child.visits for child in self.children))

    def bonus(self, child: Child) -> float:
        """What the tree policy adds to a child for being little visited."""
        return self.settings.rule.bonus(self.total, child.visits, child.prior)

    def rows(self) -> list[dict[str, object]]:
        """Every action: visits, share of the visits, share of the points, the bonus for being little visited."""
        return [
            {
                "move": self.write(child.action),
                "visits": child.visits,
                "share": child.visits / self.total,
                "points": (child.value + 1) / 2 if child.visits else None,
                "value": child.value,
                "bonus": self.bonus(child),
                "proven": child.proven,
            }
            for child in self.children
        ]

    def table(self) -> list[str]:
        lines = [f"{'move':>6} {'visits':>8} {'share':>7} {'points':>7} {'bonus':>7}"]
        for child in self.children[:10]:
            scored = f"{(child.value + 1) / 2:.1%}" if child.visits else ""
            proof = "" if child.proven is None else PROOFS[child.proven]
            share = child.visits / self.total
            lines.append(
                f"{self.write(child.action):>6} {child.visits:>8,} {share:>7.1%} {scored:>7} "
                f"{self.bonus(child):>7.1%} {proof}".rstrip()
            )
        if len(self.children) > 10:
            lines.append(f"and {plural(len(self.children) - 10, 'other move')}")
        return [*lines, "", f"visited nodes by depth: {', '.join(str(n) for n in self.depths)}"]

    def as_json(self) -> dict[str, object]:
        return {
            "kind": "mcts",
            "move": self.write(self.chosen),
            "simulations": self.simulations,
            "moves": self.rows(),
            "moments": [asdict(moment) for moment in self.moments],
            "line": [self.write(action) for action in self.line],
        }

    def draw(self, figure: Figure) -> None:
        from ludus.show.picture_mcts import draw_mcts

        draw_mcts(figure, self)

    def in_words(self) -> str:
        player, move = self.state.player, self.write(self.chosen)
        first, *others = [child for child in self.children if child.visits]
        words = [
            f"Player {player} is to move. The search made {plural(self.simulations, 'simulation')}: each went down the "
            f"tree of what was already known, tried something new, {judge_in_words(self.settings.judge)}, and counted "
            "the result for every move on the way.",
            self.verdict(first),
            f"{percent(first.visits / self.total)} of the simulations began with {move}, and they gave player {player} "
            f"{points(first.value)} of the points (a win is 100%, a draw 50%).",
        ]
        if others:
            second = others[0]
            words.append(
                f"{self.write(second.action)} came next with {percent(second.visits / self.total)} of the simulations "
                f"and {points(second.value)} of the points."
            )
            least = others[-1]
            if least.value < first.value and 4 * least.visits < first.visits and least is not second:
                words.append(
                    f"Moves that did badly were tried less and less: {self.write(least.action)} only "
                    f"{plural(least.visits, 'time')}, with {points(least.value)} of the points."
                )
        since = self.leads_since()
        if self.moments[0].simulations < since < self.simulations:
            words.append(f"{move} has been in the lead since simulation {since:,}.")
        if self.line:
            words.append(f"It expects {self.write_line(self.line)} to be played.")
        return " ".join(words)

    def verdict(self, first: Child) -> str:
        """What the choice rests on: a proof, or the visits."""
        move = self.write(self.chosen)
        if first.proven == 1:
            return f"It could prove that {move} wins by force, so it chose {move}."
        if first.proven == 0:
            return f"It could prove that {move} draws by force, and found nothing better, so it chose {move}."
        if first.proven == -1:
            return f"It could prove that every move loses by force; it chose {move} all the same."
        if first.visits >= max(child.visits for child in self.children):
            return f"It chose {move}, the move it had come back to most often."
        return f"It chose {move}, the move with the best results."

    def leads_since(self) -> int:
        """The simulation since which the chosen move has had the most visits."""
        since = self.simulations
        for moment in reversed(self.moments):
            if moment.visits.get(self.chosen, 0) < max(moment.visits.values()):
                break
            since = moment.simulations
        return since


def judge_in_words(judge: Judge) -> str:
    """What a simulation did with a new position."""
    match judge:
        case Rollout("quick"):
            return "played on to the end by the game's own quick policy (at random if it has none)"
        case Rollout("estimate"):
            return "took the value of the new position from the game's own heuristic (random play if it has none)"
        case Rollout():
            return "played on at random to the end"
        case Actor():
            return "played on to the end by the network's policy"
        case Critic():
            return "took the value of the new position from the network"
        case Mix():
            return f"either {judge_in_words(judge.rollout)} or {judge_in_words(judge.critic)}"


def explain_mcts(game: Game, state: State, agent: TreeSearcher, rng: Rng) -> MctsExplanation:
    """Runs an agent's search on a state, looking at it from time to time."""
    settings = agent.settings()
    search = Mcts(state, settings, rng)
    moments: list[Moment] = []
    total = 0
    for simulations, seconds in pieces(agent):
        total += search.run(simulations, seconds)
        moments.append(watch(search, total))
        if search.proven is not None:
            break
    chosen = search.best(agent.choice).action
    children = sorted(search.children(), key=lambda child: (child.action != chosen, -child.visits))
    return MctsExplanation(
        game,
        state,
        chosen,
        settings,
        moments,
        children,
        search.line(),
        top_of(search, state),
        visited_by_depth(search),
    )


def pieces(agent: TreeSearcher) -> list[tuple[int | None, float | None]]:
    """The budget in pieces (simulations, seconds): few simulations at first, when everything changes, many at last."""
    if agent.simulations is None and agent.seconds is not None:
        return [(None, agent.seconds / PIECES)] * PIECES
    simulations = agent.simulations or agent.usual
    marks = sorted({max(1, round(simulations ** (i / PIECES))) for i in range(1, PIECES + 1)})
    return [(b - a, None) for a, b in zip([0, *marks], marks, strict=False)]


def watch(search: Mcts, simulations: int) -> Moment:
    children = search.children()
    return Moment(
        simulations,
        {child.action: child.visits for child in children},
        {child.action: child.value for child in children if child.visits},
    )


def top_of(search: Mcts, state: State, width: int = 3, depth: int = 3) -> Branch:
    """The most visited part of the tree: `width` children of the root, one fewer at every ply below."""

    def branch(path: list[Action], state: State, chooser: Player, visits: int, value: float) -> Branch:
        below = []
        if len(path) < depth and not state.over:
            rows = sorted(search.children(path), key=lambda child: -child.visits)[: width - len(path)]
            for child in rows:
                if child.visits:
                    after = state.play(child.action)
                    below.append(branch([*path, child.action], after, state.player, child.visits, child.value))
        return Branch(path[-1] if path else None, chooser, visits, value, tuple(below))

    return branch([], state, state.player, search.visits, search.value)


def visited_by_depth(search: Mcts, deepest: int = 12, most: int = 4000) -> list[int]:
    """How many different nodes of each depth have been visited: how wide and how deep the search looked."""
    counts: list[int] = []
    layer: list[list[Action]] = [[]]
    while layer and len(counts) < deepest and sum(counts) < most:
        following = [[*path, child.action] for path in layer for child in search.children(path) if child.visits]
        if following:
            counts.append(len(following))
        layer = following
    return counts
