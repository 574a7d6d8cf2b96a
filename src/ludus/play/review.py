"""The review of a game: every move judged, by the solver where it reaches, else by search.

`review` yields what it finds out as it goes: proofs from the end of the game backwards, then a first impression of all
other moves, then their final judgement. What a judged move is stands in judged.py, how a position is judged in
assess.py, and what is said about it in review_words.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ludus._core import Rng
from ludus.game import Action, Game, State, seen_by
from ludus.play import review_words, talk
from ludus.play.assess import Effort, Known, Steps, find_keeper, prove, search
from ludus.play.judged import EQUAL, Grade, Judged, grade_by_proof, grade_by_search, share_of
from ludus.search.mcts import Child
from ludus.search.solve import Solver

PATIENCE = 2  # positions in a row, from the end backwards, that the solver may fail to prove before it gives up
GAP = 4  # times the usual seconds for a position between proven ones
IMPRESSION = 0.1  # the part of a search that a first impression takes
ENOUGH = 30  # visits with which the value of a move says something

Comparison = tuple[float, Action | None, float]  # the best value before a move, its action, and what the move lost


def review(
    game: Game,
    actions: Sequence[Action],
    effort: Effort | None = None,
    names: tuple[str, str] | None = None,
    start: State | None = None,
    rng: Rng | None = None,
    solver: Solver | None = None,
) -> Iterator[Judged | None]:
    """The judged moves as they become known, and None after every step of about a twentieth of a second.

    The same move may come twice: first not settled, then settled. `names` are those of the players in the sentences.
    """
    states = list(game.states(actions, start))  # refuses an illegal action now, and not at the first step
    names = names or (talk.name_player(game, 0), talk.name_player(game, 1))
    return Review(game, states, list(actions), effort or Effort(), names, rng or Rng(), solver or Solver()).steps()


class Review:
    """A review that is under way. Position i is the one after i moves."""

    def __init__(
        self,
        game: Game,
        states: list[State],
        actions: list[Action],
        effort: Effort,
        names: tuple[str, str],
        rng: Rng,
        solver: Solver,
    ) -> None:
        self.game, self.states, self.actions = game, states, actions
        self.effort, self.names, self.rng, self.solver = effort, names, rng, solver
        self.known: list[Known | None] = [None] * len(states)
        self.proven_moves: set[int] = set()  # the plies whose final judgement is out, because it is proven

    def steps(self) -> Iterator[Judged | None]:
        yield from self.prove_backwards()
        yield from self.prove_gaps()
        for part in (IMPRESSION, 1.0):
            yield from self.search_backwards(part)

    # ------------------------------------------------------------------------------------- the passes

    def prove_backwards(self) -> Iterator[Judged | None]:
        """Proofs are short at the end of a game, and what they found makes earlier ones shorter."""
        failed = 0
        for at in reversed(range(len(self.states))):
            value = self.implied(at)
            if value is None:
                value = yield from prove(self.solver, self.states[at], self.effort.solver_seconds)
            failed = failed + 1 if value is None else 0
            if value is not None:
                yield from self.learn(at, Known(float(value), True))
            if failed == PATIENCE:
                return

    def prove_gaps(self) -> Iterator[Judged | None]:
        """More time for positions between proven ones: they are near a proof, and one guess among proofs misleads."""
        for at in reversed(range(1, len(self.states) - 1)):
            if not self.is_proven(at) and self.is_proven(at - 1) and self.is_proven(at + 1):
                value = yield from prove(self.solver, self.states[at], GAP * self.effort.solver_seconds)
                if value is not None:
                    yield from self.learn(at, Known(float(value), True))

    def search_backwards(self, part: float) -> Iterator[Judged | None]:
        """Searches every position whose value, or the value after whose move, is not proven."""
        for at in reversed(range(len(self.states))):
            if (value := self.implied(at)) is not None:
                yield from self.learn(at, Known(float(value), True))
            if not self.wants_search(at):
                continue
            found = yield from search(self.states[at], self.effort, part, self.rng.split())
            before = self.known[at]
            if before is not None and before.proven:
                found = replace(before, children=found.children)
            yield from self.learn(at, found)
            if at + 1 < len(self.states) and at + 1 not in self.proven_moves:
                yield (yield from self.judge(at + 1, part == 1.0))

    def wants_search(self, at: int) -> bool:
        return not self.is_proven(at) or (at + 1 < len(self.states) and not self.is_proven(at + 1))

    def is_proven(self, at: int) -> bool:
        known = self.known[at]
        return known is not None and known.proven

    # ------------------------------------------------------------------------------------- what is known

    def implied(self, at: int) -> int | None:
        """A move that is proven to win proves that the position before it is won."""
        if self.is_proven(at) or at + 1 == len(self.states) or not self.is_proven(at + 1):
            return None
        return 1 if self.value_after(at + 1) == 1 else None

    def learn(self, at: int, known: Known) -> Iterator[Judged | None]:
        """Keeps what is known about a position, and judges the moves whose result is proven by it."""
        self.known[at] = known
        following = at + 1
        if known.proven and known.value == -1 and following < len(self.states) and not self.is_proven(following):
            state, child = self.states[at], self.states[following]  # every move loses, so this one did
            yield from self.learn(following, Known(seen_by(child.player, state.player, -1.0), True))
        for ply in (at, at + 1):
            both = 0 < ply < len(self.states) and self.is_proven(ply - 1) and self.is_proven(ply)
            if both and ply not in self.proven_moves:
                self.proven_moves.add(ply)
                yield (yield from self.judge(ply, True))

    def value_after(self, ply: int) -> float:
        """The value of the position after a move, for the player who made it."""
        known = self.known[ply]
        assert known is not None
        return seen_by(self.states[ply - 1].player, self.states[ply].player, known.value)

    # ------------------------------------------------------------------------------------- the judgement

    def judge(self, ply: int, settled: bool) -> Steps[Judged]:
        """The judgement of a move; what is known of the positions before and after it must be there."""
        state, action = self.states[ply - 1], self.actions[ply - 1]
        proven = self.is_proven(ply - 1) and self.is_proven(ply)
        before, best, loss = (yield from self.compare_proven(ply)) if proven else self.compare_searched(ply)
        judged = Judged(
            ply=ply,
            player=state.player,
            action=action,
            move=talk.write(self.game, state, action),
            before=share_of(before),
            before_proven=proven,
            after=share_of(self.value_after(ply)),
            after_proven=self.is_proven(ply),
            best=best,
            best_move=None if best is None else talk.write(self.game, state, best),
            loss=loss,
            grade=self.grade(ply, loss, before),
            over=self.states[ply].over,
            only=len(state.actions()) == 1,
            settled=settled,
        )
        return replace(judged, sentence=review_words.sentence(judged, self.names))

    def compare_proven(self, ply: int) -> Steps[Comparison]:
        """The proven value before a move, an action that keeps it, and the share that the move lost."""
        known, after = self.known[ply - 1], self.value_after(ply)
        assert known is not None
        if known.value == after:
            return after, self.actions[ply - 1], 0.0
        state, value = self.states[ply - 1], int(known.value)
        keeper = yield from find_keeper(self.solver, state, value, self.effort, self.rng.split())
        return known.value, keeper, share_of(known.value) - share_of(after)

    def compare_searched(self, ply: int) -> Comparison:
        """The best value that a search knows before a move, of which action, and the share that the move lost.

        The search after the move saw more of it than the one before. If that is a proof, the loss is what the search
        before the move sees between the two: a proof on one side and a guess on the other do not compare.
        """
        known, action, after = self.known[ply - 1], self.actions[ply - 1], self.value_after(ply)
        assert known is not None
        other = known.best_except(action)
        if other is None:
            return after, action, 0.0
        own, best = after, value_of(other)
        if self.is_proven(ply):
            own = value_of(next((child for child in known.children if child.action == action and told(child)), other))
        loss = share_of(best) - share_of(own)
        return (best, other.action, loss) if loss >= EQUAL else (after, action, 0.0)

    def grade(self, ply: int, loss: float, before: float) -> Grade:
        here, there = self.is_proven(ply - 1), self.is_proven(ply)
        if len(self.states[ply - 1].actions()) == 1 or (here and there and before == -1):
            return "forced"
        if here and there:
            return grade_by_proof(loss)
        grade = grade_by_search(loss)
        return "unclear" if there and grade != "mistake" else grade


def told(child: Child) -> bool:
    """Does the value of a child say something?"""
    return child.proven is not None or child.visits >= ENOUGH


def value_of(child: Child) -> float:
    """The value of a child, for the player who would play it."""
    return child.value if child.proven is None else float(child.proven)
