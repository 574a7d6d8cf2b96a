"""What a page sees of thinking: a search of the position it shows, the perfect answer, hints, and the review.

Each page has at most one of each, and they end when the page looks elsewhere. The searches run in the pool.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from ludus.errors import LudusError
from ludus.game import Player
from ludus.play import talk
from ludus.play.judged import share_of
from ludus.play.record import RULES
from ludus.web import messages as m
from ludus.web import words
from ludus.web.searching.answers import Hint, Perfect
from ludus.web.searching.jobs import Analyse, Branch
from ludus.web.searching.reviewing import ReviewTask
from ludus.web.searching.tasks import Facts

if TYPE_CHECKING:
    from ludus.web.desk import Desk
    from ludus.web.searching.pool import Job, Report

SECONDS = 30.0  # of an analysis, at most
PERFECT_SECONDS = 20.0
BUSY = 0.3  # a search that had less than this share of the time says that others are searching, too


class Analysis:
    """The searches that belong to one page."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.on = False
        self._node: int | None = None  # that is analysed
        self._jobs: list[Job] = []
        self._search: Job | None = None
        self._hint: Job | None = None
        self._hint_node: int | None = None  # that a hint is wanted for
        self._review: Job | None = None

    def switch(self, on: bool) -> None:
        """Shows what a search thinks, or stops."""
        self.on = on
        self.stop()
        self.follow()

    def follow(self) -> None:
        """The page looks at a position: analyse that one, if analysis is on."""
        live = self.desk.live
        if self._hint_node != self.desk.node:
            self._drop_hint()
        if live is None or self._node == self.desk.node:
            return
        self.stop()
        if not self.on or live.table.over(self.desk.node):
            return
        node = self._node = self.desk.node
        try:
            self._start(node)
        except LudusError as error:
            self.desk.tell(m.Refused(words.sentence_from(error)))

    def _start(self, node: int) -> None:
        live, site = self.desk.live, self.desk.site
        assert live is not None
        place, game = live.place(node), live.table.game
        networks = [one["agent"] for one in site.opponents.networks(game) if not one["key"].endswith("+search")]
        search = Analyse(place, site.analyst(game), live.table.key, SECONDS, networks[0] if networks else None)
        self._search = site.pool.start(search, lambda report: self._hear(node, report))
        perfect = Perfect(place, live.table.key, PERFECT_SECONDS)
        self._jobs = [self._search, site.pool.start(perfect, lambda report: self._tell_perfect(node, report))]

    def close(self) -> None:
        """The page leaves the table."""
        self.stop()
        self._drop_hint()
        self.review(False)

    def stop(self) -> None:
        """The page looks elsewhere, or does not want to see more: the analysis of one position ends."""
        for job in self._jobs:
            job.cancel()
        self._jobs, self._search, self._node = [], None, None

    def _drop_hint(self) -> None:
        if self._hint is not None:
            self._hint.cancel()
        self._hint = self._hint_node = None

    # ----------------------------------------------------------------------------------- telling

    def _hear(self, node: int, report: Report) -> None:
        if node != self._node or report.failed:
            return
        facts = report.facts
        if facts["kind"] == "opinion":
            policy = {str(row["action"]): round(row["share"], 4) for row in facts["policy"]}
            self.desk.tell(m.Opinion(node, facts["network"], policy, self._win(node, facts["value"])), "opinion")
        elif "actions" in facts:
            self.tell_thought(node, "analysis", report)

    def tell_thought(self, node: int, why: Literal["move", "analysis"], report: Report) -> None:
        """The state of a search, as shares of points."""
        facts, rows = report.facts, report.facts["actions"]
        if not any(row["visits"] for row in rows):
            return
        win = self._win(node, facts["value"])
        if why == "analysis" and self.desk.live is not None:
            self.desk.live.table.node(node).share = win
        self.desk.tell(
            m.Thought(
                node,
                why,
                {str(row["action"]): round(row["share"], 4) for row in rows},
                {str(row["action"]): round(share_of(row["value"]), 4) for row in rows if row["value"] is not None},
                {str(row["action"]): row["proven"] for row in rows if row["proven"] is not None},
                facts["cells"],
                facts["words"],
                win,
                facts["simulations"],
                round(facts["per_second"]),
                facts["nodes"],
                report.done or bool(facts.get("ended")),
                facts.get("share", 1.0) < BUSY,
            ),
            f"thought {why}",
        )

    def _tell_perfect(self, node: int, report: Report) -> None:
        """Which moves win, draw and lose; nothing where no solver knows."""
        facts = report.facts
        if node != self._node or report.failed or self.desk.live is None:
            return
        scores = {row["action"]: row["value"] for row in facts["actions"] if row["value"] is not None}
        game = self.desk.live.table.game
        mover = talk.names_of(game.board(self.desk.live.table.node(node).state))[self._mover(node)]
        sentence = words.perfect_in_words(mover, facts["value"], scores, len(facts["actions"]))
        proven = {str(action): score for action, score in scores.items()}
        told = m.Perfect(node, proven, facts["value"], report.done, sentence)
        self.desk.tell(told, "perfect")

    def _win(self, node: int, value: float | None) -> float | None:
        """A value for the player to move, as the share of the points of player 0."""
        return None if value is None else round(self._for_first(node, share_of(value)), 4)

    def _for_first(self, node: int, win: float) -> float:
        """A win share for the player to move, as one for player 0."""
        return win if self._mover(node) == 0 else 1 - win

    def _mover(self, node: int) -> Player:
        assert self.desk.live is not None
        return self.desk.live.table.node(node).state.player

    # ----------------------------------------------------------------------------------- on demand

    def open_branch(self, path: list[int]) -> None:
        """The children below some actions in the tree of the running search."""
        if self._search is None or len(path) > 64:
            raise LudusError("Switch the analysis on first")
        node = self.desk.node
        self._search.ask(Branch(tuple(path))).add_done_callback(lambda future: self._tell_branch(node, future))

    def _tell_branch(self, node: int, future: asyncio.Future[Facts]) -> None:
        if future.cancelled() or future.exception() is not None or node != self.desk.node:
            return
        facts = future.result()
        rows = [
            [row["action"], row["name"], round(row["share"], 4), round(share_of(row["value"]), 4), row["visits"]]
            for row in facts["actions"]
        ]
        self.desk.tell(m.Branch(node, facts["path"], facts["player"], rows))

    def hint(self) -> None:
        """One good move, and why."""
        live, node = self.desk.live, self.desk.node
        assert live is not None
        if live.table.over(node):
            raise LudusError("The game is over, so there is nothing to suggest")
        self._drop_hint()
        self._hint_node = node
        task = Hint(live.place(node), live.table.key, self.desk.site.analyst(live.table.game))
        self._hint = self.desk.site.pool.start(task, lambda report: self._tell_hint(node, report))

    def _tell_hint(self, node: int, report: Report) -> None:
        if report.failed:
            self.desk.tell(m.Refused(report.facts["sentence"]))
        elif report.done and node == self.desk.node:
            self.desk.tell(m.Hinted(node, report.facts["action"], report.facts["sentence"]), "hint")

    def review(self, on: bool) -> None:
        """Judges every move of the line on the page, or stops."""
        if self._review is not None:
            self._review.cancel()
            self._review = None
        live = self.desk.live
        if not on or live is None:
            return
        table = live.table
        last = (table.line(self.desk.node) or [0])[-1]
        names = words.names_in_review(table, last)
        score = table.score(last) if table.over(last) else None
        networks = [one["agent"] for one in self.desk.site.opponents.networks(table.game) if "+search" in one["key"]]
        network = networks[0] if networks else None
        task = ReviewTask(live.place(last), table.key, names, score, table.node(last).end or RULES, network)
        self._review = self.desk.site.pool.start(task, self._tell_review)

    def _tell_review(self, report: Report) -> None:
        if report.failed:
            self.desk.tell(m.Refused(report.facts["sentence"]))
            return
        facts = report.facts
        judged = m.Judged(facts["rows"], facts["points"], facts["summary"], facts["progress"], report.done)
        self.desk.tell(judged, "judged")
