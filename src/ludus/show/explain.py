"""Seeing a search think: it runs in pieces, and what it knew after each piece is kept for a table and a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ludus._core import Rng
from ludus.agents import MctsAgent
from ludus.errors import BadOption
from ludus.game import Action, Game, State
from ludus.search.mcts import Child, Mcts, Rave, Uct

PIECES = 40  # moments at which the search is looked at


@dataclass(frozen=True)
class Moment:
    """What the root knew after so many simulations."""

    simulations: int
    visits: dict[Action, int]
    values: dict[Action, float]


@dataclass(frozen=True)
class Branch:
    """A node at the top of the tree, with its most visited children."""

    action: Action | None  # None: the root
    player: int  # who chose it
    visits: int
    value: float
    children: tuple[Branch, ...] = ()


@dataclass(frozen=True)
class Story:
    """A whole search, told from its moments."""

    game: Game
    state: State
    agent: MctsAgent
    moments: list[Moment]
    children: list[Child]  # of the root, the chosen one and then the most visited
    chosen: Action
    line: list[Action]
    tree: Branch
    depths: list[int]  # how many nodes of each depth were visited

    @property
    def simulations(self) -> int:
        return self.moments[-1].simulations


def think(game: Game, state: State, agent: MctsAgent, rng: Rng) -> Story:
    """Runs an agent's search on a state, looking at it from time to time."""
    search = Mcts(state, agent.settings(), rng)
    moments: list[Moment] = []
    total = 0
    for simulations, seconds in pieces(agent):
        total += search.run(simulations, seconds)
        moments.append(watch(search, total))
        if search.proven is not None:
            break
    chosen = search.best(agent.choice).action
    children = sorted(search.children(), key=lambda child: (child.action != chosen, -child.visits))
    return Story(
        game,
        state,
        agent,
        moments,
        children,
        chosen,
        search.line(),
        top_of(search, state),
        visited_by_depth(search),
    )


def pieces(agent: MctsAgent) -> list[tuple[int | None, float | None]]:
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
    """The most visited part of the tree: so many children of the root, one fewer at every ply below."""

    def branch(path: list[Action], state: State, chooser: int, visits: int, value: float) -> Branch:
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


def bonus(story: Story, child: Child) -> float:
    """What the tree policy adds to a child for being little known (UCT and RAVE)."""
    rule, total = story.agent.tree_rule(), max(2, sum(c.visits for c in story.children))
    if isinstance(rule, Uct):
        return rule.c * math.sqrt((2 if rule.two_ln else 1) * math.log(total) / max(1, child.visits))
    if isinstance(rule, Rave):
        return rule.c * math.sqrt(math.log(total) / (child.visits + 1))
    return 0.0


def in_words(story: Story) -> str:
    """Why the move was chosen, for somebody who has never seen a tree search."""
    game, player = story.game, story.state.player
    first, *others = [child for child in story.children if child.visits]
    total = sum(child.visits for child in story.children)
    move = game.write(story.chosen)
    games = f"{story.simulations:,} game{'s' if story.simulations != 1 else ''}"
    words = [
        f"Player {player} is to move. The search imagined {games} from here: it walked down a tree of what it "
        f"already knew, tried something new, played on at random to the end, and remembered how it ended.",
        verdict(story, first, move),
        f"{move} began {first.visits / total:.0%} of the games, and player {player} scored {points(first)} in them "
        f"(a win is 100%, a draw 50%).",
    ]
    if others:
        second = others[0]
        words.append(
            f"{game.write(second.action)} came next with {second.visits / total:.0%} of the games and {points(second)}."
        )
        least = others[-1]
        if least.value < first.value and least.visits < first.visits:
            words.append(
                f"Moves that did badly were tried less and less: {game.write(least.action)} began only {least.visits} "
                f"and scored {points(least)}."
            )
    since = settled(story)
    if story.moments[0].simulations < since < story.simulations:
        words.append(f"{move} has been in the lead since simulation {since:,}.")
    if story.line:
        words.append(f"It expects {' '.join(game.write(action) for action in story.line[:6])} to be played.")
    return " ".join(words)


def verdict(story: Story, first: Child, move: str) -> str:
    """What the choice rests on: a proof, or experience."""
    if first.proven == 1:
        return f"It could prove that {move} wins by force, so it chose {move}."
    if first.proven == 0:
        return f"It could prove that {move} draws by force, and found nothing better, so it chose {move}."
    if first.proven == -1:
        return f"It could prove that every move loses by force; it chose {move} all the same."
    return f"It chose {move}, the move it had come back to most often."


def points(child: Child) -> str:
    """The mean score as a share: a win is 100%, a draw 50%."""
    return f"{(child.value + 1) / 2:.0%}"


def settled(story: Story) -> int:
    """Since when the chosen move has been in the lead."""
    since = story.simulations
    for moment in reversed(story.moments):
        if moment.visits.get(story.chosen, 0) < max(moment.visits.values()):
            break
        since = moment.simulations
    return since


def table(story: Story, rows: int = 10) -> list[dict[str, object]]:
    """The leading moves: visits, share of visits, share of the points, the bonus for being little known."""
    total = max(1, sum(child.visits for child in story.children))
    return [
        {
            "move": story.game.write(child.action),
            "visits": child.visits,
            "share": child.visits / total,
            "points": (child.value + 1) / 2 if child.visits else None,
            "value": child.value,
            "bonus": bonus(story, child),
            "proven": child.proven,
        }
        for child in story.children[:rows]
    ]


def mcts_only(agent: object) -> MctsAgent:
    """The agent, if its search is one that can be shown."""
    if not isinstance(agent, MctsAgent):
        raise BadOption("explain shows Monte Carlo tree searches: say --agent mcts:simulations=2000, for example")
    return agent
