"""The review of a game as a task for a worker: every move judged, told as it becomes known."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ludus.agents.mcts import searcher
from ludus.play.assess import Effort
from ludus.play.judged import Judged
from ludus.play.record import RULES
from ludus.play.review import review
from ludus.play.review_words import summary, turning_points
from ludus.web.searching.tasks import Facts, Place, Steps
from ludus.web.searching.tools import Tools

JUDGE = -3  # the seat of agents that judge
WITH_NETWORK = 400  # simulations for a position


@dataclass(frozen=True)
class ReviewTask:
    """Judges the moves that lead to a place. Reports all judged moves so far (kind "review")."""

    place: Place
    table: str
    names: tuple[str, str]
    score: float | None = None  # of player 0; None: the game is not finished
    end: str = RULES
    network: str | None = None  # an agent whose network guides the search; None: a plain search
    urgent: bool = False

    def steps(self, tools: Tools) -> Steps:
        game, state = yield from tools.open(self.place)
        effort = Effort()
        if self.network is not None:
            agent = yield from tools.agent(self.network, self.place, game, JUDGE)
            effort = Effort(simulations=WITH_NETWORK, search=searcher(agent, state).settings())
        judged: dict[int, Judged] = {}
        moves = review(game, self.place.actions, effort, self.names, solver=tools.solver(self.place))
        for found in moves:
            if found is not None:
                judged[found.ply] = found
            yield self.facts(judged) if found is not None and tools.due() else None
        return self.facts(judged)

    def facts(self, judged: dict[int, Judged]) -> Facts:
        rows = [judged[ply] for ply in sorted(judged)]
        settled = sum(row.settled for row in rows)
        return {
            "kind": "review",
            "rows": [row.as_json() for row in rows],
            "points": [asdict(point) for point in turning_points(rows, self.names)],
            "summary": summary(rows, self.names, self.score, self.end) if settled == len(self.place.actions) else "",
            "progress": settled / max(1, len(self.place.actions)),
        }
